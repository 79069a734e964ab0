import Foundation
import TestSupport
import Testing

@testable import ModelStore

@Suite("A folder of models")
struct StoreTests {
  static let one = content(1_000, seed: 11)
  static let two = content(1_200, seed: 12)
  static let three = content(900, seed: 13)

  /// A store with three versions, the last one in use.
  static func store() throws -> Scratch {
    let scratch = try Scratch()
    for (version, bytes) in [("1", one), ("2", two), ("3", three)] {
      try scratch.models.install(
        scratch.write(version, bytes), as: manifest(bytes, version: version))
    }
    return scratch
  }

  @Test("Versions stand side by side, the last one installed is in use")
  func versions() throws {
    let scratch = try Self.store()
    #expect(try scratch.models.bytes() == Self.three)
    for (version, bytes) in [("1", Self.one), ("2", Self.two), ("3", Self.three)] {
      #expect(try scratch.models.bytes(version: version) == bytes)
    }
    let listed = try scratch.models.list()
    #expect(listed.map(\.version) == ["1", "2", "3"])
    #expect(listed.map(\.isInUse) == [false, false, true])
    #expect(try listed.map { try $0.manifest.get().size } == [1_000, 1_200, 900])
    try scratch.models.install(
      scratch.write("4", [4]), as: manifest([4], version: "4"), isUsed: false)
    #expect(try scratch.models.bytes() == Self.three)
    #expect(try scratch.models.bytes(version: "4") == [4])
  }

