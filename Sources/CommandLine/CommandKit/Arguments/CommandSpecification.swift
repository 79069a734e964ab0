/// The name, arguments and help of a command.
package struct CommandSpecification: Sendable {
  /// The words that call it, such as `["model", "run"]`.
  package let words: [String]
  /// One line for the list of commands, without a full stop.
  package let summary: String
  /// The description, in paragraphs.
  let discussion: [String]
  /// The arguments besides options.
  let operands: Operands
  /// Options that must be given, in the form of a usage line.
  let requiredUsage: String
  /// Its options, in the order in which the help text shows them.
  package let groups: [OptionGroup]
  /// The most used options, for the short help; empty if it shows all.
  let firstOptions: [any OptionDeclaration]
  /// Example command lines with explanations.
  let examples: [Example]
  /// Whether it changes something permanent, such as a store, for all options.
  package let changesStore: Bool
  /// Whether it may end with ``ExitCode/problemFound``.
  let findsProblems: Bool

  package init(
    words: [String], summary: String, discussion: [String], operands: Operands,
    requiredUsage: String = "", groups: [OptionGroup],
    firstOptions: [any OptionDeclaration] = [], examples: [Example], changesStore: Bool = false,
    findsProblems: Bool = false
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
    self.findsProblems = findsProblems
  }

  /// The words as typed: `tally model run`.
  package var invocation: String { (["tally"] + words).joined(separator: " ") }

  /// All options of all groups.
  package var options: [any OptionDeclaration] { groups.flatMap(\.options) }
}

/// A command line and its explanation.
package struct Example: Sendable {
  let purpose: String
  let line: String

  package init(_ purpose: String, _ line: String) {
    self.purpose = purpose
    self.line = line
  }
}

/// Options of more than one command.
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
