import CommandKit
import CountCommands

/// Which words call which command.
enum CommandTree {
  /// The commands, in the order of the help text.
  static let commands: [any Command.Type] =
    CountFamilies.counting + [
      DetectCommand.self, EmbedCommand.self, ClassifyCommand.self, LibraryAddCommand.self,
      LibraryFindCommand.self, LibraryListCommand.self, LibraryRemoveCommand.self,
      RecognizeCommand.self, ClusterCommand.self, SpinesCommand.self, ScanCommand.self,
      TextCommand.self, FramesCommand.self, BarcodeCommand.self, ISBNCommand.self,
      ServeCommand.self,
    ] + CountFamilies.aboutCounts + [
      EvaluateClassesCommand.self, EvaluateTextsCommand.self, EvaluateBarcodesCommand.self,
      EvaluateDatesCommand.self,
      TelemetryReportCommand.self, IndexBuildCommand.self, IndexAddCommand.self,
      IndexRemoveCommand.self, IndexSearchCommand.self, IndexStatsCommand.self,
      IndexCompactCommand.self, IndexExportCommand.self, IndexSalvageCommand.self,
      ModelInspectCommand.self, ModelRunCommand.self, ModelTestCommand.self,
      ModelBenchCommand.self, ModelQuantizeCommand.self, ModelsListCommand.self,
      ModelsFetchCommand.self,
      ModelsCheckCommand.self, ModelsAddCommand.self, ModelsVerifyCommand.self,
      ModelsUseCommand.self, ModelsRemoveCommand.self, DoctorCommand.self,
      CompletionCommand.self, ManualCommand.self,
    ]

  /// What a word is about that has commands below it.
  private static let groups: [String: CommandGroup] = [
    "history": CommandGroup(
      summary: "List saved counts, keep some, delete others",
      discussion: "Prints and changes the counts that 'tally count --save' kept.",
      example: "tally history list"),
    "settings": CommandGroup(
      summary: "Print, set and reset the thresholds that counts begin with",
      discussion: "Prints the thresholds that 'tally count' begins with, sets some for all later "
        + "counts, and resets them.",
      example: "tally settings set confidence=0.2"),
    "template": CommandGroup(
      summary: "Learn from a photo what to count in others",
      discussion: "Learns kinds of objects from photos and keeps them by name, for 'tally count "
        + "--template NAME'.",
      example: "tally template add sweets tray.jpg --like 310,220,64,60"),
    "telemetry": CommandGroup(
      summary: "Report on events that apps recorded",
      discussion: "Reports on the events that apps recorded for camera frames.",
      example: "tally telemetry report folder"),
    "library": CommandGroup(
      summary: "Keep known objects, and find those most similar to a photo",
      discussion: "Keeps vectors of photos of known objects in a folder, and finds the objects "
        + "that are most similar to a photo.",
      example: "tally library find things.library photo.jpg"),
    "index": CommandGroup(
      summary: "Keep vectors with ids and payloads, and find those nearest to a query",
      discussion: "Keeps vectors with ids and payloads in a folder, and finds those nearest to a "
        + "query.",
      example: "tally index search photos.index --vectors new.npy"),
    "model": CommandGroup(
      summary: "Inspect, run, test, time or quantise an ONNX model",
      discussion:
        "Inspects ONNX models, runs them, tests and times the runner, and makes int8 models.",
      example: "tally model inspect model.onnx"),
    "models": CommandGroup(
      summary: "Keep models by name and version, fetch and verify them",
      discussion: "Keeps models by name and version in a folder, downloads and verifies them. "
        + "Other commands accept these names in place of a model's file.",
      example: "tally models fetch pp-ocrv4-det"),
  ]

  /// What all commands together are about.
  private static let whole = CommandGroup(
    summary: "Count similar objects in photos, and more",
    discussion: "Counts similar objects in photos: finds the objects, leaves out those of unusual "
      + "size or shape, groups the rest by similarity, and counts the largest group.",
    example: "tally count photo.jpg", "tally count photo.jpg --json --overlay counted.png")

