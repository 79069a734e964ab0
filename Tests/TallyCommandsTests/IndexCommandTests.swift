import Foundation
import NumPyFiles
import SimilarityIndex
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally index")
struct IndexCommandTests {
  @Test("Built, searched, changed, compacted: each command says what there is")
  func story() async throws {
    let points = try IndexedPoints()
    let build = await points.build()
    #expect(build.code == .success && build.errors.isEmpty, "\(build)")
    #expect(build.output == "\(points.index): 4 entries, 2 values each, cosine, float32\n")

    let query = try points.write("q.npy", [2, 0.2, 0, 3], [2, 2])
    let search = await tally("index", "search", points.index, "--vectors", query, "--top", "2")
    #expect(
      search.output == """
        query 0: 2 entries
             distance  id                                    payload
          1  0.004963  \(IndexedPoints.id(0))  east
          2  0.226043  \(IndexedPoints.id(2))  north-east, "far"
        query 1: 2 entries
             distance  id                                    payload
          1  0.000000  \(IndexedPoints.id(1))  north
          2  0.292893  \(IndexedPoints.id(2))  north-east, "far"

        """, "\(search)")
    let like = await tally(
      "index", "search", points.index, "--id", IndexedPoints.id(2), "--top", "1", "--json")
    #expect(
      like.output
        == #"{"query":"\#(IndexedPoints.id(2))","results":[{"id":"\#(IndexedPoints.id(0))","#
        + #""distance":0.29289323,"payload":"east"}]}"# + "\n", "\(like)")

    // One replaced, one new.
    let more = try points.write("more.npy", [0, -1, -1, -1], [2, 2])
    let moreIDs = try points.folder.write(
      "more", text: "\(IndexedPoints.id(0))\r\n\(IndexedPoints.id(7))\r\n")
    let add = await tally("index", "add", points.index, "--vectors", more, "--ids", moreIDs)
    #expect(add.output == "\(points.index): 5 entries, 2 values each, cosine, float32\n", "\(add)")
    let remove = await tally(
      "index", "remove", points.index, IndexedPoints.id(1), IndexedPoints.id(3))
    #expect(remove.output == "\(points.index): 3 entries, 2 values each, cosine, float32\n")

    let stats = try await tally("index", "stats", points.index, "--json", "--verify").json()
    #expect(stats["entries"] as? Int == 3 && stats["dimension"] as? Int == 2)
    #expect(stats["metric"] as? String == "cosine" && stats["precision"] as? String == "float32")
    #expect(stats["commit"] as? Int == 4 && stats["graph"] is NSNull)
    #expect(stats["approximate"] as? Bool == false)
    let dead = try #require(stats["deadShare"] as? Double)
    #expect(dead > 0 && dead < 0.2)
    let text = await tally("index", "stats", points.index)
    #expect(text.outputLines[0] == "\(points.index): 3 entries")
    #expect(text.output.contains("  search       exact\n"))

