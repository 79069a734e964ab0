import Annotations
import CommandKit
import CountHistory
import CountReport
import CountTemplates
import Counting
import Foundation
import ImageFiles
import Raster
import ReferenceModels

/// Counts photos for a server, keeps the counts in memory, and does with them what a person asks.
package final class CountService: Sendable {
  /// The number of photos to work on at once.
  package let jobs: Int

  private let capacity: PhotoCapacity
  private let models: ServedModels
  private let defaults: [String]
  private let console: Console
  private let counts: ServedCounts
  private let history: HistoryFile?
  private let templates: TemplateFolder?

  /// Options of a server that counts begin with.
  package static let options: [OptionGroup] = [
    OptionGroup(
      "Counts",
      CountOptions.ofModels + [SettingsInputs.file, CountOptions.config]
        + [CountOptions.set] + CountOptions.ofAll + CountOptions.ofAdaptive + CountOptions.ofBands),
    OptionGroup("Files", [HistoryInputs.file, TemplateInputs.folder]),
    OptionGroup(
      "Work", [BatchOptions.jobs, BatchOptions.memory, StandardOptions.threads]),
  ]

  /// Loads the models.
  ///
  /// - Parameters:
  ///   - arguments: the options of the server.
  ///   - mostCounts: the number of counts that are kept.
  ///   - mostBytes: the number of bytes of photos that are kept.
  package init(
    _ arguments: ParsedArguments, mostCounts: Int, mostBytes: Int, console: Console
  ) throws {
    // Photos come from anybody, so that the usual memory is a limit.
    let memory = arguments[BatchOptions.memory] ?? BatchOptions.usualMemory
    capacity = PhotoCapacity(arguments.setting(BatchOptions.memory, to: memory))
    jobs = capacity.jobs
    models = try ServedModels(capacity.shared(arguments), console: console)
    defaults = arguments.written(Self.options[0].options + [TemplateInputs.folder])
    self.console = console
    counts = ServedCounts(mostCounts: mostCounts, mostBytes: mostBytes)
    history = try? HistoryInputs.history(arguments, console)
    templates = try? TemplateInputs.folder(arguments, console)
    // A wrong option of the server is reported now, and not by each request.
    _ = try configuration(for: self.arguments(with: RequestOptions(ofCount: [])))
    try SettingsInputs.tell(arguments, console)
  }

  // MARK: Counts

  /// All counts that are kept, the newest first.
  package var all: [ServedCount] { get async { await counts.all } }

  /// The count of an id.
  ///
  /// - Throws: ``CommandError`` if there is none any more.
  package func count(of id: String) async throws(CommandError) -> ServedCount {
    guard let count = await counts[id] else { throw Self.gone }
    return count
  }

  /// Counts in a photo.
  ///
  /// - Throws: `ImageFileError`, ``CommandError``, ``UsageError``, and errors of counting.
  package func count(
    in photo: Data, name: String, options: RequestOptions
  ) async throws -> ServedCount {
    let arguments = try arguments(with: options)
    let guide = try PhotoGuide(arguments, console: console)
    let configuration = try configuration(for: arguments)
    let counter = models.counter(configuration)
    let count = try await capacity.withPhoto(photo) { decoded in
      do {
        return try await counter.count(
          in: decoded.image, guide: guide.checked(for: decoded.image, at: name), isTraced: true)
      } catch {
        throw Failure.of(error, at: name)
      }
    }
    let served = ServedCount(
      id: RandomText.make(), name: name, time: console.now(), photo: photo, count: count,
      configuration: configuration, options: options)
    // Nobody waits for it any more.
    try Task.checkCancellation()
    await counts.add(served)
    return served
  }

  /// Counts the photo of another count again, with its options except the boxes and the part.
  package func recount(_ id: String, options: RequestOptions) async throws -> ServedCount {
    let before = try await count(of: id)
    return try await count(
      in: before.photo, name: before.name, options: options.over(before.options.withoutMarks))
  }

  /// Keeps a person's changes to a count; without any change it is as the machine counted it.
  ///
  /// - Throws: ``CommandError`` if they are of another count.
  package func correct(_ id: String, by json: Data) async throws(CommandError) -> CorrectedCount {
    let known = try await count(of: id)
    let corrected: CorrectedCount
    do {
      let correction = try CountCorrection(json: json)
      let boxes = correction.removed.count + correction.moved.count + correction.added.count
      guard boxes <= Self.mostBoxes else {
        throw CommandError(
          .badData, "the correction has \(boxes) boxes; the most are \(Self.mostBoxes)")
      }
      corrected = try CorrectedCount(known.result, correctedBy: correction)
      guard await counts.correct(id, by: boxes > 0 ? correction : nil) else { throw Self.gone }
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.badData, "\(error)")
    }
    return corrected
  }

  /// The most boxes of a correction: a page of more would be too slow to use.
  private static let mostBoxes = 10_000

  /// Forgets a count and its photo.
  package func forget(_ id: String) async throws(CommandError) {
    guard await counts.remove(id) else { throw Self.gone }
  }

  private static let gone = CommandError(
    .noInput,
    "there is no such count; the oldest are forgotten, and all of them when the server ends")

  // MARK: What comes of them

  /// What `tally count --json` prints.
  package func members(of count: ServedCount) -> [(String, JSONText)] {
    let summary = CountSummary(
      path: count.name, result: count.result,
      corrected: count.isCorrected ? count.corrected : nil)
    guard case .object(let members) = summary.json else { return [] }
    return members
  }

  /// The count's page, whose buttons use the server.
  package func page(of count: ServedCount) async throws -> Data {
    var page = CountPage(
      name: count.name, count: count.count, configuration: count.configuration,
      correction: count.correction)
    page.isServed = true
    // It need not be small enough for a mail.
    page.maximumBytes = 16_000_000
    return try await capacity.withPhoto(count.photo) { [page] in try page.html(photo: $0.image) }
  }

  /// A small JPEG of the photo.
  package func thumbnail(of count: ServedCount) async throws -> Data {
    try await capacity.withPhoto(count.photo, pixels: .least(320 * 320)) { photo in
      try ImageFile.data(
        of: photo.image.converted(toChannels: 3).fitted(width: 320, height: 320),
        as: .jpeg(quality: 80))
    }
  }

  /// The objects as labels.
  ///
  /// - Returns: a file, its type and its ending; nil if there is no such format.
  package func labels(
    of count: ServedCount, format: String
  ) throws -> (file: Data, type: String, ending: String)? {
    guard let format = AnnotationSet.Format(rawValue: format) else { return nil }
    let set = AnnotationSet(count.corrected, image: count.name)
    let type =
      switch format {
      case .coco: "application/json"
      case .yolo: "text/plain; charset=utf-8"
      case .csv: "text/csv; charset=utf-8"
      }
    return (try set.write(as: format), type, format.ending)
  }

  /// Adds a count to the history.
  ///
  /// - Returns: the entry's id, and the history's file.
  package func save(_ count: ServedCount) async throws -> (id: String, path: String) {
    guard let history else {
      throw UsageError(
        "there is no place for a history: start the server with --history, or set XDG_DATA_HOME or "
          + "HOME")
    }
    let entry = try await capacity.withPhoto(count.photo) { photo in
      try HistoryEntry(
        count.result, of: photo.image, named: count.name, folder: nil,
        corrected: count.isCorrected ? count.corrected.count : nil,
        configuration: count.configuration, time: console.now())
    }
    _ = try await history.add(entry)
    return (HistoryInputs.text(of: entry.id), history.url.path)
  }

  // MARK: Templates

  /// There is a template with that name already.
  package struct TemplateExists: Error {}

  /// The names of the templates; none if there is no place for them.
  package func templateNames() throws -> [String] {
    try templates?.names() ?? []
  }

  /// Makes a template of a count's objects.
  ///
  /// - Returns: the number of objects that it was learnt from.
  /// - Throws: ``TemplateExists`` if there is one with that name.
  package func makeTemplate(
    _ name: String, of count: ServedCount, replacing: Bool
  ) async throws -> Int {
    guard let templates else {
      throw UsageError(
        "there is no place for templates: start the server with --templates, or set XDG_DATA_HOME "
          + "or HOME")
    }
    guard count.configuration.adaptive != nil else {
      throw UsageError("a template is learnt by the adaptive set, and this count used another")
    }
    let arguments = try arguments(with: count.options)
    let counter = models.counter(count.configuration)
    let lesson = TemplateLesson(count.result, correction: count.correction, count.corrected)
    let stored = try await capacity.withPhoto(count.photo) { photo in
      try await lesson.template(
        name, in: photo.image, named: count.name, by: counter, arguments, console)
    }
    do {
      try templates.add(stored, replacing: replacing)
    } catch .exists {
      throw TemplateExists()
    } catch {
      throw TemplateInputs.failure(error)
    }
    return lesson.like.count
  }

  // MARK: Arguments

  /// The command line of a count: the server's options, and those of the request in their place.
  private func arguments(with options: RequestOptions) throws -> ParsedArguments {
    let given = options.names
    let own = defaults.filter { argument in
      let name = argument.dropFirst(2).prefix { $0 != "=" }
      return !given.contains(String(name))
        && (name != TemplateInputs.folder.name || given.contains(CountOptions.template.name))
    }
    return try ArgumentParser(specification: CountCommand.specification)
      .parse(["-"] + own + options.arguments)
  }

  private func configuration(for arguments: ParsedArguments) throws -> CountingConfiguration {
    try CountingConfiguration(arguments, settings: SettingsInputs.inForce(arguments, console))
  }
}

/// The models of a server, loaded once.
private final class ServedModels: Sendable {
  private let detector: AnyDetector
  /// For kinds by whole objects.
  private let stretched: AnyEmbedder
  /// For sets of bands.
  private let usual: AnyEmbedder
  private let isBundled: Bool

  init(_ arguments: ParsedArguments, console: Console) throws {
    detector = try LoadedModels.detector(arguments, console: console)
    stretched = try LoadedModels.embedder(arguments, console: console, framing: .stretched)
    usual = try LoadedModels.embedder(arguments, console: console)
    isBundled = !arguments.has(CountOptions.detector) && !arguments.has(CountOptions.embedder)
  }

  func counter(_ configuration: CountingConfiguration) -> PhotoObjectCounter {
    ObjectCounter(
      detector: detector, embedder: configuration.adaptive == nil ? usual : stretched,
      configuration: configuration, calibration: isBundled ? .bundledModels : nil)
  }
}
