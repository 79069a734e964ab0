import Geometry

/// A box one of several detectors proposes.
public struct FusionCandidate: Hashable, Sendable, Codable {
  /// Where; finite.
  public var box: Box
  /// How sure the detector is; at least 0.
  public var score: Float
  /// What it shows; candidates of different classes are never fused.
  public var classID: Int

  /// Makes a candidate.
  public init(box: Box, score: Float, classID: Int = 0) {
    self.box = box
    self.score = score
    self.classID = classID
  }
}

/// What became of several candidates for the same object.
public struct FusedBox: Hashable, Sendable, Codable {
  /// A candidate by its place in the input.
  public struct Member: Hashable, Sendable, Codable {
    /// The list it is in: the detector.
    public let list: Int
    /// Its index in the list.
    public let index: Int
  }

  /// The mean of the candidates' boxes, weighted by their scores.
  public let box: Box
  /// The mean of their scores, lowered where only some of the detectors saw the object.
  public let score: Float
  /// What it shows.
  public let classID: Int
  /// The candidates, by descending weighted score.
  public let members: [Member]
}

/// Weighted box fusion: candidates of several detectors for the same object become their mean.
///
/// Candidates of all lists are visited by descending `score * weight`. Each joins the fused box of
/// its class that it overlaps most, if by more than the threshold, and moves it: coordinates are
/// the mean of the members', weighted by their weighted scores. The fused score is the mean of the
/// weighted scores times `min(T, N) / (sum of weights)` for *N* members and *T* lists.
///
/// Source: Solovyev, Wang and Gabruseva, "Weighted boxes fusion: ensembling boxes from different
/// object detection models", 2021.
///
/// ### Edge cases
/// Equal weighted scores: the earlier list, then the earlier candidate is visited first. Candidates
/// whose weighted scores are all 0 take the first one's box. No lists: no boxes.
///
/// - Parameters:
///   - lists: one list of candidates per detector, all in one coordinate space.
///   - weights: how much each detector counts, finite and at least 0, one of them more; 1 each
///     where nil.
///   - iouThreshold: overlap greater than this fuses, 0...1 (0.55 in the paper).
///   - minimumScore: the lowest score, before weighting, to take into account.
/// - Returns: the fused boxes by descending score.
/// - Throws: ``SuppressionError`` if the counts differ, a parameter is out of range, or a
///   candidate's coordinates or score are not finite or its score is negative.
/// - Complexity: O(*n* log *n* + *n* *k*) for *n* candidates and *k* fused boxes.
public func weightedBoxFusion(
  _ lists: [[FusionCandidate]], weights: [Double]? = nil, iouThreshold: Double = 0.55,
  minimumScore: Float = 0
) throws(SuppressionError) -> [FusedBox] {
  try requireShare(iouThreshold, named: "the IoU threshold")
  let weights = weights ?? lists.map { _ in 1 }
  let totalWeight = try totalOfWeights(weights, count: lists.count)
  let visits = try visitingOrder(lists, weights: weights, minimumScore: minimumScore)

  var clusters: [FusionCluster] = []
  for visit in visits {
    var best: Int?
    var bestOverlap = iouThreshold
    for (index, cluster) in clusters.enumerated()
    where cluster.classID == visit.candidate.classID {
      let overlap = Double(cluster.box.iou(visit.candidate.box))
      if overlap > bestOverlap {
        best = index
        bestOverlap = overlap
      }
    }
    if let best {
      clusters[best].add(visit)
    } else {
      clusters.append(FusionCluster(visit))
    }
  }

  let fused = clusters.map { cluster in
    let count = cluster.members.count
    let mean = cluster.scores / Double(count)
    return FusedBox(
      box: cluster.box, score: Float(mean * Double(min(lists.count, count)) / totalWeight),
      classID: cluster.classID, members: cluster.members)
  }
  return indicesByDescendingScore(fused.map(\.score)).map { fused[$0] }
}

/// A candidate, where it came from, and what it counts.
private struct FusionVisit {
  let candidate: FusionCandidate
  let member: FusedBox.Member
  let score: Double
}

/// Candidates for one object, and their mean so far.
private struct FusionCluster {
  let classID: Int
  var members: [FusedBox.Member]
  var scores: Double
  /// The sums of the coordinates times the scores.
  var sums: SIMD4<Double>
  var box: Box

  init(_ visit: FusionVisit) {
    classID = visit.candidate.classID
    members = [visit.member]
    scores = visit.score
    sums = SIMD4(visit.candidate.box) * visit.score
    box = visit.candidate.box
  }

  mutating func add(_ visit: FusionVisit) {
    members.append(visit.member)
    scores += visit.score
    sums += SIMD4(visit.candidate.box) * visit.score
    if scores > 0 {
      let mean = sums / scores
      box = Box(
        minX: Float(mean[0]), minY: Float(mean[1]), maxX: Float(mean[2]), maxY: Float(mean[3]))
    }
  }
}

extension SIMD4<Double> {
  fileprivate init(_ box: Box) {
    self.init(Double(box.minX), Double(box.minY), Double(box.maxX), Double(box.maxY))
  }
}

private func totalOfWeights(_ weights: [Double], count: Int) throws(SuppressionError) -> Double {
  guard weights.count == count else {
    throw .countMismatch(what: "weights", expected: count, got: weights.count)
  }
  let total = weights.reduce(0, +)
  for weight in weights where !(weight >= 0 && weight.isFinite) {
    throw .parameterOutOfRange(name: "a weight", value: weight, range: "finite and at least 0")
  }
  guard count == 0 || (total > 0 && total.isFinite) else {
    throw .parameterOutOfRange(
      name: "the sum of the weights", value: total, range: "finite and greater than 0")
  }
  return total
}

private func visitingOrder(
  _ lists: [[FusionCandidate]], weights: [Double], minimumScore: Float
) throws(SuppressionError) -> [FusionVisit] {
  var visits: [FusionVisit] = []
  for (list, candidates) in lists.enumerated() {
    for (index, candidate) in candidates.enumerated() {
      guard candidate.box.isFinite, candidate.score >= 0, candidate.score.isFinite else {
        throw .invalidCandidate(list: list, index: index)
      }
      if candidate.score < minimumScore { continue }
      visits.append(
        FusionVisit(
          candidate: candidate, member: .init(list: list, index: index),
          score: Double(candidate.score) * weights[list]))
    }
  }
  let order = visits.indices.sorted { a, b in
    visits[a].score != visits[b].score ? visits[a].score > visits[b].score : a < b
  }
  return order.map { visits[$0] }
}
