import Counting
import ImageFiles
import Perception
import Raster

/// `tally detect`: the detector alone.
enum DetectCommand: Command {
  static let specification = CommandSpecification(
    words: ["detect"],
    summary: "Print the objects a detector finds in photos",
    discussion: [
      "Finds objects in each photo and prints those that are left after suppressing duplicates, "
        + "best first. Boxes are in pixels of the upright photo, and are not clipped to it."
    ],
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [
      OptionGroup(
        "Detector",
        [
          CountOptions.detector, CountOptions.decodedHead, CountOptions.detectorSize,
          CountOptions.confidence, CountOptions.nms,
        ]),
      OptionGroup(
        "Output", [StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example(
        "Print what is found for sure.",
        "tally detect tartlets.jpg --detector yolox_nano.onnx --confidence 0.3"),
      Example(
        "One line of JSON for each photo.",
        "tally detect photos/*.jpg --detector yolox_nano.onnx --json"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let images = arguments.operands
    let settings = try CountingConfiguration(arguments)
    let detector = try LoadedModels.detector(arguments, console: console)
    let stage = DetectionStage(
      minimumConfidence: Float(settings.confidence), maximumIoU: settings.nmsIoU)

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    return try await loop.forEach(images) { index, path in
      loop.show("detecting", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let found = try await stage.detections(in: image, with: detector).items
      progress.erase()
      try console.print(
        arguments[StandardOptions.json]
          ? json(found, in: image, path: path).text
          : lines(found, in: image, path: path).joined(separator: "\n"))
    }
  }

  private static func json(_ found: [Detection], in image: Raster, path: String) -> JSONText {
    .object(
      JSONText.members(ofImage: path, width: image.width, height: image.height) + [
        ("detections", .array(found.map { .object(JSONText.members(of: $0)) }))
      ])
  }

  private static func lines(_ found: [Detection], in image: Raster, path: String) -> [String] {
    let number = found.isEmpty ? "no" : "\(found.count)"
    let title =
      "\(PrintableText.of(path)): \(number) \(found.count == 1 ? "object" : "objects") "
      + "(\(image.width) x \(image.height) pixels)"
    guard !found.isEmpty else { return [title] }
    var table = TextTable([
      ("  score", .right), ("class", .right), ("left", .right), ("top", .right),
      ("right", .right), ("bottom", .right),
    ])
    for detection in found {
      let box = detection.box
      table.add(
        [NumberText.fixed(Double(detection.score), digits: 4), "\(detection.classID)"]
          + [box.minX, box.minY, box.maxX, box.maxY].map {
            NumberText.fixed(Double($0), digits: 1)
          })
    }
    return [title] + table.lines
  }
}
