import Geometry

/// The layout of a detector that answers boxes, scores and classes as lists of their own.
///
/// torchvision's detectors do so, TensorFlow's, and exports with a suppression inside them.
public struct DetectionLists: Hashable, Sendable {
  /// What the four numbers of a box say.
  public let boxForm: BoxForm
  /// The number that the first class has: 1 if 0 means that there is nothing.
  public let firstClassID: Int

  /// Describes a head.
  public init(boxForm: BoxForm, firstClassID: Int = 0) {
    self.boxForm = boxForm
    self.firstClassID = firstClassID
  }

  /// The candidates whose score is at least `minimumScore`, in the order of the lists.
  ///
  /// Class indices are as the network writes them. Candidates of a class below ``firstClassID`` or
  /// above a million are left out, and so are those with NaN or a box that is not finite.
  ///
  /// - Parameters:
  ///   - boxes: `[1, N, 4]` or `[N, 4]`.
  ///   - scores: `[1, N]` or `[N]`.
  ///   - classes: as scores.
  ///   - count: how many of them hold; nil for all.
  ///   - minimumScore: the least score to report, inclusive, 0...1.
  /// - Throws: ``DetectionDecodeError``.
  /// - Complexity: O(*N*).
  public func candidates(
    boxes: HeadOutput, scores: HeadOutput, classes: HeadOutput, count: Int? = nil,
    minimumScore: Float
  ) throws(DetectionDecodeError) -> [DetectionCandidate] {
    try requireScore(minimumScore)
    guard let shape = boxes.trailing(2), shape[1] == 4 else {
      throw .outputShape(got: boxes.shape, expected: "[N, 4]")
    }
    for list in [scores, classes] where list.trailing(1) == nil {
      throw .outputShape(got: list.shape, expected: "[N]")
    }
    let rows = shape[0]
    guard scores.values.count == rows, classes.values.count == rows else {
      throw .lengths([rows, scores.values.count, classes.values.count])
    }
    return (0..<min(rows, max(count ?? rows, 0))).compactMap { row in
      let score = scores.values[row]
      guard score >= minimumScore,
        let classID = DetectionCandidate.classID(classes.values[row]), classID >= firstClassID
      else { return nil }
      let at = 4 * row
      let box = boxForm.box(
        boxes.values[at], boxes.values[at + 1], boxes.values[at + 2], boxes.values[at + 3])
      guard box.isFinite else { return nil }
      return DetectionCandidate(box: box, score: score, classID: classID, row: row)
    }
  }
}
