import Evaluation
import Foundation
import TestSupport
import Testing

@testable import CountCommands

@Suite("tally evaluate counts: exemplars and the chapter")
struct EvaluateExemplarsTests {
  /// A photo whose boxes are known, and one whose are not.
  private func folder() async throws -> TemporaryFolder {
    let (white, yellow) = try await TrueSquares.boxes()
    let folder = try TemporaryFolder()
    try TrueSquares.write(
      [
        "a.png": [
          "main": 12, "all": 17, "domain": "squares",
          "boxes": TrueSquares.rows([("yellow", yellow), ("white", white)]),
        ], "b.png": ["main": 12, "all": 17],
      ], to: folder)
    return folder
  }

  private func report(
    _ folder: TemporaryFolder, _ arguments: String...
  ) async throws -> TrueSquares.Report {
    let run = await tally(
      ["evaluate", "counts", folder.url.path, "--json"] + Squares.models + arguments)
    #expect(run.code == .success, "\(run.errors)")
    return try TrueSquares.decoded(run)
  }

  @Test("Exemplars are taken from the main kind, and photos without boxes are left out")
  func exemplars() async throws {
    let folder = try await folder()
    let (white, _) = try await TrueSquares.boxes()
    let report = try await report(folder, "--exemplars", "3")
    #expect(report.photos.map(\.name) == ["a.png"])
    #expect(report.exemplars?.leftOut == ["b.png"] && report.exemplars?.boxes == 3)
    let drawn = report.photos[0].exemplars?.map(\.drawn) ?? []
    #expect(drawn.count == 3)
    for box in drawn {
      #expect(
        white.contains { other in zip(box, other).allSatisfy { abs($0 - $1) < 0.01 } }, "\(box)")
    }
    let text = await tally(
      ["evaluate", "counts", folder.url.path, "--exemplars", "1"] + Squares.models
    ).output
    #expect(text.contains("exemplars: 1 exemplar in each of 1 photo"))
    #expect(text.contains("left out:  1 photo without boxes to take exemplars from: b.png"))
  }

  @Test("Badly drawn boxes follow the seed, and boxes on nothing are on nothing")
  func manners() async throws {
    let folder = try await folder()
    func drawn(_ arguments: [String]) async throws -> [[Double]] {
      let run = await tally(
        ["evaluate", "counts", folder.url.path, "--json", "--exemplars", "2"] + Squares.models
          + arguments)
      return try TrueSquares.decoded(run).photos[0].exemplars?.map(\.drawn) ?? []
    }
    let first = try await drawn(["--drawn", "badly"])
    #expect(first.count == 2)
    #expect(try await drawn(["--drawn", "badly", "--seed", "1"]) == first)
    #expect(try await drawn(["--drawn", "badly", "--seed", "2"]) != first)
    let (white, yellow) = try await TrueSquares.boxes()
    for box in try await drawn(["--drawn", "nowhere"]) {
      #expect(
        (white + yellow).allSatisfy {
          box[2] <= $0[0] || box[0] >= $0[2] || box[3] <= $0[1] || box[1] >= $0[3]
        })
    }
    let report = try await report(folder, "--exemplars", "1", "--drawn", "nowhere")
    #expect(report.exemplars?.drawn == "nowhere" && report.exemplars?.photos == 1)
  }

  @Test("What cannot be is a usage error, and no boxes at all are bad data")
  func wrong() async throws {
    let folder = try await folder()
    let page = folder.path("page.md")
    for arguments in [
      ["--drawn", "badly"], ["--seed", "1"], ["--exemplars", "0", "--drawn", "badly"],
      ["--exemplars", "21"], ["--exemplars", "1", "--drawn", "well"],
      ["--markdown", page, "--exemplars", "1"],
    ] {
      let run = await tally(
        ["evaluate", "counts", folder.url.path] + Squares.models + arguments)
      #expect(run.failed(.usage), "\(arguments): \(run)")
    }
    let bare = try TemporaryFolder()
    try TrueSquares.write(["b.png": ["main": 12, "all": 17]], to: bare)
    let run = await tally(
      ["evaluate", "counts", bare.url.path, "--exemplars", "1"] + Squares.models)
    #expect(run.failed(.badData) && run.errors.contains("no photo has boxes"), "\(run)")
  }

  @Test("The chapter takes the place of the one before, and the rest of the file stays")
  func chapter() async throws {
    let folder = try await folder()
    let page = try folder.write("page.md", text: "# Title\n\nA person's words.\n")
    func write() async throws -> String {
      let run = await tally(
        ["evaluate", "counts", folder.url.path, "--markdown", page, "--failures"]
          + [folder.path("pictures"), "--schematic"] + Squares.models)
      #expect(run.code == .success, "\(run.errors)")
      return try String(contentsOfFile: page, encoding: .utf8)
    }
    let first = try await write()
    #expect(first.hasPrefix("# Title\n\nA person's words.\n\n\(ChapterFile.begin)\n## Photos"))
    #expect(first.hasSuffix("\(ChapterFile.end)\n"))
    for line in [
      "| squares | 1 |", "| 1 exemplar, badly drawn | 1 |", "| 1 exemplar, on nothing |",
    ] {
      #expect(first.contains(line), "\(line)")
    }
    try (first + "\nMore words.\n").write(toFile: page, atomically: true, encoding: .utf8)
    let second = try await write()
    #expect(second == first + "\nMore words.\n")
    try "\(ChapterFile.begin)\n".write(toFile: page, atomically: true, encoding: .utf8)
    let broken = await tally(
      ["evaluate", "counts", folder.url.path, "--markdown", page] + Squares.models)
    #expect(broken.failed(.badData))
  }
}
