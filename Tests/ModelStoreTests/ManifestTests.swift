import Foundation
import TestSupport
import Testing

@testable import ModelStore

@Suite("Manifests")
struct ManifestTests {
  static let sum = String(repeating: "0123456789abcdef", count: 4)

  /// A manifest with fields put over those of a good one; an empty value leaves one out.
  static func json(_ changes: [String: String] = [:]) -> [UInt8] {
    var fields = [
      "name": "\"m\"", "version": "\"1\"", "sha256": "\"\(sum)\"", "size": "10",
      "task": "\"test\"",
    ]
    fields.merge(changes) { $1 }
    let members = fields.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    return Array("{\(members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))}".utf8)
  }

  @Test("A manifest reads back as it was written, whatever it holds")
  func roundTrip() throws {
    let full = try ModelManifest(
      name: "a.b-c_9", version: "2.0.1-rc", digest: #require(SHA256Digest(Self.sum)),
      size: ModelManifest.largestSize, task: "object-detection",
      input: ModelInput(
        name: "im\"ag\\es/é", type: "float32", shape: [1, nil, 416], channels: "bgr",
        mean: [0.1, -2e-7, 3], deviation: [0.5]),
      source: ModelSource(
        .url("https://example.org/a.zip?x=%20"),
        archive: .init(member: "a/b c.onnx", size: 12, digest: SHA256Digest(Self.sum))),
      licence: "Apache-2.0")
    #expect(try ModelManifest(json: full.json) == full)
    var other = full
    other.source = ModelSource(.package(name: "some_package", version: "1.0", file: "a-1.0.whl"))
    other.input = ModelInput()
    #expect(try ModelManifest(json: other.json) == other)
    let least = try ModelManifest(json: Self.json())
    #expect(try ModelManifest(json: least.json) == least)
    #expect(least.input == nil && least.source == nil && least.licence == nil)
  }

  @Test("Fields that are not known are ignored, and null is as good as nothing")
  func unknown() throws {
    let extended = Self.json([
      "colour": "{\"deep\": [1, {\"a\": null}, true, \"\\u00e9\\ud83d\\ude00\"]}",
      "licence": "null",
      "input": "{\"shape\": [null, 3], \"new\": 1e400}",
    ])
    #expect(try ModelManifest(json: extended).input?.shape == [nil, 3])
  }

  static let hostile: [(String, String)] = [
    ("name", "\"../../etc/passwd\""), ("name", "\"..\""), ("name", "\".\""), ("name", "\"\""),
    ("name", "\"a/b\""), ("name", "\"a\\\\b\""), ("name", "\"/a\""), ("name", "\"A\""),
    ("name", "\"a b\""), ("name", "\"a\\u000ab\""), ("name", "\"a\\u0000b\""), ("name", "\"é\""),
    ("name", "\"\(String(repeating: "a", count: 65))\""), ("name", "7"), ("name", ""),
    ("name", "null"),
    ("name", "[\"m\"]"), ("name", "\"-rf\""), ("name", "\"model@2\""),
    ("version", "\"../1\""), ("version", "\"\""), ("version", "1"), ("version", "\".hidden\""),
    ("task", "\"a/b\""), ("task", ""),
    ("sha256", "\"\(sum.dropLast())\""), ("sha256", "\"\(sum)0\""), ("sha256", "\"\""),
    ("sha256", "\"g\(sum.dropFirst())\""), ("sha256", "1"), ("sha256", ""),
    ("size", "0"), ("size", "-1"), ("size", "1e3"), ("size", "1.0"), ("size", "\"10\""),
    ("size", ""),
    ("size", "9223372036854775807"), ("size", "9223372036854775808"), ("size", "68719476737"),
    ("size", "99999999999999999999999999999999"), ("size", "true"), ("size", "010"), ("size", "+1"),
    ("licence", "\"a\\nb\""), ("licence", "\"\""),
    ("licence", "\"\(String(repeating: "x", count: 2001))\""),
    ("input", "3"), ("input", "{\"shape\": [0]}"), ("input", "{\"shape\": [-1]}"),
    ("input", "{\"shape\": [1.5]}"), ("input", "{\"shape\": 3}"),
    ("input", "{\"shape\": [1,1,1,1,1,1,1,1,1]}"), ("input", "{\"shape\": [99999999999999999999]}"),
    ("input", "{\"channels\": \"xyz\"}"), ("input", "{\"mean\": [1e400]}"),
    ("input", "{\"mean\": [\"1\"]}"), ("input", "{\"deviation\": [0]}"),
    ("input", "{\"type\": \"a b\"}"),
    ("source", "{}"), ("source", "{\"url\": \"file:///etc/passwd\"}"),
    ("source", "{\"url\": \"\"}"),
    ("source", "{\"url\": \"http://a:b@c/\"}"), ("source", "{\"url\": 3}"),
    (
      "source",
      "{\"url\": \"http://a/\", \"package\": \"p\", \"packageVersion\": \"1\", \"file\": \"f\"}"
    ),
    ("source", "{\"package\": \"--index-url=x\", \"packageVersion\": \"1\", \"file\": \"f\"}"),
    ("source", "{\"package\": \"p\", \"packageVersion\": \"1 --pre\", \"file\": \"f\"}"),
    ("source", "{\"package\": \"p\", \"packageVersion\": \"1\", \"file\": \"../f\"}"),
    ("source", "{\"package\": \"p\", \"packageVersion\": \"1\"}"),
    ("source", "{\"url\": \"http://a/\", \"member\": \"m\"}"),
    ("source", "{\"url\": \"http://a/\", \"member\": \"\", \"size\": 1}"),
    ("source", "{\"url\": \"http://a/\", \"member\": \"m\", \"size\": -1}"),
    ("source", "{\"url\": \"http://a/\", \"member\": \"m\", \"size\": 1, \"sha256\": \"0\"}"),
  ]

