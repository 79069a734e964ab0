import Foundation
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally completion")
struct CompletionTests {
  /// What bash would propose behind these words.
  private func proposals(_ words: [String]) async throws -> [String] {
    let script = await tally("completion", "bash")
    #expect(script.code == .success && script.errors.isEmpty)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    let quoted = (["tally"] + words).map { "'\($0)'" }.joined(separator: " ")
    process.arguments = [
      "-c",
      script.output + "COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); _tally; "
        + "printf '%s\\n' \"${COMPREPLY[@]}\"",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("The first word is a command")
  func commands() async throws {
    #expect(try await proposals(["co"]) == ["count", "completion"])
    #expect(try await proposals(["history", "s"]) == ["show", "salvage"])
    #expect(try await proposals(["evaluate", "c"]) == ["counts", "classes"])
  }

  @Test("Dashes are options of the command, also of one with options and commands below it")
  func options() async throws {
    #expect(try await proposals(["count", "a.jpg", "--over"]) == ["--overlay", "--overlay-scale"])
    #expect(try await proposals(["evaluate", "--tru"]) == ["--truth"])
    #expect(try await proposals(["evaluate", "counts", "--exem"]) == ["--exemplars"])
    #expect(try await proposals(["settings", "set", "--over"]).isEmpty)
  }

  @Test("An option that accepts a few words proposes these; anything else is a file")
  func choices() async throws {
    #expect(try await proposals(["count", "--format", ""]) == ["json", "table", "csv"])
    #expect(try await proposals(["count", "tra"]).isEmpty)
  }

  @Test("Every command and option is in the scripts", arguments: CompletionScript.allCases)
  func completeness(script: CompletionScript) async {
    let text = await tally("completion", script.rawValue).output
    for command in CommandTree.commands {
      for option in command.specification.options {
        #expect(text.contains(script == .fish ? "-l \(option.name)" : "--\(option.name)"))
      }
    }
  }

  @Test("Another shell is a usage error that names those there are")
  func unknown() async {
    let run = await tally("completion", "fsh")
    #expect(run.failed(.usage) && run.errors.contains("did you mean 'fish'?"), "\(run)")
  }
}
