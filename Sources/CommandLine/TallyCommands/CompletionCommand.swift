import CommandKit

/// `tally completion`: what makes the Tab key complete command lines.
enum CompletionCommand: Command {
  static let specification = CommandSpecification(
    words: ["completion"],
    summary: "Print a script that makes a shell complete commands and options",
    discussion: [
      "Prints a script for a shell. With it, the Tab key completes commands, options and the "
        + "values of an option."
    ],
    operands: Operands(
      metavar: "SHELL",
      help: "\(Sentence.either(CompletionScript.allCases.map(\.rawValue))).", isList: false),
    groups: [],
    examples: [
      Example("For bash, in ~/.bashrc.", "eval \"$(tally completion bash)\""),
      Example("For zsh, in ~/.zshrc.", "eval \"$(tally completion zsh)\""),
      Example("For fish, in config.fish.", "tally completion fish | source"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let name = arguments.operands[0]
    guard let script = CompletionScript(rawValue: name) else {
      let names = CompletionScript.allCases.map(\.rawValue)
      throw UsageError(
        "there is no completion for '\(name)'\(Suggestion.text(for: name, among: names)); it must be "
          + Sentence.either(names))
    }
    try console.output.write(
      script.text(of: CommandTree.commands.map { $0.specification }) {
        CommandTree.summary(of: $0)
      })
    return .success
  }
}
