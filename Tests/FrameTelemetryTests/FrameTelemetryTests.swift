import Foundation
import FrameAnalysis
import FrameTelemetry
import Geometry
import Telemetry
import TestSupport
import Testing
import Tracking
import VisionProtocols

// H36: what frames showed is recorded.

@Suite("Objects of frames in the log")
struct FrameTelemetryTests {
  private let folder: TemporaryFolder
  private let log: TelemetryLog
  private let start = Date(timeIntervalSince1970: 1_795_305_600)

  init() throws {
    folder = try TemporaryFolder()
    log = try TelemetryLog(folder: folder.url)
  }

  /// A frame of 1000 by 500 pixels with upright objects at these left edges.
  private func seen(
    _ lefts: [Double], at milliseconds: Int64, confidence: Float = 0.75,
    texts: [TextLineRegion] = [], barcodes: [BarcodeRegion] = [],
    failures: [RecognizerFailure] = []
  ) throws -> FrameObservations {
    FrameObservations(
      time: .milliseconds(milliseconds), frame: try CoordinateSpace(width: 1000, height: 500),
      texts: texts, barcodes: barcodes,
      objects: lefts.map {
        ObjectRegion(
          box: NormalizedBox(x: $0, y: 0.125, width: 0.0625, height: 0.5), confidence: confidence)
      }, failures: failures)
  }

  private let title = TextLineRegion(
    box: NormalizedBox(x: 0.1, y: 0.2, width: 0.02, height: 0.5), text: "The Histories",
    confidence: 0.9)
  private let barcode = BarcodeRegion(
    box: NormalizedBox(x: 0.6, y: 0.5, width: 0.2, height: 0.1), payload: "9780306406157",
    symbology: .ean13)

  /// The date of a frame at this time.
  private func date(_ milliseconds: Int) -> Date { start + Double(milliseconds) / 1000 }

  /// The time of the frame of an event.
  private func milliseconds(_ event: TelemetryEvent) -> Int {
    Int((event.time.timeIntervalSince(start) * 1000).rounded())
  }

  private func events() async throws -> [TelemetryEvent] {
    try await log.flush()
    var events: [TelemetryEvent] = []
    _ = try TelemetryReader(folder: folder.url).forEachEvent { event, _ in events.append(event) }
    return events
  }

  @Test("An object is one event, of the frame that confirmed it, however often it is seen")
  func once() async throws {
    var session = FrameSession()
    for number in 0..<20 {
      let frame = session.analyze(
        try seen([0.1, 0.5], at: Int64(150 * number), texts: [title], barcodes: [barcode]))
      #expect(frame.newlyConfirmed == (number == 1 ? [1, 2] : []))
      try log.record(frame, at: date(150 * number))
    }
    // Width over height in pixels of 62.5 by 250.
    let event = try TelemetryEvent(
      time: date(150), confidence: 0.75, width: 0.0625, height: 0.5, aspectRatio: 0.25,
      sawText: true, sawBarcode: true)
    #expect(try await events() == [event, event])
    let report = try TelemetryReport(of: TelemetryReader(folder: folder.url))
    #expect(report.summary.events == 2 && report.textShare == 1 && report.barcodeShare == 1)
  }

  @Test("Texts and barcodes count in the frame of the event alone")
  func sawOthers() async throws {
    var session = FrameSession()
    try log.record(
      session.analyze(try seen([0.1], at: 0, texts: [title], barcodes: [barcode])), at: date(0))
    try log.record(
      session.analyze(try seen([0.1, 0.5], at: 150, barcodes: [barcode])), at: date(150))
    try log.record(session.analyze(try seen([0.1, 0.5], at: 300, texts: [title])), at: date(300))
    let events = try await events()
    #expect(events.map(milliseconds) == [150, 300])
    #expect(events.map(\.sawText) == [false, true])
    #expect(events.map(\.sawBarcode) == [true, false])
  }

