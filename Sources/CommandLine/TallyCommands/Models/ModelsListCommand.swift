import CommandKit
import ModelStore

/// `tally models list`: what is kept, and what could be fetched.
enum ModelsListCommand: Command {
  static let specification = CommandSpecification(
    words: ["models", "list"],
    summary: "Print the models that are kept, and those that can be fetched",
    discussion: [
      "Prints each version of each model that is kept, which of them is in use, and the models of "
        + "the catalogue that can be fetched. Files are not read; 'tally models verify' does that."
    ],
    operands: .none,
    groups: [
      OptionGroup("Models", [ModelsFolder.folder]), OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [Example("Which models are there?", "tally models list")])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let models = try ModelsFolder.of(arguments, console)
    let listed = try models.list()
    let missing = try ModelCatalogue.models().filter { known in
      !listed.contains { $0.name == known.name && $0.version == known.version }
    }
    var code = ExitCode.success
    var table = TextTable([
      ("model", .left), ("version", .left), ("state", .left), ("bytes", .right), ("task", .left),
      ("licence", .left),
    ])
    func add(_ manifest: ModelManifest, _ state: String) {
      table.add([
        manifest.name, manifest.version, state, "\(manifest.size)", manifest.task,
        manifest.licence ?? "",
      ])
    }
    for model in listed {
      switch model.manifest {
      case .success(let manifest):
        let state = model.isInUse ? "in use" : "kept"
        if arguments[StandardOptions.json] {
          try console.print(
            JSONText.object(ModelsFolder.members(manifest) + [("state", .string(state))]).text)
        }
        add(manifest, state)
      case .failure(let error):
        let failure = Failure.of(error)
        console.report(failure.message)
        code = failure.code
      }
    }
    for manifest in missing {
      if arguments[StandardOptions.json] {
        try console.print(
          JSONText.object(ModelsFolder.members(manifest) + [("state", .string("to fetch"))]).text)
      }
      add(manifest, "to fetch")
    }
    if !arguments[StandardOptions.json] {
      try console.print(table.lines.joined(separator: "\n"))
    }
    return code
  }
}
