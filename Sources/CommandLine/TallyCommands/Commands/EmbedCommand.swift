import Foundation
import ImageFiles
import NumPyFiles

/// `tally embed`: the embedder alone.
enum EmbedCommand: Command {
  static let specification = CommandSpecification(
    words: ["embed"],
    summary: "Print a vector that says what each photo looks like",
    discussion: [
      "Turns each photo into a vector of length 1: the cosine (here the dot product) of two "
        + "vectors says how alike the two photos look."
    ],
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [
      OptionGroup("Embedder", [CountOptions.embedder, CountOptions.embedderPreset]),
      OptionGroup(
        "Output",
        [output, StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example(
        "Collect vectors, then group the photos.",
        "tally embed photos/*.jpg --embedder tinyclip.onnx --output vectors.npy"),
      Example("One line of JSON for each photo.", "tally embed a.jpg b.jpg --json"),
    ])

  static let output = Option(
    "output", .outputPath("FILE.npy"),
    help: "Also write all vectors to a NumPy file, one row for each photo, as 'tally cluster' "
      + "reads it.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let images = arguments.operands
    let file = arguments[output]
    if let file, (file as NSString).pathExtension.lowercased() != "npy" {
      throw UsageError("--output is '\(file)'; it must end in .npy")
    }
    let embedder = try LoadedModels.embedder(arguments, console: console)
    var vectors: [Float] = []

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    let code = try await loop.forEach(images) { index, path in
      loop.show("embedding", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let vector = Array(try await embedder.embeddings(of: [image])[row: 0])
      vectors += vector
      progress.erase()
      try console.print(
        arguments[StandardOptions.json]
          ? json(vector, path: path).text : line(vector, path: path))
    }
    // Rows are told apart by their place alone, so a file with some of them missing would mislead.
    guard let file, code == .success else { return code }
    do {
      try NumPyArray(vectors, shape: [images.count, embedder.dimension])
        .write(to: URL(fileURLWithPath: file))
    } catch {
      throw Failure.of(error, at: file)
    }
    return code
  }

  private static func json(_ vector: [Float], path: String) -> JSONText {
    .object([
      ("image", .string(path)), ("dimension", .integer(vector.count)),
      ("embedding", .array(vector.map { .float($0) })),
    ])
  }

  /// The beginning of a vector: nobody reads all of it.
  private static func line(_ vector: [Float], path: String) -> String {
    let shown = vector.prefix(4).map { NumberText.fixed(Double($0), digits: 4) }
    return "\(PrintableText.of(path)): \(vector.count) values, "
      + shown.joined(separator: ", ") + (vector.count > shown.count ? ", ..." : "")
  }
}
