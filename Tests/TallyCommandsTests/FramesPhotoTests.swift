import Foundation
import Geometry
import ImageFiles
import Raster
import Telemetry
import TestSupport
import Testing

/// `tally frames` with all its recognizers, on photos.
///
/// H27: text, barcodes and objects of real frames, in one pipeline.
@Suite("tally frames on photos")
struct FramesPhotoTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A camera that moves along books and comes to the code of another one; false where the photos
  /// are not here.
  private func pan() throws -> Bool {
    guard let books = try Requirements.shared("photos/shelf/shelf_pierre_05.jpg"),
      let code = try Requirements.shared("photos/barcode/zxing_ean13-2_01.png")
    else { return false }
    let shelf = try ImageFile.load(contentsOf: books).resized(
      width: 461, height: 480, method: .bilinearAntialiased)
    let label = try ImageFile.load(contentsOf: code)
    var scene = try Raster(width: 941, height: 480, channels: 3, fill: 128)
    for (image, left) in [(shelf, 0), (label, 461)] {
      for y in 0..<image.height {
        for x in 0..<image.width {
          for channel in 0..<3 {
            scene[x: left + x, y: y, channel: channel] =
              image[x: x, y: y, channel: image.channels >= 3 ? channel : 0]
          }
        }
      }
    }
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("pan"), withIntermediateDirectories: true)
    for index in 0..<5 {
      let view = try #require(PixelRect(x: 35 * index, y: 0, width: 800, height: 480))
      let frame = try #require(scene.cropped(to: view))
      try ImageFile.write(frame, to: URL(fileURLWithPath: folder.path("pan/f\(index).png")))
    }
    return true
  }

  @Test("Text on spines, one spine per frame: the same on every run, and with its spine afterwards")
  func objectText() async throws {
    guard try Requirements.model("ch_PP-OCRv4_det_infer.onnx") != nil,
      let models = Folders.models?.path, try pan()
    else { return }
    let arguments = [
      "frames", folder.path("pan"), "--object-text", "--models", models, "--interval", "1000",
      "--json",
    ]
    let run = await tally(arguments)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let frames = try run.outputLines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    try #require(frames.count == 5)
    let read = try frames.map { frame in
      let objects = try #require(frame["objects"] as? [[String: Any]])
      return objects.compactMap { $0["lines"] as? [String] }.filter { !$0.isEmpty }
    }
    // The second frame confirms the spines. From then on each frame has one more that was read.
    #expect(read.map(\.count) == [0, 0, 1, 2, 3], "\(read)")
    let texts = frames.map { ($0["texts"] as? [Any])?.count ?? -1 }
    #expect(texts == read.map { $0.reduce(0) { $0 + $1.count } })
    // Nothing is taken from the text beside them.
    let words = read[4].flatMap { $0 }.joined(separator: " ").lowercased()
    #expect(words.contains("outliers") || words.contains("incendiary"), "\(words)")
    let again = await tally(arguments)
    #expect(again.output == run.output)
  }

  @Test("Spines, text and a barcode in one pan: no failure, the ISBN, and each book once")
  func everything() async throws {
    guard try Requirements.model("ch_PP-OCRv4_det_infer.onnx") != nil,
      let models = Folders.models?.path, try pan()
    else { return }
    let run = await tally(
      "frames", folder.path("pan"), "--text", "--barcodes", "--models", models, "--telemetry",
      folder.path("events"), "--interval", "1000", "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let frames = try run.outputLines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    try #require(frames.count == 5)
    #expect(frames.allSatisfy { ($0["failures"] as? [Any])?.isEmpty == true })

    // There are six books, and the first one leaves.
    let ids = try frames.map { frame in
      let objects = try #require(frame["objects"] as? [[String: Any]])
      return Set(objects.compactMap { $0["id"] as? Int })
    }
    #expect(ids.allSatisfy { (5...8).contains($0.count) })
    #expect(ids.dropFirst().reduce(ids[0]) { $0.intersection($1) }.count >= 4)
    let distinct = try #require(frames[4]["distinctObjects"] as? Int)
    #expect((5...8).contains(distinct))

    for frame in frames {
      let texts = try #require(frame["texts"] as? [[String: Any]])
      let words = texts.compactMap { $0["text"] as? String }
      #expect(words.contains("OUTLIERS") && words.contains("incendiary"), "\(words)")
    }
    // Whole from the third frame on.
    let codes = frames.map { $0["isbn13"] as? String }
    #expect(codes[0] == nil && codes[3] == "9780804816632" && codes[4] == "9780804816632")
    #expect(frames[0]["preScannedISBN13"] is NSNull)
    #expect(frames[4]["preScannedISBN13"] as? String == "9780804816632")
    #expect(frames[4]["primary"] as? String == "barcode")

    // The titles run along spines, which the second frame confirms. The code is told two seconds
    // later.
    let events = frames.map { $0["events"] as? [String] }
    #expect(events == [[], ["spineFound"], [], ["isbnFound"], []])
    #expect(frames[4]["guidance"] as? String == "spineDetected")

    var recorded: [TelemetryEvent] = []
    let reader = TelemetryReader(folder: folder.url.appendingPathComponent("events"))
    _ = try reader.forEachEvent { event, _ in recorded.append(event) }
    #expect(recorded.count == distinct && recorded.allSatisfy(\.sawText))
    #expect(recorded.allSatisfy { $0.height > 0.5 && $0.aspectRatio < 0.5 })
  }
}
