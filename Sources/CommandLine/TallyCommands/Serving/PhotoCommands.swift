import CommandKit
import CountCommands
import Foundation
import ImageFiles
import _HTTPServer

/// The commands besides counts that a server runs on the photo of a request.
struct PhotoCommands: Sendable {
  /// A command, and the options that a request may give.
  struct Served: Sendable {
    let command: any Command.Type
    /// Options that only the person who starts the server gives: they name files.
    var ofServer: [any OptionDeclaration] = []
    let ofRequest: [any OptionDeclaration]
    /// What the command needs besides, from the options of the server.
    var others: @Sendable (ParsedArguments) throws -> [String] = { _ in [] }

    var word: String { command.specification.words[0] }
  }

  /// Options of the server that only these commands have.
  static let groups = [
    OptionGroup("Text", [TextReading.models]),
    OptionGroup(
      "Recognizing",
      [RecognizeCommand.classifier] + ofClassifier + [RecognizeCommand.library]),
  ]

  private static let ofClassifier = ClassifyCommand.modelOptions + ClassifyCommand.sightOptions

  static let all = [
    Served(
      command: DetectCommand.self, ofServer: [CountOptions.detector] + CountOptions.ofDetector,
      ofRequest: CountOptions.ofAll),
    Served(
      command: EmbedCommand.self, ofServer: [CountOptions.embedder, CountOptions.embedderPreset],
      ofRequest: []),
    Served(
      command: ClassifyCommand.self, ofServer: ofClassifier,
      ofRequest: [ClassifyCommand.threshold, ClassifyCommand.top],
      others: { arguments in
        guard let model = arguments[RecognizeCommand.classifier] else {
          throw CommandError(.noInput, "the server was started without --classifier")
        }
        return ["--\(ClassifyCommand.model.name)=\(model)"]
      }),
    Served(
      command: RecognizeCommand.self,
      ofServer: [RecognizeCommand.classifier, RecognizeCommand.library, TextReading.models]
        + ofClassifier,
      ofRequest: [
        RecognizeCommand.center, RecognizeCommand.budget, RecognizeCommand.minimumClass,
        RecognizeCommand.minimumCosine, RecognizeCommand.minimumText, RecognizeCommand.dates,
      ],
      others: { arguments in
        // Without a library the embedder is for counts alone.
        arguments.has(RecognizeCommand.library)
          ? arguments.written([CountOptions.embedder, CountOptions.embedderPreset]) : []
      }),
    Served(command: SpinesCommand.self, ofRequest: [SpineFinding.edgesOnly]),
    Served(
      command: ScanCommand.self, ofServer: [TextReading.models],
      ofRequest: [SpineFinding.edgesOnly, ScanCommand.barcodeEffort]),
    Served(
      command: TextCommand.self, ofServer: [TextReading.models],
      ofRequest: [TextCommand.confidence, TextCommand.spines, TextReading.correctWords]),
    Served(
      command: BarcodeCommand.self,
      ofRequest: [BarcodeCommand.symbologies, BarcodeCommand.effort]),
  ]

  private let arguments: ParsedArguments
  private let environment: [String: String]

  /// - Parameter arguments: the options of the server.
  /// - Throws: `UsageError` for an option about a file that is not named.
  init(_ arguments: ParsedArguments, environment: [String: String]) throws {
    try RecognizeCommand.refuse(
      Self.ofClassifier, arguments, without: RecognizeCommand.classifier, naming: "the model")
    self.arguments = arguments
    self.environment = environment
  }

  /// The result of a command on a photo, as JSON.
  ///
  /// - Throws: ``UsageError`` for an option that a request may not give, ``CommandError`` if the command fails.
  func run(
    _ served: Served, on photo: Data, options items: [(name: String, value: String)]
  ) async throws -> Data {
    // Anything else on standard input would be a list of this machine's files.
    guard ImageFile.isImage(beginningWith: Array(photo.prefix(32))) else {
      throw CommandError(.badData, "the body is not a JPEG, PNG, HEIC, WebP or TIFF file")
    }
    let options = try RequestOptions(items, among: served.ofRequest)
    // Without a given memory a command takes a photo of any size.
    let memory = arguments[BatchOptions.memory] ?? BatchOptions.usualMemory
    let own =
      try served.others(arguments)
      + arguments.written(served.ofServer + [StandardOptions.threads])
      + ["--\(BatchOptions.memory.name)=\(memory)"]
    let (output, errors) = (MemorySink(), MemorySink())
    let console = Console(
      output: output, errors: errors, input: MemorySource(Array(photo)), environment: environment)
    let parsed = try ArgumentParser(specification: served.command.specification)
      .parse(["-", "--json"] + own + options.arguments)
    let code = try await served.command.run(parsed, console: console)
    guard code == .success else {
      let line = errors.text.split(separator: "\n").first.map(String.init) ?? "\(code)"
      let reason = line.split(separator: "error: ", maxSplits: 1).last.map(String.init) ?? line
      throw CommandError(code, reason)
    }
    return Data(output.text.utf8)
  }
}
