import FrameAnalysis
import Geometry
import TestSupport
import Testing
import Tracking
import VisionProtocols

// What the example of Docs/Frames.md takes from the app around it.

private struct CameraFrame: SizedImage {
  var width = 1920
  var height = 1080
  var time: FrameTime
}

private struct AppTexts: TextRecognizer {
  func texts(in image: CameraFrame) async throws -> [RecognizedText] {
    let box = Box(x: 900, y: 200, width: 60, height: 600)
    return [RecognizedText(outline: Quadrilateral(box), text: "The Histories", confidence: 0.9)]
  }
}

private struct AppBarcodes: BarcodeReader {
  func barcodes(in image: CameraFrame) async throws -> [RecognizedBarcode] { [] }
}

private struct AppSpines: OutlineDetector {
  func outlines(in image: CameraFrame) async throws -> [DetectedOutline] {
    let box = Box(x: 880, y: 100, width: 100, height: 900)
    return [DetectedOutline(outline: Quadrilateral(box), confidence: 0.8)]
  }
}

@Suite("The guide's example")
struct GuideTests {
  private struct Shown: Equatable {
    var labels: [String]
    var message: FrameText?
    var events: [FeedbackEvent]
  }

  /// The lines of the guide, between the comments.
  private func run(_ cameraFrames: AsyncStream<CameraFrame>) async throws -> [Shown] {
    var shown: [Shown] = []
    func show(_ marks: [FindingMark], _ message: FrameText?) {
      let labels = marks.map { $0.label?.description ?? $0.badge ?? "" }
      shown.append(Shown(labels: labels, message: message, events: []))
    }
    func signal(_ event: FeedbackEvent) { shown[shown.count - 1].events.append(event) }
    func log(_ error: any Error) { Issue.record(error) }
    // begin
    let scanner = FrameScanner(
      analyzer: FrameAnalyzer<CameraFrame>()
        .recognizingText(with: AppTexts())
        .readingBarcodes(with: AppBarcodes())
        .detectingObjects(with: AppSpines()))

    var display = FrameDisplay()
    let analyses = cameraFrames.analyses(onDrop: { _ in await scanner.dropFrame() }) { frame in
      try await scanner.analysis(of: frame, at: frame.time)
    }
    for await result in analyses {
      switch result {
      case .success(let frame?):
        let changes = display.update(with: frame)
        if !changes.isEmpty { show(display.frame.marks, display.frame.message?.text) }
        frame.events.forEach(signal)
        frame.failures.forEach(log)
      case .success(nil):
        break  // Not due yet, too hot, or switched off.
      case .failure(let error):
        log(error)
      }
    }
    // end
    return shown
  }

  @Test("It runs")
  func example() async throws {
    let (frames, camera) = AsyncStream<CameraFrame>.makeStream()
    camera.yield(CameraFrame(time: .zero))
    camera.finish()
    let shown = Shown(labels: ["80%", "The Histories"], message: nil, events: [])
    #expect(try await run(frames) == [shown])
  }

  @Test("It is what the guide shows")
  func guide() throws {
    let tested = try GuideExample.tested(in: #filePath)
    #expect(try GuideExample.shown(in: "Frames.md") == tested && tested.count > 10)
  }
}
