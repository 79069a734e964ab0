import CountReport
import Counting
import Raster
import ReferenceModels

/// The options of `tally count`, some of which `tally detect` and `tally embed` share.
enum CountOptions {
  // MARK: Models

  static let detector = Option(
    "detector", .path("FILE"),
    help:
      "The ONNX model that finds objects: a YOLOX of any size and class count. A file, or a name "
      + "of 'tally models list'.",
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
      + "that turns an image into a vector. A file, or a name of 'tally models list'.",
    fallback: "the bundled one")
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
    fallback: "adaptive")
  static let config = Option(
    "config", .path("FILE.json"),
    help:
      "Thresholds from a JSON file, an object with any of the fields of a configuration, such as "
      + "{\"confidence\": 0.2, \"sizeSigma\": \"off\"}. They go over the set's and your settings, and "
      + "options go over all.")
  static let confidence = Option(
    "confidence", .number("X", in: 0.001...0.9),
    help: "Keep what the detector is at least this sure of, 0.001 to 0.9.",
    fallback: withBundled { $0.confidence })
  static let nms = Option(
    "nms", .number("X", in: 0...1),
    help: "Of two boxes that overlap more than this (intersection over union), keep the better "
      + "one.",
    fallback: withBundled { $0.nmsIoU })
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

  /// The options that only the sets of bands look at.
  static let ofBands: [any OptionDeclaration] = [
    sizeSigma, aspectSigma, aspectRange, areaSigma, similarity, mergeIoU, mergeFirst,
  ]

  // MARK: The adaptive set

  static let tiles = Option(
    "tiles", .integer("N", in: 1...8),
    help: "Look at the photo in up to N x N tiles, to see small objects; 1 never cuts it.",
    fallback: adaptive { "\($0.tilesPerSide)" })
  static let targetSide = Option(
    "target-side", .number("PIXELS", in: 8...1024),
    help: "The side of an object, in pixels of the detector's input, that tiles are chosen for.",
    fallback: withBundled { $0.adaptive?.targetSide })
  static let partShare = Option(
    "part-share", .numberOrOff("X", in: 0...1),
    help: "Doubt boxes of a closer look that lie by more than this share in a larger one of a look "
      + "before: parts of that.",
    fallback: adaptive { $0.partShare.map(NumberText.of) ?? "off" })
  static let sizeFactor = Option(
    "size-factor", .numberOrOff("F", in: 1.01...100),
    help: "Keep boxes whose side is within this factor of the photo's usual one.",
    fallback: withBundled { $0.adaptive?.sizeFactor })
  static let aspectFactor = Option(
    "aspect-factor", .numberOrOff("F", in: 1.01...100),
    help: "Keep boxes whose width/height is within this factor of the usual one.",
    fallback: adaptive { $0.aspectFactor.map(NumberText.of) ?? "off" })
  static let perspective = Option(
    "perspective", .numberOrOff("GAIN", in: 0...10),
    help: "Let the usual size change over the photo where sizes then agree better by this share.",
    fallback: adaptive { $0.perspectiveGain.map(NumberText.of) ?? "off" })
  static let containment = Option(
    "containment", .numberOrOff("X", in: 0...1),
    help: "Of two boxes of which one lies by more than this share in the other, keep one.",
    fallback: adaptive { $0.containment.map(NumberText.of) ?? "off" })
  static let scoreShare = Option(
    "score-share", .numberOrOff("X", in: 0...1),
    help: "Drop boxes whose score is below this share of the photo's weighted median score.",
    fallback: withBundled { $0.adaptive?.scoreShare })
  static let otherSizes = Option(
    "other-sizes", .numberOrOff("X", in: 0...10),
    help: "Count objects of other sizes too, whose score is at least this share of that median.",
    fallback: adaptive { $0.otherSizes.map(NumberText.of) ?? "off" })
  static let silhouette = Option(
    "silhouette", .numberOrOff("X", in: -1...1),
    help: "Tell kinds apart where their mean silhouette is at least this; off takes all objects "
      + "for one kind.",
    fallback: withBundled("embedder") { $0.adaptive?.leastSilhouette })
  static let kindDistance = Option(
    "kind-distance", .number("X", in: 0...2),
    help:
      "And where objects of different kinds are on average at least this far apart (1 - cosine).",
    fallback: withBundled("embedder") { $0.adaptive?.leastKindDistance })
  static let wholeOnly = Flag(
    "whole-only", help: "Leave out objects that the photo's frame cuts.")

  /// The options that only the adaptive set looks at.
  static let ofAdaptive: [any OptionDeclaration] = [
    tiles, targetSide, partShare, sizeFactor, aspectFactor, perspective, containment, scoreShare,
    otherSizes, silhouette, kindDistance, wholeOnly,
  ]

  // MARK: Groups

  /// The options that name the models.
  static let ofModels: [any OptionDeclaration] = [
    detector, decodedHead, detectorSize, embedder, embedderPreset,
  ]

  /// The options that say with which models and thresholds to count, as help texts group them.
  static let groupsOfCounting: [OptionGroup] = [
    OptionGroup("Models", ofModels),
    OptionGroup("Thresholds", [set, SettingsInputs.file, config, confidence, nms]),
    OptionGroup("Thresholds of the adaptive set", ofAdaptive),
    OptionGroup("Thresholds of the other sets", ofBands),
  ]
  /// The same without what only the sets of bands look at.
  static let groupsOfAdaptiveCounting = Array(groupsOfCounting.dropLast())

  private static func adaptive(_ text: (AdaptiveConfiguration) -> String) -> String {
    text(AdaptiveConfiguration())
  }

  /// A default of the adaptive set, and that with the bundled models.
  private static func withBundled(
    _ model: String = "detector", _ value: (CountingConfiguration) -> Double?
  ) -> String {
    let texts = [CountingConfiguration.adaptive, .adaptive.suitedToBundledModels()].map {
      value($0).map(NumberText.of) ?? "off"
    }
    return texts[0] == texts[1] ? texts[0] : "\(texts[0]), or \(texts[1]) with the bundled \(model)"
  }

  /// A threshold's default, and in brackets that for the bundled detector where it is another.
  private static func fallback(_ text: (CountingConfiguration) -> String) -> String {
    let (standard, bundled) = (text(.standard), text(.standard.suitedToBundledModels()))
    return standard == bundled ? standard : "\(standard) (\(bundled))"
  }

  // MARK: Output

  static let overlay = Option(
    "overlay", .outputPath("FILE"), short: "o",
    help: "Draw the result: the photo with the main kind in green boxes and the others in blue; "
      + "\(DrawingFile.formats). \(OutputPattern.help(folderFile: "NAME.png"))")
  static let thumbnail = Option(
    "thumbnail", .outputPath("FILE.jpg"),
    help: "Write the main kind's best example, a picture of 200 x 200 pixels. Several photos: as "
      + "with --overlay; a folder gets NAME.jpg.")
  static let report = Option(
    "report", .outputPath("FILE.html"),
    help: "Write a page about the count that needs no network: the photo with its boxes to look at "
      + "closely and to correct, the steps, kinds, sizes and settings. Several photos: as with "
      + "--overlay; a folder gets NAME.html.")
  static let labels = Option(
    "labels", .outputPath("FILE"),
    help: "Write the counted objects as labels: a .json file is COCO's, a .txt file YOLO's, a .csv "
      + "file a table. For several photos one .json or .csv file holds all; or as with --overlay, and "
      + "a folder gets NAME.json.")
  static let labelFormat = Option(
    "label-format", .choice("FORM", LabelFile.Format.allCases.map { ($0.rawValue, $0) }),
    help: "The form of --labels: coco, yolo or csv. With yolo, a folder becomes one to train with: "
      + "images, labels and data.yaml.",
    fallback: "by the file's ending; coco in a folder")
  static let labelKinds = Flag(
    "label-kinds",
    help: "With --labels: label the objects of all kinds, each kind with a class of its own; kinds "
      + "that look alike have one class in all photos.")
  static let crops = Option(
    "crops", .outputPath("DIR"),
    help: "Write each counted object into this folder, cut out: NAME-01.png and so on.")

  /// What is about labels.
  static let ofLabels: [any OptionDeclaration] = [labelFormat, labelKinds]
  static let correction = Option(
    "correction", .path("FILE.json"),
    help: "What a person changed about this count, as saved by the page of --report. The person's "
      + "count then leads everywhere, beside the machine's.")
  static let save = Flag(
    "save",
    help: "Add each count to the history, with the thresholds and the main kind's best example.",
    isWritten: true)
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