  /// Finds the command that `arguments` begin with and runs it on the others.
  static func run(_ arguments: [String], console: Console) async throws -> ExitCode {
    var words: [String] = []
    var rest = arguments[...]
    if rest.first == "help" {
      // `tally help count` is `tally count --help`.
      rest = rest.dropFirst() + ["--help"]
    }
    while true {
      let known = nextWords(after: words)
      if let command = commands.first(where: { $0.specification.words == words }),
        !isWord(rest.first, below: known)
      {
        return try await run(command, Array(rest), console: console)
      }
      let invocation = (["tally"] + words).joined(separator: " ")
      guard let word = rest.popFirst() else {
        throw UsageError(
          "\(invocation) needs a command: \(Sentence.either(known)) (see '\(invocation) --help')")
      }
      switch word {
      case "--help", "-h":
        try console.output.write(overview(of: words))
        return .success
      case "--version" where words.isEmpty:
        try console.print("tally \(TallyCommand.version)")
        return .success
      case _ where known.contains(word):
        words.append(word)
      default:
        let kind = word.hasPrefix("-") ? "option" : "command"
        let candidates = word.hasPrefix("-") ? ["--help", "--version"] : known
        throw UsageError(
          "unknown \(kind) '\(word)'\(Suggestion.text(for: word, among: candidates)) "
            + "(see '\(invocation) --help')")
      }
    }
  }

  /// Whether an argument is to name one of the commands below one that itself takes options only.
  private static func isWord(_ argument: String?, below known: [String]) -> Bool {
    guard let argument, !known.isEmpty else { return false }
    return !argument.hasPrefix("-")
  }

  private static func run(
    _ command: any Command.Type, _ arguments: [String], console: Console
  ) async throws -> ExitCode {
    if let extent = ArgumentParser.help(askedForBy: arguments) {
      let words = command.specification.words
      try console.output.write(
        HelpText.of(command.specification, extent, commands: summaries(below: words)))
      return .success
    }
    let specification = command.specification
    let parsed = try ArgumentParser(specification: specification).parse(arguments)
    // A reader that leaves ends the printing. It ends the work only if there is nothing else to
    // show for it.
    let isKept =
      specification.changesStore
      || specification.options.contains { $0.isWritten && parsed.has($0) }
    return try await command.run(
      parsed, console: isKept ? console.withoutNeedOfReader() : console)
  }

  /// The words that may follow `words`, each once.
  private static func nextWords(after words: [String]) -> [String] {
    var next: [String] = []
    for command in commands.map({ $0.specification.words })
    where command.starts(with: words) && command.count > words.count {
      let word = command[words.count]
      if !next.contains(word) { next.append(word) }
    }
    return next
  }

  /// The words that may follow `words`, with what they call.
  private static func summaries(below words: [String]) -> [(word: String, summary: String)] {
    nextWords(after: words).map { word in
      (word: word, summary: summary(of: words + [word]) + ".")
    }
  }

  /// What a list of words calls, in one line without a full stop.
  static func summary(of words: [String]) -> String {
    commands.first { $0.specification.words == words }?.specification.summary
      ?? words.last.flatMap { groups[$0]?.summary } ?? ""
  }

  private static func overview(of words: [String]) -> String {
    let group = group(of: words)
    return HelpText.overview(
      invocation: (["tally"] + words).joined(separator: " "), discussion: [group.discussion],
      commands: summaries(below: words), options: options(of: words),
      examples: group.examples.map { Example("", $0) })
  }

  /// What a list of words that have commands below them is about.
  private static func group(of words: [String]) -> CommandGroup {
    words.first.flatMap { groups[$0] } ?? whole
  }

  /// The options of a list of words that calls no command.
  private static func options(of words: [String]) -> [(String, String)] {
    let help = ("-h, --help", "Print this text and exit.")
    return words.isEmpty ? [help, ("--version", "Print the version and exit.")] : [help]
  }

  /// The pages of all commands for the program `man`, and of the words that have commands below.
  static var manualPages: [(name: String, text: String)] {
    let called = commands.map { $0.specification }
    let headings = [[]] + nextWords(after: []).map { [$0] }
    let overviews = headings.filter { words in !called.contains { $0.words == words } }
    return overviews.map { words in
      let group = group(of: words)
      return (
        ManualPage.name(of: words),
        ManualPage.overview(
          of: words, summary: group.summary, discussion: [group.discussion],
          commands: summaries(below: words), options: options(of: words),
          examples: group.examples.map { Example("", $0) })
      )
    }
      + called.map {
        (ManualPage.name(of: $0.words), ManualPage.of($0, commands: summaries(below: $0.words)))
      }
  }
}

/// Commands that share their first word.
private struct CommandGroup {
  let summary: String
  let discussion: String
  let examples: [String]

  init(summary: String, discussion: String, example: String...) {
    self.summary = summary
    self.discussion = discussion
    examples = example
  }
}
