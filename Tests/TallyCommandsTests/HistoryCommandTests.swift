import CountHistory
import Counting
import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands

@Suite("tally history")
struct HistoryCommandTests {
  /// A history in a folder of its own, and what runs on it.
  struct Store {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path("tally/history.sqlite") }
    var file: HistoryFile { HistoryFile(URL(fileURLWithPath: path)) }

    /// Runs a command of `tally history` on it.
    func run(_ arguments: String...) async -> CommandRun {
      await tally(["history"] + arguments, environment: ["XDG_DATA_HOME": folder.url.path])
    }

    /// Counts a photo and saves the count, as of so many seconds after the first.
    func count(
      _ image: String = Squares.png, after seconds: Double = 0, _ more: String...
    ) async -> CommandRun {
      await tally(
        ["count", image, "--save", "--set", "standard"] + more + Squares.models,
        environment: ["XDG_DATA_HOME": folder.url.path],
        now: { Date(timeIntervalSince1970: 1_795_387_654.25 + seconds) })
    }

    /// The ids of all entries, newest first.
    func ids() async throws -> [String] {
      try await file.entries().map { $0.id.uuidString.lowercased() }
    }
  }

  @Test("A count that is saved is listed with what it was made of")
  func saved() async throws {
    let store = try Store()
    let plain = await Squares.count(Squares.png, "--json")
    let counted = await store.count(Squares.png, after: 0, "--json", "--similarity", "0.75")
    #expect(counted.code == .success && counted.errors.isEmpty, "\(counted)")
    // What is printed does not depend on whether it is kept.
    #expect(try counted.json().keys == plain.json().keys)
    let entry = try #require(try await store.file.entries().first)
    #expect(entry.count == 12 && entry.imageName == "squares.png" && !entry.isFavorite)
    #expect(entry.time == Date(timeIntervalSince1970: 1_795_387_654.25))
    #expect(try entry.thresholds(as: CountingConfiguration.self).similarity == 0.75)
    let thumbnail = try ImageFile.load(data: #require(entry.thumbnail))
    #expect(thumbnail.width == 200 && thumbnail.height == 200)
    let id = entry.id.uuidString.lowercased()
    let list = await store.run("list")
    #expect(list.errors.isEmpty)
    let time = HistoryInputs.localText(of: entry.time)
    let folder = URL(fileURLWithPath: Squares.png).deletingLastPathComponent().path
    #expect(entry.imageFolder == folder)
    #expect(
      list.output == """
        \(store.path): 1 entry, at most 1000
          id        time                 count  interval  corrected  favourite  image        folder
          \(id.prefix(8))  \(time)     12                                  squares.png  \(folder)

        """)
    let json = await store.run("list", "--json")
    #expect(
      json.output == "{\"id\":\"\(id)\",\"time\":\"2026-11-22T22:47:34.250Z\",\"count\":12,"
        + "\"machineCount\":null,\"countInterval\":null,\"machineCountInterval\":null,\"favorite\":false,"
        + "\"image\":\"squares.png\",\"folder\":\"\(folder)\","
        + "\"thumbnailBytes\":\(entry.thumbnail?.count ?? 0)}\n")
  }

  @Test("Nothing is saved unless it is asked for, nor of a photo that cannot be read")
  func notSaved() async throws {
    let store = try Store()
    let run = await tally(
      ["count", Squares.png] + Squares.models,
      environment: ["XDG_DATA_HOME": store.folder.url.path])
    #expect(run.code == .success)
    let bad = await store.count(store.folder.path("none.png"))
    #expect(bad.failed(.noInput))
    #expect(try store.folder.names().isEmpty)
    let empty = await store.run("list")
    #expect(empty.code == .success && empty.output == "\(store.path): 0 entries, at most 1000\n")
    #expect(await store.run("export", "--json").output.isEmpty)
    // Nobody need be asked: there is nothing to lose.
    #expect(await store.run("clear").output == "\(store.path): 0 entries deleted\n")
    #expect(try store.folder.names().isEmpty)
  }

  @Test("A photo without objects is a count of 0 without a thumbnail")
  func nothingCounted() async throws {
    let store = try Store()
    let black = store.folder.path("black.png")
    try ImageFile.write(
      Raster(width: 64, height: 64, channels: 3), to: URL(fileURLWithPath: black))
    #expect(await store.count(black).code == .success)
    let entry = try #require(try await store.file.entries().first)
    #expect(entry.count == 0 && entry.thumbnail == nil && entry.imageName == "black.png")
    let id = entry.id.uuidString.lowercased()
    let shown = await store.run("show", id, "--thumbnail", store.folder.path("t.jpg"))
    #expect(shown.failed(.noInput) && shown.errors.contains("has no thumbnail"))
  }

  @Test("Entries are found by name, time and favourite, newest first")
  func filters() async throws {
    let store = try Store()
    for (index, image) in [Squares.png, Squares.jpeg, Squares.png].enumerated() {
      #expect(await store.count(image, after: Double(index) * 86_400).code == .success)
    }
    let ids = try await store.ids()
    #expect(await store.run("favorite", ids[2]).output == "\(ids[2]): favourite\n")
    func found(_ arguments: String...) async throws -> [String] {
      let environment = ["XDG_DATA_HOME": store.folder.url.path]
      let run = await tally(
        ["history", "list", "--json"] + arguments, environment: environment)
      let exported = await tally(
        ["history", "export", "--json"] + arguments, environment: environment)
      #expect(run.code == .success && exported.outputLines.count == run.outputLines.count)
      return try run.outputLines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["id"] as? String ?? ""
      }
    }
    #expect(try await found() == ids)
    #expect(try await found("--name", "JPG") == [ids[1]])
    #expect(try await found("--favorites") == [ids[2]])
    #expect(try await found("--since", "2026-11-23T00:00:00Z") == [ids[0], ids[1]])
    #expect(try await found("--until", "2026-11-23T00:00:00Z") == [ids[2]])
    #expect(
      try await found("--since", "2026-11-23T22:47:34Z", "--until", "2026-11-24T00:00:00Z")
        == [ids[1]])
    // A day is one of the list's, wherever that is; by then all is over, and before all begins.
    #expect(try await found("--since", "2026-11-21") == ids)
    #expect(try await found("--since", "2026-11-27") == [])
    #expect(
      await store.run("list", "--favorites").output
        .hasPrefix("\(store.path): 1 of 3 entries, at most 1000\n"))
    #expect(await store.run("favorite", ids[2], "--off").output == "\(ids[2]): no favourite\n")
    #expect(try await found("--favorites") == [])
    for time in [
      "yesterday", "2026-11-31", "2026-13-01", "2026-11-22T25:00:00Z", "2026-11-22 10:00",
    ] {
      let run = await store.run("list", "--since", time)
      #expect(run.failed(.usage) && run.errors.contains("it must be a time as 2026-11-22 or"))
    }
  }

  @Test("One entry is shown with its thresholds, and its thumbnail written")
  func show() async throws {
    let store = try Store()
    _ = await store.count()
    let id = try await store.ids()[0]
    let entry = try #require(try await store.file.entries().first)
    let path = store.folder.path("one.jpg")
    let shown = await store.run("show", id.uppercased(), "--thumbnail", path)
    #expect(shown.code == .success && shown.outputLines.first == id, "\(shown)")
    #expect(shown.output.contains("  image       squares.png\n  folder      /"))
    #expect(shown.output.contains("\n  count       12\n"))
    #expect(shown.output.contains("(2026-11-22T22:47:34.250Z)"))
    #expect(await store.run("show", String(id.prefix(8))).output == shown.output)
    #expect(shown.output.contains("\"sizeSigma\":"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == entry.thumbnail)
    let json = try await store.run("show", id, "--json").json()
    let thresholds = try #require(json["thresholds"] as? [String: Any])
    #expect(thresholds["adaptive"] as? String == "off")
    #expect(json["count"] as? Int == 12)
    let missing = await store.run("show", "6f1c2d1e-0a3b-4c5d-8e9f-001122334455")
    #expect(missing.failed(.noInput) && missing.errors.contains("there is no entry 6f1c2d1e"))
    let wrong = await store.run("show", id, "--thumbnail", "one.png")
    #expect(wrong.failed(.usage))
  }

  @Test("Entries are deleted one by one and all; those that are missing get a line each")
  func delete() async throws {
    let store = try Store()
    for index in 0..<3 { _ = await store.count(Squares.png, after: Double(index)) }
    let ids = try await store.ids()
    let none = "6f1c2d1e-0a3b-4c5d-8e9f-001122334455"
    let run = await store.run("delete", ids[0], none, ids[2])
    #expect(run.code == .noInput && run.errorLines.count == 1)
    #expect(run.output == "\(ids[0]): deleted\n\(ids[2]): deleted\n")
    #expect(try await store.ids() == [ids[1]])
    let favorite = await store.run("favorite", none, ids[1])
    #expect(favorite.code == .noInput && favorite.output == "\(ids[1]): favourite\n")
    #expect(await store.run("clear", "--yes").output == "\(store.path): 1 entry deleted\n")
    #expect(try await store.ids().isEmpty)
  }

  @Test("Exported lines hold all there is, and hostile names stay on their lines")
  func export() async throws {
    let store = try Store()
    let names = ["a\n\"b\",\u{1B}[31m\u{0}.jpg", "=1+1", "", "\u{202E}gpj.png"]
    for (index, name) in names.enumerated() {
      try await store.file.add(
        HistoryEntry(
          time: Date(timeIntervalSince1970: Double(index)), count: index, imageName: name,
          thresholds: ["k": "v\n"], thumbnail: Data([1, 2, 3])))
    }
    try await store.file.add(
      HistoryEntry(
        time: Date(timeIntervalSince1970: 9), count: 9, imageName: nil,
        thresholds: CountingConfiguration.standard, thumbnail: nil))
    let json = await store.run("export", "--json")
    #expect(json.outputLines.count == 5)
    let objects = try json.outputLines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(objects.map { $0["count"] as? Int } == [9, 3, 2, 1, 0])
    #expect(objects.dropFirst().map { $0["image"] as? String } == names.reversed())
    #expect(objects[1]["thumbnailBase64"] as? String == "AQID")
    #expect(objects[0]["thumbnailBase64"] is NSNull && objects[0]["image"] is NSNull)
    // What another program kept is a text.
    #expect(objects[1]["thresholds"] as? String == "{\"k\":\"v\\n\"}")
    #expect((objects[0]["thresholds"] as? [String: Any])?["confidence"] != nil)
    let table = await store.run("export")
    #expect(table.outputLines.count == 6)
    #expect(
      table.outputLines[0]
        == "id,time,count,machine_count,least,greatest,favorite,image,folder,thresholds")
    #expect(
      table.output.contains(",1970-01-01T00:00:00.000Z,0,,,,false,\"a\\n\"\"b\"\",\\u{1b}[31m"))
    for run in [table, await store.run("list")] {
      #expect(!run.output.contains("\u{1B}") && !run.output.contains("\u{202E}"))
      #expect(run.errors.isEmpty)
    }
  }

  @Test("With 100 favourites a count is printed and not saved, and the line says why")
  func full() async throws {
    let store = try Store()
    #expect(await store.run("limit", "100").code == .success)
    for index in 0..<100 {
      try await store.file.add(
        HistoryEntry(
          time: Date(timeIntervalSince1970: Double(index)), count: index, imageName: nil,
          thresholds: 0, thumbnail: nil, isFavorite: true))
    }
    let run = await store.count()
    #expect(run.code == .inputOutput && run.errorLines.count == 1, "\(run)")
    #expect(run.errors.contains("room for 100 entries, and favourites take it all"))
    #expect(run.output.contains("12 objects"))
    #expect(try await store.ids().count == 100)
  }

  @Test("What is damaged is bad data; what can be read is salvaged, the rest gets lines")
  func salvage() async throws {
    let store = try Store()
    for index in 0..<8 { _ = await store.count(Squares.png, after: Double(index)) }
    let url = URL(fileURLWithPath: store.path)
    var bytes = try Data(contentsOf: url)
    let whole = store.folder.path("whole.sqlite")
    let saved = await store.run("salvage", "--to", whole)
    #expect(
      saved.code == .success && saved.output == "\(whole): 8 entries saved, at most 1000 kept\n",
      "\(saved)")
    #expect(await store.run("salvage", "--to", whole).failed(.inputOutput))
    #expect(await store.run("salvage").failed(.usage))
    bytes.removeLast(4096)
    try bytes.write(to: url)
    for command in [["list"], ["export"], ["clear"], ["list", "--json"]] {
      let run = await tally(["history"] + command + ["--history", store.path])
      #expect(run.failed(.badData) && run.errors.contains("damaged"), "\(run)")
    }
    let count = await store.count()
    #expect(count.code == .badData && count.output.contains("12 objects"))
    let part = store.folder.path("part.sqlite")
    let rest = await store.run("salvage", "--to", part)
    #expect(rest.code == .badData && rest.output.hasPrefix("\(part): "), "\(rest)")
    #expect(rest.errors.contains("the file ends after \(bytes.count) bytes"))
  }

  @Test("Bad arguments and files, for each its code and line")
  func badInput() async throws {
    let store = try Store()
    let text = try store.folder.write("text", text: "Dear Sir or Madam,\n")
    let id = "6f1c2d1e-0a3b-4c5d-8e9f-001122334455"
    for (path, code) in [
      (store.folder.path("none"), ExitCode.noInput), (store.folder.url.path, .noInput),
      (text, .badData), ("a\u{0}", .noInput), ("\(text)/below", .noInput),
    ] {
      for command in [
        ["list"], ["show", id], ["favorite", id], ["delete", id], ["clear"], ["export"],
        ["salvage", "--to", store.folder.path("new")],
      ] {
        let run = await tally(["history"] + command + ["--history", path])
        #expect(run.failed(code), "\(command) \(run)")
      }
    }
    for arguments in [
      [], ["list", "more"], ["show"], ["show", "seven"], ["show", id, id], ["favorite"],
      ["delete", "7"], ["clear", "--all"], ["list", "--history", ""],
    ] {
      let run = await tally(["history"] + arguments, environment: ["HOME": "/nowhere"])
      #expect(run.failed(.usage), "\(run)")
    }
    #expect(await tally("history", "list").errors.contains("there is no place for a history"))
    #expect(await Squares.count(Squares.png, "--save").failed(.usage))
    let lonely = await Squares.count(Squares.png, "--history", text)
    #expect(lonely.failed(.usage) && lonely.errors.contains("--history is about --save"))
    let unsaved = await Squares.count(Squares.png, "--save", "--history", text)
    #expect(unsaved.code == .badData && unsaved.output.contains("12 objects"), "\(unsaved)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: text)).count == 19)
    #expect(try store.folder.names() == ["text"])
  }
}
