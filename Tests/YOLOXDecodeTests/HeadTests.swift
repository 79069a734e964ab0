import Testing
import YOLOXDecode

@Suite struct HeadTests {
  @Test(arguments: [
    (416, 416, YOLOXPyramid.p5, 3549), (640, 640, .p5, 8400), (1280, 1280, .p6, 34000),
    (640, 416, .p5, 5460), (128, 64, .p6, 170), (32, 32, .p5, 21),
  ])
  func theInputsSizeGivesTheCandidates(
    width: Int, height: Int, pyramid: YOLOXPyramid, count: Int
  ) throws {
    for classes in [1, 3, 80] {
      let head = try YOLOXHead(
        inputWidth: width, inputHeight: height, pyramid: pyramid, classCount: classes)
      #expect(head.candidateCount == count)
      #expect(head.outputShape == [1, count, 5 + classes])
      #expect(head.valueCount == count * (5 + classes))
      let found = try YOLOXHead(
        outputShape: head.outputShape, inputWidth: width, inputHeight: height)
      #expect(found == head)
      #expect(found.pyramid == pyramid && found.classCount == classes)
    }
  }

  @Test func stridesGrowInOrder() {
    #expect(YOLOXPyramid.p5.strides == [8, 16, 32])
    #expect(YOLOXPyramid.p6.strides == [8, 16, 32, 64])
  }

  @Test func aSelfDecodedHeadMayHaveAnyNumberOfCandidates() throws {
    let head = try YOLOXHead(
      outputShape: [1, 100, 6], inputWidth: 300, inputHeight: 200, selfDecoded: true)
    #expect(head.pyramid == nil && head.candidateCount == 100 && head.isSelfDecoded)
    let usual = try YOLOXHead(
      outputShape: [1, 3549, 85], inputWidth: 416, inputHeight: 416, selfDecoded: true)
    #expect(usual.pyramid == .p5)
    #expect(throws: YOLOXDecodeError.inputSize(width: 0, height: 200, largestStride: 1)) {
      try YOLOXHead(
        outputShape: [1, 100, 6], inputWidth: 0, inputHeight: 200, selfDecoded: true)
    }
  }

  @Test(arguments: [
    [], [1], [3549, 85], [1, 3549, 85, 1], [2, 3549, 85], [1, 3549, 5], [1, 0, 85],
    [1, -1, 85], [0, 3549, 85], [1, 3549, 0], [1, Int.min, Int.min],
  ])
  func shapesOfNoYOLOXAreRefused(shape: [Int]) {
    #expect(throws: YOLOXDecodeError.outputShape(shape)) {
      try YOLOXHead(outputShape: shape, inputWidth: 416, inputHeight: 416)
    }
  }

  @Test func anotherNumberOfCandidatesIsRefusedWithWhatWouldFit() {
    #expect(throws: YOLOXDecodeError.candidateCount(got: 3549, expected: [8400, 8500])) {
      try YOLOXHead(outputShape: [1, 3549, 85], inputWidth: 640, inputHeight: 640)
    }
    // 416 is no multiple of 64, so only three strides are possible.
    #expect(throws: YOLOXDecodeError.candidateCount(got: 8400, expected: [3549])) {
      try YOLOXHead(outputShape: [1, 8400, 85], inputWidth: 416, inputHeight: 416)
    }
  }

  @Test(arguments: [(0, 416), (416, -32), (417, 416), (416, 100), (Int.max, 32), (32, Int.min)])
  func sizesThatAreNoMultiplesAreRefused(width: Int, height: Int) {
    let error = YOLOXDecodeError.inputSize(width: width, height: height, largestStride: 32)
    #expect(throws: error) {
      try YOLOXHead(outputShape: [1, 3549, 85], inputWidth: width, inputHeight: height)
    }
    #expect(throws: error) {
      try YOLOXHead(inputWidth: width, inputHeight: height, classCount: 1)
    }
    #expect(throws: YOLOXDecodeError.inputSize(width: 416, height: 416, largestStride: 64)) {
      try YOLOXHead(inputWidth: 416, inputHeight: 416, pyramid: .p6, classCount: 1)
    }
  }

  @Test(arguments: [0, -1, Int.max, Int.max - 5, Int.min])
  func classCountsThatCannotBeAreRefused(count: Int) {
    #expect(throws: YOLOXDecodeError.classCount(count)) {
      try YOLOXHead(inputWidth: 416, inputHeight: 416, classCount: count)
    }
  }

  @Test func hugeShapesDoNotTrap() {
    #expect(throws: YOLOXDecodeError.self) {
      try YOLOXHead(
        outputShape: [1, Int.max, Int.max], inputWidth: 416, inputHeight: 416,
        selfDecoded: true)
    }
    let side = Int(Int32.max) / 64 * 64
    #expect(throws: Never.self) {
      try YOLOXHead(inputWidth: side, inputHeight: side, pyramid: .p6, classCount: 1)
    }
  }

  @Test func errorsSayWhatWasWrongAndWhatWouldBeRight() {
    let errors: [(YOLOXDecodeError, String)] = [
      (.outputShape([1, 2]), "[1, N, 5 + C]"),
      (.inputSize(width: 7, height: 8, largestStride: 32), "multiples of 32"),
      (.candidateCount(got: 1, expected: [21, 22]), "21 or 22"),
      (.classCount(0), "at least 1"),
      (.valueCount(got: 1, expected: 126), "126"),
      (.minimumScore(2), "0...1"),
    ]
    for (error, text) in errors { #expect(error.description.contains(text)) }
  }
}
