import CountTemplates
import Counting
import Foundation
import TestSupport
import Testing

@Suite("Folders of templates")
struct TemplateFolderTests {
  /// A folder of a test's own, removed with the value.
  final class Scratch: Sendable {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("tally-templates-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

    var folder: TemplateFolder { TemplateFolder(url) }

    func write(_ name: String, _ text: String) throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }

    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
  }

  @Test("What is kept is read as it was, to the last bit")
  func roundTrip() throws {
    let scratch = Scratch()
    for seed in 0..<20 as Range<UInt64> {
      let stored = StoredTemplate.random(seed: seed, name: "t\(seed)")
      try scratch.folder.add(stored)
      let file = try scratch.folder.file(of: stored.name)
      #expect(file.lastPathComponent == "t\(seed).json")
      #expect(try scratch.folder.template("t\(seed)") == stored)
      #expect(try TemplateFolder.template(contentsOf: file) == stored)
    }
    #expect(try scratch.folder.names() == (0..<20).map { "t\($0)" }.sorted())
    #expect(try scratch.names().count == 20, "no drafts are left")
  }

  @Test("A file is text with one row a line")
  func layout() throws {
    let text = String(decoding: try StoredTemplate.sample.json(), as: UTF8.self)
    let digits = String(repeating: "0", count: 64)
    #expect(
      text == """
        {
          "tallyTemplate": 1,
          "name": "sweets",
          "created": "2026-11-22T22:47:34Z",
          "photo": "a \\"tray\\" / b.jpg",
          "objects": 24,
          "models": {"detector": "\(digits)", "embedder": "\(digits)"},
          "side": 0.125,
          "aspect": 1.5,
          "like": [
            [1.0, 0.0],
            [0.6, 0.8]
          ],
          "unlike": []
        }

        """)
  }

  @Test("A name is taken once, unless it is to be replaced")
  func exists() throws {
    let scratch = Scratch()
    try scratch.folder.add(.sample)
    var other = StoredTemplate.sample
    other.objects = 7
    #expect(throws: TemplateError.exists(name: "sweets", folder: scratch.url.path)) {
      try scratch.folder.add(other)
    }
    #expect(try scratch.folder.template("sweets") == .sample)
    try scratch.folder.add(other, replacing: true)
    #expect(try scratch.folder.template("sweets") == other)
    #expect(try scratch.names() == ["sweets.json"])
  }

  @Test("Of many who add one name at once, one does")
  func race() async throws {
    let scratch = Scratch()
    let added = await withTaskGroup(of: Int?.self) { group in
      for number in 1...16 {
        group.addTask {
          var stored = StoredTemplate.sample
          stored.objects = number
          return (try? scratch.folder.add(stored)) == nil ? nil : number
        }
      }
      return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
    }
    #expect(added.count == 1)
    #expect(try scratch.folder.template("sweets").objects == added.first)
    #expect(try scratch.names() == ["sweets.json"])
  }

  @Test("A template that is renamed or copied by hand has its file's name")
  func renamed() throws {
    let scratch = Scratch()
    try scratch.folder.add(.sample)
    let file = try scratch.folder.file(of: StoredTemplate.sample.name)
    let target = scratch.url.appendingPathComponent("red.json")
    try FileManager.default.moveItem(at: file, to: target)
    #expect(try scratch.folder.template("red").name == "red")
    #expect(try scratch.folder.names() == ["red"])
  }

  @Test("What is not there cannot be read or removed")
  func missing() throws {
    let scratch = Scratch()
    #expect(try scratch.folder.names().isEmpty)
    #expect(
      throws: TemplateError.noTemplate(name: "sweets", folder: scratch.url.path, known: [])
    ) { try scratch.folder.template("sweets") }
    try scratch.folder.add(.sample)
    #expect(
      throws: TemplateError.noTemplate(name: "x", folder: scratch.url.path, known: ["sweets"])
    ) { try scratch.folder.remove("x") }
    try scratch.folder.remove("sweets")
    #expect(try scratch.folder.names().isEmpty)
  }

  @Test(
    "Names are those of files in the folder, and of none elsewhere",
    arguments: [
      ("sweets", true), ("Red-2_b.v1", true), ("7", true),
      (String(repeating: "a", count: 64), true),
      (String(repeating: "a", count: 65), false), ("", false), (".", false), ("..", false),
      (".hidden", false), ("-x", false), ("a/b", false), ("../x", false), ("a\\b", false),
      ("a b", false), ("é", false), ("a\u{0}", false), ("a.json", false), ("a.JSON", false),
      ("a\n", false),
    ])
  func names(name: String, isName: Bool) {
    #expect(TemplateFolder.isName(name) == isName)
    let folder = TemplateFolder(URL(fileURLWithPath: "/none"))
    if !isName {
      #expect(throws: TemplateError.invalidName(name)) { try folder.file(of: name) }
      #expect(throws: TemplateError.invalidName(name)) { try folder.template(name) }
      #expect(throws: TemplateError.invalidName(name)) { try folder.remove(name) }
    }
  }

  @Test("The usual place is by the XDG rules")
  func usual() {
    func path(_ environment: [String: String]) -> String? {
      TemplateFolder.usual(environment: environment)?.url.path
    }
    #expect(path(["XDG_DATA_HOME": "/data", "HOME": "/me"]) == "/data/tally/templates")
    #expect(path(["HOME": "/me"]) == "/me/.local/share/tally/templates")
    #expect(path(["XDG_DATA_HOME": "data", "HOME": "/me"]) == "/me/.local/share/tally/templates")
    #expect(path([:]) == nil)
  }

  @Test("What is no file is refused, and a pipe is not waited for")
  func noFile() throws {
    let scratch = Scratch()
    try scratch.folder.add(.sample)
    let folder = scratch.url.appendingPathComponent("a.json")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(
      throws: TemplateError.unreadable(path: folder.path, reason: "it is not a file")
    ) { try scratch.folder.template("a") }
    let pipe = scratch.url.appendingPathComponent("b.json").path
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: TemplateError.unreadable(path: pipe, reason: "it is not a file")) {
      try scratch.folder.template("b")
    }
  }

  @Test("A file cut anywhere is an error, and so is one with any byte changed to a brace")
  func damage() throws {
    let scratch = Scratch()
    let data = try StoredTemplate.sample.json()
    let whole = try StoredTemplate(json: data)
    for length in 0..<data.count - 2 {
      #expect(throws: TemplateError.self) { try StoredTemplate(json: data.prefix(length)) }
    }
    for index in data.indices {
      var damaged = data
      damaged[index] = UInt8(ascii: "}")
      // In a text it is another text; anywhere else it is an error.
      if let read = try? StoredTemplate(json: damaged) { #expect(read.template == whole.template) }
    }
    try scratch.write("cut.json", String(decoding: data.prefix(data.count / 2), as: UTF8.self))
    let path = scratch.url.appendingPathComponent("cut.json").path
    #expect(
      throws: TemplateError.damaged(
        path: path, reason: "this is not a template: it is not JSON")
    ) { try scratch.folder.template("cut") }
  }
}

