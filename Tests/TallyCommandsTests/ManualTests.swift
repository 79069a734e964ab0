import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally manual")
struct ManualTests {
  @Test("Each command has a page with its options, and so has each word above commands")
  func pages() async throws {
    let folder = try TemporaryFolder()
    let run = await tally("manual", folder.url.path)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(run.output == "\(folder.url.path): \(names.count) pages\n")
    for name in ["tally.1", "tally-model.1", "tally-count.1", "tally-evaluate-counts.1"] {
      #expect(names.contains(name))
    }
    for command in CommandTree.commands.map({ $0.specification }) {
      let path = "\(folder.url.path)/tally-\(command.words.joined(separator: "-")).1"
      let page = try String(contentsOfFile: path, encoding: .utf8)
      #expect(
        page.contains(
          "\\- \(command.summary.replacing("-", with: "\\-").replacing("'", with: "\\(aq"))\n"))
      for option in command.options {
        let name = option.name.replacing("-", with: "\\-")
        #expect(page.contains("\\-\\-\(name)"), "\(path): --\(option.name)")
      }
    }
  }

  @Test("Every line that begins as a request is one that man(7) has, and dashes can be copied")
  func requests() {
    let known: Set<String> = [
      ".TH", ".SH", ".SS", ".PP", ".TP", ".nh", ".ad", ".RS", ".RE", ".EX", ".EE",
    ]
    for page in CommandTree.manualPages {
      for line in page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        #expect(!line.isEmpty, "an empty line in \(page.name)")
        if line.hasPrefix(".") {
          #expect(known.contains(String(line.prefix { $0 != " " })), "\(page.name): \(line)")
        } else {
          let plain = line.replacing("\\-", with: "").replacing("\\f", with: "")
          #expect(!plain.contains("-") && !plain.contains("'"), "\(page.name): \(line)")
        }
      }
    }
  }

  @Test("A page refers to pages that are there")
  func references() {
    let pages = CommandTree.manualPages
    let names = Set(pages.map(\.name))
    #expect(names.count == pages.count)
    for page in pages {
      guard let last = page.text.split(separator: "\n").last else { continue }
      for reference in last.split(separator: ", ") {
        let name = String(reference).replacing("\\fB", with: "").replacing("\\fR(1)", with: "")
          .replacing("\\-", with: "-")
        #expect(names.contains(name), "\(page.name) refers to \(name)")
      }
    }
  }

  @Test("The folder is made, but not the folders above it")
  func noFolder() async throws {
    let folder = try TemporaryFolder()
    #expect(await tally("manual", folder.path("man1")).code == .success)
    #expect(folder.has("man1/tally-count.1"))
    let run = await tally("manual", folder.path("none/man1"))
    #expect(run.failed(.inputOutput) && run.errors.contains("there is no folder"), "\(run)")
    #expect(!folder.has("none"))
  }
}
