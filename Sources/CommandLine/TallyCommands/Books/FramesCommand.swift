import CommandKit
import Foundation
import FrameAnalysis
import Geometry
import ImageFiles
import Raster
import ReferenceModels
import Tracking

/// `tally frames`: a folder of photos as the frames of a camera.
enum FramesCommand: Command {
  static let specification = CommandSpecification(
    words: ["frames"],
    summary: "Follow books through a folder of frames",
    discussion: [
      "Treats the photos of a folder, in the order of their names, as frames of a camera. Finds "
        + "the spines of books, tracks each from frame to frame, and prints the hints for the "
        + "person who holds the camera. A frame that comes too soon after the last analysed one is "
        + "skipped, as in an app.",
      "Prints one line per analysed frame. Boxes are in shares of the frame, with the origin at "
        + "the bottom left.",
    ],
    operands: Operands(metavar: "DIR", help: "A folder of photos' files.", isList: false),
    groups: [
      OptionGroup("Frames", [interval]),
      OptionGroup("Output", [StandardOptions.json, StandardOptions.quiet]),
    ],
    examples: [
      Example("Analyse ten frames a second.", "tally frames pan --interval 100"),
      Example("Print one line of JSON per analysed frame.", "tally frames pan --json"),
    ])

  private static let interval = Option(
    "interval", .integer("MS", in: 1...3_600_000),
    help: "The time from one frame to the next, in milliseconds.", fallback: "150")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let folder = arguments.operands[0]
    let paths = try frames(in: folder)
    let scanner = FrameScanner(
      analyzer: FrameAnalyzer<Raster>().detectingObjects(with: SpineOutlineDetector()))
    let loop = InputLoop(on: console, isQuiet: arguments[StandardOptions.quiet])
    let step = Int64(arguments[interval] ?? 150)
    let isJSON = arguments[StandardOptions.json]
    return try await loop.forEach(paths) { index, path in
      loop.show("looking", index, of: paths)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let time = FrameTime.milliseconds(Int64(index) * step)
      guard let frame = try await scanner.analysis(of: image, at: time) else { return }
      if let failure = frame.failures.first { throw failure }
      loop.progress.erase()
      try console.print(
        isJSON ? json(frame, of: image, path: path).text : line(frame, path: path))
    }
  }

  /// The photos of a folder by name, numbers in names by their value: 9 before 10.
  private static func frames(in folder: String) throws(CommandError) -> [String] {
    let url = try InputFile.existingFolder(folder)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw CommandError(.noInput, at: folder, "the folder cannot be read")
    }
    let photos = names.filter { name in
      PhotoList.extensions.contains(
        (name as NSString).pathExtension.lowercased()) && !name.hasPrefix(".")
    }
    guard !photos.isEmpty else {
      throw CommandError(
        .noInput, at: folder, "the folder has no frames: no file ends in .jpg, .png or .heic")
    }
    return photos.sorted { first, second in
      let order = first.compare(second, options: [.numeric])
      return order == .orderedSame ? first < second : order == .orderedAscending
    }.map { url.appendingPathComponent($0).path }
  }

  private static func json(_ frame: AnalyzedFrame, of image: Raster, path: String) -> JSONText {
    .object(
      JSONText.members(ofImage: path, width: image.width, height: image.height) + [
        ("time", .seconds((frame.time - .zero).seconds)),
        ("primary", .string(frame.primary?.name ?? "nothing")),
        ("guidance", .optional(frame.guidance) { .string($0.rawValue) }),
        ("message", .optional(frame.message) { .string($0.rawValue) }),
        ("shift", .optional(frame.shift) { .double($0) }),
        ("events", .array(frame.events.map { .string($0.rawValue) })),
        ("distinctObjects", .integer(frame.distinctObjects)),
        ("objects", .array(frame.objects.map(json))),
      ])
  }

  private static func json(_ object: FrameObject) -> JSONText {
    let box = object.box
    return .object([
      ("id", .integer(object.id)),
      ("box", .array([box.x, box.y, box.width, box.height].map { .double($0) })),
      ("quad", .array(object.outline.corners.map { .array([.double($0.x), .double($0.y)]) })),
      ("confidence", .float(object.confidence)),
      ("confirmed", .bool(object.isConfirmed)),
    ])
  }

  private static func line(_ frame: AnalyzedFrame, path: String) -> String {
    let time = NumberText.fixed((frame.time - .zero).seconds, digits: 3)
    let count = frame.objects.count
    let ids = frame.objects.map { "\($0.id)" }.joined(separator: " ")
    let seen =
      count == 0 ? "no spine" : "\(count) \(count == 1 ? "spine" : "spines") (\(ids))"
    let name = PrintableText.of((path as NSString).lastPathComponent)
    let guidance = frame.guidance.map { ", \($0.sentence)" } ?? ""
    return "\(time) s  \(name): \(seen), \(frame.distinctObjects) so far\(guidance)"
  }
}

extension FrameFinding {
  /// The kind's name.
  fileprivate var name: String {
    switch self {
    case .barcode: "barcode"
    case .object: "object"
    case .text: "text"
    }
  }
}

extension Guidance {
  /// The words for a person.
  fileprivate var sentence: String {
    switch self {
    case .spineDetected: "spine detected"
    case .moveCloser: "move closer"
    case .holdSteady: "hold steady"
    case .noBook: "no book"
    }
  }
}
