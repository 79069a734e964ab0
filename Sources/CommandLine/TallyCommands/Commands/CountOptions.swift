import Counting
import Raster
import ReferenceModels

/// The options of `tally count`, some of which `tally detect` and `tally embed` share.
enum CountOptions {
  // MARK: Models

  static let detector = Option(
    "detector", .path("FILE"),
    help: "The ONNX model that finds objects: a YOLOX of any size and class count.",
    fallback: "the bundled one")
  static let decodedHead = Flag(
    "decoded-head",
    help: "The detector decodes its boxes itself: take them as pixels, not as raw head output.")
  static let detectorSize = Option(
    "detector-size", .pixelSize,
    help: "The detector's input in pixels, where the model leaves it open.")
  static let embedder = Option(
    "embedder", .path("FILE"),
    help: "The ONNX model that says how alike two objects look: a CLIP image tower, or any network "
      + "that turns an image into a vector.",
    fallback: "no model; colours and outlines are compared")
  static let embedderPreset = Option(
    "embedder-preset",
    .choice("NAME", [("clip", CropPreprocessing.clip), ("imagenet", CropPreprocessing.imageNet)]),
    help: "How the embedder wants its pixels: as CLIP or as ImageNet models do (clip or imagenet).",
    fallback: "clip for a network with attention, imagenet for any other")

  // MARK: Thresholds

  static let set = Option(
    "set", .choice("NAME", CountingPreset.allCases.map { ($0.rawValue, $0) }),
    help: "The thresholds to begin with: "
      + Sentence.either(CountingPreset.allCases.map(\.rawValue)) + ".",
    fallback: "standard, or with the bundled detector those that suit it (in brackets below)")
  static let config = Option(
    "config", .path("FILE.json"),
    help:
      "Thresholds from a JSON file, an object with any of the fields of a configuration, such as "
      + "{\"confidence\": 0.2, \"sizeSigma\": \"off\"}. They go over the set's, and options go over "
      + "both.")
  static let confidence = Option(
    "confidence", .number("X", in: 0.001...0.9),
    help: "Keep what the detector is at least this sure of, 0.001 to 0.9.",
    fallback: fallback { NumberText.of($0.confidence) })
  static let nms = Option(
    "nms", .number("X", in: 0...1),
    help: "Of two boxes that overlap more than this (intersection over union), keep the better "
      + "one.", fallback: fallback { NumberText.of($0.nmsIoU) })
  static let similarity = Option(
    "similarity", .number("X", in: 0.6...0.95),
    help: "How alike (mean cosine) two groups of objects must look to be one kind, 0.6 to 0.95.",
    fallback: fallback { NumberText.of($0.similarity) })
  static let sizeSigma = Option(
    "size-sigma", .numberOrOff("K", in: 0...100),
    help: "Keep boxes whose area is within K standard deviations of the median.",
    fallback: fallback { $0.sizeSigma.map(NumberText.of) ?? "off" })
  static let aspectSigma = Option(
    "aspect-sigma", .numberOrOff("K", in: 0...100),
    help: "Keep boxes whose width/height is within K standard deviations of the median.",
    fallback: fallback {
      if case .sigma(let sigma) = $0.aspect { NumberText.of(sigma) } else { "off" }
    })
  static let aspectRange = Option(
    "aspect-range", .range("A:B", in: 0...1000),
    help: "Keep boxes whose width/height is in this range, instead of --aspect-sigma.")
  static let areaSigma = Option(
    "area-sigma", .numberOrOff("K", in: 0...100),
    help: "Keep crops whose box area is within K standard deviations of the median.",
    fallback: fallback { $0.areaSigma.map(NumberText.of) ?? "off" })
  static let mergeIoU = Option(
    "merge-iou", .number("X", in: 0...1),
    help: "Of two boxes that overlap more than this after grouping, count one.",
    fallback: fallback { NumberText.of($0.mergeIoU) })
  static let mergeFirst = Option(
    "merge-first",
    .choice("ORDER", [("main", MergePriority.main), ("score", MergePriority.score)]),
    help: "Which of them: the main kind's (main), or the one with the higher score (score).",
    fallback: fallback { $0.mergeFirst.rawValue })

  /// A threshold's default, and in brackets that for the bundled detector where it is another.
  private static func fallback(_ text: (CountingConfiguration) -> String) -> String {
    let (standard, bundled) = (text(.standard), text(.bundledDetector))
    return standard == bundled ? standard : "\(standard) (\(bundled))"
  }

  // MARK: Output

  static let overlay = Option(
    "overlay", .path("FILE"),
    help: "Draw the result: the photo with the main kind in green boxes and the others in blue; "
      + "a .png, .jpg or .svg file. With several photos FILE must hold {name}, which becomes "
      + "the photo's name without its extension, or be a folder, which gets NAME.png.")
  static let thumbnail = Option(
    "thumbnail", .path("FILE.jpg"),
    help: "Write the main kind's best example, fitted into 200 x 200 pixels. Several photos: as "
      + "with --overlay; a folder gets NAME.jpg.")
}

extension ValueKind where Value == PixelSize {
  /// `WIDTHxHEIGHT`, each from 32 to 4096.
  static var pixelSize: ValueKind {
    ValueKind(
      metavar: "WxH", expectation: "a width and a height from 32 to 4096, as 640x640",
      parse: { text in
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
          (32...4096).contains(width), (32...4096).contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
      })
  }
}
