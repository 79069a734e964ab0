import Geometry

/// Why a photo cannot be counted again without looking at it.
///
/// If it is thrown, count the photo afresh.
public enum RecountError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The count keeps nothing: it was not made by
  /// ``ObjectCounter/tracedCount(in:guide:recountableFrom:progress:)``.
  case nothingKept
  /// Detections of lower scores are needed than are kept.
  case score(Float, kept: Float, fields: [String])
  /// A part of the photo is needed that the detector did not see: another tile, or one outside the
  /// region.
  case tile(PixelRect, fields: [String])
  /// The embedding of a part of the photo is needed that the embedder did not see.
  case crop(PixelRect, fields: [String])
  /// The counter has another detector than the count: its input has another size.
  case otherDetector
  /// The counter has another embedder than the count: its rows have another length.
  case otherEmbedder(dimension: Int, kept: Int)

  /// The fields that need a new look, as JSON names them; `guide` stands for exemplars, region and
  /// template.
  ///
  /// They are the fields that differ from those of the count and may be the cause. Empty if the
  /// cause is not a field.
  public var fields: [String] {
    switch self {
    case .score(_, _, let fields), .tile(_, let fields), .crop(_, let fields): fields
    case .nothingKept, .otherDetector, .otherEmbedder: []
    }
  }

  /// What is missing, and what needs it, in one line.
  public var description: String {
    switch self {
    case .nothingKept:
      "the count keeps no detections and embeddings; make it with tracedCount"
    case .score(let score, let kept, let fields):
      "detections from a score of \(score) are needed, and only those from \(kept) are kept"
        + Self.cause(fields)
    case .tile(let rect, let fields):
      "the detector did not look at the \(Self.place(rect)) by itself" + Self.cause(fields)
    case .crop(let rect, let fields):
      "the embedder did not see the \(Self.place(rect))" + Self.cause(fields)
    case .otherDetector:
      "the count was made with another detector"
    case .otherEmbedder(let dimension, let kept):
      "the embedder answers \(dimension) values, and the kept embeddings have \(kept)"
    }
  }

  private static func place(_ rect: PixelRect) -> String {
    "\(rect.width) x \(rect.height) pixels at (\(rect.x), \(rect.y))"
  }

  private static func cause(_ fields: [String]) -> String {
    fields.isEmpty ? "" : "; changed were: " + fields.joined(separator: ", ")
  }
}

extension CountingConfiguration {
  /// The names of the fields that a count from what is kept uses and that differ.
  func fields(changedFrom other: CountingConfiguration) -> [String] {
    let fields =
      CountingField.ofAll + (adaptive == nil ? CountingField.ofBands : CountingField.ofAdaptive)
    var names = (adaptive == nil) == (other.adaptive == nil) ? [] : ["adaptive"]
    // The number of crops in a batch has no effect on what is seen.
    names += fields.filter { $0.key != "batchSize" && $0.differs(self, other) }.map(\.name)
    if adaptive == nil {
      if aspect != other.aspect { names.append("aspect") }
      if mergeFirst != other.mergeFirst { names.append("mergeFirst") }
    }
    return names
  }
}

extension CountingField {
  /// Whether two configurations have different values.
  fileprivate func differs(_ one: CountingConfiguration, _ other: CountingConfiguration) -> Bool {
    switch value {
    case .number(let place, _): one[keyPath: place] != other[keyPath: place]
    case .switchable(let place, _): one[keyPath: place] != other[keyPath: place]
    case .whole(let place, _): one[keyPath: place] != other[keyPath: place]
    case .flag(let place): one[keyPath: place] != other[keyPath: place]
    }
  }
}
