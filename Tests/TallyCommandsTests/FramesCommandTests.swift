import Foundation
import FrameAnalysis
import Geometry
import ImageFiles
import Raster
import Telemetry
import TestSupport
import Testing
import VisionProtocols

@testable import CommandKit
@testable import TallyCommands

@Suite("tally frames")
struct FramesCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Frames of a camera that moves along a shelf of five books.
  private func pan(_ count: Int, step: Int = 4) throws {
    let shelf = try ImageFile.load(
      contentsOf: URL(fileURLWithPath: Shelf.standing.write("shelf.tmp.png", in: folder)))
    try FileManager.default.removeItem(atPath: folder.path("shelf.tmp.png"))
    for index in 0..<count {
      let rect = try #require(
        PixelRect(x: index * step, y: 0, width: 440, height: shelf.height))
      let frame = try #require(shelf.cropped(to: rect))
      // Not in the order of their bytes: 10 comes after 9.
      try ImageFile.write(frame, to: URL(fileURLWithPath: folder.path("f\(index).png")))
    }
  }

  @Test("Books keep their numbers along a pan, and are counted once")
  func ids() async throws {
    try pan(11)
    let run = await tally("frames", folder.url.path, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let frames = try run.outputLines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(frames.count == 11)
    for (index, frame) in frames.enumerated() {
      #expect(
        Set(frame.keys) == [
          "image", "width", "height", "time", "primary", "guidance", "message", "shift", "events",
          "distinctObjects", "objects", "texts", "barcodes", "isbn13", "preScannedISBN13",
          "failures",
        ])
      #expect((frame["texts"] as? [Any])?.isEmpty == true)
      #expect((frame["barcodes"] as? [Any])?.isEmpty == true && frame["isbn13"] is NSNull)
      #expect((frame["failures"] as? [Any])?.isEmpty == true)
      #expect(frame["image"] as? String == folder.path("f\(index).png"))
      #expect(frame["time"] as? Double == Double(index * 150) / 1000)
      let objects = try #require(frame["objects"] as? [[String: Any]])
      #expect(objects.map { $0["id"] as? Int } == [1, 2, 3, 4, 5])
      for object in objects {
        #expect(Set(object.keys) == ["id", "box", "quad", "confidence", "confirmed", "lines"])
        let box = try #require(object["box"] as? [Double])
        // The books stand in the picture: their boxes do in its shares, from the bottom left.
        #expect(box.count == 4 && box.allSatisfy { (-0.02...1.02).contains($0) })
        #expect(box[3] > box[2])
      }
    }
    #expect(frames.last?["distinctObjects"] as? Int == 5)
    #expect(frames.last?["primary"] as? String == "object")
  }

  @Test("Frames nearer than the least interval are passed over")
  func throttle() async throws {
    try pan(11)
    let run = await tally("frames", folder.url.path, "--interval", "50")
    #expect(run.outputLines.count == 4)
    #expect(
      run.outputLines.first?.hasPrefix("0.000 s  f0.png: 5 spines (1 2 3 4 5), 0 so far") == true)
    #expect(
      run.outputLines.last?.hasPrefix("0.450 s  f9.png: 5 spines (1 2 3 4 5), 5 so far") == true)
  }

  @Test("Rectangles instead of spines: the three best, with numbers of their own")
  func rectangles() async throws {
    try pan(3)
    let run = await tally("frames", folder.url.path, "--objects", "rectangles")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.allSatisfy { $0.contains(": 3 rectangles (") }, "\(run)")
    #expect(await tally("frames", folder.url.path, "--objects", "cats").failed(.usage))
  }

  @Test("Text and barcodes stand beside the spines, and the ISBN is remembered")
  func recognizers() async throws {
    try pan(3)
    // In the second frame alone, a code covers the last books.
    var code = PaintedEAN("9780306406157")
    code.module = 2
    let samples = code.samples
    var image = try ImageFile.load(contentsOf: URL(fileURLWithPath: folder.path("f1.png")))
    let (left, top) = (image.width - code.side, 0)
    for y in 0..<min(code.side, image.height - top) {
      for x in 0..<code.side {
        for channel in 0..<3 {
          image[x: left + x, y: top + y, channel: channel] = samples[y * code.side + x]
        }
      }
    }
    try ImageFile.write(image, to: URL(fileURLWithPath: folder.path("f1.png")))
    let models = try TinyTextModels.write(in: folder)
    let arguments = ["frames", folder.url.path, "--text", "--models", models, "--barcodes"]
    let run = await tally(arguments + ["--json"])
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let frames = try run.outputLines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    try #require(frames.count == 3)
    let isbn = "9780306406157"
    #expect(frames.map { $0["isbn13"] as? String } == [nil, isbn, nil])
    #expect(frames.map { $0["preScannedISBN13"] as? String } == [nil, isbn, isbn])
    let barcodes = try #require(frames[1]["barcodes"] as? [[String: Any]])
    try #require(barcodes.count == 1)
    #expect(
      Set(barcodes[0].keys) == ["payload", "symbology", "box", "confidence", "isbn13"])
    #expect(barcodes[0]["payload"] as? String == isbn)
    #expect(frames[1]["primary"] as? String == "barcode")
    #expect((frames[1]["events"] as? [String])?.contains("isbnFound") == true)
    for frame in frames {
      for text in try #require(frame["texts"] as? [[String: Any]]) {
        #expect(Set(text.keys) == ["id", "box", "quad", "text", "confidence"])
      }
    }
    let lines = await tally(arguments).outputLines
    #expect(lines.count == 3 && lines[1].contains(", 1 barcode, ISBN \(isbn)"), "\(lines)")
  }

  /// The events in a folder of telemetry.
  private func recorded(in folder: String) throws -> [TelemetryEvent] {
    var events: [TelemetryEvent] = []
    _ = try TelemetryReader(folder: URL(fileURLWithPath: folder)).forEachEvent { event, _ in
      events.append(event)
    }
    return events
  }

  @Test("Events are kept if the disk of the output is full")
  func telemetryOfBrokenOutput() async throws {
    /// Takes two lines.
    final class Full: OutputSink, @unchecked Sendable {
      // The command writes one line after the other.
      private var room = 2
      func write(_ text: String) throws(OutputFailure) {
        guard room > 0 else { throw .failed(errorNumber: ENOSPC) }
        room -= 1
      }
    }
    try pan(11)
    let events = folder.path("events")
    let console = Console(output: Full(), errors: MemorySink(), input: MemorySource([]))
    let code = await TallyCommand.run(
      ["frames", folder.url.path, "--telemetry", events], console: console)
    #expect(code == .inputOutput)
    #expect(try recorded(in: events).count == 5)
  }

  @Test("With --telemetry each object is an event, dated from now on")
  func telemetry() async throws {
    try pan(11)
    let events = folder.path("events")
    let run = await tally("frames", folder.url.path, "--telemetry", events)
    #expect(run.code == .success && run.errors.isEmpty && run.outputLines.count == 11, "\(run)")
    let recorded = try self.recorded(in: events)
    // All are confirmed by the second frame. The console's clock stands at .250.
    #expect(recorded.count == 5)
    let time = Date(timeIntervalSince1970: 1_795_387_654.4)
    #expect(recorded.allSatisfy { abs($0.time.timeIntervalSince(time)) < 1e-3 })
    #expect(recorded.allSatisfy { !$0.sawText && !$0.sawBarcode && $0.aspectRatio < 0.5 })

    let report = await tally("telemetry", "report", events)
    #expect(report.outputLines.first == "5 events in 1 file")

    let log = try TelemetryLog(folder: URL(fileURLWithPath: events))
    try await log.optOut()
    let optedOut = await tally("frames", folder.url.path, "--telemetry", events)
    #expect(optedOut.code == .success && optedOut.outputLines.count == 11)
    #expect(optedOut.errors.contains("opted out"))
    #expect(log.status.recorded == 0)
  }

  @Test("A folder of events that cannot be is an error before any frame")
  func telemetryFolder() async throws {
    try pan(2)
    let file = try folder.write("notes.txt", text: "a file")
    #expect(await tally("frames", folder.url.path, "--telemetry", file).failed(.noInput))
  }

  @Test("A recognizer that fails is in the frame's line, beside what the others saw")
  func failures() throws {
    var session = FrameSession()
    let frame = session.analyze(
      FrameObservations(
        time: .zero, frame: try CoordinateSpace(width: 100, height: 50),
        objects: [
          ObjectRegion(
            box: NormalizedBox(x: 0.5, y: 0.25, width: 0.125, height: 0.5), confidence: 0.75)
        ],
        failures: [RecognizerFailure(.text, underlying: ModelNotLoadedError(model: "ocr"))]))
    let report = FrameReport(
      path: "a.png", width: 100, height: 50, frame: frame, kind: .spines, preScanned: nil)
    #expect(
      report.json.text.hasSuffix(
        #""failures":[{"recognizer":"text","reason":"the model ocr is not loaded; it has to be "#
          + #"loaded first"}]}"#))
    #expect(report.json.text.contains(#""objects":[{"id":1,"box":[0.5,0.25,0.125,0.5],"#))
    #expect(report.line == "0.000 s  a.png: 1 spine (1), 0 so far")
  }

  @Test("Options about text need --text, and text needs its models")
  func textOptions() async throws {
    try pan(1)
    #expect(await tally("frames", folder.url.path, "--models", "m").failed(.usage))
    #expect(await tally("frames", folder.url.path, "--text", "--object-text").failed(.usage))
    let run = await tally(
      "frames", folder.url.path, "--text", "--models", folder.path("nowhere"))
    #expect(run.failed(.noInput) && run.errors.contains("tally models fetch"), "\(run)")
  }

  @Test("A damaged frame is an error line, and the others go on")
  func damaged() async throws {
    try pan(3)
    try folder.write("f1.png", [1, 2, 3])
    let run = await tally("frames", folder.url.path)
    #expect(run.code == .badData)
    #expect(run.errorLines.count == 1 && run.errors.contains("f1.png"))
    #expect(run.outputLines.count == 2)
  }

  @Test("A folder without frames, a file and nothing at all are told apart")
  func inputs() async throws {
    try folder.write("notes.txt", "no frame".utf8)
    #expect(await tally("frames", folder.url.path).failed(.noInput))
    #expect(await tally("frames", folder.path("notes.txt")).failed(.noInput))
    #expect(await tally("frames", folder.path("nowhere")).failed(.noInput))
    #expect(await tally("frames").failed(.usage))
    #expect(await tally("frames", folder.url.path, "--interval", "0").failed(.usage))
    #expect(await tally("frames", folder.url.path, folder.url.path).failed(.usage))
  }
}
