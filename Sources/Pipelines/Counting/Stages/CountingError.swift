import Geometry

/// Why a count could not be finished.
public enum CountingError: Error, Equatable, CustomStringConvertible {
  /// The embedder answered another number of rows than it was given images.
  case embeddingCount(expected: Int, got: Int)
  /// The embedder answered rows of another length than before.
  case embeddingDimension(expected: Int, got: Int)
  /// The embedding of a crop is all zeros, so it has no direction; crops count from 0.
  case zeroEmbedding(crop: Int)
  /// The embedding of a crop holds a NaN or an infinity; crops count from 0.
  case nonFiniteEmbedding(crop: Int)
  /// The clusterer answered another number of labels than it was given embeddings.
  case labelCount(expected: Int, got: Int)
  /// The clusterer answered a label below 0.
  case negativeLabel(Int, crop: Int)
  /// The image did not give the pixels of a rectangle that lies inside it.
  case cropRefused(PixelRect, width: Int, height: Int)
  /// The box around the object to count the like of shows no pixel of the image.
  case exemplarOutside(Box, width: Int, height: Int)
  /// The method of bands knows no exemplar.
  case exemplarNeedsAdaptive
  /// A region has no area, or a corner that is not a finite number.
  case regionWithoutArea
  /// A template was made with another model; which of the two is named.
  case templateOfOtherModels(String)
  /// A template of another embedder: its rows are not as long as this embedder's.
  case templateDimension(expected: Int, got: Int)
  /// A template was to be made of a photo in which nothing was counted.
  case nothingToLearn
  /// The image cannot be cut into this number of tiles.
  case untileable(width: Int, height: Int, tilesPerSide: Int)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .embeddingCount(let expected, let got):
      "the embedder answered \(got) embeddings for \(expected) crops; it must answer one for each"
    case .embeddingDimension(let expected, let got):
      "the embedder answered embeddings of \(got) values after some of \(expected); all must be of "
        + "one length"
    case .zeroEmbedding(let crop):
      "the embedding of crop \(crop) is all zeros; its cosine to another is undefined, so the "
        + "embedder does not suit this image"
    case .nonFiniteEmbedding(let crop):
      "the embedding of crop \(crop) holds a value that is not a finite number"
    case .labelCount(let expected, let got):
      "the clusterer answered \(got) labels for \(expected) embeddings; it must answer one for each"
    case .negativeLabel(let label, let crop):
      "the clusterer gave crop \(crop) the label \(label); labels count from 0"
    case .cropRefused(let rect, let width, let height):
      "an image of \(width) x \(height) gave no pixels for the rectangle of \(rect.width) x "
        + "\(rect.height) at (\(rect.x), \(rect.y)), which lies inside it"
    case .exemplarOutside(let box, let width, let height):
      "the exemplar (\(box.minX), \(box.minY)) to (\(box.maxX), \(box.maxY)) shows no pixel of an "
        + "image of \(width) x \(height)"
    case .exemplarNeedsAdaptive:
      "exemplars, regions and templates are counted by the adaptive method only, which the configuration has turned off"
    case .regionWithoutArea:
      "the region has no area; it needs a rectangle with a width and a height, or at least three "
        + "corners that span an area"
    case .templateOfOtherModels(let model):
      "the template was made with another \(model); make it again with this one, or name the "
        + "models that it was made with"
    case .templateDimension(let expected, let got):
      "the template's embeddings have \(got) values, and the embedder answers \(expected)"
    case .nothingToLearn:
      "nothing was counted in the photo, so there is nothing to learn from it"
    case .untileable(let width, let height, let tilesPerSide):
      "an image of \(width) x \(height) pixels cannot be cut into \(tilesPerSide) x "
        + "\(tilesPerSide) tiles that overlap"
    }
  }
}
