import DetectionDecode
import FuzzSupport
import Geometry
import YOLOXDecode

extension Target {
  /// The output of a network of any shape and any numbers.
  static let yolox = Target(
    "yolox", seeds: { [[1, 1, 2, 0, 100] + (0..<200).map { UInt8($0) }] }
  ) { bytes in
    var choices = Choices(bytes)
    let width = choices.once(in: 3) ? 32 * choices.below(5) : choices.integer()
    let height = choices.once(in: 3) ? 32 * choices.below(5) : choices.integer()
    let classes = choices.once(in: 4) ? choices.integer() : choices.below(20)
    let switches = choices.byte()
    let least = choices.share()
    try refusable(YOLOXDecodeError.self) {
      let head =
        if switches & 2 == 0 {
          try YOLOXHead(
            inputWidth: width, inputHeight: height,
            pyramid: YOLOXPyramid.allCases[Int(switches >> 4) % YOLOXPyramid.allCases.count],
            classCount: classes, selfDecoded: switches & 1 == 1)
        } else {
          try YOLOXHead(
            outputShape: [1, choices.below(64), classes], inputWidth: width, inputHeight: height,
            selfDecoded: switches & 1 == 1)
        }
      // Larger ones take long, and are none of the shape's doing.
      guard head.valueCount <= 1 << 14 else { return }
      var output = [Float](repeating: 0, count: head.valueCount - choices.below(2))
      for index in output.indices where !choices.isAtEnd {
        output[index] = switches & 4 == 0 ? choices.share() : choices.anyFloat()
      }
      let found = try head.candidates(in: output, minimumScore: least)
      expect(found.count <= head.candidateCount, "\(found.count) of \(head.candidateCount)")
      for candidate in found {
        expect(candidate.box.isFinite && candidate.score >= least, "\(candidate)")
        expect((0..<head.classCount).contains(candidate.classID), "\(candidate)")
      }
    }
  }
}

extension Target {
  /// The outputs of other detectors: tables of any layout, queries, lists, and masks.
  static let heads = Target(
    "heads", seeds: { [[1, 2, 3, 4, 5] + (0..<200).map { UInt8($0) }] }
  ) { bytes in
    var choices = Choices(bytes)
    let least = choices.share()
    /// An output of a shape that fits or does not.
    func output(_ shape: [Int]) throws -> HeadOutput {
      let count = shape.reduce(1, *) - (choices.below(16) == 0 ? 1 : 0)
      var values = [Float](repeating: 0, count: max(count, 0))
      for index in values.indices where !choices.isAtEnd { values[index] = choices.anyFloat() }
      return try HeadOutput(shape: shape, values: values)
    }
    try refusable(DetectionDecodeError.self) {
      let (rows, classes) = (choices.below(12), choices.below(6))
      switch choices.below(4) {
      case 0:
        let scores: CandidateTable.Scores =
          switch choices.below(3) {
          case 0: .classes(4..<4 + classes)
          case 1: .objectness(choices.below(8), classes: 5..<5 + classes)
          default: .best(score: choices.below(8), classID: choices.below(8))
          }
        let columns = choices.below(16)
        let layout = try CandidateTable(
          columnCount: columns, isTransposed: choices.below(2) == 1, boxColumn: choices.below(4),
          boxForm: BoxForm.allCases[choices.below(3)], scores: scores,
          angleColumn: choices.below(2) == 1 ? choices.below(16) : nil,
          coefficientColumns: 9..<9 + choices.below(4))
        let table = try output(layout.isTransposed ? [1, columns, rows] : [1, rows, columns])
        for candidate in try layout.candidates(in: table, minimumScore: least) {
          expect(candidate.box.isFinite && candidate.score >= least, "\(candidate)")
          _ = try layout.coefficients(ofRow: candidate.row, in: table)
        }
      case 1:
        let found = try QueryHead(QueryHead.Activation.allCases[choices.below(2)]).candidates(
          logits: output([1, rows, classes]), boxes: output([1, rows, 4]), minimumScore: least)
        expect(found.count <= rows, "\(found.count) of \(rows)")
      case 2:
        _ = try DetectionLists(boxForm: .corners).candidates(
          boxes: output([1, rows, 4]), scores: output([1, rows]), classes: output([1, rows]),
          count: choices.integer(), minimumScore: least)
      default:
        let masks = try PrototypeMasks(output([1, classes, rows, choices.below(12)]))
        let sides = (0..<4).map { _ in choices.anyFloat() }
        let bounds = Box(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3])
        let field = try masks.field(
          coefficients: (0..<classes).map { _ in choices.anyFloat() }, within: bounds)
        let outline = field.outline(above: choices.anyFloat(), within: bounds)
        expect(outline.map { $0.count >= 3 } != false, "\(outline ?? [])")
      }
    }
  }
}
