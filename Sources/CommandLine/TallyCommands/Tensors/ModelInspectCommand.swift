import CommandKit
import Foundation
import ONNXRunner

/// `tally model inspect`: what a model file holds.
enum ModelInspectCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "inspect"],
    summary: "Print what an ONNX model takes, gives and is made of",
    discussion: [
      "Prints a model's inputs and outputs, its operators and what it says of itself.",
      "With --plan it prints what a run does instead, step by step: the kernel chosen for each node "
        + "and why, what it gives, how many bytes that takes and where they lie in the block of "
        + "memory for activations. Shapes in memory may be in blocks of channels. For that it runs "
        + "the model once on made-up tensors.",
    ],
    operands: Operands(
      metavar: "FILE", help: "An .onnx file, or a name of 'tally models list'.", isList: false),
    groups: [
      OptionGroup("Plan", [plan, shape]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("Look at a model.", "tally model inspect yolox_nano.onnx"),
      Example(
        "See how a model would be run on an image of a certain size.",
        "tally model inspect text.onnx --plan --shape x=1x3x48x320"),
    ])

  static let plan = Flag("plan", help: "Print the steps of a run.")
  static let shape = Option(
    "shape", .namedShape, help: "The shape of an input, where the model leaves sides open.",
    isRepeatable: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    let session = try ModelFile.session(path, threads: 1, console: console)
    if arguments[plan] {
      let inputs = try MadeUpInputs(batch: nil, shapes: arguments.all(shape))
        .tensors(for: session.inputs)
      // Shows what depends on data, and packs the weights.
      _ = try session.run(inputs)
      let plan = ModelPlanReport(plan: try session.planDescription(for: inputs))
      try console.print(
        arguments[StandardOptions.json] ? plan.json.text : plan.lines.joined(separator: "\n"))
      return .success
    }
    if !arguments.all(shape).isEmpty {
      throw UsageError("--shape is for --plan (see '\(specification.invocation) --help')")
    }
    let report =
      arguments[StandardOptions.json]
      ? json(of: session, path: path).text
      : lines(of: session, path: path).joined(separator: "\n")
    try console.print(report)
    return .success
  }

  /// Operators, the most frequent first.
  private static func operators(_ metadata: ModelMetadata) -> [(name: String, count: Int)] {
    metadata.operatorCounts.map { (name: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  /// Operator sets by domain, ONNX's own by its full name.
  private static func opsets(_ metadata: ModelMetadata) -> [(domain: String, version: Int)] {
    metadata.opsets.map { (domain: $0.key.isEmpty ? "ai.onnx" : $0.key, version: $0.value) }
      .sorted { $0.domain < $1.domain }
  }

  // MARK: Text

  private static func lines(of session: InferenceSession, path: String) -> [String] {
    let metadata = session.metadata
    var report = ReportText()
    report.add("inputs", session.inputs.map(\.description).joined(separator: "; "))
    report.add("outputs", session.outputs.map(\.description).joined(separator: "; "))
    report.add(
      "opsets", opsets(metadata).map { "\($0.domain) \($0.version)" }.joined(separator: ", "))
    report.add(
      "nodes", "\(metadata.nodeCount) in the file, \(metadata.plannedNodeCount) to be executed")
    report.add(
      "operators", operators(metadata).map { "\($0.name) \($0.count)" }.joined(separator: ", "))
    report.add("weights", "\(metadata.parameterCount) numbers")
    let producer = "\(metadata.producerName) \(metadata.producerVersion)"
    if producer != " " { report.add("producer", producer) }
    if !metadata.graphName.isEmpty { report.add("graph", metadata.graphName) }
    if metadata.modelVersion != 0 { report.add("version", "\(metadata.modelVersion)") }
    report.add("format", "IR version \(metadata.irVersion)")
    if !metadata.documentation.isEmpty { report.add("notes", metadata.documentation) }
    for (key, value) in metadata.properties.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      // Some tools leave pages here; --json has all of it.
      let shown = value.count > 60 ? value.prefix(57) + "..." : value[...]
      report.add("property", "\(key) = \(shown)")
    }
    return [PrintableText.of(path)] + report.lines
  }

  // MARK: JSON

  private static func json(of session: InferenceSession, path: String) -> JSONText {
    let metadata = session.metadata
    return .object([
      ("file", .string(path)),
      ("inputs", .array(session.inputs.map(json))),
      ("outputs", .array(session.outputs.map(json))),
      ("opsets", .object(opsets(metadata).map { ($0.domain, .integer($0.version)) })),
      ("nodes", .integer(metadata.nodeCount)),
      ("plannedNodes", .integer(metadata.plannedNodeCount)),
      ("operators", .object(operators(metadata).map { ($0.name, .integer($0.count)) })),
      ("parameters", .integer(metadata.parameterCount)),
      ("producer", .string(metadata.producerName)),
      ("producerVersion", .string(metadata.producerVersion)),
      ("graph", .string(metadata.graphName)),
      ("modelVersion", .integer(metadata.modelVersion)),
      ("irVersion", .integer(metadata.irVersion)),
      ("documentation", .string(metadata.documentation)),
      (
        "properties",
        .object(
          metadata.properties.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
      ),
    ])
  }

  private static func json(_ value: ValueDescription) -> JSONText {
    .object([
      ("name", .string(value.name)),
      ("type", .string(value.elementType.description)),
      (
        "shape",
        .optional(value.shape) { shape in
          .array(
            shape.map { side in
              switch side {
              case .fixed(let extent): .integer(extent)
              case .symbolic(let name): .string(name)
              case .unknown: .null
              }
            })
        }
      ),
    ])
  }
}