  @Test("Events have the variant of their frame, and a name that is none is refused")
  func variant() async throws {
    var session = FrameSession()
    try log.record(session.analyze(try seen([0.1], at: 0)), at: date(0), variant: "spines")
    try log.record(session.analyze(try seen([0.1], at: 150)), at: date(150), variant: "spines")
    try log.record(session.analyze(try seen([0.1, 0.5], at: 300)), at: date(300))
    try log.record(session.analyze(try seen([0.1, 0.5], at: 450)), at: date(450))
    #expect(try await events().map(\.variant) == ["spines", nil])
    _ = session.analyze(try seen([0.1, 0.5, 0.8], at: 600))
    let frame = session.analyze(try seen([0.1, 0.5, 0.8], at: 750))
    #expect(frame.newlyConfirmed.count == 1)
    #expect(throws: TelemetryError.invalidVariant("two words")) {
      try log.record(frame, at: date(750), variant: "two words")
    }
    #expect(try await events().count == 2)
  }

  @Test("A pan has as many events as distinct objects, also if it comes back")
  func pan() async throws {
    var session = FrameSession()
    var last = AnalyzedFrame.empty(at: .zero)
    let books = (0..<12).map { 0.125 * Double($0) }
    let steps = Array(0..<40) + (0..<40).reversed()
    for (number, step) in steps.enumerated() {
      let left = 0.0125 * Double(step)
      let inView = books.map { $0 - left }.filter { $0 >= 0 && $0 <= 0.9375 }
      last = session.analyze(try seen(inView, at: Int64(150 * number)))
      try log.record(last, at: date(150 * number))
    }
    #expect(last.distinctObjects >= 11)
    #expect(try await events().count == last.distinctObjects)
  }

  @Test("After a reset, ids that come again are new objects; after clearing, objects are")
  func resetting() async throws {
    var session = FrameSession()
    func look(_ times: [Int64]) throws {
      for time in times { try log.record(session.analyze(try seen([0.1], at: time)), at: start) }
    }
    try look([0, 150, 300])
    session.reset()
    try look([450, 600, 750])
    #expect(try await events().count == 2)
    session.clear()
    try look([900, 1050, 1200])
    #expect(try await events().count == 3)
  }

  @Test("A session that is off records nothing, and nor does a log whose user has opted out")
  func off() async throws {
    var session = FrameSession()
    session.isEnabled = false
    for time in [0, 150, 300] as [Int64] {
      try log.record(session.analyze(try seen([0.1], at: time)), at: start)
    }
    #expect(log.status.recorded == 0)
    session.isEnabled = true
    try await log.optOut()
    for time in [450, 600] as [Int64] {
      try log.record(session.analyze(try seen([0.1], at: time)), at: start)
    }
    #expect(log.status.recorded == 1 && log.status.declined == 1)
    #expect(try await events().isEmpty)
  }

  @Test("An object that can be no event is an error, and costs the others nothing")
  func unusable() async throws {
    var session = FrameSession()
    var both = try seen([0.1, 0.3], at: 0)
    both.objects[0].confidence = 1.5
    try log.record(session.analyze(both), at: start)
    both.time = .milliseconds(150)
    let frame = session.analyze(both)
    #expect(
      throws: TelemetryError.valueOutOfRange(name: "confidence", value: 1.5, range: "0...1")
    ) { try log.record(frame, at: start) }
    #expect(throws: TelemetryError.self) {
      try log.record(frame, at: Date(timeIntervalSince1970: -1))
    }
    #expect(try await events().map(\.confidence) == [0.75])
  }

  @Test("Without a frame's size there is no aspect ratio, and so no event")
  func noSize() throws {
    var session = FrameSession()
    _ = session.analyze(try seen([0.1], at: 0))
    let object = try #require(session.analyze(try seen([0.1], at: 150)).objects.first)
    #expect(throws: TelemetryError.self) {
      _ = try TelemetryEvent(object, in: .empty(at: .zero), at: start)
    }
  }

  @Test("A folder that is gone costs events and no frame")
  func failingStore() async throws {
    var session = FrameSession()
    _ = session.analyze(try seen([0.1], at: 0))
    try FileManager.default.removeItem(at: folder.url)
    try log.record(session.analyze(try seen([0.1], at: 150)), at: start)
    await #expect(throws: TelemetryError.noFolder(path: folder.url.path)) { try await log.flush() }
    #expect(log.status.recorded == 1 && log.status.dropped == 1)
    try log.record(session.analyze(try seen([0.1], at: 300)), at: start)
    #expect(log.status.recorded == 1)
    try await log.close()
  }

  @Test("A recognizer that failed counts as one that saw nothing")
  func failedRecognizer() async throws {
    let failure = RecognizerFailure(.text, underlying: ModelNotLoadedError(model: "text"))
    var session = FrameSession()
    for time in [0, 150] as [Int64] {
      try log.record(
        session.analyze(try seen([0.1], at: time, barcodes: [barcode], failures: [failure])),
        at: start)
    }
    let events = try await events()
    #expect(events.map(\.sawText) == [false] && events.map(\.sawBarcode) == [true])
  }

  @Test("Objects confirmed at once are recorded in their first frame")
  func confirmedAtOnce() async throws {
    var configuration = FrameConfiguration()
    configuration.tracking.confirmingHits = 1
    var session = try FrameSession(configuration: configuration)
    for time in [0, 150, 300] as [Int64] {
      try log.record(session.analyze(try seen([0.1, 0.5], at: time)), at: date(Int(time)))
    }
    #expect(try await events().map(milliseconds) == [0, 0])
  }
}
