import DetectionDecode
import Geometry
import TestSupport
import Testing

@Suite("Heads against NumPy") struct HeadGoldenTests {
  struct TableGolden: Decodable {
    let head: String
    let seed: UInt64
    let rows: Int
    let columns: Int
    let classes: Int
    let minimum: Float
    /// Corners, score, class.
    let candidates: [[Double]]

    var layout: CandidateTable {
      get throws {
        switch head {
        case "yolov5": try .yolov5(classCount: classes)
        case "yolov5-seg": try .yolov5(classCount: classes, coefficientCount: 4)
        case "yolov8", "yolov8-one": try .yolov8(classCount: classes)
        case "yolov8-rows": try .yolov8(classCount: classes, isTransposed: false)
        case "yolov8-obb": try .yolov8(classCount: classes, extra: .angle)
        default: try .endToEnd()
        }
      }
    }

    /// The values that the golden was made of, row after row.
    var values: [Float] {
      var generator = SeededGenerator(seed: seed)
      return (0..<rows * columns).map { place in
        let unit = generator.unitFloat()
        let column = place % columns
        switch head {
        case _ where column < 4: return unit * 64
        case "end-to-end": return column == 5 ? (unit * 80).rounded(.down) : unit
        case "yolov5", "yolov5-seg":
          return (5..<5 + classes).contains(column) ? (unit * 16).rounded(.down) / 16 : unit
        default:
          return (4..<4 + classes).contains(column) ? (unit * 16).rounded(.down) / 16 : unit
        }
      }
    }
  }

  /// Columns first.
  static func transposed(_ values: [Float], rows: Int) -> [Float] {
    let columns = values.count / rows
    return (0..<values.count).map { values[$0 % rows * columns + $0 / rows] }
  }

  /// All arithmetic is that of float32, one operation after another: equal.
  @Test func tables() throws {
    let goldens = try Folders.golden("DetectionDecode/tables.json", as: [TableGolden].self)
    #expect(goldens.count == 7)
    for golden in goldens {
      let layout = try golden.layout
      var output = try HeadOutput(shape: [1, golden.rows, golden.columns], values: golden.values)
      if layout.isTransposed {
        output = try HeadOutput(
          shape: [1, golden.columns, golden.rows],
          values: Self.transposed(golden.values, rows: golden.rows))
      }
      let found = try layout.candidates(in: output, minimumScore: golden.minimum)
      #expect(!found.isEmpty)
      #expect(found.map(Self.numbers) == golden.candidates, "\(golden.head)")
      #expect(found.allSatisfy { ($0.angle != nil) == (golden.head == "yolov8-obb") })
      for candidate in found {
        let coefficients = try layout.coefficients(ofRow: candidate.row, in: output)
        let start = candidate.row * golden.columns + golden.columns - 4
        #expect(
          coefficients
            == (golden.head == "yolov5-seg" ? Array(golden.values[start..<start + 4]) : []))
      }
    }
  }

  struct QueryGolden: Decodable {
    let activation: QueryHead.Activation
    let seed: UInt64
    let queries: Int
    let classes: Int
    let minimum: Float
    let candidates: [[Double]]
  }

  /// The golden's exponentials are of float64, ours of float32: a few units in the last place.
  @Test func queries() throws {
    let goldens = try Folders.golden("DetectionDecode/queries.json", as: [QueryGolden].self)
    #expect(goldens.count == 3)
    for golden in goldens {
      var logits = SeededGenerator(seed: golden.seed)
      var boxes = SeededGenerator(seed: golden.seed + 100)
      let found = try QueryHead(golden.activation).candidates(
        logits: HeadOutput(
          shape: [1, golden.queries, golden.classes],
          values: (0..<golden.queries * golden.classes).map { _ in logits.unitFloat() * 6 - 3 }),
        boxes: HeadOutput(
          shape: [1, golden.queries, 4],
          values: (0..<golden.queries * 4).map { _ in boxes.unitFloat() }),
        minimumScore: golden.minimum)
      #expect(found.count == golden.candidates.count && !found.isEmpty)
      for (mine, theirs) in zip(found.map(Self.numbers), golden.candidates) {
        #expect(zip(mine, theirs).allSatisfy { abs($0 - $1) < 5e-7 })
      }
    }
  }

  struct DenseGolden: Decodable {
    let seed: UInt64
    let columns: Int
    let rows: Int
    /// 0 if the boxes are given.
    let stride: Int
    let bins: Int
    let classes: Int
    let minimum: Float
    let candidates: [[Double]]
  }

  /// Distances are means of exponentials, in float64 there; up to 7 bins of 16 pixels.
  @Test func places() throws {
    let goldens = try Folders.golden("DetectionDecode/dense.json", as: [DenseGolden].self)
    #expect(goldens.count == 3)
    for golden in goldens {
      var scores = SeededGenerator(seed: golden.seed)
      var sides = SeededGenerator(seed: golden.seed + 100)
      let (count, isGiven) = (golden.columns * golden.rows, golden.stride == 0)
      let head = DenseHead(
        boxes: isGiven
          ? .given(.corners)
          : .distances(columns: golden.columns, rows: golden.rows, stride: golden.stride))
      let found = try head.candidates(
        scores: HeadOutput(
          shape: [1, count, golden.classes],
          values: (0..<count * golden.classes).map { _ in scores.unitFloat() }),
        boxes: HeadOutput(
          shape: [1, count, 4 * golden.bins],
          values: (0..<count * 4 * golden.bins).map { _ in
            isGiven ? sides.unitFloat() * 64 : sides.unitFloat() * 8 - 4
          }),
        minimumScore: golden.minimum)
      #expect(found.count == golden.candidates.count && !found.isEmpty)
      for (mine, theirs) in zip(found.map(Self.numbers), golden.candidates) {
        #expect(zip(mine, theirs).allSatisfy { abs($0 - $1) <= (isGiven ? 0 : 1e-4) })
      }
    }
  }

  static func numbers(_ candidate: DetectionCandidate) -> [Double] {
    let box = candidate.box
    return [box.minX, box.minY, box.maxX, box.maxY, candidate.score].map(Double.init)
      + [Double(candidate.classID)]
  }
}

