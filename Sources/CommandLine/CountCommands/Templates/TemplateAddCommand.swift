import CommandKit
import CountReport
import CountTemplates
import Counting
import Foundation
import Geometry
import ImageFiles
import Raster

/// `tally template add`: makes a template from one photo.
enum TemplateAddCommand: Command {
  static let specification = CommandSpecification(
    words: ["template", "add"],
    summary: "Learn from a photo what to count in others",
    discussion: [
      "Counts in a photo, as 'tally count' would, and keeps the look and the size of the counted "
        + "objects under a name, for 'tally count --template NAME'. Objects that were found and "
        + "not counted are kept as examples of what to leave out. Without a box the largest kind "
        + "is learnt.",
      "If the count is wrong, correct it on the page of 'tally count --report', and give the file "
        + "that the page saves to --from-correction. The template then learns the objects that you "
        + "left in, and leaves out those that you took out.",
      "A template belongs to the detector and the embedder that it was made with.",
    ],
    operands: Operands(
      metavar: "NAME PHOTO",
      help: "A name of letters, digits, '.', '-' and '_'; a photo's file.", isList: true),
    groups: [
      OptionGroup("What to learn", CountOptions.ofOnePhoto + [fromCorrection]),
      OptionGroup("Templates", [TemplateInputs.folder, replace]),
    ] + CountOptions.groupsOfAdaptiveCounting + [
      OptionGroup("Output", [StandardOptions.json, StandardOptions.threads])
    ],
    examples: [
      Example(
        "Learn what the red sweets are, and that green ones are others.",
        "tally template add sweets tray.jpg --like 310,220,64,60 --unlike 20,35,60,60"),
      Example("Count them in other photos.", "tally count trays --template sweets"),
      Example(
        "Learn from a corrected count.",
        "tally template add sweets tray.jpg --from-correction tray.correction.json"),
    ], changesStore: true)

  static let fromCorrection = Option(
    "from-correction", .path("FILE.json"),
    help: "A person's corrections of this photo's count, as saved by the page of 'tally count "
      + "--report'. Give the options that the count had.")
  static let replace = Flag("replace", help: "Replace a template with the same name.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let (name, photos) = try arguments.oneAndOthers(of: specification, named: "PHOTO")
    guard photos.count == 1 else {
      throw UsageError("expected one PHOTO, got a second: '\(photos[1])'")
    }
    let templates = try TemplateInputs.folder(arguments, console)
    // It is refused before the work, and again if another process was faster.
    let file = try templates.file(of: name)
    if !arguments[replace], FileManager.default.fileExists(atPath: file.path) {
      throw TemplateInputs.failure(.exists(name: name, folder: templates.url.path))
    }
    let correction = try arguments[fromCorrection].map { path in
      (path: path, value: try CorrectionFile.read(path))
    }
    let guide = PhotoGuide(ofPhotoIn: arguments)
    let settings = try SettingsInputs.inForce(arguments, console)
    let counter = try LoadedModels.counter(arguments, settings: settings, console: console)
    guard counter.configuration.adaptive != nil else {
      throw UsageError("a template is learnt by the adaptive set, and another is asked for")
    }
    let path = photos[0]
    let image = try ImageFile.load(contentsOf: InputFile.existing(path))
    let lesson = try await lesson(
      in: image, at: path, by: counter, guide: guide, correction: correction)
    for note in lesson.notes { console.note("\(path): \(note)") }
    let stored: StoredTemplate
    do {
      stored = try await lesson.boxes.template(
        name, in: image, named: (path as NSString).lastPathComponent, by: counter, arguments,
        console)
    } catch {
      throw Failure.of(error, at: path)
    }
    do {
      try templates.add(stored, replacing: arguments[replace])
    } catch {
      throw TemplateInputs.failure(error)
    }
    if arguments[StandardOptions.json] {
      let members = TemplateInputs.members(stored) + [("file", .string(file.path))]
      try console.print(JSONText.object(members).text)
    } else {
      try console.print("\(name): \(text(of: lesson.boxes, from: path))")
    }
    return .success
  }

  /// The numbers of objects that were learnt, in words.
  private static func text(of lesson: TemplateLesson, from path: String) -> String {
    let others =
      lesson.unlike.isEmpty
      ? "" : ", and \(Sentence.count(lesson.unlike.count, "other", "others")) to leave out"
    return "learnt from \(Sentence.count(lesson.like.count, "object", "objects")) of "
      + "\(PrintableText.of(path))\(others)"
  }

  /// The objects of a photo for the template, and why they may be the wrong ones.
  private static func lesson(
    in image: Raster, at path: String, by counter: PhotoObjectCounter, guide: PhotoGuide,
    correction: (path: String, value: CountCorrection)?
  ) async throws -> (boxes: TemplateLesson, notes: [String]) {
    let result: CountingResult
    do {
      result = try await counter.count(in: image, guide: guide.checked(for: image, at: path))
    } catch {
      throw Failure.of(error, at: path)
    }
    guard let correction else {
      var notes = (result.findings?.exemplars ?? []).compactMap { CountWords.note(on: $0) }
      if let confidence = result.confidence, confidence.value < CountSummary.doubtful {
        notes.append(
          "this count may be wrong, and the template learns it (chance "
            + "\(CountWords.chance(confidence))); look at it with 'tally count --report', correct it, and "
            + "give the correction with --from-correction")
      }
      return (TemplateLesson(result, correction: nil, CorrectedCount(result)), notes)
    }
    do {
      let corrected = try CorrectedCount(result, correctedBy: correction.value)
      return (TemplateLesson(result, correction: correction.value, corrected), [])
    } catch {
      throw Failure.of(error, at: correction.path)
    }
  }
}
