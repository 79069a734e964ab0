/// The scripts that complete command lines of `tally` in a shell.
package enum CompletionScript: String, CaseIterable, Sendable {
  case bash, fish, zsh

  /// The script, from the specifications of the commands.
  ///
  /// - Parameters:
  ///   - commands: all commands.
  ///   - summaries: the summary of a list of words, in one line.
  package func text(
    of commands: [CommandSpecification], summary: (_ words: [String]) -> String
  ) -> String {
    switch self {
    case .bash: Self.bash(commands)
    // It accepts the scripts of bash.
    case .zsh: "autoload -U +X bashcompinit && bashcompinit\n" + Self.bash(commands)
    case .fish: Self.fish(commands, summary)
    }
  }

  /// The possible words at a place after `tally`, each once.
  private static func words(
    _ commands: [CommandSpecification], after first: String? = nil
  ) -> [String] {
    var words: [String] = []
    for command in commands {
      guard let first else {
        words.append(command.words[0])
        continue
      }
      if command.words.count > 1, command.words[0] == first { words.append(command.words[1]) }
    }
    return words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func bash(_ commands: [CommandSpecification]) -> String {
    let firstWords = words(commands)
    var lines = [
      "# Completion of tally for bash: eval \"$(tally completion bash)\"",
      "_tally() {",
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"",
      "  local command=\"${COMP_WORDS[1]}\" known=\"\"",
      "  if ((COMP_CWORD == 1)); then",
      "    known=\"\(firstWords.joined(separator: " ")) help --help --version\"",
      "    COMPREPLY=($(compgen -W \"$known\" -- \"$word\"))",
      "    return",
      "  fi",
      "  case $command in",
    ]
    for first in firstWords { lines += bashSecondWords(commands, after: first) }
    lines += ["  esac", "  case \"$command $before\" in"]
    for command in commands {
      for option in command.options where !option.choices.isEmpty {
        lines += [
          "    \"\(command.words.joined(separator: " ")) --\(option.name)\")",
          "      COMPREPLY=($(compgen -W \"\(option.choices.joined(separator: " "))\" "
            + "-- \"$word\")); return ;;",
        ]
      }
    }
    lines += ["  esac", "  case $command in"]
    for command in commands {
      let names = command.options.map { "--\($0.name)" }.joined(separator: " ")
      lines += ["    \"\(command.words.joined(separator: " "))\") known=\"\(names)\" ;;"]
    }
    lines += [
      "  esac",
      "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$known\" -- \"$word\")); fi",
      "}",
      // Without completions from the script, the shell completes names of files.
      "complete -o default -F _tally tally",
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The case of a first word: it completes the second, and adds a given one to the command.
  private static func bashSecondWords(
    _ commands: [CommandSpecification], after first: String
  ) -> [String] {
    let below = words(commands, after: first)
    guard !below.isEmpty else { return [] }
    return [
      "    \(first))",
      "      if ((COMP_CWORD == 2)) && [[ $word != -* ]]; then",
      "        COMPREPLY=($(compgen -W \"\(below.joined(separator: " "))\" -- \"$word\"))",
      "        return",
      "      fi",
      "      case ${COMP_WORDS[2]} in",
      "        \(below.joined(separator: "|"))) command+=\" ${COMP_WORDS[2]}\" ;;",
      "      esac ;;",
    ]
  }

  private static func fish(
    _ commands: [CommandSpecification], _ summary: ([String]) -> String
  ) -> String {
    var lines = ["# Completion of tally for fish: tally completion fish | source"]
    for first in words(commands) {
      lines.append(
        "complete -c tally -f -n __fish_use_subcommand -a \(first) -d \(quoted(summary([first])))")
      let below = words(commands, after: first)
      for second in below {
        lines.append(
          "complete -c tally -f -n '__fish_seen_subcommand_from \(first); and not "
            + "__fish_seen_subcommand_from \(below.joined(separator: " "))' -a \(second) "
            + "-d \(quoted(summary([first, second])))")
      }
    }
    for command in commands {
      let condition = command.words.map { "__fish_seen_subcommand_from \($0)" }
        .joined(separator: "; and ")
      for option in command.options {
        var line = "complete -c tally -n '\(condition)' -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        if !option.choices.isEmpty {
          line += " -x -a '\(option.choices.joined(separator: " "))'"
        } else if option.metavar != nil {
          line += " -r"
        }
        lines.append(line + " -d \(quoted(firstSentence(of: option.help)))")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func firstSentence(of text: String) -> String {
    guard let end = text.range(of: ". ") else { return text }
    return String(text[..<end.lowerBound]) + "."
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
