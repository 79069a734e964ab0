import Geometry
import _CLibrary

/// The layout of a detector that answers the scores of all classes, and a box, for each place of a
/// map.
///
/// Scores are `[1, N, C]`, probabilities. A place can be several classes.
///
/// ```swift
/// let head = DenseHead(boxes: .given(.corners))        // YOLO-NAS: [1, 8400, 80] and [1, 8400, 4]
/// let found = try head.candidates(scores: scores, boxes: boxes, minimumScore: 0.25)
/// ```
public struct DenseHead: Hashable, Sendable {
  /// What is said of the box of a place.
  public enum Boxes: Hashable, Sendable {
    /// Four numbers, `[1, N, 4]`: YOLO-NAS, DAMO-YOLO.
    case given(BoxForm)
    /// Logits for the distances to the four sides, `[1, N, 4 B]`: PP-PicoDet, NanoDet.
    ///
    /// Bin *k* of *B* means *k* strides; the distance is the mean under the softmax of the bins.
    /// *N* is the number of places of a map of these columns and rows, row by row, whose pixels are
    /// a stride apart.
    ///
    /// Source: Li et al., "Generalized Focal Loss: Learning Qualified and Distributed Bounding
    /// Boxes for Dense Object Detection".
    case distances(columns: Int, rows: Int, stride: Int)
  }

  /// What is said of the box of a place.
  public let boxes: Boxes

  /// Describes a head.
  public init(boxes: Boxes) {
    self.boxes = boxes
  }

  /// The most bins that a distance may have.
  private static let mostBins = 1024

  /// The pairs of a place and a class whose score is at least `minimumScore`, in the order of the
  /// output.
  ///
  /// Pairs whose score is NaN and places whose box is not finite are left out.
  ///
  /// - Parameters:
  ///   - scores: `[1, N, C]`.
  ///   - output: the boxes, `[1, N, 4]`, or `[1, N, 4 B]` for distances.
  ///   - minimumScore: the least score to report, inclusive, 0...1.
  /// - Returns: candidates whose boxes are in the unit of given boxes, or in pixels of the
  ///   network's input for distances.
  /// - Throws: ``DetectionDecodeError``.
  /// - Complexity: O(*N* *C*), and O(*B*) for each place that has a class.
  public func candidates(
    scores: HeadOutput, boxes output: HeadOutput, minimumScore: Float
  ) throws(DetectionDecodeError) -> [DetectionCandidate] {
    try requireScore(minimumScore)
    guard let shape = scores.trailing(2) else {
      throw .outputShape(got: scores.shape, expected: "[1, N, C]")
    }
    let (rows, classes) = (shape[0], shape[1])
    let numbers = try numbersEach(of: output, rows: rows)
    var found: [DetectionCandidate] = []
    for row in 0..<rows {
      var box: Box?
      for classID in 0..<classes {
        let score = scores.values[row * classes + classID]
        guard score >= minimumScore else { continue }
        let place = box ?? self.box(output.values[row * numbers..<(row + 1) * numbers], row: row)
        guard place.isFinite else { break }
        box = place
        found.append(DetectionCandidate(box: place, score: score, classID: classID, row: row))
      }
    }
    return found
  }

  /// How many numbers of an output belong to one place.
  private func numbersEach(
    of output: HeadOutput, rows: Int
  ) throws(DetectionDecodeError) -> Int {
    guard let shape = output.trailing(2), shape[1] > 0, shape[1].isMultiple(of: 4) else {
      throw .outputShape(got: output.shape, expected: "[1, N, 4] or [1, N, 4 B]")
    }
    guard shape[0] == rows else { throw .lengths([rows, shape[0]]) }
    switch boxes {
    case .given:
      guard shape[1] == 4 else { throw .outputShape(got: output.shape, expected: "[1, N, 4]") }
    case .distances(let columns, let height, let stride):
      let (count, overflows) = columns.multipliedReportingOverflow(by: height)
      guard columns > 0, height > 0, stride > 0, !overflows else {
        throw .layout("a map of \(columns) x \(height) places, \(stride) pixels apart")
      }
      guard count == rows else { throw .lengths([count, rows]) }
      guard shape[1] <= 4 * Self.mostBins else {
        throw .outputShape(
          got: output.shape, expected: "[1, N, 4 B], at most \(Self.mostBins) bins")
      }
    }
    return shape[1]
  }

  private func box(_ numbers: ArraySlice<Float>, row: Int) -> Box {
    let start = numbers.startIndex
    switch boxes {
    case .given(let form):
      return form.box(numbers[start], numbers[start + 1], numbers[start + 2], numbers[start + 3])
    case .distances(let columns, _, let stride):
      let bins = numbers.count / 4
      func distance(_ side: Int) -> Float {
        Self.mean(numbers[start + side * bins..<start + (side + 1) * bins]) * Float(stride)
      }
      let x = (Float(row % columns) + 0.5) * Float(stride)
      let y = (Float(row / columns) + 0.5) * Float(stride)
      return Box(
        minX: x - distance(0), minY: y - distance(1), maxX: x + distance(2), maxY: y + distance(3))
    }
  }

  /// The mean of the bins' numbers under the softmax of some logits; NaN if one is NaN or none is
  /// finite.
  private static func mean(_ logits: ArraySlice<Float>) -> Float {
    let greatest = logits.max() ?? 0
    var (sum, weighted) = (Float(0), Float(0))
    for (bin, logit) in logits.enumerated() {
      let share = exp(logit - greatest)
      sum += share
      weighted += share * Float(bin)
    }
    return weighted / sum
  }
}
