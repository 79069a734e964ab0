import CommandKit
import ModelStore

/// `tally models remove`: what is no longer wanted.
enum ModelsRemoveCommand: Command {
  static let specification = CommandSpecification(
    words: ["models", "remove"],
    summary: "Remove a model that is kept, or one version of it",
    discussion: [
      "Removes a version that is not in use, or all versions of a model if no version is named."
    ],
    operands: Operands(
      metavar: "NAME VERSION", help: "A model that is kept, and a version or none for all.",
      isList: true),
    groups: [OptionGroup("Models", [ModelsFolder.folder])],
    examples: [
      Example("Remove an old version.", "tally models remove shelf-detector 1"),
      Example("Remove all versions.", "tally models remove shelf-detector"),
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let operands = arguments.operands
    guard operands.count <= 2 else {
      throw UsageError(
        "expected NAME and VERSION, got a third operand: '\(operands[2])'")
    }
    let models = try ModelsFolder.of(arguments, console)
    if operands.count > 1 {
      try models.remove(operands[0], version: operands[1])
    } else {
      try models.remove(operands[0])
    }
    try console.print("\(operands.joined(separator: " ")): removed")
    return .success
  }
}
