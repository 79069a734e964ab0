import Barcodes
import CommandKit
import Foundation
import FrameAnalysis
import FrameTelemetry
import ImageFiles
import Raster
import ReferenceModels
import Telemetry
import Tracking

/// `tally frames`: a folder of photos as the frames of a camera.
enum FramesCommand: Command {
  static let specification = CommandSpecification(
    words: ["frames"],
    summary: "Follow books through a folder of frames",
    discussion: [
      "Treats the photos of a folder, in the order of their names, as frames of a camera. Finds "
        + "the spines of books, tracks each from frame to frame, and prints the hints for the "
        + "person who holds the camera. A frame that comes too soon after the last analysed one is "
        + "skipped, as in an app.",
      "Prints one line per analysed frame. Boxes are in shares of the frame, with the origin at "
        + "the bottom left.",
      "The three models that read text are not bundled: '\(TextModels.fetching)' fetches them.",
    ],
    operands: Operands(metavar: "DIR", help: "A folder of photos' files.", isList: false),
    groups: [
      OptionGroup("Frames", [interval]),
      OptionGroup("Looking", [objects, text, objectText, TextReading.models, barcodes]),
      OptionGroup(
        "Output",
        [StandardOptions.json, telemetry, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example("Analyse ten frames a second.", "tally frames pan --interval 100"),
      Example(
        "Read text and barcodes as well, one line of JSON per analysed frame.",
        "tally frames pan --text --barcodes --json"),
      Example(
        "Record the rectangles of a pan, for 'tally telemetry report events'.",
        "tally frames pan --objects rectangles --telemetry events"),
    ])

  private static let interval = Option(
    "interval", .integer("MS", in: 1...3_600_000),
    help: "The time from one frame to the next, in milliseconds.", fallback: "150")
  private static let objects = Option(
    "objects", .choice("KIND", FrameObjectKind.allCases.map { ($0.rawValue, $0) }),
    help: "What to find: spines of books by their edges, or the three best rectangles.",
    fallback: "spines")
  private static let text = Flag("text", help: "Read all text of every frame, too.")
  private static let objectText = Flag(
    "object-text",
    help: "Read the text on objects, too: on one object per frame, each until it is read surely, "
      + "but three times at most. An app can do this beside the frames of a camera.")
  private static let barcodes = Flag("barcodes", help: "Read barcodes, too.")
  private static let telemetry = Option(
    "telemetry", .outputPath("FOLDER"),
    help: "Record an event for each object in the log in this folder, which is made if it is not "
      + "there. The first frame is taken to be of now.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    if arguments[text], arguments[objectText] {
      throw UsageError("--text and --object-text exclude each other")
    }
    if !arguments[text], !arguments[objectText], arguments.has(TextReading.models) {
      throw UsageError(
        "--\(TextReading.models.name) is about text, and neither --text nor --object-text is given")
    }
    let paths = try frames(in: arguments.operands[0])
    let kind = arguments[objects] ?? .spines
    let scanner = FrameScanner(analyzer: try analyzer(of: kind, arguments, console: console))
    let log = try arguments[telemetry].map {
      try TelemetryLog(folder: URL(fileURLWithPath: $0), now: console.now)
    }
    let start = console.now()
    let loop = InputLoop(on: console, isQuiet: arguments[StandardOptions.quiet])
    let step = Int64(arguments[interval] ?? 150)
    let isJSON = arguments[StandardOptions.json]
    let code: ExitCode
    do {
      code = try await loop.forEach(paths) { index, path in
        loop.show("looking", index, of: paths)
        let image = try ImageFile.load(contentsOf: InputFile.existing(path))
        let time = FrameTime.milliseconds(Int64(index) * step)
        guard let frame = try await scanner.analysis(of: image, at: time) else { return }
        // Stored frames have the time to wait, and every run prints the same.
        await scanner.waitForReading()
        let recorded = Result { try log?.record(frame, at: start + (time - .zero).seconds) }
        let report = FrameReport(
          path: path, width: image.width, height: image.height, frame: frame, kind: kind,
          preScanned: await scanner.preScanned.isbn)
        loop.progress.erase()
        try console.print(isJSON ? report.json.text : report.line)
        try recorded.get()
        if let failure = frame.failures.first { throw failure.underlying ?? failure }
      }
    } catch {
      // What was recorded is kept, whatever ends the work.
      try? await log?.close()
      throw error
    }
    try await log?.close()
    if let log, log.status.isOptedOut {
      console.note("telemetry is opted out of in \(log.folder.path): nothing was recorded")
    }
    return code
  }

  /// What looks at the frames.
  private static func analyzer(
    of kind: FrameObjectKind, _ arguments: ParsedArguments, console: Console
  ) throws -> FrameAnalyzer<Raster> {
    var analyzer = FrameAnalyzer<Raster>()
    switch kind {
    case .spines: analyzer = analyzer.detectingObjects(with: SpineOutlineDetector())
    case .rectangles: analyzer = analyzer.detectingObjects(with: RectangleOutlineDetector())
    }
    if arguments[text] || arguments[objectText] {
      let reader = try TextReading.reader(arguments, minimumConfidence: nil, console: console)
      analyzer =
        arguments[text]
        ? analyzer.recognizingText(with: reader)
        : analyzer.recognizingTextOnObjects(with: reader)
    }
    if arguments[barcodes] {
      analyzer = analyzer.readingBarcodes(with: BarcodeScanner(effort: .fast))
    }
    return analyzer
  }

  /// The photos of a folder by name, numbers in names by their value: 9 before 10.
  private static func frames(in folder: String) throws(CommandError) -> [String] {
    func name(_ path: String) -> String { (path as NSString).lastPathComponent }
    return try FolderPhotos.paths(in: folder).sorted { first, second in
      let order = name(first).compare(name(second), options: [.numeric])
      return order == .orderedSame ? first < second : order == .orderedAscending
    }
  }
}
