import Geometry

/// An image of which a pipeline knows the size.
public protocol SizedImage: Sendable {
  /// Width in pixels of the upright image.
  var width: Int { get }
  /// Height in pixels of the upright image.
  var height: Int { get }
}

/// What a pipeline has to do with an image itself: know its size and cut pieces out of it.
///
/// `Raster` conforms on every system. An app may conform a type of its own that holds a `CGImage` or a
/// `CVPixelBuffer`.
public protocol CroppableImage: SizedImage {
  /// The pixels inside `rect`, or nil if `rect` is not wholly inside the image.
  func cropped(to rect: PixelRect) -> Self?
}

/// An image that can be made smaller.
public protocol FittableImage: SizedImage {
  /// The image at the largest size that fits into a frame, its aspect ratio kept; one that fits
  /// already as it is.
  ///
  /// - Parameters:
  ///   - width: the frame's width, at least 1.
  ///   - height: the frame's height, at least 1.
  func fitted(width: Int, height: Int) throws -> Self
}

/// Finds the objects in an image.
public protocol ObjectDetector<Image>: Sendable {
  /// The image type this detector reads.
  associatedtype Image: Sendable

  /// Every candidate whose score is at least `minimumConfidence`.
  ///
  /// Candidates may overlap. The caller suppresses duplicates (see `NMS`), so that the threshold is
  /// set in one place. A detector may also suppress them itself.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - minimumConfidence: the lowest score to report, 0...1.
  func detections(in image: Image, minimumConfidence: Float) async throws -> [Detection]

  /// The scale from an image's pixels to the detector's own, above 0.
  ///
  /// A network of 640 x 640 that fits a photo of 4000 x 3000 into its input has a scale of 0.16.
  /// With this number, a caller can cut a photo of small objects into tiles at a larger scale. The
  /// default is 1, for a detector that uses every pixel, so that tiles change nothing.
  ///
  /// - Parameters:
  ///   - imageWidth: the image's width in pixels.
  ///   - imageHeight: the image's height in pixels.
  func scale(imageWidth: Int, imageHeight: Int) -> Double
}

extension ObjectDetector {
  /// The scale of a detector that uses every pixel: 1.
  public func scale(imageWidth: Int, imageHeight: Int) -> Double { 1 }
}

/// Turns images into vectors whose cosine says how alike the images are.
public protocol ImageEmbedder<Image>: Sendable {
  /// The image type this embedder reads.
  associatedtype Image: Sendable

  /// How many values an embedding has.
  var dimension: Int { get }

  /// One L2-normalized row per image, in order.
  func embeddings(of images: [Image]) async throws -> EmbeddingMatrix
}

/// Groups embeddings of things that are alike.
public protocol EmbeddingClusterer: Sendable {
  /// One label per row, counted from 0; rows with equal labels are alike.
  ///
  /// - Parameters:
  ///   - embeddings: L2-normalized rows.
  ///   - similarity: the least mean cosine of two groups that are still one, -1...1.
  func labels(of embeddings: EmbeddingMatrix, similarity: Double) async throws -> [Int]
}

/// Reads the text in an image.
public protocol TextRecognizer<Image>: Sendable {
  /// The image type this recognizer reads.
  associatedtype Image: Sendable

  /// Every line of text, of any confidence and direction.
  func texts(in image: Image) async throws -> [RecognizedText]

  /// Every line of text in an image with known outlines of long objects, such as spines of books.
  ///
  /// A recognizer that also reads each object by itself finds more text. By default the outlines
  /// are not used.
  func texts(in image: Image, along outlines: [Quadrilateral]) async throws -> [RecognizedText]

  /// Every line of text on objects with known outlines, such as spines of books, and no other line.
  ///
  /// A recognizer that looks at nothing but the objects needs a fraction of the time. By default the
  /// whole image is read, and the lines are kept whose middle lies in one of the outlines.
  func texts(on outlines: [Quadrilateral], of image: Image) async throws -> [RecognizedText]
}

extension TextRecognizer {
  /// What ``texts(in:)`` answers.
  public func texts(
    in image: Image, along outlines: [Quadrilateral]
  ) async throws -> [RecognizedText] {
    try await texts(in: image)
  }

  /// The lines of ``texts(in:along:)`` whose middle lies in one of the outlines.
  public func texts(
    on outlines: [Quadrilateral], of image: Image
  ) async throws -> [RecognizedText] {
    if outlines.isEmpty { return [] }
    return try await texts(in: image, along: outlines).filter { line in
      outlines.contains { $0.contains(line.outline.center) }
    }
  }
}

/// Reads the barcodes in an image.
public protocol BarcodeReader<Image>: Sendable {
  /// The image type this reader reads.
  associatedtype Image: Sendable

  /// Every barcode that could be read.
  func barcodes(in image: Image) async throws -> [RecognizedBarcode]
}

/// Finds the outlines of objects in an image, such as rectangles or the spines of books.
public protocol OutlineDetector<Image>: Sendable {
  /// The image type this detector reads.
  associatedtype Image: Sendable

  /// Every object, each once.
  func outlines(in image: Image) async throws -> [DetectedOutline]
}

/// Says what kind of thing an image shows, out of the kinds that it was trained on.
public protocol ImageClassifier<Image>: Sendable {
  /// The image type this classifier reads.
  associatedtype Image: Sendable

  /// The most probable classes, at most `maximumCount`, in any order and of any confidence.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - maximumCount: how many to answer at most, at least 1.
  func classifications(of image: Image, maximumCount: Int) async throws -> [Classification]
}

/// Finds the known objects that are most similar to an image, for example with embeddings and an
/// index.
public protocol LikenessSearcher<Image>: Sendable {
  /// The image type this searcher reads.
  associatedtype Image: Sendable

  /// The known objects most similar to the image, at most `maximumCount`, in any order.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - maximumCount: how many to answer at most, at least 1.
  func likenesses(of image: Image, maximumCount: Int) async throws -> [LikenessMatch]
}

/// Measures how bright an image is.
public protocol LightMeter<Image>: Sendable {
  /// The image type this meter reads.
  associatedtype Image: Sendable

  /// The mean luma, from 0 for a black image to 1 for a white one.
  func meanLuma(of image: Image) async throws -> Double
}

/// What a recognizer throws that has no model to work with, such as before its download.
///
/// Whoever asked can then tell people to get the model, rather than that nothing was found.
public struct ModelNotLoadedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The model's name.
  public let model: String

  /// Makes the error.
  public init(model: String) {
    self.model = model
  }

  /// What was wrong, and what would be right, in one line.
  public var description: String { "the model \(model) is not loaded; it has to be loaded first" }
}
