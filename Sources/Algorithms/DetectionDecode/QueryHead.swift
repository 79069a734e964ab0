import Geometry
import _CLibrary

/// The layout of a detector that answers logits and boxes for a fixed number of queries: DETR and
/// its kin.
///
/// Logits are `[1, Q, K]`, boxes `[1, Q, 4]`: center and size in parts of the image, 0...1.
///
/// Source: Carion et al., "End-to-End Object Detection with Transformers"; Zhu et al., "Deformable
/// DETR".
public struct QueryHead: Hashable, Sendable {
  /// What logits become.
  public enum Activation: String, Hashable, Sendable, Codable, CaseIterable {
    /// Each class has a probability by itself; a query can be several classes (Deformable DETR,
    /// RT-DETR, RF-DETR).
    case sigmoid
    /// The classes of a query share one probability, and the last of them means that there is
    /// nothing (DETR, YOLOS).
    case softmax
  }

  /// What logits become.
  public let activation: Activation

  /// Describes a head.
  public init(_ activation: Activation) {
    self.activation = activation
  }

  /// The candidates whose score is at least `minimumScore`.
  ///
  /// With a sigmoid, every pair of a query and a class is a candidate. The best comes first; equal
  /// ones are in the order of the output. There are never more candidates than queries. With a
  /// softmax, each query is a candidate of its best class, in the order of the output. Scores are
  /// computed in `Float`. Candidates with NaN or a box that is not finite are left out.
  ///
  /// - Parameters:
  ///   - logits: `[1, Q, K]`; with a softmax *K* counts the class of nothing, and is at least 2.
  ///   - boxes: `[1, Q, 4]`.
  ///   - minimumScore: the least score to report, inclusive, 0...1.
  /// - Throws: ``DetectionDecodeError``.
  /// - Complexity: O(*Q* *K*), and O(*n* log *n*) for *n* pairs above the minimum.
  public func candidates(
    logits: HeadOutput, boxes: HeadOutput, minimumScore: Float
  ) throws(DetectionDecodeError) -> [DetectionCandidate] {
    try requireScore(minimumScore)
    let leastClasses = activation == .softmax ? 2 : 1
    guard let shape = logits.trailing(2), shape[1] >= leastClasses else {
      throw .outputShape(got: logits.shape, expected: "[1, Q, K]")
    }
    guard let boxShape = boxes.trailing(2), boxShape[1] == 4 else {
      throw .outputShape(got: boxes.shape, expected: "[1, Q, 4]")
    }
    guard shape[0] == boxShape[0] else { throw .lengths([shape[0], boxShape[0]]) }
    let (queries, classes) = (shape[0], shape[1])
    func candidate(_ query: Int, _ classID: Int, _ score: Float) -> DetectionCandidate? {
      let at = 4 * query
      let box = BoxForm.centerSize.box(
        boxes.values[at], boxes.values[at + 1], boxes.values[at + 2], boxes.values[at + 3])
      guard box.isFinite else { return nil }
      return DetectionCandidate(box: box, score: score, classID: classID, row: query)
    }
    switch activation {
    case .sigmoid:
      // The sigmoid only where it can reach the minimum: its inverse grows with it.
      let least = minimumScore > 0 ? log(minimumScore / (1 - minimumScore)) - 1e-3 : -.infinity
      var pairs: [(place: Int, score: Float)] = []
      for place in 0..<queries * classes where logits.values[place] >= least {
        let score = 1 / (1 + exp(-logits.values[place]))
        if score >= minimumScore { pairs.append((place, score)) }
      }
      pairs.sort { ($0.score, $1.place) > ($1.score, $0.place) }
      return pairs.prefix(queries).compactMap {
        candidate($0.place / classes, $0.place % classes, $0.score)
      }
    case .softmax:
      return (0..<queries).compactMap { query in
        let row = logits.values[query * classes..<(query + 1) * classes]
        guard let best = Self.softmaxBest(row), best.score >= minimumScore else { return nil }
        return candidate(query, best.classID, best.score)
      }
    }
  }

  /// The best class but the last, and its share of the probability; nil if a logit is NaN.
  private static func softmaxBest(_ row: ArraySlice<Float>) -> (score: Float, classID: Int)? {
    var greatest = -Float.infinity
    var classID = 0
    for (index, value) in row.dropLast().enumerated() where value > greatest {
      (greatest, classID) = (value, index)
    }
    let shift = max(greatest, row[row.endIndex - 1])
    var sum: Float = 0
    for value in row { sum += exp(value - shift) }
    let score = exp(greatest - shift) / sum
    return score.isNaN ? nil : (score, classID)
  }
}
