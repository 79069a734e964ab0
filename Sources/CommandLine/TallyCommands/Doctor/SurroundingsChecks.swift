import CommandKit
import CountCommands
import Foundation

/// Checks of what is around the program: the folder for temporary files, the terminal, and
/// variables.
enum SurroundingsChecks {
  /// All of them.
  static func findings(_ console: Console) -> [Finding] {
    [temporaryFolder(console.environment), locale(console)] + variables(console.environment)
  }

  // MARK: Temporary files

  /// Less room than this is too little for most archives of models.
  private static let littleRoom = 100 << 20

  private static func temporaryFolder(_ environment: [String: String]) -> Finding {
    let title = "temporary"
    let path = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let advice = "set TMPDIR to a folder with room; 'tally models fetch' unpacks archives there"
    guard case .folder = FolderAccess.kind(path) else {
      return .note(title, "\(path): this is not a folder", advice: advice)
    }
    if let reason = FolderAccess.refusal(toWriteIn: path) {
      return .note(title, reason, advice: advice)
    }
    guard let free = FolderAccess.freeBytes(in: path) else {
      return .ok(title, "\(path): can be written in")
    }
    let text = "\(path): can be written in, \(free >> 20) MB free"
    return free < littleRoom ? .note(title, text, advice: advice) : .ok(title, text)
  }

  // MARK: Terminal

  private static func locale(_ console: Console) -> Finding {
    let terminal = console.isWatched ? "terminal of \(console.columns) columns" : "no terminal"
    // The first that is not empty decides (POSIX, environment variables).
    let found = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { name in
      console.environment[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
    }.first
    let title = "terminal"
    let advice = "if letters look wrong, use a terminal with UTF-8 and 'export LC_ALL=C.UTF-8'"
    guard let found else {
      return .note(title, "\(terminal), no locale is set; texts are UTF-8", advice: advice)
    }
    let name = found.value.lowercased()
    guard name.contains("utf-8") || name.contains("utf8") else {
      return .note(
        title, "\(terminal), \(found.name) is \(found.value); texts are UTF-8", advice: advice)
    }
    return .ok(title, "\(terminal), UTF-8 (\(found.name)=\(found.value))")
  }

  // MARK: Variables

  /// The variables of this program.
  private static let own = [ModelReference.variable, TemplateInputs.variable]

  /// A finding for each variable that changes what commands do.
  private static func variables(_ environment: [String: String]) -> [Finding] {
    let title = "variable"
    let findings = environment.sorted { $0.key < $1.key }.compactMap { name, value -> Finding? in
      let text = "\(name)=\(value)"
      switch name {
      case _ where own.contains(name):
        return value.isEmpty
          ? .note(title, "\(text): an empty value is not used", advice: nil)
          : .ok(title, "\(text): a folder of your choice")
      case _ where name.hasPrefix("TALLY_"):
        return .note(
          title, "\(text): tally does not read it\(Suggestion.text(for: name, among: own))",
          advice: "unset it, or correct its name")
      case "XDG_CONFIG_HOME", "XDG_DATA_HOME":
        return value.hasPrefix("/")
          ? .ok(title, "\(text): a folder of your choice")
          : .note(
            title, "\(text): not used, because it is not an absolute path",
            advice: "give a path that begins with /")
      case "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS":
        return threads(name, value)
      case _ where name.hasPrefix("OPENBLAS_") || name.hasPrefix("OMP_"):
        return .note(
          title, "\(text): the library for matrices may read it",
          advice: "unset it if results or times are not as expected")
      default: return nil
      }
    }
    return findings.isEmpty
      ? [.ok(title, "none is set that changes what commands do")] : findings
  }

  private static func threads(_ name: String, _ value: String) -> Finding {
    guard let number = Int(value), number > 0 else {
      return .note(
        "variable", "\(name)=\(value): not used, because it is not a number above 0",
        advice: "give a number, or unset it")
    }
    return .note(
      "variable",
      "\(name)=\(value): products of matrices use at most "
        + Sentence.count(number, "thread", "threads"),
      advice: "unset it for one thread per processor core")
  }
}
