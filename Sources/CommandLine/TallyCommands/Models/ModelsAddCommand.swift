import CommandKit
import Foundation
import ModelStore
import ONNXRunner

/// `tally models add`: a model that is a file already.
enum ModelsAddCommand: Command {
  static let specification = CommandSpecification(
    words: ["models", "add"],
    summary: "Keep a copy of a model's file under a name, and put it into use",
    discussion: [
      "Copies the file of a model into the folder, with a manifest of its SHA-256, size and input, "
        + "and puts it into use. The version that was in use before is kept: 'tally models use "
        + "NAME --back' goes back to it. The model must contain its weights, and the runner must "
        + "be able to load it."
    ],
    operands: Operands(metavar: "FILE", help: "An .onnx file.", isList: false),
    requiredUsage: "--name NAME",
    groups: [
      OptionGroup("Model", [name, version, task, licence, ModelsFolder.folder]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example(
        "Add your own detector, to count with it.",
        "tally models add yolox_s.onnx --name shelf-detector --task object-detection")
    ], changesStore: true)

  static let name = Option(
    "name", .modelName("NAME"), help: "The name of the model: a-z, 0-9, '.', '-' and '_'.")
  static let version = Option(
    "version", .modelName("VERSION"), help: "The version of the model.",
    fallback: "the first twelve digits of its SHA-256")
  static let task = Option(
    "task", .modelName("TASK"), help: "The task of the model.", fallback: "unknown")
  static let licence = Option(
    "licence", .path("TEXT"), help: "The licence of the model.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    guard let name = arguments[name] else {
      throw UsageError("--name is missing (see '\(specification.invocation) --help')")
    }
    let models = try ModelsFolder.of(arguments, console)
    let file = try ModelReference.existing(path)
    let input: ModelInput?
    do {
      // The file's own bytes alone are kept: weights in a file beside it would be left behind.
      input = try InferenceSession(
        data: Data(contentsOf: file, options: .alwaysMapped), options: SessionOptions(threads: 1)
      ).inputs.first.map(Self.input)
    } catch {
      throw Failure.of(error, at: path)
    }
    let stored: StoredModel
    do {
      stored = try models.add(
        file, name: name, version: arguments[version], task: arguments[task] ?? "unknown",
        input: input, licence: arguments[licence])
    } catch {
      throw Failure.of(error)
    }
    try console.print(
      arguments[StandardOptions.json]
        ? JSONText.object(ModelsFolder.members(stored)).text
        : "\(ModelsFolder.title(stored.manifest)): in use, \(stored.manifest.size) bytes, "
          + PrintableText.of(stored.file.path))
    return .success
  }

  /// What a model says of its input, as far as a manifest can say it.
  private static func input(_ value: ValueDescription) -> ModelInput {
    let sides = (value.shape ?? []).map { side -> Int? in
      if case .fixed(let extent) = side, extent > 0 { extent } else { nil }
    }
    let type = value.elementType.description
    return ModelInput(
      name: value.name.isEmpty ? nil : PrintableText.of(String(value.name.prefix(200))),
      type: ModelManifest.isName(type) ? type : nil, shape: Array(sides.prefix(8)))
  }
}

extension ValueKind where Value == String {
  /// The name of a model, a version or a task.
  static func modelName(_ metavar: String) -> ValueKind {
    ValueKind(
      metavar: metavar,
      expectation: "1 to 64 of a-z, 0-9, '.', '-' and '_', a letter or digit first",
      parse: { ModelManifest.isName($0) ? $0 : nil })
  }
}
