import Barcodes
import CommandKit
import CountCommands
import DateExtraction
import Foundation
import Raster
import Recognition
import ReferenceModels
import SimilarityIndex
import Tracking
import VisionProtocols

/// `tally recognize`: what one thing in a photo is, by whichever of several ways can tell.
enum RecognizeCommand: Command {
  static let specification = CommandSpecification(
    words: ["recognize"],
    summary: "Recognize the one object in each photo",
    discussion: [
      "Reads the barcode of the object in each photo, classifies the object, searches a library "
        + "for similar objects, and reads text. All four start at the same time. The answer is "
        + "that of the first one, in this order, that gives a result. If none does, it prints what "
        + "may help.",
      "Barcodes are always read. Text is read with the models that '\(TextModels.fetching)' "
        + "fetches. --classifier names a classifier, and --library a library of known objects, "
        + "made by 'tally library add'.",
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup("Seeing", [center, budget]),
      OptionGroup(
        "Classes",
        [classifier, minimumClass] + ClassifyCommand.modelOptions
          + ClassifyCommand.sightOptions),
      OptionGroup(
        "Similarity",
        [library, minimumCosine, CountOptions.embedder, CountOptions.embedderPreset]),
      OptionGroup("Text", [TextReading.models, minimumText, dates]),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example("What is it?", "tally recognize thing.jpg"),
      Example(
        "Use a classifier and a library of known objects too.",
        "tally recognize thing.jpg --classifier mobilenet.onnx --library things.library"),
      Example("Print the result of each step as JSON.", "tally recognize photos/*.jpg --json"),
    ])

