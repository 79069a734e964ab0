#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A known object that a ``LikenessSearcher`` found an image to be like.
public struct LikenessMatch: Hashable, Sendable, Codable {
  /// Which thing.
  public var id: UUID
  /// What it is called; nil if nothing is known of it.
  public var name: String?
  /// The cosine of both embeddings, -1...1; 1 is the same.
  public var cosine: Float

  /// Makes a match.
  public init(id: UUID, name: String? = nil, cosine: Float) {
    self.id = id
    self.name = name
    self.cosine = cosine
  }
}
