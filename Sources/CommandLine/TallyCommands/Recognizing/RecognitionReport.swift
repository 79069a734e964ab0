import CommandKit
import DateExtraction
import Recognition
import VisionProtocols

/// The result for one object, as text for people and as JSON for machines.
struct RecognitionReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  let result: RecognitionResult

  // MARK: JSON

  /// One object, with what every step saw.
  var json: JSONText {
    .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        ("recognized", .bool(result.isRecognized)),
        ("method", .optional(result.method) { .string($0.rawValue) }),
        ("confidence", .optional(result.confidence) { .float($0) }),
        ("object", .optional(result.object, Self.json)),
        ("reasons", .array(result.reasons.map { .string($0.rawValue) })),
        ("advice", .optional(result.advice) { .string($0.description) }),
        ("steps", .array(result.steps.filter { $0.outcome != .absent }.map(Self.json))),
        ("seconds", .seconds(result.duration.seconds)),
        ("meanLuma", .optional(result.meanLuma) { .double($0) }),
        ("objectShare", .optional(result.objectShare) { .double($0) }),
      ])
  }

  private static func json(_ object: RecognizedObject) -> JSONText {
    switch object {
    case .barcode(let finding):
      .object(BarcodeReport.members(of: finding.barcode))
    case .classification(let kind, let alternatives):
      .object(members(of: kind) + [("alternatives", .array(alternatives.map(json)))])
    case .likeness(let match, let alternatives):
      .object(members(of: match) + [("alternatives", .array(alternatives.map(json)))])
    case .text(let finding):
      .object([
        ("lines", .array(finding.lines.map(json))),
        ("isbns", .array(finding.isbns.map { .string($0.description) })),
        ("dates", .array(finding.dates.map(json))),
      ])
    }
  }

  private static func json(_ step: RecognitionStepReport) -> JSONText {
    let (outcome, reason) = words(of: step.outcome)
    return .object([
      ("step", .string(step.step.rawValue)), ("outcome", .string(outcome)),
      ("reason", .optional(reason) { .string($0) }),
      ("confidence", .optional(step.confidence) { .float($0) }),
      ("seconds", .optional(step.duration) { .seconds($0.seconds) }),
      ("answer", .optional(step.answer, json)),
    ])
  }

  private static func json(_ answer: StepAnswer) -> JSONText {
    switch answer {
    case .barcodes(let found): .array(found.map { .object(BarcodeReport.members(of: $0.barcode)) })
    case .classifications(let found): .array(found.map(json))
    case .likenesses(let found): .array(found.map(json))
    case .texts(let found): .array(found.map(json))
    }
  }

  private static func json(_ line: RecognizedText) -> JSONText {
    .object(TextReport.members(of: line))
  }

  private static func json(_ kind: Classification) -> JSONText { .object(members(of: kind)) }

  private static func members(of kind: Classification) -> [(String, JSONText)] {
    [
      ("label", .string(kind.label)), ("index", .integer(kind.index)),
      ("confidence", .float(kind.confidence)),
    ]
  }

  private static func json(_ match: LikenessMatch) -> JSONText { .object(members(of: match)) }

  private static func members(of match: LikenessMatch) -> [(String, JSONText)] {
    [
      ("id", .string(match.id.uuidString.lowercased())),
      ("name", .optional(match.name) { .string($0) }), ("cosine", .float(match.cosine)),
    ]
  }

  private static func json(_ date: TextDate) -> JSONText {
    .object([
      ("line", .integer(date.line)), ("date", .string(date.match.date.description)),
      ("label", .optional(date.match.label) { .string($0.rawValue) }),
      ("alternatives", .array(date.match.alternatives.map { .string($0.description) })),
    ])
  }

  /// The word for how a step ended, and why, where that is to be said.
  private static func words(of outcome: StepOutcome) -> (outcome: String, reason: String?) {
    switch outcome {
    case .won: ("won", nil)
    case .outranked: ("outranked", nil)
    case .unsure: ("unsure", nil)
    case .nothing: ("nothing", nil)
    case .timedOut: ("timedOut", nil)
    case .modelNotLoaded(let model): ("modelNotLoaded", "the model \(model) is not there")
    case .failed(let reason): ("failed", reason)
    case .cancelled: ("cancelled", nil)
    case .notStarted: ("notStarted", nil)
    case .absent: ("absent", nil)
    }
  }

  // MARK: Tables

  static let isList = false
  static let columns = ["recognized", "method", "object", "confidence"]

  /// 1 if the thing was recognized, else 0.
  var found: Int { result.isRecognized ? 1 : 0 }

  var records: [[String]] {
    [
      [
        result.isRecognized ? "yes" : "no", result.method?.rawValue ?? "",
        CSVText.text(result.object.map(Self.name) ?? ""),
        result.confidence.map { JSONText.float($0).text } ?? "",
      ]
    ]
  }

  /// The name of the object, in a word or a line.
  private static func name(of object: RecognizedObject) -> String {
    switch object {
    case .barcode(let finding): finding.isbn?.description ?? finding.barcode.payload
    case .classification(let kind, _): kind.label
    case .likeness(let match, _): match.name ?? match.id.uuidString.lowercased()
    case .text(let finding): finding.lines.map(\.text).joined(separator: " ")
    }
  }

  // MARK: Text

  /// What it is, what else may help, and a table of the steps.
  var lines: [String] {
    var title = PrintableText.of(path) + ": "
    var details: [String] = []
    if let object = result.object {
      title += Self.text(of: object, &details)
    } else {
      title += "not recognized"
      details = result.reasons.map { reason in
        // Text is the only step whose models a command line may lack.
        reason == .modelNotLoaded
          ? "Its text cannot be read without models; '\(TextModels.fetching)' fetches them."
          : reason.description
      }
    }
    var table = TextTable([
      ("  step", .left), ("outcome", .left), ("confidence", .right), ("seconds", .right),
      ("saw", .left),
    ])
    for step in result.steps where step.outcome != .absent {
      let (outcome, reason) = Self.plainWords(of: step.outcome)
      table.add([
        "  \(step.step.rawValue)", outcome,
        step.confidence.map { NumberText.fixed(Double($0), digits: 4) } ?? "-",
        step.duration.map { NumberText.fixed($0.seconds, digits: 3) } ?? "-",
        reason ?? step.answer.map(Self.summary) ?? "",
      ])
    }
    return [title] + details.map { "  \(PrintableText.of($0))" } + table.lines
  }

  /// What it is, in one line without the photo's name.
  var caption: String {
    var details: [String] = []
    return result.object.map { Self.text(of: $0, &details) } ?? "not recognized"
  }

  private static func text(of object: RecognizedObject, _ details: inout [String]) -> String {
    switch object {
    case .barcode(let finding):
      let code = finding.barcode
      let isbn = finding.isbn.map { ", ISBN \($0)" } ?? ""
      return "\(code.symbology.rawValue) \(PrintableText.of(code.payload))\(isbn)"
    case .classification(let kind, let alternatives):
      if !alternatives.isEmpty {
        details.append("or " + alternatives.map(words).joined(separator: ", "))
      }
      return words(kind)
    case .likeness(let match, let alternatives):
      if !alternatives.isEmpty {
        details.append("or " + alternatives.map(words).joined(separator: ", "))
      }
      return words(match)
    case .text(let finding):
      details += finding.lines.map(\.text)
      details += finding.isbns.map { "ISBN \($0)" }
      details += finding.dates.map { date in
        "\(date.match.label.map(words) ?? "date") \(date.match.date)"
      }
      return Sentence.count(finding.lines.count, "line of text", "lines of text")
    }
  }

  private static func words(_ label: DateLabel) -> String {
    switch label {
    case .expiry: "expires"
    case .bestBefore: "best before"
    case .useBy: "use by"
    case .sellBy: "sell by"
    case .packed: "packed"
    case .manufactured: "made"
    }
  }

  private static func words(_ kind: Classification) -> String {
    let share = NumberText.fixed(100 * Double(kind.confidence), digits: 1)
    return "\(PrintableText.of(kind.label)) \(share) %"
  }

  private static func words(_ match: LikenessMatch) -> String {
    "\(PrintableText.of(match.name ?? match.id.uuidString.lowercased())) "
      + "(cosine \(NumberText.fixed(Double(match.cosine), digits: 3)))"
  }

  /// As ``words(of:)-(StepOutcome)``, for people.
  private static func plainWords(of outcome: StepOutcome) -> (outcome: String, reason: String?) {
    switch outcome {
    case .timedOut: return ("timed out", nil)
    case .modelNotLoaded(let model):
      return ("no model", "\(model) is not there")
    case .notStarted: return ("not started", nil)
    default: return words(of: outcome)
    }
  }

  /// How much a step saw.
  private static func summary(of answer: StepAnswer) -> String {
    switch answer {
    case .barcodes(let found): Sentence.count(found.count, "barcode", "barcodes")
    case .classifications(let found): found.first.map(words) ?? ""
    case .likenesses(let found): found.first.map(words) ?? ""
    case .texts(let found): Sentence.count(found.count, "line", "lines")
    }
  }

  /// The result for several photos, in one line.
  static func summary(of totals: RecognitionTotals) -> String {
    var parts = [
      Sentence.count(totals.attempts, "photo", "photos"),
      "\(totals.successes) recognized"
        + (totals.successRate.map { " (\(NumberText.fixed(100 * $0, digits: 0)) %)" } ?? ""),
    ]
    if let confidence = totals.meanConfidence {
      parts.append("mean confidence \(NumberText.fixed(confidence, digits: 2))")
    }
    if let seconds = totals.meanLatency {
      parts.append("\(NumberText.fixed(seconds, digits: 2)) s each")
    }
    return parts.joined(separator: ", ")
  }
}
