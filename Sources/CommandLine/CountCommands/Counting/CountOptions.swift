import Annotations
import CommandKit
import Counting
import Foundation
import Raster
import ReferenceModels

/// The options of `tally count`, some of which `tally detect` and `tally embed` share.
package enum CountOptions {
  // MARK: Models

  package static let detector = Option(
    "detector", .path("FILE"),
    help:
      "The ONNX model that finds objects: YOLOX, YOLOv5 to v12, YOLO26, RT-DETR, D-FINE, RF-DETR, DETR, "
      + "or one that torchvision, TensorFlow or PaddleDetection exported. A file, or a name of 'tally "
      + "models list'.",
    fallback: "the bundled one")
  package static let head = Option(
    "head", .choice("NAME", DetectorHead.all.map { ($0.name, $0) }),
    help: "The layout of the detector's outputs, if the file does not show it: "
      + Sentence.either(DetectorHead.all.map(\.name)) + ".",
    fallback: "recognized from the file")
  package static let detectorInput = Option(
    "detector-input",
    .choice("NAME", DetectorPreprocessing.Preset.allCases.map { ($0.rawValue, $0) }),
    help:
      "How a photo is prepared for the detector. On grey: yolox (top left, BGR, 0 to 255) or yolo "
      + "(in the middle, 0 to 1). Stretched: unit (0 to 1), imagenet (ImageNet's mean and "
      + "deviation) or bytes (0 to 255).",
    fallback: "as its head needs it")
  package static let detectorSize = Option(
    "detector-size", .pixelSize,
    help: "The detector's input in pixels, if the model leaves it open.")
  package static let names = Option(
    "names", .path("FILE"),
    help: "The names of the detector's classes: one per line, or JSON.",
    fallback: "those in the model")
  package static let classes = Option(
    "classes", .words("A,B", of: "names or numbers of classes"),
    help: "Only these classes of the detector, by name or number.", fallback: "all")

  /// The options about the detector that --detector names.
  package static let ofDetector: [any OptionDeclaration] = [
    head, detectorInput, detectorSize, names, classes,
  ]
  package static let embedder = Option(
    "embedder", .path("FILE"),
    help: "The ONNX model whose vectors measure how similar two objects are: a CLIP image tower, "
      + "or any network that turns an image into a vector. A file, or a name of 'tally models "
      + "list'.",
    fallback: "the bundled one")
  package static let embedderPreset = Option(
    "embedder-preset",
    .choice("NAME", [("clip", CropPreprocessing.clip), ("imagenet", CropPreprocessing.imageNet)]),
    help: "How crops are prepared for the embedder: as for CLIP or for ImageNet models.",
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
      + "{\"confidence\": 0.2, \"sizeSigma\": \"off\"}. They override the set and your settings; "
      + "options override all.")
  /// The options for numbers and switches of the configuration.
  private static let common = FieldOption.all(CountingField.ofAll)
  private static let adaptive = FieldOption.all(CountingField.ofAdaptive)
  private static let bands = FieldOption.all(CountingField.ofBands)

  /// The option for the confidence, which short help shows.
  package static let confidence = FieldOption.all([.confidence]).map(\.declaration)
  /// The option for overlapping objects.
  package static let overlap =
    FieldOption.all(CountingField.ofAll.filter { $0.name == "nmsIoU" }).map(\.declaration)

  /// The options of all counts.
  package static let ofAll = common.map(\.declaration)

  static let aspectSigma = Option(
    "aspect-sigma", .numberOrOff("K", in: 0...100),
    help: "Keep boxes whose width/height is within K standard deviations of the median.",
    fallback: fallback {
      if case .sigma(let sigma) = $0.aspect { NumberText.of(sigma) } else { "off" }
    })
  static let aspectRange = Option(
    "aspect-range", .range("A:B", in: 0...1000),
    help: "Keep boxes whose width/height is in this range, instead of --aspect-sigma.")
  static let mergeFirst = Option(
    "merge-first",
    .choice("ORDER", [("main", MergePriority.main), ("score", MergePriority.score)]),
    help: "Which box --merge-iou keeps: the main kind's (main), or the one with the higher score "
      + "(score).",
    fallback: fallback { $0.mergeFirst.rawValue })

  /// The options for sets of bands only.
  static let ofBands: [any OptionDeclaration] =
    bands.map(\.declaration) + [aspectSigma, aspectRange, mergeFirst]

  /// The options for the adaptive set only.
  static let ofAdaptive: [any OptionDeclaration] = adaptive.map(\.declaration)

  /// Applies the given options to the numbers and switches of a configuration.
  static func takeFields(
    _ arguments: ParsedArguments, into configuration: inout CountingConfiguration
  ) {
    let ofMethod = configuration.adaptive != nil ? adaptive : bands
    for option in common + ofMethod { option.take(arguments, into: &configuration) }
  }

  // MARK: Groups

  /// The options that name the models.
  static let ofModels: [any OptionDeclaration] = [
    detector, head, detectorInput, detectorSize, names, classes, embedder, embedderPreset,
  ]

  /// The options for models and thresholds, in the groups of help texts.
  static let groupsOfCounting: [OptionGroup] = [
    OptionGroup("Models", ofModels),
    OptionGroup("Thresholds", [set, SettingsInputs.file, config] + ofAll),
    OptionGroup("Thresholds of the adaptive set", ofAdaptive),
    OptionGroup("Thresholds of the other sets", ofBands),
  ]
  /// The same without the options for sets of bands.
  static let groupsOfAdaptiveCounting = Array(groupsOfCounting.dropLast())

  /// A threshold's default, and in brackets that for the bundled detector if it differs.
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
    help: "Write a page about the count that works offline: the photo with boxes that you can zoom "
      + "and correct, the steps, kinds, sizes and settings. Several photos: as with "
      + "--overlay; a folder gets NAME.html.")
  static let labels = Option(
    "labels", .outputPath("FILE"),
    help: "Write the counted objects as labels: a .json file is COCO's, a .txt file YOLO's, a .csv "
      + "file a table. For several photos, one .json or .csv file has the labels of all; otherwise "
      + "as with --overlay, and a folder gets NAME.json.")
  static let labelFormat = Option(
    "label-format", .choice("FORM", AnnotationSet.Format.allCases.map { ($0.rawValue, $0) }),
    help: "The format of --labels: coco, yolo or csv. With yolo, a folder becomes a training set "
      + "with images, labels and data.yaml.",
    fallback: "by the file's ending; coco in a folder")
  static let labelKinds = Flag(
    "label-kinds",
    help: "With --labels: label the objects of all kinds, each kind with its own class. Similar "
      + "kinds of different photos get the same class.")
  static let crops = Option(
    "crops", .outputPath("DIR"),
    help: "Write a crop of each counted object into this folder: NAME-01.png and so on. "
      + OutputPattern.helpOfFolder)

  /// The options for labels.
  static let ofLabels: [any OptionDeclaration] = [labelFormat, labelKinds]
  static let correction = Option(
    "correction", .path("FILE.json"),
    help: "A person's corrections of this count, as saved by the page of --report. Results then "
      + "show the person's count first, and the machine's beside it.")
  static let save = Flag(
    "save",
    help: "Add each count to the history, with the thresholds and the main kind's best example.",
    isWritten: true)
}

extension ValueKind where Value == [String] {
  /// Words separated by commas, at least one.
  static func words(_ metavar: String, of what: String) -> ValueKind {
    ValueKind(
      metavar: metavar, expectation: "\(what), separated by commas",
      parse: { text in
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        return words.contains("") ? nil : words
      })
  }
}

extension ValueKind where Value == PixelSize {
  /// `WIDTHxHEIGHT`, each from 32 to 4096.
  package static var pixelSize: ValueKind {
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
