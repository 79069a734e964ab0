import Foundation
import Geometry
import ONNXRunner
import Raster
import ReferenceModels
import Testing
import VisionProtocols

@Suite("YOLOX detector")
struct YOLOXDetectorTests {
  let red: [UInt8] = [255, 0, 0]

  /// Twice the 64 pixels of the network wide, so that boxes double; the lower half is margin.
  func expectTwo(
    _ found: [Detection], classID: Int, classScore: Float, tolerance: Float = 1e-5
  ) {
    #expect(found.count == 2)
    guard found.count == 2 else { return }
    #expect(found.map(\.classID) == [classID, classID])
    for (one, objectness) in zip(found, [0.9, 0.6] as [Float]) {
      #expect(abs(one.objectness - objectness) < max(tolerance, 1e-3 * 0.5))
      #expect(abs(one.classScore - classScore) < tolerance)
      #expect(abs(one.score - one.objectness * one.classScore) < 1e-6)
    }
    let boxes = [
      Box(minX: 32, minY: 8, maxX: 48, maxY: 40), Box(minX: 40, minY: 16, maxX: 72, maxY: 80),
    ]
    for (one, box) in zip(found, boxes) {
      #expect(abs(one.box.minX - box.minX) < 0.05 && abs(one.box.minY - box.minY) < 0.05)
      #expect(abs(one.box.maxX - box.maxX) < 0.05 && abs(one.box.maxY - box.maxY) < 0.05)
    }
  }

  @Test(
    "blue is the first plane, and the margin is 114",
    arguments: [([255, 0, 0], 2), ([0, 255, 0], 1), ([0, 0, 255], 0)] as [([UInt8], Int)])
  func planes(colour: [UInt8], classID: Int) async throws {
    let detector = try YOLOXDetector(contentsOf: tinyModel("detector"))
    let found = try await detector.detections(
      in: plain(colour, width: 128, height: 64), minimumConfidence: 0.1)
    expectTwo(found, classID: classID, classScore: (255 + 114) / 2 / 255)
  }

  @Test(
    "every form of the head gives the same boxes",
    arguments: [
      ("detector", false), ("detector_decoded", true), ("detector_half", false),
      ("detector_open", false),
    ])
  func forms(name: String, decoded: Bool) async throws {
    let size = name == "detector_open" ? PixelSize(width: 64, height: 64) : nil
    let detector = try YOLOXDetector(
      contentsOf: tinyModel(name), isSelfDecoded: decoded, inputSize: size)
    #expect(detector.head.classCount == 3 && detector.head.candidateCount == 84)
    let found = try await detector.detections(
      in: plain(red, width: 128, height: 64), minimumConfidence: 0.1)
    expectTwo(
      found, classID: 2, classScore: (255 + 114) / 2 / 255,
      tolerance: name == "detector_half" ? 2e-3 : 1e-5)
  }

  @Test("logits are told from probabilities, or are what one says they are")
  func logits() async throws {
    let image = try plain(red, width: 128, height: 64)
    let share = Float(255 + 114) / 2 / 255
    let sigmoid = 1 / (1 + exp(-share))
    for form in [YOLOXDetector.ScoreForm.automatic, .logits] {
      let detector = try YOLOXDetector(contentsOf: tinyModel("detector_logits"), scores: form)
      let found = try await detector.detections(in: image, minimumConfidence: 0.1)
      expectTwo(found, classID: 2, classScore: sigmoid)
    }
    let taken = try YOLOXDetector(contentsOf: tinyModel("detector"), scores: .logits)
    let found = try await taken.detections(in: image, minimumConfidence: 0.1)
    #expect(found.count == 84)
  }

  @Test("the least score is a score that is reported")
  func confidence() async throws {
    let detector = try YOLOXDetector(contentsOf: tinyModel("detector"))
    let image = try plain(red, width: 64, height: 64)
    let all = try await detector.detections(in: image, minimumConfidence: 0)
    #expect(all.count == 84)
    let best = try #require(all.map(\.score).max())
    #expect(try await detector.detections(in: image, minimumConfidence: best).count == 1)
    let above = try await detector.detections(in: image, minimumConfidence: best.nextUp)
    #expect(above.isEmpty)
  }

  @Test("grey, grey with alpha and colour with alpha are seen as colour", arguments: [1, 2, 4])
  func channels(count: Int) async throws {
    let detector = try YOLOXDetector(contentsOf: tinyModel("detector"))
    let colour = [UInt8](repeating: 200, count: count % 2 == 0 ? count - 1 : count)
    let opaque = try plain(
      count % 2 == 0 ? colour + [255] : colour, width: 100, height: 80)
    let rgb = try plain([200, 200, 200], width: 100, height: 80)
    #expect(
      try await detector.detections(in: opaque, minimumConfidence: 0.1)
        == detector.detections(in: rgb, minimumConfidence: 0.1))
  }

  @Test(
    "images of one pixel and of one row are looked at", arguments: [(1, 1), (1000, 1), (1, 999)])
  func tinyImages(width: Int, height: Int) async throws {
    let detector = try YOLOXDetector(contentsOf: tinyModel("detector"))
    let found = try await detector.detections(
      in: plain(red, width: width, height: height), minimumConfidence: 0.1)
    #expect(found.count == 2)
  }

  @Test("a model that is no YOLOX is refused with its shapes")
  func notYOLOX() throws {
    let error = #expect(throws: ReferenceModelError.self) {
      _ = try YOLOXDetector(contentsOf: tinyModel("embedder_flat"), inputSize: nil)
    }
    guard case .notYOLOX(_, let found)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.contains("input") && found.contains("embedding"))
    #expect(error?.description.contains("[1, N, 5 + C]") == true)
  }

  @Test("an open input size has to be named, and a fixed one cannot be changed")
  func inputSize() throws {
    let open = #expect(throws: ReferenceModelError.self) {
      _ = try YOLOXDetector(contentsOf: tinyModel("detector_open"))
    }
    guard case .openInputSize? = open else {
      Issue.record("\(String(describing: open))")
      return
    }
    let other = #expect(throws: ReferenceModelError.self) {
      _ = try YOLOXDetector(
        contentsOf: tinyModel("detector"), inputSize: PixelSize(width: 96, height: 64))
    }
    guard case .inputSize("96 x 64", _)? = other else {
      Issue.record("\(String(describing: other))")
      return
    }
    #expect(PixelSize(width: 0, height: 64) == nil && PixelSize(width: 64, height: 16385) == nil)
    // 65 is no multiple of the strides.
    #expect(throws: (any Error).self) {
      _ = try YOLOXDetector(
        contentsOf: tinyModel("detector_open"), inputSize: PixelSize(width: 65, height: 64))
    }
  }

  @Test("a file that is no model is the runner's error")
  func noModel() {
    #expect(throws: ModelError.self) {
      _ = try YOLOXDetector(contentsOf: URL(fileURLWithPath: #filePath))
    }
    #expect(throws: ModelError.self) {
      _ = try YOLOXDetector(contentsOf: tinyModel("no such file"))
    }
  }

  @Test("a cancelled task is not kept waiting")
  func cancelled() async throws {
    let detector = try YOLOXDetector(contentsOf: tinyModel("detector"))
    let image = try plain(red, width: 64, height: 64)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await detector.detections(in: image, minimumConfidence: 0.1)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }
}
