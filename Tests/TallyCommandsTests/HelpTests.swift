import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("Help")
struct HelpTests {
  static let pages: [[String]] =
    [
      [], ["library"], ["history"], ["settings"], ["telemetry"], ["index"], ["model"], ["models"],
      ["template"],
    ]
    + CommandTree.commands.map { $0.specification.words }

  /// `TALLY_WRITE_GOLDENS=1` writes the pages anew; look at the difference before committing it.
  @Test("Each page reads as it was last looked at", arguments: pages)
  func snapshot(words: [String]) async throws {
    let run = await tally(words + ["--help"])
    #expect(run.code == .success)
    #expect(run.errors.isEmpty)
    let name = (["tally"] + words).joined(separator: "-")
    let file = Folders.goldens.appendingPathComponent("TallyCommands/help/\(name).txt")
    if ProcessInfo.processInfo.environment["TALLY_WRITE_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(run.output.utf8).write(to: file)
    }
    #expect(run.output == (try String(contentsOf: file, encoding: .utf8)))
  }

  @Test("A short page names the options that people use first, a long one all of them")
  func short() async {
    for command in CommandTree.commands where !command.specification.firstOptions.isEmpty {
      let specification = command.specification
      let page = await tally(specification.words + ["--help"]).output
      let all = await tally(specification.words + ["--help-all"]).output
      #expect(page.split(separator: "\n").count < 90)
      #expect(all == HelpText.of(specification))
      let first = Set(specification.firstOptions.map(\.name))
      #expect(first.isSubset(of: specification.options.map(\.name)))
      #expect(page.contains("--help-all' lists all \(specification.options.count) options"))
    }
    #expect(await tally("barcode", "--help-all").output == (await tally("barcode", "-h")).output)
  }

  @Test("No line is wider than a terminal, and none ends in a space", arguments: pages)
  func layout(words: [String]) async {
    for line in await tally(words + ["--help"]).output.components(separatedBy: "\n") {
      #expect(line.count <= 80, "\(line)")
      #expect(!line.hasSuffix(" "), "\(line)")
    }
  }

  @Test("Help is found however it is asked for", arguments: pages)
  func spellings(words: [String]) async {
    let page = await tally(words + ["--help"])
    #expect(await tally(words + ["-h"]).output == page.output)
    #expect(await tally(["help"] + words).output == page.output)
  }

  @Test("Help wins over whatever else is wrong, but not behind two dashes")
  func precedence() async {
    let page = await tally("count", "--help")
    #expect(await tally("count", "--nonsense", "--help").output == page.output)
    #expect(await tally("count", "--", "--help").output.isEmpty)
  }

  @Test("Every option of a command is on its page", arguments: CommandTree.commands.indices)
  func completeness(index: Int) {
    let specification = CommandTree.commands[index].specification
    let page = HelpText.of(specification)
    for option in specification.options { #expect(page.contains("--\(option.name)")) }
    #expect(Set(specification.options.map(\.name)).count == specification.options.count)
    #expect(!specification.examples.isEmpty)
  }

  @Test("The version is one line")
  func version() async {
    let run = await tally("--version")
    #expect(run.output == "tally \(TallyCommand.version)\n")
    #expect(run.code == .success)
  }

  @Test(
    "Words that call nothing are usage errors",
    arguments: [
      (
        [],
        "tally needs a command: count, watch, detect, embed, classify, library, recognize, "
          + "cluster, spines, scan, text, frames, barcode, isbn, serve, evaluate, tune, template, history, "
          + "settings, telemetry, index, model, models, doctor, completion or manual "
          + "(see 'tally --help')"
      ),
      (
        ["model"],
        "tally model needs a command: inspect, run, test, bench or quantize (see 'tally model --help')"
      ),
      (
        ["models"],
        "tally models needs a command: list, fetch, check, add, verify, use or remove "
          + "(see 'tally models --help')"
      ),
      (["cuont"], "unknown command 'cuont'; did you mean 'count'? (see 'tally --help')"),
      (
        ["model", "insepct"],
        "unknown command 'insepct'; did you mean 'inspect'? (see 'tally model --help')"
      ),
      (["xyzzy"], "unknown command 'xyzzy' (see 'tally --help')"),
      (["--verison"], "unknown option '--verison'; did you mean '--version'? (see 'tally --help')"),
      ([""], "unknown command '' (see 'tally --help')"),
      (["a\nb"], "unknown command 'a\\nb' (see 'tally --help')"),
    ])
  func unknownWords(arguments: [String], message: String) async {
    let run = await tally(arguments)
    #expect(run.failed(.usage))
    #expect(run.errors == "tally: error: \(message)\n")
  }
}