  @Test("Going back leads further back each time; what was used again is not gone back to twice")
  func rollBack() throws {
    let scratch = try Self.store()
    #expect(try scratch.models.rollBack("model") == "2")
    #expect(try scratch.models.rollBack("model") == "1")
    #expect(throws: ModelStoreError.noEarlierVersion(name: "model")) {
      try scratch.models.rollBack("model")
    }
    #expect(try scratch.models.bytes() == Self.one)
    try scratch.models.use("model", version: "3")
    try scratch.models.use("model", version: "1")
    try scratch.models.use("model", version: "1")
    #expect(try scratch.models.rollBack("model") == "3")
    #expect(throws: ModelStoreError.noEarlierVersion(name: "model")) {
      try scratch.models.rollBack("model")
    }
    for version in 10..<40 {
      try scratch.models.add(
        URL(fileURLWithPath: #filePath), name: "x", version: "\(version)", task: "t")
    }
    for version in (23..<39).reversed() {
      #expect(try scratch.models.rollBack("x") == "\(version)")
    }
    #expect(throws: ModelStoreError.noEarlierVersion(name: "x")) {
      try scratch.models.rollBack("x")
    }
  }

  @Test("A damaged or missing version is not gone back to, nor put into use")
  func damagedEarlier() throws {
    let scratch = try Self.store()
    let file = try scratch.models.model("model", version: "2").file
    try Data(Self.one).write(to: file)
    #expect(throws: ModelStoreError.self) { try scratch.models.use("model", version: "2") }
    #expect(try scratch.models.bytes() == Self.three)
    #expect(try scratch.models.rollBack("model") == "1")
  }

  @Test("A file that was changed by a bit, cut, emptied, lengthened or removed is found out")
  func damage() throws {
    let scratch = try Self.store()
    let file = try scratch.models.model("model").file
    var flipped = Self.three
    flipped[500] ^= 1
    let digest = SHA256Hasher.digest(Self.three)
    try Data(flipped).write(to: file)
    #expect(
      throws: ModelStoreError.wrongDigest(
        path: file.path, expected: digest, found: SHA256Hasher.digest(flipped))
    ) { try scratch.models.verified("model") }
    for bytes in [Array(Self.three.dropLast()), [], Self.three + [0]] {
      try Data(bytes).write(to: file)
      #expect(
        throws: ModelStoreError.wrongSize(path: file.path, expected: 900, found: bytes.count)
      ) { try scratch.models.verified("model") }
    }
    try FileManager.default.removeItem(at: file)
    #expect(throws: ModelStoreError.self) { try scratch.models.verified("model") }
    // A link is no file of the store, wherever it leads.
    try FileManager.default.createSymbolicLink(
      at: file, withDestinationURL: scratch.write("same", Self.three))
    #expect(throws: ModelStoreError.self) { try scratch.models.verified("model") }
    try FileManager.default.removeItem(at: file)
    // Installing it again mends it.
    let stored = try scratch.models.install(
      scratch.write("3", Self.three), as: manifest(Self.three, version: "3"))
    #expect(try scratch.models.verified("model") == stored)
  }

  @Test("A damaged manifest is listed as such, is no model, and is mended by installing again")
  func damagedManifest() throws {
    let scratch = try Self.store()
    let folder = try scratch.models.model("model").file.deletingLastPathComponent()
    let file = folder.appendingPathComponent("manifest.json")
    let others = try [
      Data(), Data("{}".utf8), Data(repeating: 0x20, count: 1 << 20),
      Data(manifest(Self.three, version: "2").json), Data(manifest(Self.three, name: "other").json),
    ]
    for bytes in others {
      try bytes.write(to: file)
      #expect(throws: ModelStoreError.self) { try scratch.models.verified("model") }
      let listed = try scratch.models.list()
      #expect(listed.count == 3)
      #expect(throws: ModelStoreError.self) { try listed[2].manifest.get() }
      #expect(throws: Never.self) { try listed[1].manifest.get() }
    }
    try scratch.models.install(
      scratch.write("3", Self.three), as: manifest(Self.three, version: "3"))
    #expect(try scratch.models.bytes() == Self.three)
  }

  @Test(
    "A damaged mark of what is in use is an error, and putting a version into use mends it",
    arguments: [
      "", "{}", "{\"version\": \"3\"}", "{\"version\": \"../3\", \"earlier\": []}",
      "{\"version\": \"3\", \"earlier\": [\"/\"]}", "{\"version\": 3, \"earlier\": []}",
      "{\"version\": \"3\", \"earlier\": [3]}", "{\"version\": \"none\", \"earlier\": []}",
    ])
  func damagedMark(text: String) throws {
    let scratch = try Self.store()
    try Data(text.utf8).write(to: scratch.store.appendingPathComponent("model/.use.json"))
    #expect(throws: ModelStoreError.self) { try scratch.models.verified("model") }
    #expect(try scratch.models.bytes(version: "2") == Self.two)
    #expect(try scratch.models.list().allSatisfy { !$0.isInUse })
    try scratch.models.use("model", version: "2")
    #expect(try scratch.models.bytes() == Self.two)
  }

  @Test("What is not what the manifest says is not installed, and nothing is left of it")
  func refused() throws {
    let scratch = try Self.store()
    let before = try scratch.snapshot()
    let good = try scratch.write("good", content(100, seed: 20))
    let wrong = try manifest(content(100, seed: 21), version: "4")
    #expect(throws: ModelStoreError.self) { try scratch.models.install(good, as: wrong) }
    let longer = try manifest(content(101, seed: 21), version: "4")
    #expect(throws: ModelStoreError.wrongSize(path: good.path, expected: 101, found: 100)) {
      try scratch.models.install(good, as: longer)
    }
    #expect(throws: ModelStoreError.versionExists(name: "model", version: "2")) {
      try scratch.models.install(good, as: manifest(content(100, seed: 20), version: "2"))
    }
    var hostile = try manifest(content(100, seed: 20))
    for name in ["../x", "", "a/b", "."] {
      hostile.name = name
      #expect(throws: ModelStoreError.self) { try scratch.models.install(good, as: hostile) }
    }
    for path in ["/dev/zero", scratch.url.path, scratch.url.path + "/none"] {
      #expect(throws: ModelStoreError.self) {
        try scratch.models.add(URL(fileURLWithPath: path), name: "x", task: "t")
      }
    }
    #expect(throws: ModelStoreError.self) {
      try scratch.models.add(scratch.write("empty", []), name: "x", task: "t")
    }
    #expect(try scratch.snapshot() == before)
  }

  @Test("A version that is not in use is removed, or all of a model; what is in use stays")
  func removal() throws {
    let scratch = try Self.store()
    try scratch.models.add(scratch.write("other", [1]), name: "other", task: "t")
    #expect(throws: ModelStoreError.inUse(name: "model", version: "3")) {
      try scratch.models.remove("model", version: "3")
    }
    try scratch.models.remove("model", version: "2")
    #expect(throws: ModelStoreError.noVersion(name: "model", version: "2")) {
      try scratch.models.remove("model", version: "2")
    }
    #expect(try scratch.models.rollBack("model") == "1")
    try scratch.models.remove("model")
    #expect(throws: ModelStoreError.noModel(name: "model")) { try scratch.models.remove("model") }
    #expect(throws: ModelStoreError.noModel(name: "model")) { try scratch.models.verified("model") }
    #expect(try scratch.models.list().map(\.name) == ["other"])
    #expect(!scratch.contents().contains { $0.hasPrefix(".incoming/") })
  }

  @Test(
    "A name that is none finds nothing, wherever it would lead",
    arguments: ["", ".", "..", "../model", "model/3", ".incoming", "/etc", "a\0b", "model ", "é"])
  func names(name: String) throws {
    let scratch = try Self.store()
    #expect(throws: ModelStoreError.noModel(name: name)) { try scratch.models.verified(name) }
    #expect(throws: ModelStoreError.self) { try scratch.models.verified("model", version: name) }
    #expect(throws: ModelStoreError.noModel(name: name)) { try scratch.models.remove(name) }
    #expect(throws: ModelStoreError.self) { try scratch.models.remove("model", version: name) }
    #expect(throws: ModelStoreError.self) { try scratch.models.use("model", version: name) }
    #expect(throws: ModelStoreError.noModel(name: name)) { try scratch.models.rollBack(name) }
    #expect(try scratch.models.bytes() == Self.three)
  }

  @Test("A store that is not there is empty, and looking makes none")
  func nothing() throws {
    let scratch = try Scratch()
    #expect(try scratch.models.list().isEmpty)
    #expect(throws: ModelStoreError.noModel(name: "model")) { try scratch.models.verified("model") }
    #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    let file = try scratch.write("file", [1])
    #expect(throws: ModelStoreError.self) {
      try ModelFolder(file).add(file, name: "x", task: "t")
    }
  }

  @Test("What does not belong into a store is passed over, and stays")
  func strangers() throws {
    let scratch = try Self.store()
    func place(_ path: String) -> URL { scratch.store.appendingPathComponent(path) }
    for path in ["readme", "Other Model", ".hidden", "model/.DS_Store", "model/notes"] {
      try Data("x".utf8).write(to: place(path))
    }
    try FileManager.default.createDirectory(at: place("empty"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: place("link"), withDestinationURL: place("model"))
    #expect(try scratch.models.list().count == 3)
    for name in ["readme", "link"] {
      #expect(throws: ModelStoreError.noModel(name: name)) { try scratch.models.verified(name) }
      #expect(throws: ModelStoreError.noModel(name: name)) { try scratch.models.remove(name) }
    }
    #expect(throws: ModelStoreError.noVersion(name: "model", version: "notes")) {
      try scratch.models.remove("model", version: "notes")
    }
    #expect(throws: ModelStoreError.noModel(name: "empty")) { try scratch.models.verified("empty") }
    // And such a folder is no obstacle.
    try scratch.models.add(scratch.write("file", [1]), name: "empty", task: "t")
    #expect(try scratch.models.bytes("empty") == [1])
    for path in ["readme", "link", "model/notes"] {
      #expect(FileManager.default.fileExists(atPath: place(path).path))
    }
  }

  @Test("A model without a manifest gets one: its digest, length, and a version of that")
  func added() throws {
    let scratch = try Scratch()
    let stored = try scratch.models.add(
      scratch.write("file", Self.one), name: "brought", task: "object-detection",
      input: ModelInput(name: "images", shape: [1, 3, nil, nil]), licence: "MIT")
    let digest = SHA256Hasher.digest(Self.one)
    #expect(stored.manifest.digest == digest && stored.manifest.size == 1_000)
    #expect(stored.manifest.version == String(digest.description.prefix(12)))
    #expect(try scratch.models.verified("brought") == stored)
    // Again is no change.
    let before = try scratch.snapshot()
    try scratch.models.add(scratch.write("file", Self.one), name: "brought", task: "other")
    #expect(try scratch.snapshot() == before)
  }

  @Test("The usual place follows the environment, and is nowhere without")
  func usual() {
    func place(_ environment: [String: String]) -> String? {
      ModelFolder.usual(environment: environment)?.url.path
    }
    #expect(place(["XDG_DATA_HOME": "/data", "HOME": "/home/me"]) == "/data/tally/models")
    #expect(place(["HOME": "/home/me"]) == "/home/me/.local/share/tally/models")
    #expect(
      place(["XDG_DATA_HOME": "", "HOME": "/home/me"]) == "/home/me/.local/share/tally/models")
    #expect(place(["XDG_DATA_HOME": "data", "HOME": "/h"]) == "/h/.local/share/tally/models")
    #expect(place(["HOME": "relative"]) == nil && place([:]) == nil)
  }
}
