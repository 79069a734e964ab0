import CommandKit
import CountCommands
import CountHistory
import CountSettings
import CountTemplates
import Foundation

/// Checks of what commands keep for a user: settings, the history and templates.
enum StoredFileChecks {
  /// All of them.
  static func findings(_ console: Console) -> [Finding] {
    [settings(console), history(console)] + templates(console)
  }

  /// The note about a place that the environment does not name.
  private static func placeless(_ check: String, _ thing: String, _ variables: String) -> Finding {
    .note(check, "there is no place for \(thing)", advice: "set \(variables) to keep them")
  }

  // MARK: Settings

  private static func settings(_ console: Console) -> Finding {
    let title = "settings"
    guard let file = SettingsFile.usual(environment: console.environment) else {
      return placeless(title, "settings", "HOME or XDG_CONFIG_HOME")
    }
    do {
      guard let settings = try file.read() else {
        return .ok(title, "\(file.path): none, so counts begin with the built-in thresholds")
      }
      if settings.isEmpty { return .ok(title, "\(file.path): nothing is set") }
      let unused = settings.unusedNames
      guard unused.isEmpty else {
        return .note(
          title,
          "\(file.path): \(settings.summary); not in force: \(Sentence.all(unused))",
          advice: "'tally settings show' says which fields the set of thresholds uses")
      }
      return .note(
        title, "\(file.path): counts begin with \(settings.summary)",
        advice: "'tally settings reset' removes them")
    } catch {
      let isContent = Failure.of(error).code == .badData
      return .problem(
        title, Failure.of(error).message,
        advice: isContent
          ? "correct it by hand; 'tally settings reset' puts it aside"
          : "change its permissions, or move it away")
    }
  }

  // MARK: History

  private static func history(_ console: Console) -> Finding {
    let title = "history"
    guard let history = HistoryFile.usual(environment: console.environment) else {
      return placeless(title, "a history", "HOME or XDG_DATA_HOME")
    }
    let path = history.url.path
    do {
      switch FolderAccess.kind(path) == .absent ? .empty : try history.inspected() {
      case .empty:
        let folder = (path as NSString).deletingLastPathComponent
        if let reason = FolderAccess.refusal(toWriteIn: folder) {
          return .note(
            title, "\(path): none, and it cannot be made: \(reason)",
            advice: "for 'tally count --save', change the permissions or set XDG_DATA_HOME")
        }
        return .ok(title, "\(path): no counts are saved")
      case .entries(let count):
        return .ok(title, "\(path): \(Sentence.count(count, "count", "counts")) saved")
      case .earlier:
        return .ok(title, "\(path): of an earlier version; the next use converts it")
      case .unfinished:
        return .note(
          title, "\(path): a process is changing it, or was ended in the middle of a change",
          advice: "'tally history list' completes or undoes the change")
      }
    } catch {
      return .problem(title, Failure.of(error).message, advice: advice(about: error))
    }
  }

  private static func advice(about error: HistoryError) -> String {
    switch error {
    case .damaged: "'tally history salvage' saves what can be read"
    case .fromTheFuture: "install the newest version of tally"
    case .notAHistory: "move it away, or set XDG_DATA_HOME"
    case .locked: "try again later"
    default: "change its permissions"
    }
  }

  // MARK: Templates

  private static func templates(_ console: Console) -> [Finding] {
    let title = "templates"
    let named = console.environment[TemplateInputs.variable].flatMap {
      $0.isEmpty ? nil : TemplateFolder(URL(fileURLWithPath: $0))
    }
    guard let folder = named ?? TemplateFolder.usual(environment: console.environment) else {
      return [
        placeless(title, "templates", "HOME, XDG_DATA_HOME or \(TemplateInputs.variable)")
      ]
    }
    let path = folder.url.path
    let kind = FolderAccess.kind(path)
    if kind == .absent { return [.ok(title, "\(path): none")] }
    if kind == .other {
      return [
        .problem(
          title, "\(path): this is not a folder",
          advice: "move it away, or set \(TemplateInputs.variable)")
      ]
    }
    do {
      let names = try folder.names()
      let damaged = names.compactMap { name -> Finding? in
        do {
          _ = try folder.template(name)
          return nil
        } catch {
          return .problem(
            title, Failure.of(error).message,
            advice: "remove it with 'tally template remove \(name)' and make it again")
        }
      }
      guard damaged.isEmpty else { return damaged }
      return [.ok(title, "\(path): \(Sentence.count(names.count, "template", "templates"))")]
    } catch {
      return [.problem(title, Failure.of(error).message, advice: "change its permissions")]
    }
  }
}
