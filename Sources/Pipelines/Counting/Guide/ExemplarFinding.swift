import Geometry

/// What became of a box that a person drew around an object.
public struct ExemplarFinding: Hashable, Sendable, Codable {
  /// What the box was taken for.
  public enum Basis: String, Hashable, Sendable, Codable {
    /// The detector sees an object there: its box was taken in place of the drawn one.
    case detection
    /// The detector sees no object there. The pixels in the drawn box were looked for, and the box
    /// itself counts only if something else is like it.
    case drawing
  }

  /// The box as it was drawn, clipped to the photo.
  public let drawn: Box
  /// The box that was taken for it.
  public let taken: Box
  /// What it was taken for.
  public let basis: Basis
  /// Whether it is an object to count, not one to leave out.
  public let isLike: Bool

  /// Makes a finding.
  public init(drawn: Box, taken: Box, basis: Basis, isLike: Bool) {
    self.drawn = drawn
    self.taken = taken
    self.basis = basis
    self.isLike = isLike
  }
}
