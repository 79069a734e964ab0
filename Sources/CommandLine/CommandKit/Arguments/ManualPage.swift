/// Pages for the program `man`, in the macros of man(7) as GNU troff and mandoc read them.
package enum ManualPage {
  /// The page of a command.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - commands: those below it, with their summaries.
  package static func of(
    _ command: CommandSpecification, commands: [(word: String, summary: String)] = []
  ) -> String {
    var lines = heading(command.words, command.summary)
    lines += section("Synopsis")
    for usage in HelpText.usages(of: command) {
      let operands = usage.dropFirst(command.invocation.count)
      lines += [".PP", "\\fB\(escaped(command.invocation))\\fR\(escaped(String(operands)))"]
    }
    if !commands.isEmpty { lines += [".PP", "\\fB\(escaped(command.invocation))\\fR COMMAND ..."] }
    lines += section("Description") + paragraphs(command.discussion)
    if !commands.isEmpty {
      lines += section("Commands")
      lines += commands.flatMap { entry($0.word, $0.summary) }
    }
    if !command.operands.usage.isEmpty {
      lines += section("Operands") + entry(command.operands.usage, command.operands.help)
    }
    lines += section("Options")
    for group in command.groups {
      lines += [".SS \"\(quoted(group.title))\""]
      lines += group.options.flatMap { entry(HelpText.label($0), HelpText.explanation($0)) }
    }
    lines += examples(command.examples) + exitCodes(HelpText.exitCodes(of: command))
    let above = command.words.dropLast().isEmpty ? [] : [Array(command.words.dropLast())]
    lines += references([[]] + above + commands.map { command.words + [$0.word] })
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of a word with commands below it: of `tally` itself, or of `tally model`.
  package static func overview(
    of words: [String], summary: String, discussion: [String],
    commands: [(word: String, summary: String)], options: [(String, String)], examples: [Example]
  ) -> String {
    var lines = heading(words, summary)
    let invocation = (["tally"] + words).joined(separator: " ")
    lines += section("Synopsis") + [".PP", "\\fB\(escaped(invocation))\\fR COMMAND ..."]
    lines += section("Description") + paragraphs(discussion)
    lines += section("Commands") + commands.flatMap { entry($0.word, $0.summary) }
    lines += section("Options") + options.flatMap { entry($0.0, $0.1) }
    lines += self.examples(examples) + exitCodes(HelpText.exitCodes(below: invocation))
    lines += references((words.isEmpty ? [] : [[]]) + commands.map { words + [$0.word] })
    return lines.joined(separator: "\n") + "\n"
  }

  /// The name of the page of a list of words: `tally-model-run`.
  package static func name(of words: [String]) -> String {
    (["tally"] + words).joined(separator: "-")
  }

  private static func heading(_ words: [String], _ summary: String) -> [String] {
    let name = name(of: words)
    return [
      ".TH \"\(quoted(name.uppercased()))\" 1 \"\" \"tally \(quoted(ToolVersion.current))\" \"Tally\"",
      // No hyphenation, and no space put into lines: names of options stay whole.
      ".nh", ".ad l",
    ] + section("Name") + ["\(escaped(name)) \\- \(escaped(summary))"]
  }

  private static func section(_ title: String) -> [String] { [".SH \(title.uppercased())"] }

  private static func paragraphs(_ texts: [String]) -> [String] {
    texts.flatMap { [".PP", line($0)] }
  }

  private static func entry(_ label: String, _ text: String) -> [String] {
    [".TP", "\\fB\(escaped(label))\\fR", line(text)]
  }

  private static func examples(_ examples: [Example]) -> [String] {
    if examples.isEmpty { return [] }
    return section("Examples")
      + examples.flatMap { example in
        let purpose = example.purpose.isEmpty ? [] : [".PP", line(example.purpose)]
        return purpose + [".RS 4", ".EX", line(example.line), ".EE", ".RE"]
      }
  }

  private static func exitCodes(_ codes: [ExitCode]) -> [String] {
    section("Exit status") + codes.flatMap { entry("\($0.rawValue)", $0.meaning + ".") }
  }

  private static func references(_ pages: [[String]]) -> [String] {
    let names = pages.map { "\\fB\(escaped(name(of: $0)))\\fR(1)" }
    return section("See also") + [names.joined(separator: ", ")]
  }

  /// A line of text, which is a request to the formatter if it begins with a dot or a quote.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Text with what the formatter would take for its own, and with dashes that can be copied.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      // In some fonts these two are typographic quotes.
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result
  }

  /// Text for an argument of a macro in quotes.
  private static func quoted(_ text: String) -> String {
    escaped(text).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
  }
}
