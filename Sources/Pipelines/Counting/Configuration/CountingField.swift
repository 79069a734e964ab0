/// One field of a configuration, with its range, title and option.
///
/// Checks, JSON, options of the command, settings and reports are made from these values.
/// To add a threshold, add a property, and its value here.
package struct CountingField: Sendable {
  /// The counts that use a field.
  package enum Scope: Sendable {
    /// All counts.
    case all
    /// Counts by the adaptive method.
    case adaptive
    /// Counts by the method of bands.
    case bands
  }

  /// The key path of a value in a configuration.
  package typealias Place<Value> = any WritableKeyPath<CountingConfiguration, Value> & Sendable

  /// The type, range and key path of a field's value.
  package enum Value: Sendable {
    case number(Place<Double>, in: ClosedRange<Double>)
    /// A number, or nil for "off".
    case switchable(Place<Double?>, in: ClosedRange<Double>)
    case whole(Place<Int>, in: ClosedRange<Int>)
    /// True unless its option is given.
    case flag(Place<Bool>)
  }

  /// Its option of the command.
  package struct Option: Sendable {
    /// Without the two dashes.
    package let name: String
    /// What stands for the value; empty for a flag.
    package let metavar: String
    package let help: String

    init(_ name: String, _ metavar: String, _ help: String) {
      self.name = name
      self.metavar = metavar
      self.help = help
    }
  }

  /// What a slider needs.
  package struct Slider: Sendable {
    /// The values that are of use.
    package let range: ClosedRange<Double>
    package let step: Double

    init(_ range: ClosedRange<Double>, step: Double) {
      self.range = range
      self.step = step
    }
  }

  /// The property's name, which is that in JSON.
  package let key: String
  package let scope: Scope
  package let value: Value
  /// What it is, for tables that people read.
  package let title: String
  /// The unit of the value, as in `px`; empty if it has none.
  package let unit: String
  /// What it does, in a sentence.
  package let help: String
  /// Nil for a flag.
  package let slider: Slider?
  /// Nil if the command has none.
  package let option: Option?

  init(
    _ key: String, _ scope: Scope, _ value: Value, title: String, unit: String = "",
    slider: Slider? = nil, help: String? = nil, option: Option? = nil
  ) {
    self.key = key
    self.scope = scope
    self.value = value
    self.title = title
    self.unit = unit
    self.slider = slider
    self.help = help ?? option?.help ?? title
    self.option = option
  }

  /// The name with the object that it lies in, as in `adaptive.targetSide`.
  package var name: String { scope == .adaptive ? "adaptive.\(key)" : key }

  /// The least score of a detection.
  package static let confidence = CountingField(
    "confidence", .all, .number(\.confidence, in: 0.001...0.9),
    title: "Least score of a detection",
    slider: Slider(0.001...0.9, step: 0.01),
    option: Option(
      "confidence", "X", "Keep detections with at least this score, 0.001 to 0.9."))

  /// The fields that all counts use.
  package static let ofAll: [CountingField] = [
    confidence,
    CountingField(
      "nmsIoU", .all, .number(\.nmsIoU, in: 0...1),
      title: "Greatest overlap of two detections (IoU)",
      slider: Slider(0...1, step: 0.01),
      option: Option(
        "nms", "X",
        "If two boxes overlap more than this (intersection over union), keep the better one.")
    ),
    CountingField(
      "batchSize", .all, .whole(\.batchSize, in: 1...1024), title: "Crops processed at once",
      slider: Slider(1...32, step: 1),
      help: "How many crops the embedder gets at once."),
  ]

  /// The fields of the adaptive method.
  package static let ofAdaptive: [CountingField] = [
    CountingField(
      "tilesPerSide", .adaptive, .whole(\.adaptiveOrDefault.tilesPerSide, in: 1...8),
      title: "Most tiles a side",
      slider: Slider(1...8, step: 1),
      option: Option(
        "tiles", "N",
        "Search the photo in up to N x N tiles, to find small objects; 1 uses no tiles.")),
    CountingField(
      "targetSide", .adaptive, .number(\.adaptiveOrDefault.targetSide, in: 8...1024),
      title: "Side of an object that suits the detector", unit: "px",
      slider: Slider(8...256, step: 1),
      option: Option(
        "target-side", "PIXELS",
        "Choose the tiles so that an object has this side in pixels of the detector's input.")),
    CountingField(
      "partShare", .adaptive, .switchable(\.adaptiveOrDefault.partShare, in: 0...1),
      title: "Share in a larger box that makes a part",
      slider: Slider(0...1, step: 0.05),
      option: Option(
        "part-share", "X",
        "Give less weight to a box if more than this share of it lies inside a larger box of a "
          + "coarser tiling; it is probably a part.")),
    CountingField(
      "sizeFactor", .adaptive, .switchable(\.adaptiveOrDefault.sizeFactor, in: 1.01...100),
      title: "Factor from the usual side",
      slider: Slider(1.05...4, step: 0.05),
      option: Option(
        "size-factor", "F", "Keep boxes whose side is within this factor of the usual side.")
    ),
    CountingField(
      "aspectFactor", .adaptive, .switchable(\.adaptiveOrDefault.aspectFactor, in: 1.01...100),
      title: "Factor from the usual width/height",
      slider: Slider(1.05...5, step: 0.05),
      option: Option(
        "aspect-factor", "F",
        "Keep boxes whose width/height is within this factor of the usual value.")),
    CountingField(
      "perspectiveGain", .adaptive, .switchable(\.adaptiveOrDefault.perspectiveGain, in: 0...10),
      title: "Gain that makes a perspective believed",
      slider: Slider(0...1, step: 0.05),
      option: Option(
        "perspective", "GAIN",
        "Let the usual size vary over the photo if sizes then agree better by this share.")),
    CountingField(
      "keepsCutObjects", .adaptive, .flag(\.adaptiveOrDefault.keepsCutObjects),
      title: "Objects cut by the frame", help: "Count objects that the photo's frame cuts.",
      option: Option("whole-only", "", "Leave out objects that the photo's frame cuts.")),
    CountingField(
      "containment", .adaptive, .switchable(\.adaptiveOrDefault.containment, in: 0...1),
      title: "Greatest share within another",
      slider: Slider(0...1, step: 0.05),
      option: Option(
        "containment", "X",
        "If more than this share of a box lies inside another box, keep only one of them.")),
    CountingField(
      "scoreShare", .adaptive, .switchable(\.adaptiveOrDefault.scoreShare, in: 0...1),
      title: "Least share of the median score",
      slider: Slider(0...1, step: 0.01),
      option: Option(
        "score-share", "X",
        "Drop boxes whose score is below this share of the photo's weighted median score.")),
    CountingField(
      "otherSizes", .adaptive, .switchable(\.adaptiveOrDefault.otherSizes, in: 0...10),
      title: "The same for objects of other sizes",
      slider: Slider(0...2, step: 0.05),
      option: Option(
        "other-sizes", "X",
        "Count objects of other sizes too if their score is at least this share of that median.")),
    CountingField(
      "leastSilhouette", .adaptive,
      .switchable(\.adaptiveOrDefault.leastSilhouette, in: -1...1),
      title: "Least silhouette of more than one kind",
      slider: Slider(-1...1, step: 0.05),
      option: Option(
        "silhouette", "X",
        "Distinguish kinds if their mean silhouette is at least this; off treats all objects as "
          + "one kind.")),
    CountingField(
      "leastKindDistance", .adaptive,
      .number(\.adaptiveOrDefault.leastKindDistance, in: 0...2),
      title: "Least cosine distance between kinds",
      slider: Slider(0...1, step: 0.05),
      option: Option(
        "kind-distance", "X",
        "Also require this mean distance (1 - cosine) between objects of different kinds.")
    ),
  ]

  /// The fields of the method of bands, without the two that are not numbers:
  /// ``CountingConfiguration/aspect`` and ``CountingConfiguration/mergeFirst``.
  package static let ofBands: [CountingField] = [
    CountingField(
      "sizeSigma", .bands, .switchable(\.sizeSigma, in: 0...100),
      title: "Area, standard deviations from the median",
      slider: Slider(0...5, step: 0.1),
      option: Option(
        "size-sigma", "K", "Keep boxes whose area is within K standard deviations of the median.")),
    CountingField(
      "areaSigma", .bands, .switchable(\.areaSigma, in: 0...100),
      title: "Area of crops, standard deviations",
      slider: Slider(0...5, step: 0.1),
      option: Option(
        "area-sigma", "K",
        "Keep crops whose box area is within K standard deviations of the median.")),
    CountingField(
      "similarity", .bands, .number(\.similarity, in: 0.6...0.95),
      title: "Least mean cosine of one kind",
      slider: Slider(0.6...0.95, step: 0.01),
      option: Option(
        "similarity", "X",
        "Merge two groups into one kind if their mean cosine is at least this, 0.6 to 0.95.")),
    CountingField(
      "mergeIoU", .bands, .number(\.mergeIoU, in: 0...1),
      title: "Greatest overlap of two that count (IoU)",
      slider: Slider(0...1, step: 0.05),
      option: Option(
        "merge-iou", "X", "If two boxes overlap more than this after grouping, count only one.")),
  ]

  /// All of them.
  package static let all = ofAll + ofAdaptive + ofBands
}

extension CountingConfiguration {
  /// The settings of the adaptive method, the defaults if there are none.
  package var adaptiveOrDefault: AdaptiveConfiguration {
    get { adaptive ?? AdaptiveConfiguration() }
    set { adaptive = newValue }
  }
}
