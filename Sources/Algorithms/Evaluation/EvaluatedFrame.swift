import Geometry

/// A tracker's boxes in one frame, and the true ones.
public struct EvaluatedFrame: Hashable, Sendable, Codable {
  /// The true boxes, with the numbers of the true objects.
  public var truths: [IdentifiedBox]
  /// The tracker's boxes, with its numbers, which have nothing to do with those of the truths.
  public var predictions: [IdentifiedBox]

  /// Makes a frame for evaluation.
  public init(truths: [IdentifiedBox], predictions: [IdentifiedBox]) {
    self.truths = truths
    self.predictions = predictions
  }
}

/// The frames of one sequence, with objects numbered from 0 and all overlaps.
struct SequenceOverlaps {
  /// A true and a predicted box of a frame that share an area.
  struct Pair {
    /// The places of the boxes in the frame.
    let truth: Int
    let prediction: Int
    /// Their intersection over union, above 0, at most 1.
    let overlap: Double
  }

  struct Frame {
    /// The object of every true box, and of every predicted one.
    let truths: [Int]
    let predictions: [Int]
    let pairs: [Pair]

    /// The objects whose boxes a pair of this frame has.
    func objects(of pair: Pair) -> ObjectPair {
      ObjectPair(truth: truths[pair.truth], prediction: predictions[pair.prediction])
    }
  }

  private(set) var frames: [Frame] = []
  /// The numbers that the objects have in the sequence.
  private(set) var truthIDs: [Int] = []
  private(set) var predictionIDs: [Int] = []
  /// The number of boxes of every object.
  private(set) var truthCounts: [Int] = []
  private(set) var predictionCounts: [Int] = []

  /// Compares all boxes of every frame.
  init(_ sequence: [EvaluatedFrame]) throws(EvaluationError) {
    var truthOfID: [Int: Int] = [:]
    var predictionOfID: [Int: Int] = [:]
    frames.reserveCapacity(sequence.count)
    for (index, frame) in sequence.enumerated() {
      try Self.validate(frame.truths, named: "true box", frame: index)
      try Self.validate(frame.predictions, named: "prediction", frame: index)
      frames.append(
        Frame(
          truths: Self.count(frame.truths, &truthOfID, &truthIDs, &truthCounts),
          predictions: Self.count(
            frame.predictions, &predictionOfID, &predictionIDs, &predictionCounts),
          pairs: Self.pairs(in: frame)))
    }
  }

  /// The pairs of a frame, by true box and then by predicted one.
  private static func pairs(in frame: EvaluatedFrame) -> [Pair] {
    let index = BoxIndex(frame.predictions.map(\.box))
    var pairs: [Pair] = []
    for (truth, one) in frame.truths.enumerated() {
      let first = pairs.count
      index.forEach(overlapping: one.box) { prediction in
        let overlap = one.box.exactIoU(frame.predictions[prediction].box)
        guard overlap > 0 else { return }
        pairs.append(Pair(truth: truth, prediction: prediction, overlap: overlap))
      }
      pairs[first...].sort { $0.prediction < $1.prediction }
    }
    return pairs
  }

  private static func validate(
    _ boxes: [IdentifiedBox], named what: String, frame: Int
  ) throws(EvaluationError) {
    try requireFinite(boxes.lazy.map(\.box), named: "frame \(frame): \(what)")
    var seen: Set<Int> = []
    for one in boxes where !seen.insert(one.id).inserted {
      throw .repeatedID(what: what, frame: frame, id: one.id)
    }
  }

  /// The objects of boxes, new ones numbered on; adds to the numbers of boxes.
  private static func count(
    _ boxes: [IdentifiedBox], _ objectOfID: inout [Int: Int], _ ids: inout [Int],
    _ counts: inout [Int]
  ) -> [Int] {
    boxes.map { one in
      if let object = objectOfID[one.id] {
        counts[object] += 1
        return object
      }
      objectOfID[one.id] = ids.count
      ids.append(one.id)
      counts.append(1)
      return ids.count - 1
    }
  }
}

/// A true and a predicted object.
struct ObjectPair: Hashable {
  let truth: Int
  let prediction: Int
}

/// Whether an overlap reaches a threshold, as TrackEval compares them.
///
/// Thresholds are sums of rounded steps, so a hair is allowed.
func reaches(_ overlap: Double, _ threshold: Double) -> Bool {
  overlap >= threshold - Double.ulpOfOne
}