extension StoredTemplate {
  /// A small one.
  static let sample = StoredTemplate(
    name: "sweets", created: Date(timeIntervalSince1970: 1_795_387_654),
    photo: "a \"tray\" / b.jpg", objects: 24,
    template: CountTemplate(
      models: .init(
        detector: String(repeating: "0", count: 64), embedder: String(repeating: "0", count: 64)),
      like: [[1, 0], [0.6, 0.8]], side: 0.125, aspect: 1.5))

  /// One of random directions.
  static func random(seed: UInt64, name: String) -> StoredTemplate {
    var generator = SeededGenerator(seed: seed)
    let length = Int.random(in: 1...200, using: &generator)
    func rows(_ number: Int) -> [[Float]] {
      (0..<number).map { _ in
        let row = (0..<length).map { _ in Float.random(in: -1...1, using: &generator) }
        let size = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / size }
      }
    }
    let like = rows(Int.random(in: 1...24, using: &generator))
    let unlike = rows(Int.random(in: 0...24, using: &generator))
    func digest() -> String {
      String((0..<64).map { _ in "0123456789abcdef".randomElement(using: &generator) ?? "0" })
    }
    let time = Int.random(in: 0...2_000_000_000, using: &generator)
    return StoredTemplate(
      name: name, created: Date(timeIntervalSince1970: Double(time)),
      photo: "p\n\u{1F967}.jpg", objects: like.count,
      embedderPreset: seed.isMultiple(of: 2) ? "clip" : nil,
      template: CountTemplate(
        models: .init(detector: digest(), embedder: digest()), like: like, unlike: unlike,
        side: Double.random(in: 1e-4...1, using: &generator),
        aspect: Double.random(in: 0.1...10, using: &generator)))
  }
}
