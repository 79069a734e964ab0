import CommandKit
import RectangleDetection
import Rectification
import SpineDetection

/// `tally spines`: the books of a shelf or a stack, by their spines.
enum SpinesCommand: Command {
  static let specification = CommandSpecification(
    words: ["spines"],
    summary: "Find the spines of books in photos of shelves and stacks",
    discussion: [
      "Finds the spines of books in each photo with a bundled network, and prints them in reading "
        + "order: row by row from the top, each row from left to right. Books may stand, lean or "
        + "lie. Positions are in pixels of the upright photo, and are not clipped to it.",
      "Each spine is a quadrilateral with four corners, because photos show spines at an angle. "
        + "--crops writes each spine straightened, as seen from the front, and turned for reading.",
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup("Finding", [SpineFinding.edgesOnly]),
      OptionGroup(
        "Output",
        [
          StandardOptions.json, overlay, crops, textRuns, StandardOptions.quiet,
          StandardOptions.threads,
        ]),
      BatchOptions.group,
    ],
    examples: [
      Example("List the spines of a shelf.", "tally spines shelf.jpg"),
      Example("Look at what was found.", "tally spines shelf.jpg --overlay spines.png"),
      Example(
        "Cut the spines out of many photos, one line of JSON each.",
        "tally spines photos/*.jpg --json --crops spines"),
    ])

  static let overlay = PhotoOverlays.option(
    of: "the outlines of the spines, numbered in reading order")
  static let crops = Option(
    "crops", .outputPath("DIR"),
    help: "Write each spine into this folder, straightened, its long side horizontal: "
      + "NAME-01.png, NAME-02.png and so on in reading order. " + OutputPattern.helpOfFolder)
  static let textRuns = Option(
    "text-runs", .choice("WAY", SpineTextRun.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "Which way text runs on standing spines, for --crops: down, as usual in English, or up, "
      + "as in French.",
    fallback: "down")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    if !arguments.has(crops), arguments.has(textRuns) {
      throw UsageError("--text-runs says how --crops are turned, and --crops is not given")
    }
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    let crops = try arguments[crops].map { folder throws(UsageError) in
      try PhotoCrops(folder: folder, images: photos.paths, overlays: overlays.paths)
    }
    let run = arguments[textRuns] ?? .down
    try overlays.makeFolders()
    try crops?.makeFolder()
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count)
    let detector = try SpineFinding.detector(capacity.shared(arguments))
    // The network and the search for rectangles look at a smaller picture. What is drawn or cut out
    // is the whole one.
    let least = SpineFinding.leastPixels
    let isDrawn = arguments.has(overlay) || arguments.has(Self.crops)
    let loop = try PhotoLoop<SpineReport>(
      arguments, photos: photos, capacity: capacity, activity: "looking for spines",
      pixels: detector.model == nil ? .all : isDrawn ? .leastAndAll(least) : .least(least),
      console: console
    ) {
      try ResultsSettings(
        of: specification, arguments, files: SpineFinding.modelFiles(arguments))
    }
    // The text does not name rectangles, and looking for them takes time.
    let needsRectangles =
      arguments[StandardOptions.json] || arguments.has(BatchOptions.results)
    return try await loop.run { photo in
      let image = photo.image
      let report = SpineReport(
        path: photo.path, width: photo.width, height: photo.height,
        spines: try await detector.spines(in: image).map {
          DetectedSpine(
            quad: photo.whole($0.quad), confidence: $0.confidence, orientation: $0.orientation)
        },
        rectangles: try (needsRectangles ? RectangleDetector().rectangles(in: image) : []).map {
          DetectedRectangle(quad: photo.whole($0.quad), confidence: $0.confidence)
        })
      return try await PhotoAnswer(report) { report in
        try overlays.write(report.overlay, over: photo)
        try crops?.write(report.spines.count, at: photo.place) {
          try photo.drawn.textUpright(report.spines[$0].quad, running: run)
        }
      }
    }
  }
}
