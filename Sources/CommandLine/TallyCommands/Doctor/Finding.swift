import CommandKit

/// What one check found.
struct Finding: Equatable, Sendable {
  /// How good or bad it is.
  enum State: String, Sendable {
    /// As it should be.
    case ok
    /// Unusual, or good to know; nothing fails because of it.
    case note
    /// A command fails because of it, or has other results than it should.
    case problem
  }

  /// What was checked, in one word or two.
  let check: String
  let state: State
  /// What was found.
  let text: String
  /// What to do, as a sentence without a full stop; nil for nothing.
  let advice: String?

  /// Something that is as it should be.
  static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check: check, state: .ok, text: text, advice: nil)
  }

  /// Something unusual, and what to do if it is not intended.
  static func note(_ check: String, _ text: String, advice: String?) -> Finding {
    Finding(check: check, state: .note, text: text, advice: advice)
  }

  /// A problem, and what to do about it.
  static func problem(_ check: String, _ text: String, advice: String) -> Finding {
    Finding(check: check, state: .problem, text: text, advice: advice)
  }

  /// The finding as an object.
  var json: JSONText {
    .object([
      ("check", .string(check)), ("state", .string(state.rawValue)), ("finding", .string(text)),
      ("advice", .optional(advice) { .string($0) }),
    ])
  }
}

/// All findings, as text for people and as JSON for machines.
struct DoctorReport {
  let findings: [Finding]

  /// How many findings are of a state.
  func count(_ state: Finding.State) -> Int { findings.count { $0.state == state } }

  /// One object with all findings.
  var json: JSONText {
    .object([
      ("version", .string(ToolVersion.current)), ("problems", .integer(count(.problem))),
      ("notes", .integer(count(.note))), ("checks", .array(findings.map(\.json))),
    ])
  }

  /// The findings in the order of the checks, with advice below.
  ///
  /// Columns do not depend on the findings, so that parts of a report can be printed one by one.
  var lines: [String] {
    func padded(_ word: String, _ width: Int) -> String {
      word + String(repeating: " ", count: max(0, width - word.count))
    }
    var report = ReportText()
    for finding in findings {
      let check = padded(finding.check, 9)
      report.add("\(padded(finding.state.rawValue, 7))  \(check)", finding.text)
      if let advice = finding.advice { report.add("", "-> \(advice).") }
    }
    return report.lines
  }

  /// How many problems and notes there are.
  var summary: String {
    let problems = count(.problem)
    let notes = Sentence.count(count(.note), "note", "notes")
    return (problems == 0 ? "no problem" : Sentence.count(problems, "problem", "problems"))
      + ", \(notes)"
  }
}