  @Test("A hostile value is an error that names the field", arguments: hostile)
  func hostileValues(field: String, value: String) {
    #expect {
      _ = try ModelManifest(json: Self.json([field: value]))
    } throws: { error in
      guard case .invalidManifest(let named, _) = error as? ModelStoreError else { return false }
      return named == "text" || named.hasPrefix(field)
    }
  }

  @Test(
    "A text that is no JSON, or is read in two ways, is no manifest",
    arguments: [
      "", " ", "null", "[]", "3", "{", "{\"name\"", "{\"name\":}", "{,}", "{\"a\":1,}", "[1,]",
      "{'a': 1}", "{\"a\": 01}", "{\"a\": 1.}", "{\"a\": -}", "{\"a\": NaN}", "{\"a\": \"\\x\"}",
      "{\"a\": \"\\ud800\"}", "{\"a\": \"\\udc00\\ud800\"}", "{\"a\": \"\u{1}\"}", "{\"a\": tru}",
      "\u{FEFF}{}", "{} {}", "{\"a\": 1} x", "{\"a\": \"\\u00g0\"}", "{\"a\": /* c */ 1}",
      String(repeating: "[", count: 100_00), String(repeating: "{\"a\":", count: 5_000),
      String(repeating: " ", count: 1 << 17),
    ])
  func nonsense(text: String) {
    #expect(throws: ModelStoreError.self) { _ = try ModelManifest(json: Array(text.utf8)) }
  }

  @Test("A member that is there twice is an error, however it is written, at any depth")
  func duplicates() {
    for (extra, word) in [
      ("\"name\": \"m\"", "'name'"), ("\"n\\u0061me\": \"m\"", "'name'"),
      ("\"x\": {\"a\": 1, \"a\": 1}", "'a'"),
    ] {
      let text = String(decoding: Self.json(), as: UTF8.self).dropLast() + ", \(extra)}"
      #expect {
        _ = try ModelManifest(json: Array(text.utf8))
      } throws: { error in
        "\(error)".contains("\(word) is there twice")
      }
    }
  }

  @Test("Bytes that are not UTF-8 are refused, and cut or changed manifests never end the process")
  func damage() throws {
    #expect(throws: ModelStoreError.self) {
      _ = try ModelManifest(json: Array("{\"a\": \"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8))
    }
    let good = Self.json([
      "input": "{\"shape\": [1, null], \"mean\": [0.5]}",
      "source": "{\"url\": \"http://a/\", \"member\": \"m\", \"size\": 1}",
    ])
    for end in 0..<good.count {
      #expect(throws: ModelStoreError.self) { _ = try ModelManifest(json: Array(good[..<end])) }
    }
    var generator = SeededGenerator(seed: 3)
    var readable = 0
    for _ in 0..<3000 {
      var bytes = good
      bytes[bytes.indices.randomElement(using: &generator) ?? 0] = UInt8.random(
        in: 0...255, using: &generator)
      // What is read is valid, and reads back the same.
      guard let manifest = try? ModelManifest(json: bytes) else { continue }
      try manifest.validate()
      #expect(try ModelManifest(json: manifest.json) == manifest)
      readable += 1
    }
    #expect(readable > 0 && readable < 3000)
  }

  @Test("The catalogue holds good manifests, each with a source and terms, and is found by name")
  func catalogue() throws {
    let models = try ModelCatalogue.models()
    #expect(
      models.map(\.name) == ["pp-ocrv4-det", "pp-ocrv4-rec", "ppocr-orientation", "ddddocr-det"])
    for model in models {
      #expect(model.licence != nil && model.input != nil)
      #expect(model.source?.archive?.digest != nil)
      #expect(try ModelCatalogue.model(model.name) == model)
    }
    #expect(try ModelCatalogue.model("none") == nil)
    let twice = Array("[".utf8) + Self.json() + Array(",".utf8) + Self.json() + Array("]".utf8)
    #expect(throws: ModelStoreError.self) { _ = try ModelManifest.list(json: twice) }
  }

  @Test("The catalogue says of the models what they are", arguments: try ModelCatalogue.models())
  func catalogued(model: ModelManifest) throws {
    let member = try #require(model.source?.archive?.member)
    guard let file = try Requirements.model((member as NSString).lastPathComponent) else { return }
    #expect(try SHA256Digest(contentsOf: file) == model.digest)
    #expect(try Data(contentsOf: file).count == model.size)
  }
}
