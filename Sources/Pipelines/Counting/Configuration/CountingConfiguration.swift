/// Every threshold and switch of a count.
///
/// A new configuration is ``standard``; ``CountingPreset`` names the others. If
/// ``adaptive-swift.property`` is set, a count estimates the usual size and shape from the photo
/// itself, and uses only three of the other properties: ``confidence``, ``nmsIoU`` and
/// ``batchSize``. As JSON it is an object with the names of the properties. An absent property
/// keeps its default:
///
/// ```json
/// {"confidence": 0.2, "sizeSigma": "off", "aspect": {"range": [0.45, 2.2]}, "mergeFirst": "main"}
/// ```
///
/// Values are not checked when properties are set. They are checked by ``validate()``, by decoding,
/// and by every count before it starts.
public struct CountingConfiguration: Hashable, Sendable {
  /// The lowest score of a detection, 0.001...0.9.
  public var confidence: Double = 0.001
  /// The greatest intersection over union of two detections that both stay, 0...1.
  public var nmsIoU: Double = 0.65
  /// How many deviations a box's area may lie from the median, 0...100; nil is off.
  public var sizeSigma: Double? = 1
  /// Which ratios of width to height a box may have; factors 0...100, range bounds 0...1000.
  public var aspect: AspectRule = .sigma(0.5)
  /// How many deviations a crop's area may lie from the median, 0...100; nil is off.
  public var areaSigma: Double? = 1
  /// The least mean cosine of two groups that are one kind, 0.6...0.95.
  public var similarity: Double = 0.8
  /// The greatest intersection over union of two boxes that both count, 0...1.
  public var mergeIoU: Double = 0.5
  /// Which of two overlapping boxes counts.
  public var mergeFirst: MergePriority = .score
  /// The settings of the adaptive method, nil for the method of bands, which the properties above
  /// describe.
  public var adaptive: AdaptiveConfiguration?
  /// How many crops the embedder gets at once, 1...1024.
  ///
  /// Memory grows with it: a network's working set for 16 crops is over 100 MB, and no faster a
  /// crop than that for 4, which stays in the processor's caches.
  public var batchSize: Int = 4

  /// The standard configuration.
  public init() {}

  /// The configuration of a preset.
  public init(_ preset: CountingPreset) {
    self = preset.configuration
  }
}

extension CountingConfiguration {
  /// Estimates the usual size and shape from each photo; start with this one.
  public static let adaptive = CountingConfiguration(.adaptive)
  /// Detections from a score of 0.001, bands of 1 / 0.5 / 1 deviations, merging by score.
  public static let standard = CountingConfiguration()
  /// The wider bands (3 / 1 / 2 deviations) and the merging (main cluster first) of the Python
  /// program this pipeline follows.
  public static let pythonReference = CountingConfiguration(.pythonReference)
  /// Counts only objects of high confidence and high similarity.
  public static let precise = CountingConfiguration(.precise)
  /// Between ``precise`` and ``generous``.
  public static let balanced = CountingConfiguration(.balanced)
  /// Counts what may be there and is roughly alike.
  public static let generous = CountingConfiguration(.generous)
}

/// The named configurations.
///
/// Choose among the last three by what a mistake costs. Their confidences fit a YOLOX trained on
/// COCO, which gives low scores to most counted objects: at 0.2 it finds the clear ones, at 0.01
/// nearly all and some false ones. Bands are wide, because a narrow band drops good boxes if only
/// probable boxes are left. Similarities range from nearly equal objects to one rough kind.
public enum CountingPreset: String, Hashable, Sendable, Codable, CaseIterable {
  /// See ``CountingConfiguration/adaptive-swift.type.property``.
  case adaptive
  /// See ``CountingConfiguration/standard``.
  case standard
  /// See ``CountingConfiguration/pythonReference``.
  case pythonReference = "python-reference"
  /// See ``CountingConfiguration/precise``.
  case precise
  /// See ``CountingConfiguration/balanced``.
  case balanced
  /// See ``CountingConfiguration/generous``.
  case generous

  /// The values it stands for.
  public var configuration: CountingConfiguration {
    var values = CountingConfiguration()
    switch self {
    case .adaptive:
      values.adaptive = AdaptiveConfiguration()
    case .standard:
      break
    case .pythonReference:
      values.sizeSigma = 3
      values.aspect = .sigma(1)
      values.areaSigma = 2
      values.mergeFirst = .main
    case .precise:
      values.confidence = 0.2
      (values.sizeSigma, values.aspect, values.areaSigma) = (2, .sigma(2), 2)
      values.similarity = 0.85
    case .balanced:
      values.confidence = 0.05
      (values.sizeSigma, values.aspect, values.areaSigma) = (3, .sigma(3), 3)
      values.similarity = 0.75
    case .generous:
      values.confidence = 0.01
      (values.sizeSigma, values.aspect, values.areaSigma) = (nil, .off, nil)
      values.similarity = 0.65
    }
    return values
  }
}
