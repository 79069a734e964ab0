import CommandKit
import Foundation
import ONNXRunner

/// `tally model run`: NumPy files in, NumPy files out.
enum ModelRunCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "run"],
    summary: "Run an ONNX model on NumPy files",
    discussion: [
      "Runs a model once and writes every output to DIR/NAME.npy. In file names, every character "
        + "except ASCII letters, digits, '.', '-' and '_' becomes '_', so that all files lie in "
        + "DIR.",
      "With --profile or --trace the model runs twice, and the second run is measured. The first "
        + "run packs weights and plans memory.",
    ],
    operands: Operands(
      metavar: "FILE", help: "An .onnx file, or a name of 'tally models list'.", isList: false),
    requiredUsage: "--input NAME=FILE.npy ... --output-dir DIR",
    groups: [
      OptionGroup("Tensors", [input, outputDirectory]),
      OptionGroup("Running", [StandardOptions.threads, ModelFile.precision, profile, trace]),
    ],
    examples: [
      Example(
        "Run a detector on a prepared image.",
        "tally model run model.onnx --input images=image.npy --output-dir out"),
      Example(
        "See which operators take the time.",
        "tally model run model.onnx --input images=image.npy --output-dir out --profile"),
    ])

  static let input = Option(
    "input", .namedFile, help: "The tensor for one of the model's inputs.", isRepeatable: true)
  static let outputDirectory = Option(
    "output-dir", .outputPath("DIR"),
    help: "The folder for the outputs; created if it does not exist.")
  static let profile = Flag(
    "profile",
    help: "Print the time, its share and GFLOP/s of each operator and of the slowest nodes.")
  static let trace = Option(
    "trace", .outputPath("FILE"),
    help: "Write a trace of all threads, for chrome://tracing or ui.perfetto.dev.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    guard let directory = arguments[outputDirectory] else {
      throw UsageError("--output-dir is needed (see '\(specification.invocation) --help')")
    }
    let files = try TensorFiles.distinct(arguments.all(input))
    let session = try ModelFile.session(
      arguments.operands[0], threads: arguments[StandardOptions.threads],
      precision: arguments[ModelFile.precision], console: console)
    let tensors = try TensorFiles.read(files)
    let traceFile = arguments[trace]
    let profiler = arguments[profile] || traceFile != nil ? Profiler(trace: traceFile != nil) : nil
    if profiler != nil { _ = try session.run(tensors) }
    let outputs = try session.run(tensors, options: RunOptions(profiler: profiler))

    try OutputFolder.make(directory)
    let names = session.outputs.map(\.name)
    var table = TextTable([("output", .left), ("type", .left), ("shape", .left), ("file", .left)])
    for (name, file) in zip(names, SafeFileName.unique(for: names)) {
      guard let tensor = outputs[name] else { continue }
      let path = (directory as NSString).appendingPathComponent("\(file).npy")
      do {
        try TensorFiles.write(tensor, to: path)
      } catch {
        throw Failure.of(error, at: path)
      }
      table.add([name, tensor.elementType.description, "\(tensor.shape)", path])
    }
    try console.print(table.lines.joined(separator: "\n"))
    if let profiler {
      if arguments[profile] { try console.print("\n" + profiler.table()) }
      if let traceFile {
        try OutputFile.write(Data(profiler.chromeTrace().utf8), to: traceFile)
      }
    }
    return .success
  }
}
