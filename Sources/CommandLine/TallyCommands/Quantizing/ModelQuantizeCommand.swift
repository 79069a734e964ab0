import CommandKit
import CountCommands
import Foundation
import ModelQuantization
import ONNXRunner

/// `tally model quantize`: an int8 model of a float one.
enum ModelQuantizeCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "quantize"],
    summary: "Quantise a float model to int8",
    discussion: [
      "Writes a model whose convolutions and products use 8-bit numbers. It is smaller, usually "
        + "faster, and a little less accurate. The ranges of the numbers are measured on photos: "
        + "use 16 to 64 photos like those that the model is for. The file is standard ONNX with "
        + "QuantizeLinear and DequantizeLinear, which ONNX Runtime also runs.",
      "Nodes that cost too much accuracy stay in floating point (see --snr). At the end it prints "
        + "how close the outputs are to those of the float model, and the time of a run. Test the "
        + "int8 model at its task before you replace the float one.",
    ],
    operands: Operands(
      metavar: "MODEL IMAGE",
      help: "An .onnx file or a name of 'tally models list', then photos: files, folders or "
        + "patterns. With --input, give no photos.", isList: true),
    requiredUsage: "--output FILE",
    groups: [
      OptionGroup("Output", [output, replace, StandardOptions.json, StandardOptions.quiet]),
      OptionGroup("Examples", [job, input, check, BatchOptions.recursive]),
      OptionGroup("Accuracy", [snr, keep, lastLayers, ranges]),
      OptionGroup(
        "Models",
        [
          CountOptions.head, CountOptions.detectorInput, CountOptions.detectorSize,
          CountOptions.embedderPreset, TextReading.models, StandardOptions.threads,
        ]),
    ],
    examples: [
      Example(
        "Quantise a detector, and check it on other photos.",
        "tally model quantize yolox_s.onnx photos -o int8.onnx --check others"),
      Example(
        "Quantise the network that reads lines of text.",
        "tally model quantize pp-ocrv4-rec shelves --as text-recognizer -o rec.onnx"),
      Example(
        "Quantise a network whose inputs are not images.",
        "tally model quantize net.onnx --input x=a.npy --input x=b.npy -o int8.onnx"),
    ])

  static let output = Option(
    "output", .outputPath("FILE"), short: "o", help: "The file of the int8 model.")
  static let replace = Flag("replace", help: "Replace an existing file.")
  static let job = Option(
    "as", .choice("JOB", ModelJob.allCases.map { ($0.rawValue, $0) }),
    help: "The task of the model: " + Sentence.either(ModelJob.allCases.map(\.rawValue)) + ".",
    fallback: "detector or embedder, whichever it is")
  static let input = Option(
    "input", .namedFile,
    help: "The tensor for an input; one option per example.", isRepeatable: true)
  static let check = Option(
    "check", .path("IMAGE"), help: "Other photos, on which accuracy is measured.",
    isRepeatable: true)
  static let snr = Option(
    "snr", .numberOrOff("DB", in: 0...100),
    help: "Keep the nodes that cost the most accuracy in floating point until each output has at "
      + "least this signal-to-noise ratio, in decibels.", fallback: "20")
  static let keep = Option(
    "keep", .path("NODE"), help: "Keep a node in floating point.", isRepeatable: true)
  static let lastLayers = Flag(
    "last-layers", help: "Also quantise layers whose results go to the outputs.")
  static let ranges = Option(
    "ranges", .rangeMethod,
    help: "How ranges are chosen: error (least mean squared error), extremes, or a percentile, as "
      + "99.99.", fallback: "error")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = try outputPath(arguments)
    let model = arguments.operands[0]
    try checkInputs(arguments)
    let url = try ModelReference.file(model, console: console)
    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    defer { progress.erase() }
    var quantizer: ModelQuantizer
    do {
      quantizer = try ModelQuantizer(contentsOf: url, configuration: configuration(arguments))
    } catch {
      throw Failure.of(error, at: model)
    }

    let (observed, examples) = try await observe(&quantizer, progress, arguments, console)
    var code = observed
    guard quantizer.exampleCount > 0 else {
      // Each photo has said why already.
      if code != .success { return code }
      throw CommandError(.noInput, "no photo gave the model anything to look at")
    }
    progress.show("quantising")
    let result = try quantizer.quantized { progress.show("quantising, \($0)") }
    progress.erase()

    var report = QuantizationText(model: model, path: path, report: result.report)
    let session = try InferenceSession(
      data: result.data, options: SessionOptions(threads: arguments[StandardOptions.threads]))
    if let examples, arguments.has(check) {
      let (checked, outputs) = try await compare(
        quantizer.session, session, examples, arguments, console)
      if code == .success { code = checked }
      report.checked = outputs
    }
    if let example = quantizer.samples.first {
      report.milliseconds = (
        try milliseconds(quantizer.session, example), try milliseconds(session, example)
      )
    }
    try OutputFile.write(result.data, to: path)
    try console.print(
      arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n"))
    return code
  }

  /// Throws if there are options for tensors and for photos.
  private static func checkInputs(_ arguments: ParsedArguments) throws {
    guard !arguments.all(input).isEmpty else { return }
    guard arguments.operands.count == 1 else {
      throw UsageError("--input takes the place of photos, and '\(arguments.operands[1])' is given")
    }
    guard !arguments.has(check) else {
      throw UsageError("--check is about photos, and --input gives tensors")
    }
  }

  /// Shows the photos or the tensors of the examples to the quantizer.
  ///
  /// - Returns: the code of the photos, and what the model is given for a photo; nil for tensors.
  private static func observe(
    _ quantizer: inout ModelQuantizer, _ progress: ProgressLine, _ arguments: ParsedArguments,
    _ console: Console
  ) async throws -> (code: ExitCode, examples: ModelExamples?) {
    let files = arguments.all(input)
    guard files.isEmpty else {
      for (number, tensors) in try examples(files).enumerated() {
        progress.show("example \(number + 1)")
        try quantizer.observe(tensors)
      }
      return (.success, nil)
    }
    let photos = try arguments.oneAndOthers(of: specification, named: "IMAGE").others
    let source = try ModelExamples(
      quantizer.session, path: arguments.operands[0], job: arguments[job], arguments,
      console: console)
    let code = try await forEachInput(photos, source, "observing", arguments, console) {
      try quantizer.observe($0)
    }
    return (code, source)
  }

  /// Runs both models on the photos of --check: how near the outputs of the second are.
  private static func compare(
    _ float: InferenceSession, _ quantized: InferenceSession, _ examples: ModelExamples,
    _ arguments: ParsedArguments, _ console: Console
  ) async throws -> (code: ExitCode, outputs: [QuantizationReport.Output]) {
    var comparison = QuantizationComparison()
    let code = try await forEachInput(
      arguments.all(check), examples, "checking", arguments, console
    ) {
      try comparison.add(float.run($0), quantized.run($0))
    }
    return (code, comparison.outputs(in: float.outputs.map(\.name)))
  }

  private static func configuration(_ arguments: ParsedArguments) -> QuantizationConfiguration {
    var configuration = QuantizationConfiguration()
    configuration.keptNodes = Set(arguments.all(keep))
    configuration.keepsLastLayers = !arguments[lastLayers]
    if let ranges = arguments[ranges] { configuration.ranges = ranges }
    switch arguments[snr] {
    case .off: configuration.minimumSignalToNoise = nil
    case .on(let ratio): configuration.minimumSignalToNoise = ratio
    case nil: break
    }
    configuration.session.threads = arguments[StandardOptions.threads]
    return configuration
  }

  /// The path of the new model; it is refused before the work if it is not allowed.
  private static func outputPath(_ arguments: ParsedArguments) throws -> String {
    guard let path = arguments[output] else {
      throw UsageError("--output is needed (see '\(specification.invocation) --help')")
    }
    var status = stat()
    if !arguments[replace], lstat(path, &status) == 0 {
      throw CommandError(
        .inputOutput, at: path, "the file exists; --replace replaces it")
    }
    return path
  }

  /// The tensors of examples: the first of each input, the second of each, and so on.
  private static func examples(_ files: [NamedFile]) throws -> [[String: Tensor]] {
    var names: [String] = []
    var byName: [String: [NamedFile]] = [:]
    for file in files {
      if byName[file.name] == nil { names.append(file.name) }
      byName[file.name, default: []].append(file)
    }
    let count = byName[names[0]]?.count ?? 0
    if let other = names.first(where: { byName[$0]?.count != count }) {
      throw UsageError(
        "--input gives \(count) tensors for '\(names[0])' and \(byName[other]?.count ?? 0) for "
          + "'\(other)'; each example has one of each")
    }
    return try (0..<count).map { place in
      try TensorFiles.read(names.compactMap { byName[$0]?[place] })
    }
  }

  /// Calls `body` with what the model is given for each photo.
  private static func forEachInput(
    _ operands: [String], _ examples: ModelExamples, _ activity: String,
    _ arguments: ParsedArguments, _ console: Console, _ body: ([String: Tensor]) throws -> Void
  ) async throws -> ExitCode {
    let photos = try PhotoList(arguments.withOperands(operands), console: console)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count)
    let loop = InputLoop(on: console, isQuiet: arguments[StandardOptions.quiet])
    return try await loop.forEach(photos.paths) { index, path in
      loop.show(activity, index, of: photos.paths)
      let inputs = try await capacity.withPhoto(at: path) { photo in
        try await examples.inputs(for: photo.image)
      }
      for given in inputs { try body(given) }
    }
  }

  /// The time of a run, the median of a few.
  private static func milliseconds(
    _ session: InferenceSession, _ inputs: [String: Tensor]
  ) throws -> Double {
    _ = try session.run(inputs)
    let times = try (0..<7).map { _ in try Measurement.seconds { try session.run(inputs) }.1 }
    return 1e3 * Measurement.median(times)
  }
}

extension ValueKind where Value == QuantizationConfiguration.RangeMethod {
  /// A word or a percentile.
  fileprivate static var rangeMethod: ValueKind {
    let percent = ValueKind<Double>.number("X", in: 90...100)
    return ValueKind(
      metavar: "HOW", expectation: "error, extremes or a percentile from 90 to 100",
      parse: { text in
        switch text {
        case "error": .meanSquaredError
        case "extremes": .minMax
        default: percent.parse(text).map { .percentile($0) }
        }
      })
  }
}