    let compact = await tally("index", "compact", points.index)
    #expect(
      compact.output.hasPrefix("\(points.index): 3 entries, 2 values each, cosine, float32; "))
    let after = try await tally("index", "stats", points.index, "--json").json()
    #expect(after["deadShare"] as? Double == 0 && after["entries"] as? Int == 3)
    let last = await tally("index", "search", points.index, "--vectors", query, "--json")
    #expect(last.outputLines.count == 2 && !last.output.contains(IndexedPoints.id(1)))
  }

  @Test("What 'tally embed' writes can be indexed and found")
  func embedded() async throws {
    let folder = try TemporaryFolder()
    let vectors = folder.path("v.npy")
    let embed = await tally(
      "embed", Squares.png, Squares.jpeg, "--embedder", Squares.embedder, "--output", vectors)
    #expect(embed.code == .success, "\(embed)")
    let names = try folder.write("names", text: "png\njpeg\n")
    let index = folder.path("index")
    for precision in ["float32", "float16", "int8"] {
      try? FileManager.default.removeItem(atPath: index)
      let build = await tally(
        "index", "build", index, "--vectors", vectors, "--payloads", names, "--precision",
        precision)
      #expect(build.code == .success, "\(build)")
      let found = await tally(
        "index", "search", index, "--vectors", vectors, "--top", "1", "--json")
      #expect(found.outputLines[0].contains(#""payload":"png""#), "\(found)")
    }
  }

  @Test("No rows make an empty index, which is searched, exported and compacted")
  func empty() async throws {
    let points = try IndexedPoints()
    let none = try points.write("none.npy", [], [0, 3])
    let build = await tally("index", "build", points.index, "--vectors", none)
    #expect(build.output == "\(points.index): 0 entries, 3 values each, cosine, float32\n")
    let query = try points.write("q.npy", [1, 2, 3], [3])
    let search = await tally("index", "search", points.index, "--vectors", query)
    #expect(search.output == "query 0: 0 entries\n", "\(search)")
    #expect(await tally("index", "compact", points.index).code == .success)
    let export = await tally("index", "export", points.index, "--format", "csv")
    #expect(export.output == "id,payload,vector\n")
  }

  // MARK: Bad input

  @Test(
    "Bad vectors fail each command that takes them, and leave nothing",
    arguments: BadVectors.all.indices)
  func badVectors(place: Int) async throws {
    let points = try IndexedPoints()
    let (_, code, message, make) = BadVectors.all[place]
    let bad = try make(points)
    let build = await tally("index", "build", points.index, "--vectors", bad)
    #expect(build.failed(code) && build.errors.contains(message), "\(build)")
    #expect(build.errors.contains(bad))
    #expect(!points.folder.has("points.index"))
    _ = await points.build()
    for command in ["add", "search"] {
      let run = await tally("index", command, points.index, "--vectors", bad)
      // Rows are looked at in turn: what the first found may be printed before the second fails.
      #expect(run.code == code && run.errorLines.count == 1, "\(run)")
      #expect(run.errors.contains(message) && run.errors.contains(bad), "\(run)")
    }
    let stats = try await tally("index", "stats", points.index, "--json").json()
    #expect(stats["entries"] as? Int == 4 && stats["commit"] as? Int == 2)
  }

  @Test("Vectors of another dimension are bad data")
  func dimension() async throws {
    let points = try IndexedPoints()
    _ = await points.build()
    let bad = try points.write("d.npy", [1, 2, 3], [1, 3])
    for command in ["add", "search"] {
      let run = await tally("index", command, points.index, "--vectors", bad)
      #expect(run.failed(.badData), "\(run)")
      #expect(run.errors.contains("\(bad): rows of 3 values; this index has vectors of 2"))
    }
  }

  @Test("Ids and payloads that do not fit are bad data, before anything is made")
  func lists() async throws {
    let points = try IndexedPoints()
    let one = IndexedPoints.id(1)
    for (option, text, message) in [
      ("--ids", "\(one)\n\(one)\n", "2 lines, and there are 4 vectors"),
      ("--ids", "", "0 lines"),
      ("--ids", "\(one)\n\(one)\nnone\n\(one)", "line 3: 'none' is not a UUID"),
      ("--ids", "\(one)\n\n\(one)\n\(one)", "line 2: '' is not a UUID"),
      ("--payloads", "a\nb\nc\nd\ne\n", "5 lines, and there are 4 vectors"),
    ] {
      let file = try points.folder.write("list", text: text)
      let run = await tally(
        "index", "build", points.index, "--vectors", points.vectors, option, file)
      #expect(run.failed(.badData) && run.errors.contains(message), "\(run)")
      #expect(!points.folder.has("points.index"))
    }
    for option in ["--ids", "--payloads"] {
      for path in [points.folder.path("none"), points.folder.url.path] {
        let run = await tally(
          "index", "build", points.index, "--vectors", points.vectors, option, path)
        #expect(run.failed(.noInput), "\(run)")
      }
    }
  }

  /// The commands that take an index that is there.
  static let readers = [
    ["add", "--vectors"], ["remove"], ["search", "--vectors"], ["stats"], ["compact"],
    ["export", "--format", "csv"], ["salvage"],
  ]

  private func run(_ reader: [String], _ index: String, _ points: IndexedPoints) async -> CommandRun
  {
    var arguments = ["index", reader[0], index] + reader.dropFirst()
    switch reader[0] {
    case "add", "search": arguments.append(points.vectors)
    case "remove": arguments.append(IndexedPoints.id(0))
    case "salvage": arguments += ["--to", points.folder.path("saved")]
    default: break
    }
    return await tally(arguments)
  }

  @Test("What is no index fails each command", arguments: readers)
  func noIndex(reader: [String]) async throws {
    let points = try IndexedPoints()
    let missing = await run(reader, points.folder.path("none"), points)
    #expect(missing.failed(.noInput), "\(missing)")
    let file = await run(reader, points.vectors, points)
    #expect(file.failed(.noInput) && file.errors.contains("it must be a folder"), "\(file)")
    let folder = await run(reader, points.folder.url.path, points)
    #expect(folder.failed(.badData), "\(folder)")
    #expect(folder.errors.contains("this is not an index: there is no file 'entries' in it"))
    #expect(try points.folder.names() == ["ids", "names", "v.npy"])
  }

  @Test("A damaged index fails each command with the place", arguments: readers)
  func damaged(reader: [String]) async throws {
    let points = try IndexedPoints()
    _ = await points.build()
    let log = URL(fileURLWithPath: points.index + "/entries")
    let whole = try Data(contentsOf: log)
    var flipped = whole
    flipped[128 + 64 + 10] ^= 1
    for (bytes, message) in [
      (flipped, "damaged at byte 192: the checksum of record 1 is wrong"),
      (whole.prefix(100), "damaged at byte 100: it ends inside its header"),
      (Data(), "this is not an index: it ends after 0 bytes"),
      (
        Data(repeating: 65, count: 500),
        "this is not an index: it does not begin as such a file does"
      ),
    ] {
      try bytes.write(to: log)
      try? FileManager.default.removeItem(atPath: points.folder.path("saved"))
      let run = await run(reader, points.index, points)
      if reader[0] == "salvage" {
        // The headers of the other files tell what the log's does not.
        #expect(run.code == .success, "\(run)")
        #expect(
          run.output.contains(bytes == flipped ? "3 entries saved" : "0 entries saved"), "\(run)")
      } else {
        #expect(run.failed(.badData) && run.errors.contains(message), "\(run)")
        #expect(run.errors.contains(points.index))
      }
    }
  }

  @Test("A damaged vector is found by search and export, and by stats where asked")
  func damagedVector() async throws {
    let points = try IndexedPoints()
    _ = await points.build()
    let file = URL(fileURLWithPath: points.index + "/vectors-1")
    var bytes = try Data(contentsOf: file)
    bytes[4096 + 9] ^= 16
    try bytes.write(to: file)
    for arguments in [
      ["search", points.index, "--vectors", points.vectors], ["stats", points.index, "--verify"],
      ["export", points.index, "--format", "pgvector"], ["compact", points.index],
    ] {
      let run = await tally(["index"] + arguments)
      #expect(run.failed(.badData), "\(run)")
      #expect(run.errors.contains("vectors-1: damaged at byte 4104: the checksum of row 1"))
    }
    #expect(await tally("index", "stats", points.index).code == .success)
    let saved = points.folder.path("saved")
    let salvage = await tally("index", "salvage", points.index, "--to", saved)
    #expect(salvage.output == "\(saved): 3 entries saved, 1 lost, 0 damaged records passed over\n")
  }

  @Test("A flipped bit in the last commit's record fails each command; its entries are salvaged")
  func damagedCommit() async throws {
    let points = try IndexedPoints()
    _ = await points.build()
    let log = URL(fileURLWithPath: points.index + "/entries")
    var bytes = try Data(contentsOf: log)
    bytes[bytes.count - 1] ^= 2
    try bytes.write(to: log)
    for reader in Self.readers where reader[0] != "salvage" {
      let run = await run(reader, points.index, points)
      #expect(run.failed(.badData), "\(run)")
      #expect(run.errors.contains("damaged at byte 448: the checksum of record 5 is wrong"))
    }
    let saved = points.folder.path("saved")
    let salvage = await tally("index", "salvage", points.index, "--to", saved)
    #expect(
      salvage.output == "\(saved): 4 entries saved, 0 lost, 1 damaged record passed over; "
        + "4 of those saved are of a commit whose record is damaged\n")
  }

  @Test("Changes that were never committed get a warning, until the next change deletes them")
  func uncommitted() async throws {
    let points = try IndexedPoints()
    _ = await points.build()
    let log = URL(fileURLWithPath: points.index + "/entries")
    try Data(contentsOf: log).dropLast(1).write(to: log)
    for options in [[], ["--json"], ["--verify"]] {
      let stats = await tally(["index", "stats", points.index] + options)
      #expect(stats.code == .success, "\(stats)")
      #expect(
        stats.errors.hasPrefix(
          "tally: warning: \(points.index): the log ends with 319 bytes of changes that were never "
            + "committed"), "\(stats)")
    }
    let add = await tally("index", "add", points.index, "--vectors", points.vectors)
    #expect(add.code == .success && add.errors.isEmpty, "\(add)")
    let stats = await tally("index", "stats", points.index)
    #expect(stats.errors.isEmpty && stats.outputLines[0] == "\(points.index): 4 entries")
  }

  @Test("Places where no index can be made, and ids that are not there")
  func places() async throws {
    let points = try IndexedPoints()
    #expect(await points.build().code == .success)
    let again = await points.build()
    #expect(again.failed(.inputOutput) && again.errors.contains("there is something here already"))
    let vectors = ["--vectors", points.vectors]
    for place in [points.vectors, points.vectors + "/below", points.folder.path("no/such")] {
      let run = await tally(["index", "build", place] + vectors)
      #expect(run.failed(.inputOutput), "\(run)")
    }
    let gone = await tally("index", "search", points.index, "--id", IndexedPoints.id(9))
    #expect(
      gone.failed(.noInput) && gone.errors.contains("there is no entry \(IndexedPoints.id(9))"))
    let remove = await tally(
      "index", "remove", points.index, IndexedPoints.id(9), IndexedPoints.id(0))
    #expect(remove.failed(.noInput), "\(remove)")
    let stats = try await tally("index", "stats", points.index, "--json").json()
    #expect(stats["entries"] as? Int == 3)
    let writer = try SimilarityWriter(opening: URL(fileURLWithPath: points.index))
    let locked = await tally(["index", "add", points.index] + vectors)
    #expect(locked.failed(.inputOutput) && locked.errors.contains("another process is writing"))
    #expect(await tally("index", "stats", points.index).code == .success)
    writer.close()
  }

  @Test(
    "Arguments that mean nothing are usage errors",
    arguments: [
      ["build", "x"], ["build", "--vectors", "v.npy"], ["build", "x", "y", "--vectors", "v.npy"],
      ["build", "x", "--vectors", "v.npy", "--metric", "manhattan"],
      ["build", "x", "--vectors", "v.npy", "--precision", "int4"], ["add", "x"], ["remove", "x"],
      ["remove", "x", "no-uuid"], ["search", "x"], ["search", "x", "--id", "no-uuid"],
      ["search", "x", "--vectors", "v.npy", "--id", "00000000-0000-4000-8000-000000000000"],
      ["search", "x", "--vectors", "v.npy", "--top", "0"],
      ["search", "x", "--vectors", "v.npy", "--top", "-1"], ["export", "x"],
      ["export", "x", "--format", "xml"], ["salvage", "x"], ["stats"], ["compact"], [],
      ["serach"],
    ])
  func usage(arguments: [String]) async {
    let run = await tally(["index"] + arguments)
    #expect(run.failed(.usage), "\(run)")
  }

  #if os(Linux)
    @Test("Output that finds no room is an error")
    func fullOutput() async throws {
      let points = try IndexedPoints()
      _ = await points.build()
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      for arguments in [
        ["export", points.index, "--format", "csv"], ["stats", points.index],
        ["search", points.index, "--vectors", points.vectors],
      ] {
        let errors = MemorySink()
        let code = await TallyCommand.run(
          ["index"] + arguments,
          console: Console(
            output: FileDescriptorSink(descriptor: full.fileDescriptor), errors: errors))
        #expect(code == .inputOutput && errors.text.contains("No space left"), "\(errors.text)")
      }
    }
  #endif
}

