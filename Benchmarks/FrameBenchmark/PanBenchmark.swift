import Barcodes
import BenchmarkSupport
import Dispatch
import Foundation
import FrameAnalysis
import Geometry
import ImageFiles
import ONNXRunner
import Raster
import ReferenceModels
import Tracking

/// A camera that pans along a shelf, in real time: spines, barcodes, text, tracking and guidance.
///
/// The camera does not wait. If an analysis takes longer than a frame lasts, frames are dropped.
struct PanBenchmark {
  /// What is reported of a pan.
  struct Report: Encodable {
    var frames = 0
    var analyzed = 0
    var dropped = 0
    /// Milliseconds.
    var mean = 0.0
    var p95 = 0.0
    /// Different spines that were confirmed.
    var objects = 0
    /// Those of them on which text was read.
    var readObjects = 0
    /// What was read on each object last.
    var lines: [[String]] = []
    /// How many lines were seen in a frame, on average.
    var linesPerFrame = 0.0
    var failures = 0
  }

  /// The file of a long picture, as high as a frame.
  var scene = ""
  var models = ""
  /// How long the pan takes, there and back.
  var seconds = 20
  var frameRate = 30
  /// Whether each frame is read as a whole, instead of one object after another.
  var readsWholeFrames = false

  private func analyzer() throws -> FrameAnalyzer<Raster> {
    let analyzer = FrameAnalyzer<Raster>()
      .detectingObjects(with: SpineOutlineDetector())
      .readingBarcodesBesideFrames(with: BarcodeScanner(effort: .fast))
    if models.isEmpty { return analyzer }
    var options = SessionOptions()
    options.threads = 1
    let reader = try TextReader(
      files: TextModelFiles(folder: URL(fileURLWithPath: models)), configuration: .frames,
      options: options)
    return readsWholeFrames
      ? analyzer.recognizingText(with: reader) : analyzer.recognizingTextOnObjects(with: reader)
  }

  func report() async throws -> Report {
    let scene = try ImageFile.load(contentsOf: URL(fileURLWithPath: scene))
    let width = min(scene.width, scene.height * 16 / 9)
    var configuration = FrameConfiguration()
    // Every frame of the camera is analysed if there is time.
    configuration.nominalInterval = .zero
    let scanner = FrameScanner(
      analyzer: try analyzer(), session: try FrameSession(configuration: configuration))

    let count = seconds * frameRate
    let (frames, camera) = AsyncStream<Frame>.makeStream()
    let start = DispatchTime.now().uptimeNanoseconds
    let filming = Task {
      for index in 0..<count {
        let due = UInt64(index) * 1_000_000_000 / UInt64(frameRate)
        let now = DispatchTime.now().uptimeNanoseconds - start
        if due > now { try await Task.sleep(nanoseconds: due - now) }
        // There in the first half of the time, and back in the second.
        let way = 1 - abs(1 - 2 * Double(index) / Double(count))
        let left = Int(way * Double(scene.width - width))
        guard let view = PixelRect(x: left, y: 0, width: width, height: scene.height),
          let image = scene.cropped(to: view)
        else { continue }
        camera.yield(Frame(image: image, time: FrameTime(nanoseconds: Int64(due))))
      }
      camera.finish()
    }

    var report = Report()
    var lines: [Int: [String]] = [:]
    var seen = 0
    let analyses = frames.analyses(onDrop: { _ in await scanner.dropFrame() }) {
      try await scanner.analysis(of: $0.image, at: $0.time)
    }
    for await result in analyses {
      guard let frame = try result.get() else { continue }
      seen += frame.texts.count
      for object in frame.objects where !object.lines.isEmpty { lines[object.id] = object.lines }
      if readsWholeFrames {
        for (text, id) in zip(frame.texts, frame.textIDs) {
          if let id { lines[id] = [text.text] }
        }
      }
      report.objects = frame.distinctObjects
    }
    try await filming.value
    let statistics = await scanner.statistics
    report.frames = statistics.seen
    report.analyzed = statistics.analyzed
    report.dropped = statistics.dropped
    report.mean = (statistics.meanAnalysis?.seconds ?? 0) * 1000
    report.p95 = (statistics.p95Analysis?.seconds ?? 0) * 1000
    report.readObjects = lines.count
    report.lines = lines.sorted { $0.key < $1.key }.map(\.value)
    report.linesPerFrame = Double(seen) / Double(max(statistics.analyzed, 1))
    report.failures = statistics.failures
    return report
  }

  private struct Frame: Sendable {
    let image: Raster
    let time: FrameTime
  }
}
