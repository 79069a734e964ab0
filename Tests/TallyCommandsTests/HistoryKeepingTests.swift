import CountHistory
import Foundation
import TestSupport
import Testing

@testable import CountCommands

/// How many counts are kept, how they are told apart, and what deletes them.
@Suite("tally history, kept and deleted")
struct HistoryKeepingTests {
  typealias Store = HistoryCommandTests.Store

  @Test("Two photos of one name are told apart by their folders, the corrected count leads")
  func foldersAndCorrections() async throws {
    let store = try Store()
    for (index, folder) in ["/photos/one", "/photos/two", "=x"].enumerated() {
      try await store.file.add(
        HistoryEntry(
          time: Date(timeIntervalSince1970: Double(index)), count: 18, interval: 12...26,
          correctedCount: index == 1 ? 19 : nil, imageName: "a.jpg", imageFolder: folder,
          thresholds: 0, thumbnail: nil))
    }
    let list = await store.run("list").outputLines.dropFirst(2)
    #expect(
      list.first?.hasSuffix("  18  12 to 26                        a.jpg  =x") == true, "\(list)")
    #expect(
      list.contains { $0.hasSuffix("  19            from 18               a.jpg  /photos/two") })
    let rows = await store.run("export").outputLines.dropFirst()
    #expect(rows.contains { $0.contains(",19,18,,,false,\"a.jpg\",\"/photos/two\",") })
    #expect(rows.contains { $0.contains(",18,,12,26,false,\"a.jpg\",\"./=x\",") })
    let id = try await store.ids()[1]
    let json = try await store.run("show", id, "--json").json()
    #expect(json["count"] as? Int == 19 && json["machineCount"] as? Int == 18)
    #expect(
      json["machineCountInterval"] as? [Int] == [12, 26]
        && json["countInterval"] is NSNull && json["folder"] as? String == "/photos/two")
    let shown = await store.run("show", id)
    #expect(shown.output.contains("count       19, corrected by a person (the machine counted 18)"))
  }

  @Test("The beginning of an id stands for it; what could be more than one is refused by name")
  func shortIDs() async throws {
    let store = try Store()
    let ids = [
      "6f1c2d1e-0a3b-4c5d-8e9f-001122334455", "6f1c2d1e-0a3c-4c5d-8e9f-001122334455",
      "a0000000-0a3b-4c5d-8e9f-001122334455",
    ]
    for (index, id) in ids.enumerated() {
      try await store.file.add(
        HistoryEntry(
          id: #require(UUID(uuidString: id)), time: Date(timeIntervalSince1970: Double(index)),
          count: index, imageName: nil, thresholds: 0, thumbnail: nil))
    }
    // As many characters as tell them apart.
    let list = await store.run("list").outputLines.dropFirst(2).map {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(list == ["a0000000-0a3b", "6f1c2d1e-0a3c", "6f1c2d1e-0a3b"])
    let run = await store.run("favorite", "6F1C2D1E", "A000", "6f1c2d1e0a3b", "beef")
    #expect(run.output == "\(ids[2]): favourite\n\(ids[0]): favourite\n")
    #expect(run.errorLines.count == 2 && run.code == .noInput)
    #expect(run.errors.contains("2 entries begin with 6F1C2D1E: \(ids[1]) and \(ids[0])"))
    #expect(run.errors.contains("there is no entry beef"))
    #expect(await store.run("delete", "6f1c").failed(.usage))
    #expect(await store.run("show", "a000").outputLines.first == ids[2])
    for text in ["a00", "a-00-", "zzzz", ids[0] + "0", "----"] {
      #expect(await store.run("delete", text).failed(.usage), "\(text)")
    }
    #expect(try await store.ids().count == 3)
  }

  @Test("A history keeps as many as it is told, and says when older ones make room")
  func limit() async throws {
    let store = try Store()
    #expect(await store.run("limit").output == "\(store.path): keeps 1000 entries at most\n")
    #expect(try store.folder.names().isEmpty)
    #expect(await store.run("limit", "2").output == "\(store.path): keeps 2 entries at most\n")
    for second in 0..<2 { #expect(await store.count(after: Double(second)).errors.isEmpty) }
    let third = await store.count(after: 3)
    #expect(third.code == .success && third.output.contains("12 objects"))
    #expect(third.errorLines.count == 1, "\(third)")
    #expect(
      third.errors.contains("it keeps 2 entries at most, so the oldest that are not favourites"))
    #expect(
      await store.run("list").output.hasPrefix(
        "\(store.path): 2 entries, at most 2; 1 older made room\n"))
    // Many photos, one line.
    let many = await store.count(Squares.png, after: 4, Squares.png, Squares.png)
    #expect(many.errorLines.count == 1, "\(many)")
    let refused = await store.run("limit", "1")
    #expect(refused.failed(.usage) && refused.errors.contains("confirm with --yes"))
    #expect(try await store.ids().count == 2)
    #expect(
      await store.run("limit", "1", "--yes").output
        == "\(store.path): 1 entry deleted\n\(store.path): keeps 1 entry at most\n")
    for limit in ["0", "10001", "many", "-1", "1.5"] {
      #expect(await store.run("limit", limit).failed(.usage))
    }
  }

  // A11, FR-025.
  @Test("Clearing asks a person, needs --yes of a script, and takes nothing but yes for yes")
  func clearing() async throws {
    let store = try Store()
    _ = await store.count()
    let refused = await store.run("clear")
    #expect(refused.failed(.usage))
    #expect(refused.errors.contains("this would delete all entries of"))
    func asked(_ answer: String) async -> CommandRun {
      await tally(
        ["history", "clear"], canAsk: true, input: Array(answer.utf8),
        environment: ["XDG_DATA_HOME": store.folder.url.path])
    }
    for answer in [
      "", "\n", "n\n", "no\n", "yess\n", "\u{0}\n", String(repeating: "y", count: 1000),
    ] {
      let run = await asked(answer)
      #expect(run.code == .success && run.output == "\(store.path): nothing was deleted\n")
      #expect(run.errors.hasSuffix("with the favourites? [y/N] "))
      #expect(try await store.ids().count == 1)
    }
    #expect(await asked(" Yes \n").output == "\(store.path): 1 entry deleted\n")
    #expect(try await store.ids().isEmpty)
  }

  @Test("Times of the list are those of a clock on the wall; a day begins when that says so")
  func localTimes() throws {
    let time = Date(timeIntervalSince1970: 1_795_387_654.25)
    for (zone, text, beginning) in [
      ("Asia/Tokyo", "2026-11-23 07:47:34", 1_795_359_600.0),
      ("UTC", "2026-11-22 22:47:34", 1_795_392_000),
      ("America/New_York", "2026-11-22 17:47:34", 1_795_410_000),
    ] {
      let zone = try #require(TimeZone(identifier: zone))
      #expect(HistoryInputs.localText(of: time, in: zone) == text)
      let day = try Date("2026-11-23T00:00:00Z", strategy: .iso8601)
      #expect(HistoryInputs.beginning(ofDay: day, in: zone).timeIntervalSince1970 == beginning)
    }
  }
}
