import Geometry
import TestSupport
import Testing
import YOLOXDecode

@Suite struct DecodingTests {
  struct Golden: Decodable {
    let width: Int
    let height: Int
    let rows: Int
    let classes: Int
    let minimum: Float
    let selfDecoded: Bool
    /// Corners, score, objectness, class score, class.
    let candidates: [[Double]]
  }

  /// Scores are exact; boxes are within the last place of `exp`, 2^-23 of a side, and of a sum.
  @Test func candidatesEqualNumPys() throws {
    let cases = try Folders.golden("YOLOXDecode/candidates.json", as: [Golden].self)
    #expect(cases.count == 12)
    for golden in cases {
      let head = try YOLOXHead(
        outputShape: [1, golden.rows, 5 + golden.classes], inputWidth: golden.width,
        inputHeight: golden.height, selfDecoded: golden.selfDecoded)
      let output = sampleOutput(
        seed: UInt64(golden.width + golden.height + golden.classes), rows: golden.rows,
        classes: golden.classes)
      let candidates = try head.candidates(in: output, minimumScore: golden.minimum)
      #expect(candidates.count == golden.candidates.count)
      for (mine, theirs) in zip(candidates, golden.candidates) {
        let corners = [mine.box.minX, mine.box.minY, mine.box.maxX, mine.box.maxY]
        let side = max(abs(mine.box.width), abs(mine.box.height), 1)
        for (a, b) in zip(corners, theirs) {
          #expect(abs(Double(a) - b) <= Double(side) * 0x1p-22 + abs(b) * 0x1p-23)
        }
        let scores = [mine.score, mine.objectness, mine.classScore]
        #expect(scores.map(Double.init) == Array(theirs[4..<7]))
        #expect(mine.classID == Int(theirs[7]))
      }
    }
  }

  /// One candidate a head, so that each place in the output can be told by its value.
  @Test func gridsRunRowAfterRowStrideAfterStride() throws {
    let head = try YOLOXHead(inputWidth: 64, inputHeight: 96, classCount: 1)
    var output = Array(repeating: Float(0), count: head.valueCount)
    for row in 0..<head.candidateCount {
      output[row * 6 + 4] = 1
      output[row * 6 + 5] = 1
    }
    let candidates = try head.candidates(in: output, minimumScore: 0.5)
    var expected: [Box] = []
    for size in [8, 16, 32] {
      for y in 0..<96 / size {
        for x in 0..<64 / size {
          expected.append(
            Box(
              centerX: Float(x * size), centerY: Float(y * size), width: Float(size),
              height: Float(size)))
        }
      }
    }
    #expect(candidates.map(\.box) == expected)
  }

  private func single(
    _ values: [Float], minimum: Float = 0, selfDecoded: Bool = true
  ) throws -> YOLOXCandidate? {
    let head = try YOLOXHead(
      outputShape: [1, 1, values.count], inputWidth: 32, inputHeight: 32,
      selfDecoded: selfDecoded)
    return try head.candidates(in: values, minimumScore: minimum).first
  }

  @Test func minimumIsInclusive() throws {
    let row: [Float] = [5, 5, 2, 2, 0.5, 0.5]
    #expect(try single(row, minimum: 0.25)?.score == 0.25)
    #expect(try single(row, minimum: Float(0.25).nextUp) == nil)
    #expect(try single([5, 5, 2, 2, 0.25, 1], minimum: 0.25)?.score == 0.25)
  }

  @Test func theFirstOfEqualClassesWins() throws {
    let candidate = try single([5, 5, 2, 2, 1, 0.25, 0.75, 0.5, 0.75])
    #expect(candidate?.classID == 1 && candidate?.classScore == 0.75)
    #expect(try single([5, 5, 2, 2, 1, 0, 0, 0])?.classID == 0)
    #expect(candidate?.box == Box(minX: 4, minY: 4, maxX: 6, maxY: 6))
  }

  @Test func whatIsNoNumberIsLeftOut() throws {
    for place in 0..<8 {
      var row: [Float] = [5, 5, 2, 2, 0.5, 0.25, 0.5, 0.25]
      row[place] = .nan
      #expect(try single(row) == nil)
    }
    for value in [Float.infinity, -.infinity] {
      for place in 0..<4 {
        var row: [Float] = [5, 5, 2, 2, 0.5, 0.25, 0.5, 0.25]
        row[place] = value
        #expect(try single(row) == nil)
      }
    }
  }

  @Test func hugeLogitsNeverTrap() throws {
    let head = try YOLOXHead(inputWidth: 32, inputHeight: 32, classCount: 2)
    let strange: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 88.8, 89,
      -1e6, 0, 1,
    ]
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let output = (0..<head.valueCount).map { _ in
        strange.randomElement(using: &generator) ?? 0
      }
      for candidate in try head.candidates(in: output, minimumScore: 0) {
        #expect(candidate.box.isFinite && candidate.score >= 0)
        #expect((0..<2).contains(candidate.classID))
      }
    }
  }

  @Test func objectnessBelowTheMinimumEndsItWhateverTheClass() throws {
    #expect(try single([5, 5, 2, 2, 0.2, 9], minimum: 0.25) == nil)
    #expect(try single([5, 5, 2, 2, 0.5, 9], minimum: 0.25)?.score == 4.5)
  }

  @Test func arrayAndBufferGiveTheSame() throws {
    let head = try YOLOXHead(inputWidth: 96, inputHeight: 64, classCount: 4)
    let output = sampleOutput(seed: 3, rows: head.candidateCount, classes: 4)
    let fromBuffer = try output.withUnsafeBufferPointer {
      try head.candidates(in: $0, minimumScore: 0.3)
    }
    #expect(try head.candidates(in: output, minimumScore: 0.3) == fromBuffer)
    #expect(!fromBuffer.isEmpty)
  }

  @Test func aHigherMinimumLeavesASubset() throws {
    let head = try YOLOXHead(inputWidth: 96, inputHeight: 64, classCount: 4)
    let output = sampleOutput(seed: 4, rows: head.candidateCount, classes: 4)
    let all = try head.candidates(in: output, minimumScore: 0)
    #expect(all.count == head.candidateCount)
    for minimum in [Float(0.001), 0.1, 0.5, 0.9, 1] {
      #expect(
        try head.candidates(in: output, minimumScore: minimum)
          == all.filter { $0.score >= minimum })
    }
  }

  @Test func wrongInputIsRefused() throws {
    let head = try YOLOXHead(inputWidth: 32, inputHeight: 32, classCount: 1)
    for count in [0, 125, 127] {
      #expect(throws: YOLOXDecodeError.valueCount(got: count, expected: 126)) {
        try head.candidates(in: Array(repeating: 0, count: count), minimumScore: 0)
      }
    }
    let output = Array(repeating: Float(0), count: 126)
    for minimum in [-0.1, 1.1, Float.nan] {
      #expect(throws: YOLOXDecodeError.self) {
        try head.candidates(in: output, minimumScore: minimum)
      }
    }
  }
}