  static let overlay = PhotoOverlays.option(
    of: "the outlines of the barcodes and the lines of text that were seen")
  static let center = Flag(
    "center",
    help: "Use only the middle half of the width and of the height, where people hold objects.")
  static let budget = Option(
    "budget", .number("SECONDS", in: 0.001...3600),
    help: "The time limit of each step in seconds.", fallback: "10")
  static let classifier = Option(
    "classifier", .path("FILE"),
    help: "An ONNX model that names classes, as for 'tally classify'.", fallback: "none")
  static let minimumClass = Option(
    "minimum-class", .number("X", in: 0...1),
    help: "A class is the answer if its probability is above this.", fallback: "0.8")
  static let library = Option(
    "library", .path("DIR"), help: "A library of known objects.", fallback: "none")
  static let minimumCosine = Option(
    "minimum-cosine", .number("X", in: -1...1),
    help: "A known object is the answer if its cosine is above this.", fallback: "0.85")
  static let minimumText = Option(
    "minimum-text", .number("X", in: 0...1),
    help: "A line of text counts if its confidence is above this.", fallback: "0.5")
  static let dates = Option(
    "dates",
    .choice(
      "ORDER",
      [
        (word: "month-first", value: DateOrder.monthFirst), (word: "day-first", value: .dayFirst),
        (word: "year-first", value: .yearFirst),
      ]),
    help: "The order of day, month and year in dates that can be read in several ways.",
    fallback: "as the locale's region writes them")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count, for: .reading)
    try overlays.makeFolders()
    let recognizer = ObjectRecognizer(
      router: try await router(capacity.shared(arguments), console))
    let loop = try PhotoLoop<RecognitionReport>(
      arguments, photos: photos, capacity: capacity, activity: "recognizing", console: console
    ) {
      try ResultsSettings(
        of: specification, arguments, files: files(arguments, console),
        digests: arguments[library].map { [("libraryEntries", try LibraryInputs.digest(of: $0))] }
          ?? [])
    }
    let code = try await loop.run { photo in
      let report = RecognitionReport(
        path: photo.path, width: photo.image.width, height: photo.image.height,
        result: try await recognizer.recognize(photo.image))
      return try await PhotoAnswer(report) { try overlays.write($0.overlay, over: photo) }
    }
    if photos.paths.count > 1, isText(arguments) {
      try console.print(RecognitionReport.summary(of: await recognizer.totals))
    }
    return code
  }

  /// Whether the answers are printed for people.
  private static func isText(_ arguments: ParsedArguments) -> Bool {
    let others: [any OptionDeclaration] = [
      StandardOptions.json, BatchOptions.format, BatchOptions.results,
    ]
    return !others.contains { arguments.has($0) }
  }

  /// The files that the answers depend on, for a file of results.
  private static func files(
    _ arguments: ParsedArguments, _ console: Console
  ) throws -> [(name: String, file: URL)] {
    var files: [(name: String, file: URL)] = []
    if let path = arguments[classifier] {
      files.append(("classifierFile", try ModelReference.file(path, console: console)))
    }
    if let path = arguments[ClassifyCommand.labels] {
      files.append(("labelsFile", URL(fileURLWithPath: path)))
    }
    if arguments[TextReading.models] != nil || TextModels.missing(console: console) == nil {
      files += try TextReading.modelFiles(arguments, console: console)
    }
    return files
  }

  // MARK: The router

  /// All that the options name, loaded before the first photo is looked at.
  private static func router(
    _ arguments: ParsedArguments, _ console: Console
  ) async throws -> RecognitionRouter<Raster> {
    let preparation = arguments[center] ? ImagePreparation<Raster>.centerHalf : .none
    var router = try RecognitionRouter<Raster>(configuration: configuration(arguments, console))
      .readingBarcodes(with: BarcodeScanner(), after: preparation)
      .measuringLight(with: RasterLightMeter())
    if let path = arguments[classifier] {
      router = router.classifying(
        with: try ClassifyCommand.classifier(at: path, arguments, console), after: preparation)
    } else {
      try refuse(
        ClassifyCommand.modelOptions + ClassifyCommand.sightOptions + [minimumClass], arguments,
        without: classifier, naming: "the model")
    }
    if let path = arguments[library] {
      let known = try LibraryInputs.existing(path)
      let reader = try known.reader()
      let (embedder, identity) = try LoadedModels.identifiedEmbedder(arguments, console: console)
      try known.check(identity)
      if let reader {
        router = router.searchingLikeness(
          with: try IndexLikenessSearcher(reader, embedder: embedder), after: preparation)
      }
    } else {
      try refuse(
        [minimumCosine, CountOptions.embedder, CountOptions.embedderPreset], arguments,
        without: library, naming: "the library")
    }
    // A barcode is read without them.
    if arguments[TextReading.models] == nil, let missing = TextModels.missing(console: console) {
      return router.recognizingText(with: MissingTextModels(name: missing))
    }
    return router.recognizingText(
      with: try TextReading.reader(arguments, minimumConfidence: 0, console: console),
      after: preparation)
  }

  private static func configuration(
    _ arguments: ParsedArguments, _ console: Console
  ) -> RecognitionConfiguration {
    var configuration = RecognitionConfiguration()
    configuration.minimumClassConfidence = arguments[minimumClass] ?? 0.8
    configuration.minimumCosine = arguments[minimumCosine] ?? 0.85
    configuration.minimumTextConfidence = arguments[minimumText] ?? 0.5
    configuration.dates.order = dateOrder(arguments, console)
    let budget = FrameDuration(nanoseconds: Int64((arguments[budget] ?? 10) * 1e9))
    configuration.barcodeBudget = budget
    configuration.classificationBudget = budget
    configuration.likenessBudget = budget
    configuration.textBudget = budget
    return configuration
  }

  /// How dates in numbers are read: as asked for, or as the locale writes them.
  ///
  /// Without a locale as in the United States, whose forms POSIX's own has.
  static func dateOrder(_ arguments: ParsedArguments, _ console: Console) -> DateOrder {
    if let order = arguments[dates] { return order }
    let locale = ["LC_ALL", "LC_TIME", "LANG"].lazy
      .compactMap { console.environment[$0] }.first { !$0.isEmpty }
    guard let locale, locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else {
      return .monthFirst
    }
    return DateOrder(localeIdentifier: locale)
  }

  /// Options about something that is not given are a mistake.
  static func refuse(
    _ options: [any OptionDeclaration], _ arguments: ParsedArguments,
    without needed: any OptionDeclaration, naming what: String
  ) throws(UsageError) {
    for option in options where arguments.has(option) {
      throw UsageError(
        "--\(option.name) is about \(what) named by --\(needed.name), and none is named")
    }
  }
}

/// A recognizer of text without its models.
private struct MissingTextModels: TextRecognizer {
  let name: String

  func texts(in image: Raster) async throws -> [RecognizedText] {
    throw ModelNotLoadedError(model: name)
  }
}
