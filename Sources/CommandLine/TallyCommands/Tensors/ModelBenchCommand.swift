import CommandKit
import ONNXRunner

/// `tally model bench`: how long a model takes.
enum ModelBenchCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "bench"],
    summary: "Time an ONNX model on made-up input",
    discussion: [
      "Loads a model, runs it several times, and prints the median and the shortest time. The "
        + "inputs are made-up tensors of the declared shapes, or those of --input. A first run is "
        + "not counted."
    ],
    operands: Operands(
      metavar: "FILE", help: "An .onnx file, or a name of 'tally models list'.", isList: false),
    groups: [
      OptionGroup("Input", [batch, shape, input]),
      OptionGroup("Running", [StandardOptions.threads, ModelFile.precision, runs]),
      OptionGroup("Output", [StandardOptions.json, StandardOptions.quiet]),
    ],
    examples: [
      Example("Time a model on one thread.", "tally model bench yolox_nano.onnx --threads 1"),
      Example(
        "Give a shape that the model leaves open.",
        "tally model bench text.onnx --shape x=1x3x48x320 --json"),
    ])

  static let batch = Option(
    "batch", .integer("N", in: 1...4096), help: "The first dimension of every input.",
    fallback: "as declared, or 1")
  static let shape = Option(
    "shape", .namedShape, help: "The shape of an input, if the model leaves dimensions open.",
    isRepeatable: true)
  static let input = Option(
    "input", .namedFile, help: "The tensor for an input, instead of a made-up one.",
    isRepeatable: true)
  static let runs = Option(
    "runs", .integer("N", in: 1...100_000), help: "How many runs are timed.", fallback: "20")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    let (session, load) = try Measurement.seconds {
      try ModelFile.session(
        path, threads: arguments[StandardOptions.threads],
        precision: arguments[ModelFile.precision], console: console)
    }
    let given = try TensorFiles.read(TensorFiles.distinct(arguments.all(input)))
    let others = session.inputs.filter { given[$0.name] == nil }
    let inputs = try MadeUpInputs(batch: arguments[batch], shapes: arguments.all(shape))
      .tensors(for: others).merging(given) { madeUp, _ in madeUp }
    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    defer { progress.erase() }

    // The first run packs weights, plans and allocates what the others reuse.
    let first = try Measurement.seconds { try session.run(inputs, options: RunOptions()) }.1
    var times: [Double] = []
    let count = arguments[runs] ?? 20
    for number in 1...count {
      try Task.checkCancellation()
      progress.show("run \(number) of \(count)")
      times.append(try Measurement.seconds { try session.run(inputs, options: RunOptions()) }.1)
    }
    progress.erase()

    let figures: [(name: String, value: Double)] = [
      ("median_ms", Measurement.median(times) * 1e3), ("min_ms", (times.min() ?? 0) * 1e3),
      ("load_ms", load * 1e3), ("first_ms", first * 1e3),
      ("peak_rss_mb", Measurement.peakMegabytes),
    ]
    if arguments[StandardOptions.json] {
      try console.print(
        JSONText.object(figures.map { ($0.name, .milliseconds($0.value)) }).text)
    } else {
      var table = TextTable([
        ("median ms", .right), ("min ms", .right), ("load ms", .right), ("first ms", .right),
        ("peak MB", .right), ("runs", .right),
      ])
      table.add(figures.map { NumberText.fixed($0.value, digits: 3) } + ["\(count)"])
      try console.print(table.lines.joined(separator: "\n"))
    }
    return .success
  }
}
