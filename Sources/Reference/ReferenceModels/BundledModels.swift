import Foundation
import ONNXRunner

/// The models that come with the package, used if none is named.
///
/// Counting with them wants `CountingConfiguration.adaptive.suitedToBundledModels()`.
public enum BundledModels {
  /// The embedder: EfficientNet-Lite0 without its last layers, from a crop of 64 x 64 to 128
  /// values.
  ///
  /// It has 3.0 million parameters. It was initialized with ImageNet's weights and trained on
  /// rendered scenes and on photos, to give objects of one kind similar embeddings in any light and
  /// position.
  ///
  /// - Throws: ``ReferenceModelError/missingResource(name:searched:)`` if the file is not beside
  ///   the program; `ModelError` if it is damaged.
  public static func embedder(
    options: SessionOptions = SessionOptions()
  ) throws -> ImageEmbeddingModel {
    try ImageEmbeddingModel(contentsOf: embedderFile(), options: options)
  }

  /// The location of the embedder's file, for example to compare its bytes.
  ///
  /// - Throws: ``ReferenceModelError/missingResource(name:searched:)`` if it is not beside the
  ///   program.
  public static func embedderFile() throws -> URL { try url(of: "likeness.onnx") }

  /// The location of the detector's file.
  ///
  /// - Throws: ``ReferenceModelError/missingResource(name:searched:)`` if it is not beside the
  ///   program.
  public static func detectorFile() throws -> URL { try url(of: "countable.onnx") }

  /// YOLOX-Nano with one class, *countable thing*, on 416 x 416 pixels.
  ///
  /// It has 0.9 million parameters. It began with COCO's weights and was trained on rendered scenes
  /// and on photos.
  ///
  /// - Throws: ``ReferenceModelError/missingResource(name:searched:)`` if the file is not beside
  ///   the program; `ModelError` if it is damaged.
  public static func detector(
    options: SessionOptions = SessionOptions()
  ) throws -> YOLOXDetector {
    try YOLOXDetector(
      contentsOf: detectorFile(), scores: .probabilities, options: options)
  }

  /// The network that segments the spines of books.
  ///
  /// It has EfficientNet-Lite0's first stages and a decoder up to half the picture's size, with 0.9
  /// million parameters. It was initialized with ImageNet's weights and trained on rendered
  /// shelves.
  ///
  /// - Throws: ``ReferenceModelError/missingResource(name:searched:)`` if the file is not beside
  ///   the program; `ModelError` if it is damaged.
  public static func spineSegmenter(
    options: SessionOptions = SessionOptions()
  ) throws -> SpineSegmentationModel {
    try SpineSegmentationModel(contentsOf: spineSegmenterFile(), options: options)
  }

  /// The location of that network's file.
  ///
  /// - Throws: ``ReferenceModelError/missingResource(name:searched:)`` if it is not beside the
  ///   program.
  public static func spineSegmenterFile() throws -> URL { try url(of: "spines.onnx") }

  /// The location of a bundled file.
  ///
  /// `Bundle.module` would end the process if the program was moved without its resources. So this
  /// searches the same places.
  static func url(of name: String) throws -> URL {
    let bundle = "Tally_ReferenceModels"
    let beside = [
      Bundle.main.resourceURL, Bundle.main.bundleURL, Bundle(for: BundleFinder.self).resourceURL,
      Bundle(for: BundleFinder.self).bundleURL,
    ].compactMap(\.self)
    let folders =
      beside.flatMap { folder in
        ["\(bundle).resources", "\(bundle).bundle", "\(bundle).bundle/Contents/Resources"]
          .map { folder.appendingPathComponent($0) }
      } + [
        // The source folder, if it still exists, as for tests.
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("Resources")
      ]
    for folder in folders {
      let file = folder.appendingPathComponent(name)
      if FileManager.default.fileExists(atPath: file.path) { return file }
    }
    var searched: [String] = []
    for folder in folders where !searched.contains(folder.path) { searched.append(folder.path) }
    throw ReferenceModelError.missingResource(name: name, searched: searched)
  }
}

/// Lies in the bundle this module was built into.
private final class BundleFinder {}
