/// What a command is called, takes and says of itself.
package struct CommandSpecification: Sendable {
  /// The words that call it, such as `["model", "run"]`.
  package let words: [String]
  /// One line for the list of commands, without a full stop.
  package let summary: String
  /// What it does, in paragraphs.
  let discussion: [String]
  /// What it takes besides options.
  let operands: Operands
  /// Options that must be given, as a usage line shows them.
  let requiredUsage: String
  /// Its options, in the order in which the help text shows them.
  package let groups: [OptionGroup]
  /// The options that people use first, which the short help shows alone; empty if it shows all.
  let firstOptions: [any OptionDeclaration]
  /// Command lines to learn from, each with what it does.
  let examples: [Example]
  /// Whether it changes something that stays, such as a store, whatever its options are.
  package let changesStore: Bool

  package init(
    words: [String], summary: String, discussion: [String], operands: Operands,
    requiredUsage: String = "", groups: [OptionGroup],
    firstOptions: [any OptionDeclaration] = [], examples: [Example], changesStore: Bool = false
  ) {
    self.words = words
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.requiredUsage = requiredUsage
    let ofHelp: [any OptionDeclaration] =
      [StandardOptions.help] + (firstOptions.isEmpty ? [] : [StandardOptions.helpAll])
    self.groups = groups + [OptionGroup("Help", ofHelp)]
    self.firstOptions = firstOptions
    self.examples = examples
    self.changesStore = changesStore
  }

  /// The words as typed: `tally model run`.
  package var invocation: String { (["tally"] + words).joined(separator: " ") }

  /// All options of all groups.
  package var options: [any OptionDeclaration] { groups.flatMap(\.options) }
}

/// A command line and what it does.
package struct Example: Sendable {
  let purpose: String
  let line: String

  package init(_ purpose: String, _ line: String) {
    self.purpose = purpose
    self.line = line
  }
}

/// Options that more than one command has.
package enum StandardOptions {
  package static let atLeast = Option(
    "at-least", .integer("N", in: 1...1_000_000),
    help: "End with code \(ExitCode.tooFew.rawValue) if a photo has fewer than N results, for use "
      + "in scripts.")

  package static let help = Flag("help", short: "h", help: "Print this text and exit.")
  static let helpAll = Flag("help-all", help: "Print all options and exit.")
  package static let json = Flag("json", help: "Print JSON instead of text.")
  package static let quiet = Flag("quiet", short: "q", help: "Show no progress line on a terminal.")
  package static let verbose = Flag(
    "verbose", short: "v", help: "Print what each step found and how long it took.")
  package static let threads = Option(
    "threads", .integer("N", in: 1...256),
    help: "How many threads compute. Results do not depend on it.",
    fallback: "one per processor core")
}
