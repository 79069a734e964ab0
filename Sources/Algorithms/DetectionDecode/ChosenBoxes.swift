import Geometry

/// The layout of a detector that answers all boxes and classes, and which pairs of them its
/// suppression chose.
///
/// What ONNX's `NonMaxSuppression` chooses is `[M, 3]`: picture, class, box.
public struct ChosenBoxes: Hashable, Sendable {
  /// What the four numbers of a box say.
  public let boxForm: BoxForm

  /// Describes a head.
  public init(boxForm: BoxForm) {
    self.boxForm = boxForm
  }

  /// The chosen pairs whose score is at least `minimumScore`, in the order in which they were
  /// chosen.
  ///
  /// Pairs outside of the lists, of another picture than the first, with NaN or with a box that is
  /// not finite are left out: a suppression that fills its list up writes -1.
  ///
  /// - Parameters:
  ///   - boxes: `[1, N, 4]`.
  ///   - scores: `[1, C, N]`.
  ///   - chosen: `[M, 3]` or `[1, M, 3]`.
  ///   - minimumScore: the least score to report, inclusive, 0...1.
  /// - Throws: ``DetectionDecodeError``.
  /// - Complexity: O(*M*).
  public func candidates(
    boxes: HeadOutput, scores: HeadOutput, chosen: HeadOutput, minimumScore: Float
  ) throws(DetectionDecodeError) -> [DetectionCandidate] {
    try requireScore(minimumScore)
    guard let boxShape = boxes.trailing(2), boxShape[1] == 4 else {
      throw .outputShape(got: boxes.shape, expected: "[1, N, 4]")
    }
    guard let scoreShape = scores.trailing(2) else {
      throw .outputShape(got: scores.shape, expected: "[1, C, N]")
    }
    guard let chosenShape = chosen.trailing(2), chosenShape[1] == 3 else {
      throw .outputShape(got: chosen.shape, expected: "[M, 3]")
    }
    let (count, classes) = (boxShape[0], scoreShape[0])
    guard scoreShape[1] == count else { throw .lengths([count, scoreShape[1]]) }
    return (0..<chosenShape[0]).compactMap { pair in
      let numbers = chosen.values[3 * pair..<3 * pair + 3].map { Int(exactly: $0) }
      guard numbers[0] == 0, let kind = numbers[1], let row = numbers[2],
        (0..<classes).contains(kind), (0..<count).contains(row)
      else { return nil }
      let score = scores.values[kind * count + row]
      guard score >= minimumScore else { return nil }
      let box = boxForm.box(
        boxes.values[4 * row], boxes.values[4 * row + 1], boxes.values[4 * row + 2],
        boxes.values[4 * row + 3])
      guard box.isFinite else { return nil }
      return DetectionCandidate(box: box, score: score, classID: kind, row: row)
    }
  }
}
