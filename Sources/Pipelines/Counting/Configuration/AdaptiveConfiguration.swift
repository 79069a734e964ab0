/// The thresholds and switches of the adaptive method; each part can be turned off by itself.
///
/// As JSON it is an object with the names of the properties. An absent property keeps its default,
/// and a part that is off is the word "off":
///
/// ```json
/// {"adaptive": {"tilesPerSide": 1, "perspectiveGain": "off", "leastSilhouette": 0.6}}
/// ```
public struct AdaptiveConfiguration: Hashable, Sendable {
  /// The greatest number of tiles per side, 1...8; with 1 no tiles are used.
  ///
  /// More than 3 are tried only if objects are still small.
  public var tilesPerSide: Int = 4
  /// The side of an object, in pixels of the detector's input, that suits the detector, 8...1024.
  public var targetSide: Double = 80
  /// The share of a box inside a larger box of a coarser tiling above which it has less weight,
  /// 0...1.
  ///
  /// Such a box is probably a part of an object. Nil is off.
  public var partShare: Double? = 0.7
  /// By what factor a box's side may differ from the usual one, 1.01...100; nil is off.
  public var sizeFactor: Double? = 1.5
  /// By what factor a box's ratio of width to height may differ from the usual one, 1.01...100; nil
  /// is off.
  public var aspectFactor: Double? = 1.8
  /// By what share sizes must agree better for a perspective to be believed, 0...10; nil is off.
  public var perspectiveGain: Double? = 0.15
  /// Whether objects that the photo's frame cuts may count.
  public var keepsCutObjects: Bool = true
  /// The greatest share of a box that may lie in another that counts, 0...1; nil is off.
  public var containment: Double? = 0.45
  /// The least score as a share of the photo's score-weighted median, 0...1; nil is off.
  public var scoreShare: Double? = 0.06
  /// The least score, as a share of the photo's score-weighted median, of objects of other sizes
  /// than the usual one, 0...10; nil counts only the usual size.
  public var otherSizes: Double? = 0.8
  /// The least mean silhouette for which there is more than one kind, -1...1; nil takes all objects
  /// for one kind.
  public var leastSilhouette: Double? = 0.5
  /// The least mean cosine distance between objects of different kinds, 0...2.
  ///
  /// 0 leaves it to the silhouette, as for embedders that were trained for something else.
  public var leastKindDistance: Double = 0

  /// The defaults.
  public init() {}
}
