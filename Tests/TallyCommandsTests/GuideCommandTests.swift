import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

/// The lines in blocks of code of README.md and Docs that call `tally`.
///
/// They are parsed and not run.
@Suite("The command lines of the guides")
struct GuideCommandTests {
  /// A call of `tally` on a page.
  struct Call: Sendable, CustomTestStringConvertible {
    let page: String
    let number: Int
    /// What stands after `tally`.
    let words: [String]

    var testDescription: String {
      "\(page):\(number): tally \(words.joined(separator: " "))"
    }
  }

  static let calls: [Call] = {
    let docs = Folders.package.appendingPathComponent("Docs")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: docs.path)) ?? []
    let pages = ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "Docs/\($0)" }
    return pages.flatMap { page in
      let url = Folders.package.appendingPathComponent(page)
      return read((try? String(contentsOf: url, encoding: .utf8)) ?? "", of: page)
    }
  }()

  @Test("Each names a command, and gives it options and operands that it takes", arguments: calls)
  func arguments(call: Call) throws {
    let specifications = CommandTree.commands.map { $0.specification }
    let called = specifications.filter { call.words.starts(with: $0.words) }
    guard let specification = called.max(by: { $0.words.count < $1.words.count }) else {
      let isOverview =
        call.words.isEmpty || ["help", "--help", "--version"].contains(call.words[0])
      #expect(isOverview, "no command")
      return
    }
    let rest = Array(call.words.dropFirst(specification.words.count))
    guard ArgumentParser.help(askedForBy: rest) == nil else { return }
    _ = try ArgumentParser(specification: specification).parse(rest)
  }

  @Test("The lines are found")
  func found() {
    #expect(Self.calls.count >= 70)
    #expect(Set(Self.calls.map(\.page)).count >= 15)
  }

  @Test("A line is read as a shell reads it")
  func reading() {
    let page = """
      tally count no.jpg
      ```sh
      $ find . -name '*.jpg' -print0 | tally count - --null   # a list
      tally embed "a b.jpg" \\
        --output new.npy > log.txt 2> errors.txt && .build/release/tally history list
      ```
      """
    let calls = Self.read(page, of: "page")
    #expect(calls.map(\.number) == [3, 5, 5])
    #expect(
      calls.map(\.words) == [
        ["count", "-", "--null"], ["embed", "a b.jpg", "--output", "new.npy"], ["history", "list"],
      ])
  }

  // MARK: Pages

  private static func read(_ text: String, of page: String) -> [Call] {
    var calls: [Call] = []
    var isCode = false
    var begun = ""
    for (index, whole) in text.components(separatedBy: "\n").enumerated() {
      var line = whole.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("```") {
        isCode.toggle()
        begun = ""
        continue
      }
      guard isCode else { continue }
      if line.hasPrefix("$ ") { line.removeFirst(2) }
      line = begun + line
      begun = ""
      if line.hasSuffix("\\") {
        begun = String(line.dropLast()) + " "
        continue
      }
      for command in commands(of: line) {
        guard let name = command.first, ["tally", ".build/release/tally"].contains(name) else {
          continue
        }
        calls.append(Call(page: page, number: index + 1, words: Array(command.dropFirst())))
      }
    }
    return calls
  }

  /// The commands of a shell's line, each as its words, without the files that a shell opens and
  /// without the comment.
  private static func commands(of line: String) -> [[String]] {
    var commands: [[String]] = [[]]
    var word: String?
    var isFile = false
    var quote: Character?
    func endWord() {
      guard let ended = word else { return }
      if !isFile { commands[commands.count - 1].append(ended) }
      isFile = false
      word = nil
    }
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
        continue
      }
      switch character {
      case "'", "\"":
        quote = character
        word = word ?? ""
      case " ":
        endWord()
      case "|", "&", ";":
        endWord()
        commands.append([])
      case "<", ">":
        if word == "2" { word = nil }
        endWord()
        isFile = true
      case "#" where word == nil:
        return commands
      default:
        word = (word ?? "") + String(character)
      }
    }
    endWord()
    return commands
  }
}
