import Foundation
import ReferenceModels
import TestSupport
import Testing

@Suite("Class labels")
struct ClassLabelsTests {
  @Test(
    "every form that labels come in",
    arguments: [
      (#"["cat", "dog"]"#, ["cat", "dog"]), ("['cat', 'dog',]", ["cat", "dog"]),
      (" \n [ \"a\\u00e9\\ud83d\\ude00\" , 'it\\'s' ]\n", ["aé😀", "it's"]),
      (#"{"1": "dog", "0": "cat"}"#, ["cat", "dog"]), ("{0: 'cat', 1: 'dog'}", ["cat", "dog"]),
      (#"{"cat": 0, "dog": 1}"#, ["cat", "dog"]),
      (#"{"0": ["n01440764", "tench"], "1": ["n01443537", "goldfish"]}"#, ["tench", "goldfish"]),
      ("{0: ('n01', 'tench')}", ["tench"]),
      (#"{"model": "x", "names": {"0": "cat"}}"#, ["cat"]), (#"{"id2label": {"0": "a"}}"#, ["a"]),
      ("cat\ndog\n", ["cat", "dog"]), ("cat\r\ndog\r\n\r\n", ["cat", "dog"]),
      ("\u{FEFF}cat", ["cat"]), ("a\n\nb", ["a", "class 1", "b"]),
      ("n01440764 tench, Tinca tinca", ["n01440764 tench, Tinca tinca"]),
      ("[7, None]", ["7", "None"]),
    ])
  func forms(text: String, names: [String]) throws {
    #expect(try ClassLabels(text: text).names == names)
    #expect(try ClassLabels(data: Data(text.utf8)).names == names)
  }

  @Test(
    "texts that name no classes",
    arguments: [
      ("", ClassLabelsError.noNames), ("\n \n", .noNames), ("[]", .noNames), ("{}", .noNames),
      ("[", .syntax(offset: 1, reason: "it breaks off")),
      ("['cat'", .syntax(offset: 6, reason: "it breaks off")),
      ("['cat", .syntax(offset: 5, reason: "a text has no closing quote")),
      ("['cat' 'dog']", .syntax(offset: 7, reason: "a comma is missing")),
      ("{0 'cat'}", .syntax(offset: 3, reason: "a colon is missing")),
      ("[,]", .syntax(offset: 1, reason: "a value is missing")),
      ("[1] 2", .syntax(offset: 4, reason: "there is more after the end")),
      (#"["\ud800"]"#, .syntax(offset: 8, reason: "half of a surrogate pair")),
      (#"["\u12"]"#, .syntax(offset: 4, reason: "4 hexadecimal digits are missing")),
      (#"['\U00110000']"#, .syntax(offset: 12, reason: "no character has this number")),
      (
        String(repeating: "[", count: 100_000),
        .syntax(offset: 8, reason: "lists lie too deep in one another")
      ),
      ("{0: 'a', 2: 'b'}", .gap(index: 2, count: 2)), ("{-1: 'a'}", .gap(index: -1, count: 1)),
      ("{0: 'a', 0: 'b'}", .twice(index: 0)), ("{'a': 'b'}", .notNumbered(key: "a")),
      ("[[]]", .noName(index: 0)), ("[{}]", .noName(index: 0)), ("{0: [1]}", .noName(index: 0)),
      ("a\u{0}b", .notText),
    ])
  func nonsense(text: String, error: ClassLabelsError) {
    #expect(throws: error) { _ = try ClassLabels(text: text) }
    #expect(!error.description.contains("\n") && !error.description.isEmpty)
  }

  @Test("labels have limits, which are read up to")
  func limits() throws {
    let long = String(repeating: "x", count: ClassLabels.largestName)
    #expect(try ClassLabels([long]).names == [long])
    #expect(throws: ClassLabelsError.nameTooLong(index: 1, bytes: long.utf8.count + 1)) {
      _ = try ClassLabels(["a", long + "x"])
    }
    let many = String(repeating: "\n", count: ClassLabels.largestCount) + "a"
    #expect(throws: ClassLabelsError.tooMany) { _ = try ClassLabels(text: many) }
    let list = "[" + String(repeating: "1,", count: ClassLabels.largestCount + 1) + "]"
    #expect(throws: ClassLabelsError.tooMany) { _ = try ClassLabels(text: list) }
    let huge = Data(repeating: 0x61, count: ClassLabels.largestText + 1)
    #expect(throws: ClassLabelsError.tooLarge(bytes: huge.count)) {
      _ = try ClassLabels(data: huge)
    }
    #expect(throws: ClassLabelsError.notText) { _ = try ClassLabels(data: Data([0x61, 0xFF])) }
  }

  @Test("changed and cut texts are labels or an error, in 2000 places")
  func fuzz() {
    var generator = SeededGenerator(seed: 77)
    let whole = Array(
      #"{"names": {"0": ["n0", "té\u00e9"], 1: 'it\'s', "2": "\ud83d\ude00"}, "x": [1, (2, None)]}"#
        .utf8)
    var errors = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      do {
        #expect(try !ClassLabels(data: Data(bytes)).names.isEmpty)
      } catch {
        errors += 1
      }
    }
    #expect(errors > 500)
  }
}
