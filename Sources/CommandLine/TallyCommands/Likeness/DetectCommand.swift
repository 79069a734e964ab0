import CommandKit
import CountCommands
import CountDrawing
import Counting
import Drawing
import VisionProtocols

/// `tally detect`: the detector alone.
enum DetectCommand: Command {
  static let specification = CommandSpecification(
    words: ["detect"],
    summary: "Print the objects that a detector finds in photos",
    discussion: [
      "Finds objects in each photo, suppresses duplicates, and prints the rest, "
        + "best first. Boxes are in pixels of the upright photo, and are not clipped to it. Masks "
        + "are printed as outlines, rotated boxes as corners.",
      "Detectors of most families suppress duplicates themselves, as their own software does. "
        + "They report objects with a score of at least 0.25, or that of --confidence. With --nms, "
        + "and always for YOLOX, only the best of overlapping objects is kept, whatever its class.",
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup(
        "Detector",
        [CountOptions.detector] + CountOptions.ofDetector + CountOptions.ofAll),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example(
        "Print only objects of high confidence.",
        "tally detect tartlets.jpg --detector yolox_nano.onnx --confidence 0.3"),
      Example(
        "One line of JSON for each photo.",
        "tally detect photos/*.jpg --detector yolox_nano.onnx --json"),
      Example(
        "Only people, drawn.",
        "tally detect street.jpg --detector yolov8n.onnx --classes person -o seen.png"),
    ])

  static let overlay = PhotoOverlays.option(of: "the boxes of the objects, best first")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count)
    let settings = try CountingConfiguration(arguments)
    let detector = try LoadedModels.detector(capacity.shared(arguments), console: console)
    // Above an overlap of 1 nothing is suppressed.
    let suppresses =
      !detector.suppressesDuplicates || CountOptions.overlap.contains { arguments.has($0) }
    let isSure = CountOptions.confidence.contains { arguments.has($0) }
    let stage = DetectionStage(
      minimumConfidence: detector.suppressesDuplicates && !isSure
        ? 0.25 : Float(settings.confidence),
      maximumIoU: suppresses ? settings.nmsIoU : 1)
    try overlays.makeFolders()
    let loop = try PhotoLoop<DetectionReport>(
      arguments, photos: photos, capacity: capacity, activity: "detecting", console: console
    ) {
      let models = try ModelDigests.of(arguments.only([CountOptions.detector]), console: console)
      return try ResultsSettings(
        of: specification, arguments, digests: [("detectorFile", models.detector)])
    }
    let names: (@Sendable (Int) -> String)? =
      detector.classNames == nil ? nil : { @Sendable in detector.name(ofClass: $0) }
    return try await loop.run { photo in
      let found = try await stage.detections(in: photo.image, with: detector)
      let report = DetectionReport(
        path: photo.path, width: photo.image.width, height: photo.image.height,
        detections: found.items, names: names)
      return try await PhotoAnswer(report) { try overlays.write($0.overlay, over: photo) }
    }
  }
}

/// The objects of a photo as text for people, as JSON for machines, and as a drawing.
struct DetectionReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  /// Best first.
  let detections: [Detection]
  /// The name of a class; nil if the names are not known.
  var names: (@Sendable (Int) -> String)?

  var found: Int { detections.count }

  /// One object.
  var json: JSONText {
    .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        ("detections", .array(detections.map { .object(members(of: $0)) }))
      ])
  }

  private func members(of detection: Detection) -> [(String, JSONText)] {
    var members = JSONText.members(of: detection)
    if let names { members.append(("class", .string(names(detection.classID)))) }
    return members
  }

  /// The name of a class in tables.
  private func word(_ detection: Detection) -> String {
    names?(detection.classID) ?? "\(detection.classID)"
  }

  static let columns = ["score", "class", "left", "top", "right", "bottom"]

  var records: [[String]] {
    detections.map {
      [JSONText.float($0.score).text, CSVText.text(word($0))] + CSVText.sides(of: $0.box)
    }
  }

  /// The number of objects, and a table of them.
  var lines: [String] {
    let number = detections.isEmpty ? "no" : "\(detections.count)"
    let title =
      "\(PrintableText.of(path)): \(number) \(detections.count == 1 ? "object" : "objects") "
      + "(\(width) x \(height) pixels)"
    guard !detections.isEmpty else { return [title] }
    var table = TextTable([
      ("  score", .right), ("class", .right), ("left", .right), ("top", .right),
      ("right", .right), ("bottom", .right),
    ])
    for detection in detections {
      let box = detection.box
      table.add(
        [NumberText.fixed(Double(detection.score), digits: 4), PrintableText.of(word(detection))]
          + [box.minX, box.minY, box.maxX, box.maxY].map {
            NumberText.fixed(Double($0), digits: 1)
          })
    }
    return [title] + table.lines
  }

  /// The boxes with their scores.
  var overlay: Overlay {
    Overlay(
      marks: detections.enumerated().map { index, detection in
        let score = NumberText.fixed(Double(detection.score), digits: 2)
        let name = names.map { "\($0(detection.classID)) " } ?? ""
        return Overlay.Mark(
          detection, label: "\(index + 1) \(name)\(score)", shortLabel: "\(index + 1)",
          color: .green)
      }, caption: Sentence.count(detections.count, "object", "objects"))
  }
}
