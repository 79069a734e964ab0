import CommandKit
import CountCommands
import Foundation
import NumPyFiles

/// `tally embed`: the embedder alone.
enum EmbedCommand: Command {
  static let specification = CommandSpecification(
    words: ["embed"],
    summary: "Print a vector for each photo, to compare photos",
    discussion: [
      "Turns each photo into a vector of length 1. The cosine (here the dot product) of two "
        + "vectors is the similarity of the two photos."
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup("Embedder", [CountOptions.embedder, CountOptions.embedderPreset]),
      OptionGroup(
        "Output",
        [output, StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
      OptionGroup(
        "Many photos",
        BatchOptions.ofPhotos.filter { $0.name != StandardOptions.atLeast.name }),
    ],
    examples: [
      Example(
        "Collect vectors, then group the photos.",
        "tally embed photos/*.jpg --embedder tinyclip.onnx --output vectors.npy"),
      Example("One line of JSON for each photo.", "tally embed a.jpg b.jpg --json"),
      Example(
        "CSV, with the values of a vector in one field.", "tally embed photos --format csv"),
    ])

  static let output = Option(
    "output", .outputPath("FILE.npy"),
    help: "Also write all vectors to a NumPy file, one row per photo, for 'tally cluster'.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let file = arguments[output]
    if let file, (file as NSString).pathExtension.lowercased() != "npy" {
      throw UsageError("--output is '\(file)'; it must end in .npy")
    }
    if file != nil, arguments.has(BatchOptions.results) {
      throw UsageError(
        "--output has the photos of one run, and --results leaves out those of runs before; give "
          + "one of them")
    }
    let photos = try PhotoList(arguments, console: console)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count)
    let embedder = try LoadedModels.embedder(capacity.shared(arguments), console: console)
    let rows = VectorRows(isKept: file != nil)
    let loop = try PhotoLoop<EmbeddingReport>(
      arguments, photos: photos, capacity: capacity, activity: "embedding", console: console
    ) {
      let models = try ModelDigests.of(arguments.only([CountOptions.embedder]), console: console)
      return try ResultsSettings(
        of: specification, arguments, digests: [("embedderFile", models.embedder)])
    }
    let code = try await loop.run { photo in
      let vector = Array(try await embedder.embeddings(of: [photo.image])[row: 0])
      await rows.set(vector, at: photo.place)
      return PhotoAnswer(
        EmbeddingReport(
          path: photo.path, width: photo.image.width, height: photo.image.height, vector: vector))
    }
    // Rows are distinguished by their place alone, so a file with some of them missing would
    // mislead.
    guard let file, code == .success else { return code }
    do {
      try NumPyArray(await rows.all, shape: [photos.paths.count, embedder.dimension])
        .write(to: URL(fileURLWithPath: file))
    } catch {
      throw Failure.of(error, at: file)
    }
    return code
  }
}

/// The vectors of photos, which come in any order.
private actor VectorRows {
  private let isKept: Bool
  private var rows: [Int: [Float]] = [:]

  init(isKept: Bool) {
    self.isKept = isKept
  }

  func set(_ vector: [Float], at place: Int) {
    if isKept { rows[place] = vector }
  }

  /// All of them, in the photos' order.
  var all: [Float] { rows.sorted { $0.key < $1.key }.flatMap(\.value) }
}

/// The vector of a photo as text for people and as JSON for machines.
struct EmbeddingReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  let vector: [Float]

  var found: Int { 1 }

  /// The values stand in one field, as in JSON: how many there are depends on the model.
  static let columns = ["dimension", "embedding"]
  static let isList = false
  var records: [[String]] {
    [["\(vector.count)", JSONText.array(vector.map { .float($0) }).text]]
  }

  var json: JSONText {
    .object([
      ("image", .string(path)), ("dimension", .integer(vector.count)),
      ("embedding", .array(vector.map { .float($0) })),
    ])
  }

  /// The beginning of a vector: nobody reads all of it.
  var lines: [String] {
    let shown = vector.prefix(4).map { NumberText.fixed(Double($0), digits: 4) }
    return [
      "\(PrintableText.of(path)): \(vector.count) values, "
        + shown.joined(separator: ", ") + (vector.count > shown.count ? ", ..." : "")
    ]
  }
}
