import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

@testable import CommandKit

@Suite("tally library")
struct LibraryCommandTests {
  /// A folder with three photos of one colour each, and a library to make.
  struct Things {
    let folder: TemporaryFolder
    let library: String
    let embedder = ["--embedder", Squares.embedder]

    init() throws {
      folder = try TemporaryFolder()
      library = folder.path("things.library")
      for (name, colour) in [
        ("red", [220, 20, 30]), ("green", [20, 200, 40]), ("blue", [10, 30, 210]),
      ]
        as [(String, [UInt8])]
      {
        let path = folder.path("\(name).png")
        let samples = (0..<32 * 32).flatMap { _ in colour }
        try ImageFile.write(
          Raster(width: 32, height: 32, channels: 3, samples: samples),
          to: URL(fileURLWithPath: path))
      }
    }

    func photo(_ name: String) -> String { folder.path("\(name).png") }

    func add(_ names: String..., options: [String] = []) async -> CommandRun {
      await tally(["library", "add", library] + names.map(photo) + embedder + options)
    }

    func find(_ name: String, options: [String] = []) async -> CommandRun {
      await tally(["library", "find", library, photo(name)] + embedder + options)
    }
  }

  @Test("Added, listed, found, removed")
  func story() async throws {
    let things = try Things()
    let add = await things.add("red", "green")
    #expect(add.code == .success && add.errors.isEmpty, "\(add)")
    #expect(add.output == "\(things.library): 2 entries, by embedder.onnx\n")
    let more = await things.add("blue", options: ["--name", "the sea", "--json"])
    let entry = try more.json()
    let id = try #require(entry["id"] as? String)
    #expect(
      more.output
        == #"{"id":"\#(id)","name":"the sea","file":"\#(things.photo("blue"))"}"# + "\n")

    let list = await tally("library", "list", things.library, "--json")
    let names = try list.outputLines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }.map { $0?["name"] as? String }
    #expect(names == ["red", "green", "the sea"])
    let table = await tally("library", "list", things.library)
    #expect(table.outputLines[0] == "\(things.library): 3 entries, by embedder.onnx")
    #expect(table.outputLines.count == 5)

    for (photo, name) in [("red", "red"), ("green", "green"), ("blue", "the sea")] {
      let run = await things.find(photo, options: ["--json", "--top", "2"])
      #expect(run.code == .success, "\(run)")
      let matches = try #require(try run.json()["matches"] as? [[String: Any]])
      #expect(matches.count == 2 && matches[0]["name"] as? String == name)
      let cosines = matches.compactMap { $0["cosine"] as? Double }
      #expect(abs(cosines[0] - 1) < 1e-5 && cosines[1] < 0.999 && cosines[1] >= -1)
      #expect(Set(matches[0].keys) == ["id", "name", "file", "cosine"])
    }
    let text = await things.find("blue")
    #expect(text.outputLines[0] == "\(things.photo("blue")): 3 entries")
    #expect(text.outputLines[2].contains("  1.0000  \(id)  the sea  "), "\(text)")

