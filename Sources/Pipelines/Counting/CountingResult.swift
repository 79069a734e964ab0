import Geometry
import VisionProtocols

/// What a count found.
public struct CountingResult: Hashable, Sendable, Codable {
  /// How many objects of the main kind there are.
  public let count: Int
  /// The label of the main cluster; nil if nothing was counted.
  ///
  /// It is the largest cluster after merging; in a tie, the one with the lowest label.
  public let mainCluster: Int?
  /// The number of objects of every cluster that has any after merging.
  public let clusterSizes: [Int: Int]
  /// The objects of all clusters after merging, in order of the merge's priority.
  public let detections: [CountedDetection]
  /// How many items every step got and let through, in order.
  public let steps: [CountingStepReport]
  /// How long every stage took.
  public let seconds: CountingSeconds
  /// Advice if nothing was counted.
  public let hint: CountingHint?
  /// What the adaptive method found out about the photo; nil of a count by bands.
  public let findings: AdaptiveFindings?
  /// How sure the count is; nil of a count by bands, of 0, and of models without a calibration.
  public let confidence: CountConfidence?
  /// The two readings of the objects as kinds, if both are sensible; nil if one is clear.
  public let kindsAt: KindReadings?
  /// The image's width in pixels.
  public let width: Int
  /// The image's height in pixels.
  public let height: Int

  /// Makes a result.
  public init(
    count: Int, mainCluster: Int?, clusterSizes: [Int: Int], detections: [CountedDetection],
    steps: [CountingStepReport], seconds: CountingSeconds, hint: CountingHint?,
    findings: AdaptiveFindings? = nil, confidence: CountConfidence? = nil,
    kindsAt: KindReadings? = nil, width: Int, height: Int
  ) {
    self.count = count
    self.mainCluster = mainCluster
    self.clusterSizes = clusterSizes
    self.detections = detections
    self.steps = steps
    self.seconds = seconds
    self.hint = hint
    self.findings = findings
    self.confidence = confidence
    self.kindsAt = kindsAt
    self.width = width
    self.height = height
  }

  /// The report of a step, nil if the result has none.
  public subscript(step: CountingStep) -> CountingStepReport? {
    steps.first { $0.step == step }
  }
}

/// An object of a count: the detection, and the kind it belongs to.
public struct CountedDetection: Hashable, Sendable, Codable {
  /// The detection.
  public let detection: Detection
  /// The label of its cluster.
  public let cluster: Int
  /// Whether that is the main cluster.
  public let isMain: Bool

  /// Makes a counted detection.
  public init(detection: Detection, cluster: Int, isMain: Bool) {
    self.detection = detection
    self.cluster = cluster
    self.isMain = isMain
  }
}

/// How long the stages of a count took, in seconds.
public struct CountingSeconds: Hashable, Sendable, Codable {
  /// The detector, and the suppression of duplicates.
  public var detecting = 0.0
  /// The size, aspect and area filters.
  public var filtering = 0.0
  /// Cropping and the embedder.
  public var embedding = 0.0
  /// The clusterer.
  public var clustering = 0.0
  /// Merging overlaps and counting again.
  public var merging = 0.0
  /// All of it.
  public var total = 0.0

  /// No time at all.
  public init() {}
}

/// Why nothing was counted, and what to try.
public enum CountingHint: String, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The detector found nothing.
  case nothingDetected
  /// The detector found objects, and the filters dropped all of them.
  case nothingLeft

  /// The detector found no object in the drawn box, and nothing else is similar to it.
  case nothingInExemplar
  /// Objects were found, but none is similar to the exemplars or the template.
  case nothingLike

  /// Advice for the person who took the photo.
  public var description: String {
    switch self {
    case .nothingDetected:
      "No objects were found. Try even light, a view from straight above, or a lower "
        + "confidence."
    case .nothingLeft:
      "Objects were found, but no two alike in size and shape. Try an angle straight from above, "
        + "so that all appear equally large, or wider filters."
    case .nothingInExemplar:
      "No object was found in the box, and nothing else looks like it. Try a box that holds one "
        + "whole object, or more light."
    case .nothingLike:
      "Objects were found, but none like those that were asked for. Try a box around an object of "
        + "this photo."
    }
  }
}

extension CountingResult {
  /// The object with the highest score of the main cluster, for a thumbnail; nil if nothing was
  /// counted.
  ///
  /// In a tie it is the object whose area is closest to the median area of the main cluster, then
  /// the first one.
  ///
  /// Complexity: O(n log n).
  public var representative: CountedDetection? {
    let members = detections.filter(\.isMain)
    let areas = members.map(\.detection.box.exactArea).sorted()
    guard !areas.isEmpty else { return nil }
    let median = (areas[(areas.count - 1) / 2] + areas[areas.count / 2]) / 2
    return members.min { a, b in
      a.detection.score != b.detection.score
        ? a.detection.score > b.detection.score
        : abs(a.detection.box.exactArea - median) < abs(b.detection.box.exactArea - median)
    }
  }
}
