import Foundation
import Testing

@testable import CommandKit

@Suite("Keys that an object of JSON has twice")
struct RepeatedKeysTests {
  @Test(
    "Keys are compared within their object",
    arguments: [
      (#"{"a":1,"b":2,"a":3}"#, "a"), (#"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#, nil),
      (#"[{"x":1},{"x":{"y":1,"y":2}}]"#, "y"), (#"{"a":"a","b":"a"}"#, nil),
      (#"{"a\"b":1,"a\u0022b":2}"#, "a\"b"), (#"{"a" : 1 , "a" : 2}"#, "a"),
      (#"{"{\"a\":1":1,"a":[1,"a"]}"#, nil), ("{\"a\":1}\n{\"a\":2}\n", nil),
      // Composed and decomposed: a dictionary would hold only one of them.
      ("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}", "caf\u{E9}"),
      ("", nil), ("}", nil), ("{\"a", nil), (#"{"a":1,"a""#, nil), ("\"\\", nil),
      ("{\"a\":1,\"a\\", nil),
    ] as [(String, String?)])
  func keys(json: String, repeated: String?) {
    #expect(RepeatedKeys.first(in: Data(json.utf8)) == repeated)
  }

  @Test("A document with one is refused, with the line if it has lines")
  func documents() throws {
    let twice = Data(#"{"a":1,"a":2}"#.utf8)
    let one = #expect(throws: CommandError.self) {
      let _: [String: Int] = try JSONFile.decoded(twice, "t.json")
    }
    #expect(one.map { "\($0)" }?.contains("the key \"a\" twice") == true)
    let second = Data("{\"a\":1}\n".utf8) + twice
    let lines = #expect(throws: CommandError.self) {
      let _: [[String: Int]] = try JSONFile.decodedLines(second, "t.jsonl")
    }
    #expect(lines.map { "\($0)" }?.contains("line 2: ") == true)
  }
}
