import CommandKit
import ModelStore

/// `tally models use`: which version is meant if none is named.
enum ModelsUseCommand: Command {
  static let specification = CommandSpecification(
    words: ["models", "use"],
    summary: "Put a kept version of a model into use, or go back to the one before",
    discussion: [
      "Checks a version's file and puts it into use. With --back it is the version that was in use "
        + "before; a version that is damaged or removed is skipped."
    ],
    operands: Operands(
      metavar: "NAME VERSION", help: "A model that is kept, and its version unless with --back.",
      isList: true),
    groups: [OptionGroup("Models", [back, ModelsFolder.folder])],
    examples: [
      Example("Take a certain version.", "tally models use shelf-detector 2"),
      Example("Go back.", "tally models use shelf-detector --back"),
    ], changesStore: true)

  static let back = Flag("back", help: "Go back to the version that was in use before.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let operands = arguments.operands
    let wanted = arguments[back] ? 1 : 2
    guard operands.count == wanted else {
      let what =
        arguments[back] ? "a NAME alone goes with --back" : "a NAME and a VERSION are needed"
      throw UsageError(
        "\(what), and \(Sentence.count(operands.count, "operand is", "operands are")) given "
          + "(see '\(specification.invocation) --help')")
    }
    let models = try ModelsFolder.of(arguments, console)
    let version: String
    if arguments[back] {
      version = try models.rollBack(operands[0])
    } else {
      version = operands[1]
      try models.use(operands[0], version: version)
    }
    try console.print("\(operands[0]) \(version): in use")
    return .success
  }
}