/// Four points of a plane with ids and names, and an index of them.
struct IndexedPoints {
  let folder: TemporaryFolder
  let vectors: String
  let ids: String
  let payloads: String
  static let values: [Float] = [1, 0, 0, 1, 1, 1, -1, 0.5]
  static let names = ["east", "north", "north-east, \"far\"", "west\t\\"]

  static func id(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }

  init() throws {
    folder = try TemporaryFolder()
    vectors = folder.path("v.npy")
    try NumPyArray(Self.values, shape: [4, 2]).write(to: URL(fileURLWithPath: vectors))
    ids = try folder.write("ids", text: (0..<4).map { Self.id($0) + "\n" }.joined())
    payloads = try folder.write("names", text: Self.names.joined(separator: "\n"))
  }

  var index: String { folder.path("points.index") }

  func build(_ options: String...) async -> CommandRun {
    await tally(
      ["index", "build", index, "--vectors", vectors, "--ids", ids, "--payloads", payloads]
        + options)
  }

  func write(_ name: String, _ values: [Float], _ shape: [Int]) throws -> String {
    let path = folder.path(name)
    try NumPyArray(values, shape: shape).write(to: URL(fileURLWithPath: path))
    return path
  }
}

/// Files that are no vectors of two values, with how a command fails.
enum BadVectors {
  /// What is given in the place of a file of vectors.
  static let all: [(String, ExitCode, String, @Sendable (IndexedPoints) throws -> String)] = [
    ("missing", .noInput, "there is no such file", { $0.folder.path("none.npy") }),
    ("a folder", .noInput, "is a folder; it must be a file", { $0.folder.url.path }),
    ("empty", .badData, "not a .npy file", { try $0.folder.write("e.npy", text: "") }),
    ("text", .badData, "not a .npy file", { try $0.folder.write("t.npy", text: "1,2\n3,4\n") }),
    (
      "truncated", .badData, "data of",
      { points in
        let whole = try Data(contentsOf: URL(fileURLWithPath: points.vectors))
        return try points.folder.write("cut.npy", whole.dropLast(5))
      }
    ),
    ("NaN", .badData, "row 1: value 0", { try $0.write("n.npy", [1, 1, .nan, 1], [2, 2]) }),
    ("infinite", .badData, "row 0: value 1", { try $0.write("i.npy", [1, .infinity], [1, 2]) }),
    (
      "zeros", .badData, "row 1: a vector is all zeros",
      { try $0.write("z.npy", [1, 1, 0, 0], [2, 2]) }
    ),
    (
      "three axes", .badData, "it must have two axes",
      { try $0.write("3.npy", [1, 2], [1, 1, 2]) }
    ),
    ("no axis", .badData, "it must have two axes", { try $0.write("0.npy", [1], []) }),
    ("no values", .badData, "its rows have no values", { try $0.write("0.npy", [], [4, 0]) }),
    ("a device", .noInput, "neither a file nor a folder", { _ in "/dev/zero" }),
  ]
}
