import Foundation
import Perception
import Raster

/// An embedder without a network: colours and outlines of a crop, as a vector.
///
/// For counting where no embedding model is at hand. It tells kinds apart that differ in colour or
/// coarse form, at the default similarity of 0.80, and takes things of grey, white, black and other
/// dull colours for one kind. It knows nothing of what things are: two red things are alike.
///
/// A crop is squashed to 32 x 32 pixels; three parts are made of it, each of length 1, and put side by
/// side with weights, so that the cosine of two crops is the weighted mean of the parts' cosines:
///
/// - **colour** (0.70): a histogram over 12 hues and 4 lightnesses of the Oklab space. Each pixel is
///   shared between both by its chroma (below 0.03 it is grey, above 0.10 it is a hue) and between
///   neighbouring bins by its distance to their centers. Pixels count less toward the border, where
///   crops show background.
/// - **outline** (0.25): a histogram of gradient directions in 3 rings, 6 directions each, relative to
///   the direction from the center; turning a thing does not change it.
/// - **proportions** (0.05): the ratio of the longer to the shorter side.
///
/// Histograms are square-rooted before they are compared, so that their cosine is the Bhattacharyya
/// coefficient (Arandjelović and Zisserman, "Three things everyone should know to improve object
/// retrieval", 2012). Oklab is Ottosson's (2020), gradient histograms follow Dalal and Triggs,
/// "Histograms of oriented gradients for human detection", 2005.
///
/// Deterministic. Grey images are spread over three channels, alpha is dropped. O(pixels) per crop.
public struct AppearanceEmbedder: ImageEmbedder {
  /// How many values an embedding has: 16 of colour, 18 of outline, 2 of proportions.
  public let dimension =
    AppearanceDescriptor.hues + AppearanceDescriptor.lightnesses
    + AppearanceDescriptor.rings * AppearanceDescriptor.directions + 2

  private let descriptor = AppearanceDescriptor()

  /// Makes an embedder.
  public init() {}

  /// One row of length 1 per image, in order; no value is negative.
  ///
  /// - Throws: `RasterError`; `CancellationError` between images.
  public func embeddings(of images: [Raster]) async throws -> EmbeddingMatrix {
    var values: [Float] = []
    values.reserveCapacity(images.count * dimension)
    for image in images {
      try Task.checkCancellation()
      values += try descriptor.values(of: image)
    }
    return try EmbeddingMatrix(values: values, dimension: dimension).normalized()
  }
}
