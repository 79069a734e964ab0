/// Help texts for a terminal of 80 columns.
package enum HelpText {
  /// The greatest number of columns of a line, unless a single word is longer.
  static let columns = 80

  /// The part of a command's help that is shown.
  package enum Extent: Sendable {
    /// The most used options, if the command names some; else all.
    case first
    case all
  }

  /// The number of examples in the short help.
  private static let firstExamples = 5

  /// The help of one command, and of the commands below it.
  package static func of(
    _ command: CommandSpecification, _ extent: Extent = .all,
    commands: [(word: String, summary: String)] = []
  ) -> String {
    let isShort = extent == .first && !command.firstOptions.isEmpty
    var lines = command.discussion.flatMap { wrapped($0) + [""] }
    lines += ["Usage:"] + usages(of: command).flatMap { wrapped($0, indent: 2, hanging: 6) }
    if !commands.isEmpty {
      lines += ["  \(command.invocation) COMMAND ...", "", "Commands:"]
      lines += entries(commands.map { ($0.word, $0.summary) })
    }
    if !command.operands.usage.isEmpty {
      lines += [""] + entries([(command.operands.usage, command.operands.help)])
    }
    let groups = isShort ? [OptionGroup("Options", command.firstOptions)] : command.groups
    for group in groups {
      lines += ["", "\(group.title):"]
      lines += entries(group.options.map { (label($0), explanation($0)) })
    }
    if isShort {
      lines += [
        "", "'\(command.invocation) --help-all' lists all \(command.options.count) options.",
      ]
    }
    if !command.examples.isEmpty {
      lines += ["", "Examples:"]
      for example in command.examples.prefix(isShort ? firstExamples : .max) {
        lines += wrapped("# \(example.purpose)", indent: 2, hanging: 4)
        lines += ["  \(example.line)"]
      }
    }
    return (lines + self.lines(of: exitCodes(of: command))).joined(separator: "\n") + "\n"
  }

  /// The help of a word with commands below it: `tally` or `tally model`.
  package static func overview(
    invocation: String, discussion: [String], commands: [(word: String, summary: String)],
    options: [(String, String)], examples: [Example]
  ) -> String {
    var lines = discussion.flatMap { wrapped($0) + [""] }
    lines += ["Usage:", "  \(invocation) COMMAND ...", "", "Commands:"]
    lines += entries(commands.map { ($0.word, $0.summary) })
    lines += ["", "Options:"] + entries(options)
    lines += ["", "Examples:"] + examples.map { "  \($0.line)" }
    lines += self.lines(of: exitCodes(below: invocation))
    lines += ["", "'\(invocation) COMMAND --help' says what a command takes."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines of `text`, each at most ``columns`` wide.
  package static func wrapped(_ text: String, indent: Int = 0, hanging: Int? = nil) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > columns {
        lines.append(line)
        line = String(repeating: " ", count: hanging ?? indent)
        isEmpty = true
      }
      line += isEmpty ? String(word) : " \(word)"
      isEmpty = false
    }
    return isEmpty ? lines : lines + [line]
  }

  /// What may be typed, a line for each form.
  static func usages(of command: CommandSpecification) -> [String] {
    let replaced = command.operands.replacement.map { label($0) }
    return [command.operands.usage, replaced].compactMap { $0 }.map { operands in
      let parts = [command.invocation, operands, command.requiredUsage, "[OPTION]..."]
      return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// The names of an option, and the placeholder of its value.
  static func label(_ option: any OptionDeclaration) -> String {
    let name = (option.short.map { "-\($0), " } ?? "") + "--\(option.name)"
    return option.metavar.map { "\(name) \($0)" } ?? name
  }

  /// What an option does, and its default.
  static func explanation(_ option: any OptionDeclaration) -> String {
    var text = option.help
    if option.isRepeatable, option.metavar != nil { text += " May be repeated." }
    if let fallback = option.fallback { text += " Default: \(fallback)." }
    return text
  }

  /// Labels in a column, with explanations beside them.
  ///
  /// A label that is too long for the column is on its own line.
  private static func entries(_ entries: [(label: String, text: String)]) -> [String] {
    let column = 26
    return entries.flatMap { label, text -> [String] in
      let lines = wrapped(text, indent: column)
      guard let first = lines.first else { return ["  \(label)"] }
      guard label.count + 4 <= column else { return ["  \(label)"] + lines }
      let padded = "  \(label)" + String(repeating: " ", count: column - 2 - label.count)
      return [padded + first.dropFirst(column)] + lines.dropFirst()
    }
  }

  /// The exit codes of a command.
  static func exitCodes(of command: CommandSpecification) -> [ExitCode] {
    exitCodes(
      hasLeast: command.options.contains { $0.name == StandardOptions.atLeast.name },
      findsProblems: command.findsProblems)
  }

  /// The exit codes of the commands below a word: all below `tally`, and those that all commands
  /// have below another, such as `tally model`.
  static func exitCodes(below invocation: String) -> [ExitCode] {
    let isTop = !invocation.contains(" ")
    return exitCodes(hasLeast: isTop, findsProblems: isTop)
  }

  private static func exitCodes(hasLeast: Bool, findsProblems: Bool) -> [ExitCode] {
    ExitCode.allCases.filter { code in
      switch code {
      case .tooFew: hasLeast
      case .problemFound: findsProblems
      default: true
      }
    }
  }

  private static func lines(of codes: [ExitCode]) -> [String] {
    ["", "Exit codes:"] + codes.map { "  \($0.paddedNumber)  \($0.meaning)" }
  }
}
