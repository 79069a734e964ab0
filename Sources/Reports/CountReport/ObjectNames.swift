import Counting
import Geometry
import VisionProtocols

/// The page's texts about each object.
struct ObjectNames {
  let kinds: Kinds

  /// All facts about an object in one line.
  func title(of object: CountedDetection, number: Int) -> String {
    "Object \(number), \(kinds.name(of: object.cluster)): "
      + Self.measures(of: object.detection)
  }

  /// Score, size, area and ratio.
  static func measures(of detection: Detection) -> String {
    "score \(Number.text(Double(detection.score), digits: 3)), \(size(of: detection.box))"
  }

  /// Size, area and ratio.
  static func size(of box: Box) -> String {
    "\(Number.text(Double(box.width))) \u{00D7} \(Number.text(Double(box.height))) px, area "
      + "\(Number.text(box.exactArea)) px\u{00B2}, width/height \(ratio(of: box))"
  }

  /// Width over height, or a dash if it is not defined.
  static func ratio(of box: Box) -> String {
    box.height > 0 ? Number.text(Double(box.width) / Double(box.height), digits: 2) : "\u{2013}"
  }
}

extension CountingStep {
  /// What a step leaves, in words after a number: `26 after containment`.
  public var outcome: String {
    switch self {
    case .detected: "detected"
    case .size: "after size"
    case .aspect: "after aspect"
    case .area: "after area"
    case .contained: "after containment"
    case .scored: "after the score cut"
    case .embedded: "embedded"
    case .clustered: "clusters"
    case .merged: "after merging"
    }
  }
}

/// Steps in words.
enum StageNames {
  /// What a step leaves, as the name of a row.
  static func name(of step: CountingStep) -> String {
    step.outcome.prefix(1).uppercased() + step.outcome.dropFirst()
  }

  /// The work of a step.
  static func meaning(of step: CountingStep) -> String {
    switch step {
    case .detected: "candidates of the detector, after duplicates are suppressed"
    case .size: "as large as most"
    case .aspect: "of the usual ratio of width to height, or cut by the frame"
    case .area: "crops of a consistent area"
    case .contained: "no part of another box"
    case .scored: "of a high enough score"
    case .embedded: "looked at by the embedder"
    case .clustered: "kinds that they were divided into"
    case .merged: "of two boxes that overlap, one"
    }
  }

  /// The reason why a detection was dropped.
  static func dropping(_ step: CountingStep?) -> String {
    switch step {
    case .detected, .embedded, .clustered, nil: "for lack of pixels"
    case .size: "for its size"
    case .aspect: "for its shape"
    case .area: "for its area"
    case .contained: "as part of another box"
    case .scored: "for its score"
    case .merged: "for its overlap with another"
    }
  }
}
