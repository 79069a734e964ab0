import Geometry
import VisionProtocols

/// A kind of object learnt from one photo, to count it in other photos.
///
/// ```swift
/// let template = try await counter.template(
///   in: photo, guide: CountingGuide(like: [box]), models: models)
/// let result = try await counter.count(in: other, guide: CountingGuide(template: template))
/// ```
///
/// A template belongs to the detector and the embedder that it was made with, because embeddings of
/// different embedders cannot be compared. ``models`` names both. Check them with
/// ``Models/requireSame(as:)`` after loading a template.
public struct CountTemplate: Hashable, Sendable, Codable {
  /// The models a template was made with, each by the SHA-256 of its file in hexadecimal digits.
  public struct Models: Hashable, Sendable, Codable {
    /// The detector's file.
    public var detector: String
    /// The embedder's file.
    public var embedder: String

    /// Makes a pair.
    public init(detector: String, embedder: String) {
      self.detector = detector
      self.embedder = embedder
    }

    /// Checks that a template of these models may be used with others.
    ///
    /// - Throws: ``CountingError/templateOfOtherModels(_:)`` naming the model that differs.
    public func requireSame(as others: Models) throws {
      if embedder != others.embedder { throw CountingError.templateOfOtherModels("embedder") }
      if detector != others.detector { throw CountingError.templateOfOtherModels("detector") }
    }
  }

  /// The models it was made with.
  public var models: Models
  /// Embeddings of objects to count, each of length 1; at least one.
  public var like: [[Float]]
  /// Embeddings of objects not to count, each of length 1.
  public var unlike: [[Float]]
  /// The usual side of an object, the square root of its area, as a share of the photo's longer
  /// side.
  public var side: Double
  /// The usual ratio of width to height.
  public var aspect: Double

  /// Makes a template.
  public init(
    models: Models, like: [[Float]], unlike: [[Float]] = [], side: Double, aspect: Double
  ) {
    self.models = models
    self.like = like
    self.unlike = unlike
    self.side = side
    self.aspect = aspect
  }
}
