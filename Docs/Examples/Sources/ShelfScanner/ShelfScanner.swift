import Barcodes
import Foundation
import FrameAnalysis
import FrameTelemetry
import ISBN
import ImageFiles
import Raster
import ReferenceModels
import ShelfReading
import Telemetry
import Tracking
import VisionProtocols

/// Scans a shelf as an app does with its camera, and prints what its screen shows.
///
/// The photos of a folder, in the order of their names, are the frames of the camera.
///
///     ShelfScanner FRAMES-FOLDER TELEMETRY-FOLDER [--models FOLDER]
///
/// Titles are read if the folder of the three text models is named.
@main
struct ShelfScanner {
  /// The time from one frame to the next.
  private static let interval = FrameDuration.milliseconds(150)

  private let frames: [URL]
  private let spines: SpineOutlineDetector
  private let texts: TextReader?
  private let scanner: FrameScanner<Raster>
  private let log: TelemetryLog

  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 5 && arguments[3] == "--models" else {
      print("usage: ShelfScanner FRAMES-FOLDER TELEMETRY-FOLDER [--models FOLDER]")
      exit(64)
    }
    do {
      let program = try ShelfScanner(
        frames: URL(fileURLWithPath: arguments[1]), telemetry: URL(fileURLWithPath: arguments[2]),
        models: arguments.count == 5 ? URL(fileURLWithPath: arguments[4]) : nil)
      try await program.run()
    } catch {
      FileHandle.standardError.write(Data("ShelfScanner: \(error)\n".utf8))
      exit(1)
    }
  }

  private init(frames folder: URL, telemetry: URL, models: URL?) throws {
    frames = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map(folder.appendingPathComponent)
      .filter { ["jpg", "jpeg", "png", "heic"].contains($0.pathExtension.lowercased()) }
    spines = SpineOutlineDetector(model: try BundledModels.spineSegmenter())
    texts = try models.map { try TextReader(files: TextModelFiles(folder: $0)) }
    var analyzer = FrameAnalyzer<Raster>()
      .detectingObjects(with: spines)
      .readingBarcodes(with: BarcodeScanner(effort: .fast))
    if let texts { analyzer = analyzer.recognizingTextOnObjects(with: texts) }
    scanner = FrameScanner(analyzer: analyzer)
    log = try TelemetryLog(folder: telemetry)
  }

  private func run() async throws {
    var display = FrameDisplay()
    var time = FrameTime.zero
    /// The photo for the end, as a person's shutter would take it: the first that shows most books.
    var best: (photo: Raster, books: Int)?
    for file in frames {
      defer { time = time + Self.interval }
      let image = try ImageFile.load(contentsOf: file)
      guard let frame = try await scanner.analysis(of: image, at: time) else { continue }
      // Files can wait until the next book is read, which a camera cannot.
      await scanner.waitForReading()
      try log.record(frame)
      if frame.objects.count > best?.books ?? 0 { best = (image, frame.objects.count) }
      let changes = display.update(with: frame)
      if !changes.isEmpty { show(display.frame, of: file) }
      for event in frame.events { print("  event: \(event.text)") }
      for failure in frame.failures { print("  failed: \(failure)") }
    }
    try await log.close()
    try await report(best?.photo)
  }

  /// Prints what the screen draws over a frame.
  private func show(_ frame: AnalyzedFrame, of file: URL) {
    let ids = frame.objects.filter(\.isConfirmed).map { "\($0.id)" }
    var line = "\(file.lastPathComponent): \(frame.objects.count) spines"
    if !ids.isEmpty { line += ", stable \(ids.joined(separator: " "))" }
    if let message = frame.message?.text { line += ": \(message)" }
    print(line)
    for mark in frame.marks {
      guard let label = mark.label else { continue }
      print("  \(label)\(mark.badge.map { " (\($0))" } ?? "")")
    }
  }

  /// Reads the best photo thoroughly, and prints the sums of the session.
  private func report(_ photo: Raster?) async throws {
    print("report:")
    var isbn: ISBN13?
    if let photo {
      var reader = ShelfReader(finding: spines)
        .readingBarcodes(with: BarcodeScanner(effort: .fast), closeUps: BarcodeScanner())
      if let texts { reader = reader.recognizingText(with: texts) }
      let shelf = try await reader.shelf(in: photo)
      print("  \(shelf.books.count) books on the shelf")
      for (index, book) in shelf.books.enumerated() where book.title != nil {
        print("  book \(index + 1): \(book.title ?? ""), \(book.author ?? "no author")")
      }
      isbn = shelf.isbns.first
    }
    // The ISBN that was seen before the shutter fills in for one that the photo does not show.
    if let isbn = await scanner.takeISBN(merging: isbn) {
      print("  ISBN \(isbn.hyphenated ?? "\(isbn)")")
    }
    let statistics = await scanner.statistics
    print(
      "  \(statistics.analyzed) of \(statistics.seen) frames analysed, in "
        + "\(milliseconds(statistics.meanAnalysis)) ms on average, "
        + "\(milliseconds(statistics.p95Analysis)) ms at most in 95 % of them")
    let telemetry = try TelemetryReport(of: TelemetryReader(folder: log.folder))
    print("  \(telemetry.summary.events) different objects in the telemetry")
  }

  private func milliseconds(_ duration: FrameDuration?) -> String {
    duration.map { "\(Int(($0.seconds * 1000).rounded()))" } ?? "?"
  }
}
