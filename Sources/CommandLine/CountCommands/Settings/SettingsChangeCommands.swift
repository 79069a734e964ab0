import CommandKit
import CountSettings
import Foundation

/// `tally settings set`: sets the initial values of counts.
enum SettingsSetCommand: Command {
  static let specification = CommandSpecification(
    words: ["settings", "set"],
    summary: "Set thresholds for all counts to come",
    discussion: [
      "Sets fields of the configuration that counts begin with. If one of the values is wrong, "
        + "none is set. 'tally settings show' prints the names of all fields and their possible "
        + "values. Options of 'tally count' and the fields of --config override settings."
    ],
    operands: Operands(
      metavar: "FIELD=VALUE",
      help: "A field and its value, such as confidence=0.2, adaptive.tilesPerSide=2, "
        + "sizeSigma=off, aspect=0.45:2.2 or set=precise.", isList: true),
    groups: [OptionGroup("Settings", [SettingsInputs.changed])],
    examples: [
      Example("Count objects of lower confidence too.", "tally settings set confidence=0.2"),
      Example(
        "Begin with another set, and another value in it.",
        "tally settings set set=standard similarity=0.75"),
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    var assignments: [(field: SettingsField, value: String)] = []
    // An invalid value is found before the file is read, whatever its content.
    var trial = CountingSettings()
    for text in arguments.operands {
      let (field, value) = try assignment(text)
      guard !trial.names.contains(field.name) else {
        throw UsageError("\(field.name) is given more than once")
      }
      try trial.set(field, to: value)
      assignments.append((field, value))
    }
    let file = try SettingsInputs.file(arguments, console)
    let settings = try file.change(forgetting: Set(assignments.map(\.field.name))) { settings in
      for (field, value) in assignments { try settings.set(field, to: value) }
    }
    for (field, _) in assignments {
      try console.print("\(field.name): \(field.text(settings.values))")
    }
    if let advice = SettingsInputs.advice(assignments.map(\.field), settings) {
      try console.print(advice)
    }
    return .success
  }

  private static func assignment(
    _ text: String
  ) throws(UsageError) -> (field: SettingsField, value: String) {
    guard let sign = text.firstIndex(of: "=") else {
      throw UsageError("'\(text)' has no value; it must be FIELD=VALUE, as confidence=0.2")
    }
    let name = String(text[..<sign])
    if name == "adaptive" {
      throw UsageError(
        "adaptive is not a value but a group of fields, such as adaptive.tilesPerSide; to do "
          + "without the adaptive set name another, as set=standard")
    }
    return (try SettingsField.typed(name), String(text[text.index(after: sign)...]))
  }
}

/// `tally settings reset`: removes settings.
enum SettingsResetCommand: Command {
  static let specification = CommandSpecification(
    words: ["settings", "reset"],
    summary: "Take thresholds out of the settings, or all of them",
    discussion: [
      "Takes fields out of the settings, so that the values of the set of thresholds hold again. "
        + "Without FIELD it takes out all of them and removes the file. A damaged file is renamed "
        + "instead, and its new name is printed. A field with a wrong value can be taken out too."
    ],
    operands: Operands(
      metavar: "FIELD", help: "The name of a field; adaptive stands for all of its object.",
      isList: true, isOptional: true),
    groups: [OptionGroup("Settings", [SettingsInputs.changed])],
    examples: [
      Example("Take one field out.", "tally settings reset confidence"),
      Example("Take all fields out.", "tally settings reset"),
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let file = try SettingsInputs.file(arguments, console)
    let shown = PrintableText.of(file.path)
    guard !arguments.operands.isEmpty else {
      guard let removed = try file.reset() else {
        try console.print("\(shown): there are no settings")
        return .success
      }
      if let kept = removed.damagedPath {
        try console.print("\(shown): it was damaged, and is now \(PrintableText.of(kept))")
      } else {
        let count = Sentence.count(removed.fields, "field", "fields")
        try console.print("\(shown): \(count) taken out")
      }
      return .success
    }
    let held = try file.names()
    // An unknown field may be in a file by mistake, and can then be removed.
    for name in arguments.operands where name != "adaptive" && held?.contains(name) != true {
      _ = try SettingsField.typed(name)
    }
    guard held != nil else {
      try console.print("\(shown): there are no settings")
      return .success
    }
    let names = Set(arguments.operands)
    try file.change(forgetting: names) { _ in }
    for name in arguments.operands { try console.print("\(PrintableText.of(name)): taken out") }
    return .success
  }
}
