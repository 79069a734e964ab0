import FrameAnalysis
import Geometry
import TallyTestSupport
import Tracking
import VisionProtocols

func useNewFinder() {}

/// A report about 200 events of the variant `new-finder`, of which 188 are right.
func labelledReport(_ folder: URL) async throws -> TelemetryReport {
  let log = try TelemetryLog(folder: folder)
  var labels = ""
  let first: Int64 = 1_700_000_000_000
  for number in 0..<200 {
    let milliseconds = first + Int64(number)
    log.record(
      try TelemetryEvent(
        time: Date(timeIntervalSince1970: Double(milliseconds) / 1000), confidence: 0.9, width: 0.1,
        height: 0.5, aspectRatio: 0.2, sawText: true, sawBarcode: false, variant: "new-finder"))
    labels += "{\"time\":\(milliseconds),\"right\":\(number < 188)}\n"
  }
  try await log.close()
  return try TelemetryReport(
    of: TelemetryReader(folder: folder), labels: TelemetryLabels(labels.utf8))
}

/// What a scanner says of three frames that show a spine.
func frames() async throws -> [AnalyzedFrame] {
  let spine = DetectedOutline(
    outline: Quadrilateral(Box(x: 880, y: 100, width: 100, height: 900)), confidence: 0.8)
  let scanner = FrameScanner(
    analyzer: FrameAnalyzer<TestImage>()
      .detectingObjects(with: FakeOutlineDetector<TestImage>([spine])))
  var frames: [AnalyzedFrame] = []
  for number in 0..<3 {
    let time = FrameTime(nanoseconds: Int64(number) * 200_000_000)
    let image = TestImage("frame", width: 1920, height: 1080)!
    if let frame = try await scanner.analysis(of: image, at: time) { frames.append(frame) }
  }
  return frames
}

// begin
let folder = URL(fileURLWithPath: "events")
let userID = "4711"
let experiment = try Experiment(
  salt: "finders", treatments: [Experiment.Treatment(name: "new-finder", share: 0.5)])
let analyzed = try await frames()
let frame = analyzed[1]
let (analyzedFrames, sink) = AsyncStream<AnalyzedFrame>.makeStream()
for frame in analyzed { sink.yield(frame) }
sink.finish()
let report = try await labelledReport(URL(fileURLWithPath: "labelled"))
let stage = 0
