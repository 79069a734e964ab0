import CommandKit
import CountCommands
import Counting
import Drawing
import VisionProtocols

/// `tally detect`: the detector alone.
enum DetectCommand: Command {
  static let specification = CommandSpecification(
    words: ["detect"],
    summary: "Print the objects a detector finds in photos",
    discussion: [
      "Finds objects in each photo and prints those that are left after suppressing duplicates, "
        + "best first. Boxes are in pixels of the upright photo, and are not clipped to it."
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup(
        "Detector",
        [CountOptions.detector, CountOptions.decodedHead, CountOptions.detectorSize]
          + CountOptions.ofAll),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example(
        "Print what is found for sure.",
        "tally detect tartlets.jpg --detector yolox_nano.onnx --confidence 0.3"),
      Example(
        "One line of JSON for each photo.",
        "tally detect photos/*.jpg --detector yolox_nano.onnx --json"),
    ])

  static let overlay = PhotoOverlays.option(of: "the boxes of the objects, best first")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count)
    let settings = try CountingConfiguration(arguments)
    let detector = try LoadedModels.detector(capacity.shared(arguments), console: console)
    let stage = DetectionStage(
      minimumConfidence: Float(settings.confidence), maximumIoU: settings.nmsIoU)
    try overlays.makeFolders()
    let loop = try PhotoLoop<DetectionReport>(
      arguments, photos: photos, capacity: capacity, activity: "detecting", console: console
    ) {
      let models = try ModelDigests.of(arguments.only([CountOptions.detector]), console: console)
      return try ResultsSettings(
        of: specification, arguments, digests: [("detectorFile", models.detector)])
    }
    return try await loop.run { photo in
      let report = DetectionReport(
        path: photo.path, width: photo.image.width, height: photo.image.height,
        detections: try await stage.detections(in: photo.image, with: detector).items)
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

  var found: Int { detections.count }

  /// One object.
  var json: JSONText {
    .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        ("detections", .array(detections.map { .object(JSONText.members(of: $0)) }))
      ])
  }

  static let columns = ["score", "class", "left", "top", "right", "bottom"]

  var records: [[String]] {
    detections.map {
      [JSONText.float($0.score).text, "\($0.classID)"] + CSVText.sides(of: $0.box)
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
        [NumberText.fixed(Double(detection.score), digits: 4), "\(detection.classID)"]
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
        return Overlay.Mark(
          box: detection.box, label: "\(index + 1) \(score)", shortLabel: "\(index + 1)",
          color: .green)
      }, caption: Sentence.count(detections.count, "object", "objects"))
  }
}
