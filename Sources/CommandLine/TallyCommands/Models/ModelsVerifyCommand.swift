import CommandKit
import ModelStore

/// `tally models verify`: whether files are what they were.
enum ModelsVerifyCommand: Command {
  static let specification = CommandSpecification(
    words: ["models", "verify"],
    summary: "Check that kept models are undamaged",
    discussion: [
      "Reads each version of the named models, or of all, and compares its SHA-256 with the "
        + "manifest's. A damaged version gets an error line; 'tally models fetch' repairs it."
    ],
    operands: Operands(
      metavar: "NAME", help: "A model that is kept.", isList: true, replacement: all),
    groups: [
      OptionGroup("Models", [all, ModelsFolder.folder]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [Example("Check all.", "tally models verify --all")])

  static let all = Flag("all", help: "Check all models.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let models = try ModelsFolder.of(arguments, console)
    let listed = try models.list()
    var code = ExitCode.success
    func report(_ failure: CommandError) {
      console.report(failure.message)
      if code == .success { code = failure.code }
    }
    for name in arguments.operands where !listed.contains(where: { $0.name == name }) {
      report(Failure.of(ModelStoreError.noModel(name: name)))
    }
    for model in listed where arguments[all] || arguments.operands.contains(model.name) {
      try Task.checkCancellation()
      let failure: CommandError?
      do {
        _ = try models.verified(model.name, version: model.version)
        failure = nil
      } catch {
        failure = Failure.of(error)
      }
      if let failure { report(failure) }
      if arguments[StandardOptions.json] {
        try console.print(
          JSONText.object([
            ("name", .string(model.name)), ("version", .string(model.version)),
            ("whole", .bool(failure == nil)),
            ("message", .optional(failure) { .string($0.message) }),
          ]).text)
      } else if failure == nil {
        try console.print("\(model.name) \(model.version): whole")
      }
    }
    return code
  }
}