@Suite("Heads at their edges") struct HeadEdgeTests {
  @Test func placesOfOtherShapesAreRefused() throws {
    let scores = try HeadOutput(shape: [1, 6, 2], values: Array(repeating: 0.9, count: 12))
    func boxes(_ numbers: Int, rows: Int = 6) throws -> HeadOutput {
      try HeadOutput(shape: [1, rows, numbers], values: Array(repeating: 1, count: rows * numbers))
    }
    let given = DenseHead(boxes: .given(.corners))
    #expect(
      try given.candidates(scores: scores, boxes: boxes(4), minimumScore: 0.5).map(\.classID)
        == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
    for wrong in [try boxes(8), try boxes(3), try boxes(0), try boxes(4, rows: 5)] {
      #expect(throws: DetectionDecodeError.self) {
        try given.candidates(scores: scores, boxes: wrong, minimumScore: 0.5)
      }
    }
    for (columns, rows, stride) in [(2, 2, 8), (0, 6, 8), (3, 2, 0), (.max, 2, 8), (-3, -2, 8)] {
      #expect(throws: DetectionDecodeError.self) {
        try DenseHead(boxes: .distances(columns: columns, rows: rows, stride: stride))
          .candidates(scores: scores, boxes: boxes(16), minimumScore: 0.5)
      }
    }
    // Logits that are not numbers have no box.
    let lost = try HeadOutput(
      shape: [1, 6, 8], values: (0..<48).map { $0 < 8 ? .nan : $0 < 16 ? -.infinity : 1 })
    let head = DenseHead(boxes: .distances(columns: 3, rows: 2, stride: 8))
    #expect(
      Set(try head.candidates(scores: scores, boxes: lost, minimumScore: 0.5).map(\.row))
        == [2, 3, 4, 5])
    #expect(throws: DetectionDecodeError.minimumScore(2)) {
      try head.candidates(scores: scores, boxes: boxes(8), minimumScore: 2)
    }
  }

  @Test func chosenBoxesOutsideOfTheListsAreLeftOut() throws {
    let boxes = try HeadOutput(shape: [1, 2, 4], values: [0, 0, 1, 1, 2, 3, 4, 5])
    let scores = try HeadOutput(shape: [1, 2, 2], values: [0.1, 0.9, 0.8, 0.3])
    func chosen(_ values: [Float]) throws -> HeadOutput {
      try HeadOutput(shape: [1, values.count / 3, 3], values: values)
    }
    let lists = ChosenBoxes(boxForm: .cornersYFirst)
    let found = try lists.candidates(
      boxes: boxes, scores: scores,
      chosen: chosen([
        0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 2, 0, 0, 0, 2, -1, -1, -1, 0, .nan, 0, 0, 0.5, 0,
        0, .infinity, 0,
      ]),
      minimumScore: 0.25)
    #expect(found.map(\.classID) == [0, 1, 1] && found.map(\.row) == [1, 0, 1])
    #expect(found[0].box == Box(minX: 3, minY: 2, maxX: 5, maxY: 4))
    #expect(throws: DetectionDecodeError.self) {
      try lists.candidates(
        boxes: boxes, scores: HeadOutput(shape: [1, 2, 1], values: [1, 1]), chosen: chosen([]),
        minimumScore: 0)
    }
  }

  @Test func listsKeepTheirOrderAndTheirCount() throws {
    let boxes = try HeadOutput(
      shape: [1, 3, 4], values: [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 1, 1].map { Float($0) })
    let scores = try HeadOutput(shape: [1, 3], values: [0.2, 0.9, 0.5])
    let classes = try HeadOutput(shape: [1, 3], values: [1, 0, 4])
    let all = try DetectionLists(boxForm: .cornersYFirst).candidates(
      boxes: boxes, scores: scores, classes: classes, minimumScore: 0.3)
    #expect(all.map(\.classID) == [0, 4])
    #expect(all[0].box == Box(minX: 6, minY: 5, maxX: 8, maxY: 7))
    let fromOne = try DetectionLists(boxForm: .corners, firstClassID: 1).candidates(
      boxes: boxes, scores: scores, classes: classes, count: 2, minimumScore: 0)
    #expect(fromOne.map(\.row) == [0])
    #expect(throws: DetectionDecodeError.lengths([3, 3, 2])) {
      try DetectionLists(boxForm: .corners).candidates(
        boxes: boxes, scores: scores, classes: HeadOutput(shape: [2], values: [0, 0]),
        minimumScore: 0)
    }
  }

  @Test func whatIsNotANumberIsLeftOut() throws {
    let table = try CandidateTable.endToEnd()
    let rows: [[Float]] = [
      [0, 0, 1, 1, .nan, 0], [0, 0, .infinity, 1, 0.9, 0], [0, 0, 1, 1, 0.9, .nan],
      [0, 0, 1, 1, 0.9, -1], [0, 0, 1, 1, 0.9, 1e30], [0, 0, 1, 1, 0.9, 3],
    ]
    let output = try HeadOutput(shape: [1, 6, 6], values: rows.flatMap(\.self))
    #expect(try table.candidates(in: output, minimumScore: 0).map(\.row) == [5])
    let classes = try CandidateTable.yolov8(classCount: 2, isTransposed: false)
    let wrong = try HeadOutput(
      shape: [1, 2, 6], values: [0, 0, 1, 1, 0.5, .nan, 0, 0, 1, 1, .nan, 0.5])
    #expect(try classes.candidates(in: wrong, minimumScore: 0).isEmpty)
    let turned = try HeadOutput(
      shape: [1, 6, 2], values: HeadGoldenTests.transposed(wrong.values, rows: 2))
    #expect(
      try CandidateTable.yolov8(classCount: 2).candidates(in: turned, minimumScore: 0).isEmpty)
  }

  @Test func emptyAndWrongOutputs() throws {
    let table = try CandidateTable.endToEnd()
    let none = try HeadOutput(shape: [1, 0, 6], values: [])
    #expect(try table.candidates(in: none, minimumScore: 0).isEmpty)
    #expect(
      try table.candidates(in: HeadOutput(shape: [0, 6], values: []), minimumScore: 0).isEmpty)
    for shape in [[2, 1, 6], [1, 2, 5], [6], []] {
      let output = try HeadOutput(
        shape: shape, values: Array(repeating: 0, count: shape.reduce(1, *)))
      #expect(throws: DetectionDecodeError.outputShape(got: shape, expected: "[1, N, 6]")) {
        try table.candidates(in: output, minimumScore: 0)
      }
    }
    for minimum in [Float.nan, -0.1, 1.1] {
      #expect(throws: DetectionDecodeError.self) {
        try table.candidates(in: none, minimumScore: minimum)
      }
    }
    #expect(throws: DetectionDecodeError.valueCount(got: 1, expected: 6)) {
      try HeadOutput(shape: [1, 6], values: [0])
    }
    #expect(throws: DetectionDecodeError.self) {
      try HeadOutput(shape: [.max, .max], values: [])
    }
    #expect(throws: DetectionDecodeError.self) { try HeadOutput(shape: [-1], values: []) }
  }

  @Test func layoutsThatCannotBe() {
    #expect(throws: DetectionDecodeError.self) { try CandidateTable.yolov8(classCount: 0) }
    #expect(throws: DetectionDecodeError.self) { try CandidateTable.yolov8(classCount: .max) }
    #expect(throws: DetectionDecodeError.self) { try CandidateTable.yolov5(classCount: -3) }
    #expect(throws: DetectionDecodeError.layout("column 4 has two meanings")) {
      try CandidateTable(columnCount: 9, scores: .objectness(4, classes: 4..<9))
    }
    #expect(throws: DetectionDecodeError.self) {
      try CandidateTable(columnCount: 5, scores: .best(score: 4, classID: 5))
    }
    #expect(throws: DetectionDecodeError.self) {
      try CandidateTable(columnCount: 5, boxColumn: 3, scores: .classes(0..<1))
    }
  }

  @Test func softmaxOfHugeLogits() throws {
    let logits = try HeadOutput(
      shape: [1, 3, 2], values: [1e30, 0, 0, 1e30, .nan, 0])
    let boxes = try HeadOutput(shape: [1, 3, 4], values: Array(repeating: 0.5, count: 12))
    let found = try QueryHead(.softmax).candidates(logits: logits, boxes: boxes, minimumScore: 0.5)
    #expect(found.map(\.row) == [0] && found[0].score == 1)
    #expect(throws: DetectionDecodeError.self) {
      try QueryHead(.softmax).candidates(
        logits: HeadOutput(shape: [1, 3, 1], values: [0, 0, 0]), boxes: boxes, minimumScore: 0)
    }
    #expect(throws: DetectionDecodeError.lengths([2, 3])) {
      try QueryHead(.sigmoid).candidates(
        logits: HeadOutput(shape: [1, 2, 1], values: [0, 0]), boxes: boxes, minimumScore: 0)
    }
  }
}
