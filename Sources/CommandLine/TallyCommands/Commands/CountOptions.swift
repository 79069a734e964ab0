/// The options of `tally count`.
enum CountOptions {
  static let detector = Option(
    "detector", .path("FILE"),
    help: "The ONNX model that finds objects: a YOLOX of any size and class count.",
    fallback: "the bundled one")
  static let embedder = Option(
    "embedder", .path("FILE"),
    help: "The ONNX model that says how alike two objects look.", fallback: "the bundled one")
  static let embedderPreset = Option(
    "embedder-preset",
    .choice("NAME", [("clip", EmbedderPreset.clip), ("imagenet", EmbedderPreset.imageNet)]),
    help: "How the embedder wants its pixels: as CLIP or as ImageNet models do.",
    fallback: "imagenet for the bundled one, clip for a file")
  static let decodedHead = Flag(
    "decoded-head",
    help: "The detector decodes its boxes itself: take them as pixels, not as raw head output.")

  static let set = Option(
    "set",
    .choice(
      "NAME",
      ["standard", "python-reference", "precise", "balanced", "generous"].map { ($0, $0) }),
    help: "The named set of thresholds to begin with: standard, python-reference, precise, "
      + "balanced or generous.", fallback: "standard")
  static let config = Option(
    "config", .path("FILE.json"),
    help: "Thresholds from a JSON file: any fields of a configuration, over those of the set. "
      + "Options in turn go over the file.")
  static let confidence = Option(
    "confidence", .number("X", in: 0.001...0.9),
    help: "Keep what the detector is at least this sure of, 0.001 to 0.9.",
    fallback: "0.001")
  static let nms = Option(
    "nms", .number("X", in: 0...1),
    help: "Of two boxes that overlap more than this (intersection over union), keep the better "
      + "one.", fallback: "0.65")
  static let similarity = Option(
    "similarity", .number("X", in: 0.6...0.95),
    help: "How alike (mean cosine) two groups of objects must look to be one kind, 0.6 to 0.95.",
    fallback: "0.8")
  static let sizeSigma = Option(
    "size-sigma", .numberOrOff("K", in: 0...100),
    help: "Keep boxes whose area is within K standard deviations of the median.", fallback: "1")
  static let aspectSigma = Option(
    "aspect-sigma", .numberOrOff("K", in: 0...100),
    help: "Keep boxes whose width/height is within K standard deviations of the median.",
    fallback: "0.5")
  static let aspectRange = Option(
    "aspect-range", .range("A:B", in: 0.001...1000),
    help: "Keep boxes whose width/height is in this range, instead of --aspect-sigma.")
  static let areaSigma = Option(
    "area-sigma", .numberOrOff("K", in: 0...100),
    help: "Keep crops whose box area is within K standard deviations of the median.",
    fallback: "1")
  static let mergeIoU = Option(
    "merge-iou", .number("X", in: 0...1),
    help: "Of two counted boxes that overlap more than this, keep one.", fallback: "0.5")
  static let mergeFirst = Option(
    "merge-first", .choice("ORDER", [("main", MergeOrder.main), ("score", MergeOrder.score)]),
    help: "Which of them: the main kind's (main), or the one with the higher score (score).",
    fallback: "score")

  static let overlay = Option(
    "overlay", .path("FILE"),
    help: "Draw the result: the photo with the main kind in green boxes and the others in blue; "
      + "a .png, .jpg or .svg file. With several photos FILE must hold {name}, which becomes "
      + "the photo's name without its extension, or be a folder, which gets NAME.png.")
  static let thumbnail = Option(
    "thumbnail", .path("FILE.jpg"),
    help: "Write the main kind's best example, fitted into 200x200 pixels. Several photos: as "
      + "with --overlay; a folder gets NAME.jpg.")
}

/// How an embedder wants its pixels.
enum EmbedderPreset: Sendable {
  case clip
  case imageNet
}

/// Which box of an overlapping pair stays.
enum MergeOrder: Sendable {
  case main
  case score
}
