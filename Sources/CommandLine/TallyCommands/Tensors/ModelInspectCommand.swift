import CommandKit
import Foundation
import ONNXRunner

/// `tally model inspect`: what a model file holds.
enum ModelInspectCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "inspect"],
    summary: "Print the inputs, outputs and operators of an ONNX model",
    discussion: [
      "Prints a model's inputs, outputs, operators and metadata. If the model cannot be run, it "
        + "also prints the missing operators and the reason.",
      "With --plan it prints the steps of a run instead: the kernel chosen for each node and why, "
        + "the result, its size in bytes, and its offset in the memory for activations. Shapes in "
        + "memory may be in blocks of channels. For this it runs the model once on made-up "
        + "tensors.",
    ],
    operands: Operands(
      metavar: "FILE", help: "An .onnx file, or a name of 'tally models list'.", isList: false),
    groups: [
      OptionGroup("Plan", [plan, shape]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("Inspect a model.", "tally model inspect yolox_nano.onnx"),
      Example(
        "See the steps of a run on an image of a certain size.",
        "tally model inspect text.onnx --plan --shape x=1x3x48x320"),
    ])

  static let plan = Flag("plan", help: "Print the steps of a run.")
  static let shape = Option(
    "shape", .namedShape, help: "The shape of an input, if the model leaves dimensions open.",
    isRepeatable: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    if arguments[plan] {
      let session = try ModelFile.session(path, threads: 1, console: console)
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
    let model = try InspectedModel(path: path, ModelFile.inspected(path, console: console))
    try console.print(
      arguments[StandardOptions.json] ? model.json.text : model.lines.joined(separator: "\n"))
    return .success
  }
}

/// The content of a file, and the model made from it.
private struct InspectedModel {
  let path: String
  private let summary: ModelSummary
  /// The number of executed nodes; nil for a model that cannot be run.
  private let plannedNodeCount: Int?
  /// The reason why the model cannot be run; nil if it can.
  private let refusal: String?

  init(
    path: String, _ model: (summary: ModelSummary, session: Result<InferenceSession, ModelError>)
  ) {
    self.path = path
    summary = model.summary
    switch model.session {
    case .success(let session):
      plannedNodeCount = session.metadata.plannedNodeCount
      refusal = nil
    case .failure(let error):
      plannedNodeCount = nil
      refusal = error.description
    }
  }

  private var metadata: ModelMetadata { summary.metadata }

  private var missing: [ModelSummary.Operator] { summary.operators.filter { !$0.isSupported } }

  /// An operator's name, with its domain if that is not ONNX's own.
  private static func name(_ entry: ModelSummary.Operator) -> String {
    (entry.domain.isEmpty ? "" : entry.domain + ".") + entry.name
  }

  /// Operator sets by domain, ONNX's own by its full name.
  private var opsets: [(domain: String, version: Int)] {
    metadata.opsets.map { (domain: $0.key.isEmpty ? "ai.onnx" : $0.key, version: $0.value) }
      .sorted { $0.domain < $1.domain }
  }

  // MARK: Text

  var lines: [String] {
    var report = ReportText()
    report.add("inputs", summary.inputs.map(\.description).joined(separator: "; "))
    report.add("outputs", summary.outputs.map(\.description).joined(separator: "; "))
    report.add("opsets", opsets.map { "\($0.domain) \($0.version)" }.joined(separator: ", "))
    let planned = plannedNodeCount.map { ", \($0) to be executed" } ?? ""
    report.add("nodes", "\(metadata.nodeCount) in the file\(planned)")
    report.add(
      "operators",
      summary.operators.map {
        "\(Self.name($0)) \($0.nodeCount)\($0.isSupported ? "" : " (missing)")"
      }.joined(separator: ", "))
    if !missing.isEmpty { report.add("missing", missing.map(Self.name).joined(separator: ", ")) }
    if let refusal { report.add("refused", refusal) }
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

  var json: JSONText {
    .object([
      ("file", .string(path)),
      ("inputs", .array(summary.inputs.map(Self.json))),
      ("outputs", .array(summary.outputs.map(Self.json))),
      ("opsets", .object(opsets.map { ($0.domain, .integer($0.version)) })),
      ("nodes", .integer(metadata.nodeCount)),
      ("plannedNodes", .optional(plannedNodeCount) { .integer($0) }),
      ("operators", .object(summary.operators.map { (Self.name($0), .integer($0.nodeCount)) })),
      ("missing", .array(missing.map { .string(Self.name($0)) })),
      ("refusal", .optional(refusal) { .string($0) }),
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

  private static func json(_ value: ModelSummary.Value) -> JSONText {
    .object([
      ("name", .string(value.name)),
      ("type", .string(value.elementType)),
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
