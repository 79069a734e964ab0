import FuzzSupport
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
