import Geometry

/// A person's input to a count: what to count, what not to count, and where.
///
/// ```swift
/// let region = try CountingRegion(of: part)
/// let guide = CountingGuide(like: [box], unlike: [background], region: region)
/// let result = try await counter.count(in: photo, guide: guide)
/// ```
///
/// Boxes are in pixels of the upright photo, with the origin at the top left. They may be drawn by
/// hand: each is moved to the object that it is meant for, if the detector finds one there.
/// ``AdaptiveFindings/exemplars`` has the object of each box. With an empty guide the largest kind
/// is counted.
public struct CountingGuide: Hashable, Sendable {
  /// Boxes around objects of the kind to count.
  public var like: [Box]
  /// Boxes around objects of kinds not to count.
  public var unlike: [Box]
  /// The part of the photo to count in; nil is all of it.
  public var region: CountingRegion?
  /// What other photos taught about the kind to count.
  public var template: CountTemplate?

  /// Makes a guide.
  public init(
    like: [Box] = [], unlike: [Box] = [], region: CountingRegion? = nil,
    template: CountTemplate? = nil
  ) {
    self.like = like
    self.unlike = unlike
    self.region = region
    self.template = template
  }

  /// Whether it says which kind to count, or which not.
  public var hasExemplars: Bool { !like.isEmpty || !unlike.isEmpty || template != nil }
}