    let remove = await tally("library", "remove", things.library, id)
    #expect(remove.output == "\(things.library): 2 entries, by embedder.onnx\n", "\(remove)")
    let again = await tally("library", "remove", things.library, id)
    #expect(again.failed(.noInput) && again.errors.contains("there is no entry \(id)"))
    #expect(!(await things.find("blue").output.contains("the sea")))
  }

  @Test("The bundled embedder knows a photo again in another size")
  func bundled() async throws {
    let things = try Things()
    let add = await tally("library", "add", things.library, Squares.png, things.photo("red"))
    #expect(add.code == .success && add.output.contains("by likeness.onnx"), "\(add)")
    let find = await tally("library", "find", things.library, Squares.jpeg, "--top", "1", "--json")
    #expect(find.output.contains(#""name":"squares""#), "\(find)")
  }

  @Test("A library is one embedder's, and a changed file or preset is another")
  func otherEmbedder() async throws {
    let things = try Things()
    _ = await things.add("red")
    let before = try things.folder.names(in: "things.library/vectors")
    for options in [
      [], things.embedder + ["--embedder-preset", "clip"],
      ["--embedder", ClassifyCommandTests.model("embedder")],
    ] {
      for command in ["add", "find"] {
        let run = await tally(
          ["library", command, things.library, things.photo("green")] + options)
        #expect(run.failed(.badData), "\(run)")
        #expect(run.errors.contains("this library was made with the embedder embedder.onnx ("))
      }
    }
    // The same bytes under another name are the same embedder.
    let copy = things.folder.path("copy.onnx")
    try FileManager.default.copyItem(atPath: Squares.embedder, toPath: copy)
    let run = await tally(
      "library", "find", things.library, things.photo("red"), "--embedder", copy)
    #expect(run.code == .success, "\(run)")
    #expect(try things.folder.names(in: "things.library/vectors") == before)
  }

  // MARK: Bad input

  @Test("Bad photos get their lines; the good ones among them are kept")
  func badPhotos() async throws {
    let things = try Things()
    let none = await things.add("none")
    #expect(none.failed(.noInput) && !things.folder.has("things.library"), "\(none)")
    let text = try things.folder.write("text.jpg", text: "Dear Sir or Madam,\n")
    let notImage = await tally(["library", "add", things.library, text] + things.embedder)
    #expect(notImage.failed(.badData) && !things.folder.has("things.library"))
    let mixed = await things.add("none", "red")
    #expect(mixed.code == .noInput && mixed.errorLines.count == 1, "\(mixed)")
    #expect(mixed.output == "\(things.library): 1 entry, by embedder.onnx\n")
    let find = await tally(
      ["library", "find", things.library, text, things.photo("red")] + things.embedder)
    #expect(find.code == .badData && find.errorLines.count == 1 && !find.output.isEmpty)
  }

  @Test("What is no library, for each command its code and line")
  func notLibraries() async throws {
    let things = try Things()
    let file = try things.folder.write("file", text: "text")
    let other = things.folder.url.path
    let red = things.photo("red")
    let id = "6f1c2d1e-0a3b-4c5d-8e9f-001122334455"
    for (path, code, message) in [
      (things.library, ExitCode.noInput, "there is no such file or folder"),
      (file, .noInput, "this is a file; it must be a folder"),
      (other, .badData, "this is not a library: there is no library.json in it"),
      ("\(file)/below", .noInput, "cannot be opened"), ("a\u{0}", .noInput, "zero byte"),
    ] {
      for command in [
        ["find", path, red] + things.embedder, ["list", path], ["remove", path, id],
      ] {
        let run = await tally(["library"] + command)
        #expect(run.failed(code) && run.errors.contains(message), "\(run)")
      }
    }
    for (path, code) in [
      (file, ExitCode.noInput), (other, .badData), ("\(file)/below", .inputOutput),
      ("a\u{0}", .noInput), (things.folder.path("no/such/folder"), .inputOutput),
    ] {
      let run = await tally(["library", "add", path, red] + things.embedder)
      #expect(run.failed(code), "\(run)")
    }
    for arguments in [
      ["add"], ["add", things.library], ["find", things.library], ["remove", things.library],
      ["remove", things.library, "seven"], ["list"], ["add", things.library, red, "--name", ""],
      ["find", things.library, red, "--top", "0"],
    ] {
      let run = await tally(["library"] + arguments)
      #expect(run.failed(.usage), "\(run)")
    }
    #expect(!things.folder.has("things.library"))
  }

  @Test("A damaged library is bad data, whichever file was changed or cut")
  func damaged() async throws {
    let things = try Things()
    _ = await things.add("red", "green", "blue")
    let files = try things.folder.names(in: "things.library/vectors").map { "vectors/\($0)" }
    for name in ["library.json"] + files {
      let url = URL(fileURLWithPath: "\(things.library)/\(name)")
      let whole = try Data(contentsOf: url)
      guard !whole.isEmpty else { continue }
      var changed = whole
      changed[whole.count / 2] ^= 0x84
      for bytes in [changed, whole.prefix(whole.count / 2), Data()] {
        try bytes.write(to: url)
        let run = await things.find("red")
        // A byte in what nobody looks at may change nothing.
        #expect(
          run.failed(.badData) || (run.code == .success && run.errors.isEmpty), "\(name) \(run)")
        // A log cut short ends with an earlier commit: so a killed writer leaves it.
        if bytes.isEmpty || bytes.count < whole.count && name != "vectors/entries" {
          #expect(run.failed(.badData), "\(name), \(bytes.count) bytes: \(run)")
        }
      }
      try whole.write(to: url)
    }
    #expect(await things.find("red").code == .success)
  }

  @Test("A folder that cannot be written is an error of writing, and nothing is changed")
  func readOnly() async throws {
    let things = try Things()
    let locked = things.folder.path("locked")
    try FileManager.default.createDirectory(atPath: locked, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: locked)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: locked)
    }
    // Whoever may write everywhere writes here too.
    guard access(locked, W_OK) != 0 else { return }
    for path in [locked, "\(locked)/new.library"] {
      let run = await tally(["library", "add", path, things.photo("red")] + things.embedder)
      #expect(run.failed(.inputOutput), "\(run)")
    }
    #expect(try things.folder.names(in: "locked").isEmpty)
  }

  @Test("Where nothing can be written at all, the line says so")
  func unwritable() async throws {
    let things = try Things()
    let run = await tally(
      ["library", "add", "/proc/things.library", things.photo("red")] + things.embedder)
    #expect(run.failed(.inputOutput) && run.errors.contains("cannot be written"), "\(run)")
  }
}
