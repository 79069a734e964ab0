import DetectionDecode
import Geometry
import TestSupport
import Testing
import VisionProtocols

@testable import AppleVision

@Suite("What Vision and Core ML say")
struct ObservationTests {
  private let space: CoordinateSpace
  private let classIDs = ["apple": 0, "pear": 1]

  init() throws {
    space = try CoordinateSpace(width: 400, height: 200)
  }

  private func detection(
    _ classes: [(label: String, confidence: Float)], confidence: Float = 0.5
  ) -> (Detection?, unknown: String?) {
    // A quarter of the width from the left, an eighth of the height from the bottom.
    let object = ObservedObject(
      box: NormalizedBox(x: 0.25, y: 0.125, width: 0.5, height: 0.25), confidence: confidence,
      classes: classes)
    var unknown: String?
    return (object.detection(in: space, classIDs: classIDs, unknown: &unknown), unknown)
  }

  @Test("A box with the origin at the lower left lies in pixels from the upper left")
  func boxes() throws {
    let (detection, unknown) = detection([("pear", 0.75), ("apple", 0.25)])
    let found = try #require(detection)
    #expect(found.box == Box(minX: 100, minY: 125, maxX: 300, maxY: 175))
    #expect(unknown == nil)
  }

  @Test("The score is the confidence times that of the most likely label")
  func scores() throws {
    let found = try #require(detection([("apple", 0.25), ("pear", 0.75)]).0)
    #expect(found.score == 0.375)
    #expect(found.objectness == 0.5)
    #expect(found.classScore == 0.75)
    #expect(found.classID == 1)
  }

  @Test("Of equally likely labels the first is taken, and NaN is none")
  func ties() throws {
    #expect(try #require(detection([("pear", 0.5), ("apple", 0.5)]).0).classID == 1)
    #expect(try #require(detection([("pear", .nan), ("apple", 0.1)]).0).classID == 0)
    #expect(detection([("pear", .nan)]).0 == nil)
    #expect(detection([]).0 == nil)
  }

  @Test("A label that is not known is named")
  func unknownLabel() {
    let (detection, unknown) = detection([("plum", 1)])
    #expect(detection == nil)
    #expect(unknown == "plum")
  }

  private struct Detections: Decodable {
    let width: Int
    let height: Int
    let side: Int
    let shape: [Int]
    let strides: [Int]
    let bits: [UInt16]
    /// Corners, score, class.
    let found: [[Double]]
  }

  @Test("An output in half precision with gaps becomes boxes in the photo, as in NumPy")
  func table() throws {
    let golden = try Folders.golden("AppleVision/detections.json", as: Detections.self)
    let layout = try #require(
      MultiArrayLayout(shape: golden.shape, strides: golden.strides, element: .float16))
    let values = try #require(bytes(golden.bits).withUnsafeBytes { layout.values(in: $0) })
    let letterbox = try Letterbox(
      imageWidth: golden.width, imageHeight: golden.height, networkWidth: golden.side,
      networkHeight: golden.side, placement: .centered, sides: .nearest)
    let found = try detections(
      from: .yolov8(classCount: 2), output: HeadOutput(shape: golden.shape, values: values),
      letterbox: letterbox, minimumScore: 0.25)
    #expect(found.count == 2)
    for (mine, theirs) in zip(found, golden.found) {
      let corners = [mine.box.minX, mine.box.minY, mine.box.maxX, mine.box.maxY]
      #expect(corners.map(Double.init) == Array(theirs[..<4]))
      #expect(Double(mine.score) == theirs[4])
      #expect(mine.classID == Int(theirs[5]))
      #expect(mine.objectness == mine.score)
      #expect(mine.classScore == 1)
      #expect(mine.outline == nil)
    }
  }

  @Test("A turned box has its corners in the photo as outline")
  func turned() throws {
    // Center (100, 100), 40 x 20, a quarter turn; the network sees the photo at half the size.
    let output = try HeadOutput(shape: [1, 6, 1], values: [100, 100, 40, 20, 0.75, .pi / 2])
    let letterbox = try Letterbox(
      imageWidth: 400, imageHeight: 400, networkWidth: 200, networkHeight: 200)
    let found = try detections(
      from: .yolov8(classCount: 1, extra: .angle), output: output, letterbox: letterbox,
      minimumScore: 0.25)
    let box = try #require(found.first?.box)
    let corners = [box.minX, box.minY, box.maxX, box.maxY]
    #expect(zip(corners, [180, 160, 220, 240]).allSatisfy { abs($0 - $1) < 1e-4 })
    guard case .rotatedBox(let outline) = found.first?.outline else {
      Issue.record("there is no outline")
      return
    }
    #expect(outline.boundingBox == box)
    // The first corner is the upper left one before the turn: it comes to the upper right.
    #expect(outline.topLeft.distance(to: Point(x: 220, y: 160)) < 1e-4)
  }

  @Test("A YOLOX output becomes boxes in the photo, and another shape an error")
  func yolox() throws {
    // 32 x 32 pixels have 16 + 4 + 1 cells; only the last one, of stride 32, sees an object.
    var values = [Float](repeating: 0, count: 21 * 6)
    values.replaceSubrange(120..<126, with: [0.5, 0.25, 0, 0, 0.5, 0.5])
    let letterbox = try Letterbox(
      imageWidth: 64, imageHeight: 32, networkWidth: 32, networkHeight: 32)
    let found = try detections(
      fromYOLOX: HeadOutput(shape: [1, 21, 6], values: values), isSelfDecoded: false,
      letterbox: letterbox, minimumScore: 0.2)
    // Center (16, 8) and 32 x 32 pixels of the network, which sees the photo at half the size.
    #expect(
      found == [
        Detection(
          box: Box(minX: 0, minY: -16, maxX: 64, maxY: 48), score: 0.25, objectness: 0.5,
          classScore: 0.5, classID: 0)
      ])
    #expect(throws: (any Error).self) {
      try detections(
        fromYOLOX: HeadOutput(shape: [21, 6], values: values), isSelfDecoded: false,
        letterbox: letterbox, minimumScore: 0.2)
    }
  }
}
