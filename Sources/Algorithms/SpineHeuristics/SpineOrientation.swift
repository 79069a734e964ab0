/// The orientation of a book on its shelf, by its spine.
public enum SpineOrientation: String, Hashable, Sendable, Codable, CaseIterable {
  /// Upright: the spine's long axis is vertical.
  case standing = "vertical"
  /// In between, leaning against its neighbours.
  case leaning
  /// On its side, as in a stack: the long axis is horizontal.
  case lying = "horizontal"
}
