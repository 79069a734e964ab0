import TestSupport
import Testing

@testable import _CSVRecords

/// The fields of all records of a text.
private func fields(_ text: String, separator: Character = ",") throws -> [[String]] {
  try records(Array(text.utf8), separator: separator).map(\.fields)
}

private func records(
  _ bytes: [UInt8], separator: Character = ",", fieldLimit: Int = .max
) throws -> [CSVRecord] {
  var reader = CSVReader(
    bytes, separator: try #require(separator.asciiValue), fieldLimit: fieldLimit)
  var records: [CSVRecord] = []
  while let record = try reader.next() { records.append(record) }
  return records
}

/// What a reader gives when the bytes come in pieces: records up to the first error, and the error.
private struct Outcome: Equatable {
  var records: [CSVRecord] = []
  var error: CSVError?
}

/// Reads bytes in pieces, each as long as `piece` says of the number that is left.
private func outcome(_ bytes: [UInt8], fieldLimit: Int = .max, piece: (Int) -> Int) -> Outcome {
  var reader = CSVReader(fieldLimit: fieldLimit)
  var outcome = Outcome()
  var rest = bytes[...]
  do throws(CSVError) {
    while !rest.isEmpty {
      let next = rest.prefix(piece(rest.count))
      rest = rest.dropFirst(next.count)
      reader.feed(Array(next))
      while let record = try reader.next() { outcome.records.append(record) }
    }
    reader.finish()
    while let record = try reader.next() { outcome.records.append(record) }
  } catch {
    outcome.error = error
  }
  return outcome
}

@Suite("Records of comma-separated values, read")
struct CSVReaderTests {
  @Test(
    "Fields are what RFC 4180 says",
    arguments: [
      ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
      ("\"a\",\"b\r\nc\",\"\"\r\n", [["a", "b\r\nc", ""]]),
      ("\"a\"\"b\",\"\"\"\",\"\"\"\"\"\"", [["a\"b", "\"", "\"\""]]),
      (" a , \tb ", [[" a ", " \tb "]]),
      (",", [["", ""]]), ("a,", [["a", ""]]), (",\n,", [["", ""], ["", ""]]),
      ("\"a,b\",c", [["a,b", "c"]]), ("\"\"", [[""]]), ("\"\",\"\"\n", [["", ""]]),
      ("é,\"🐈‍⬛\"\n", [["é", "🐈‍⬛"]]),
    ])
  func rules(text: String, expected: [[String]]) throws {
    #expect(try fields(text) == expected)
  }

  @Test(
    "Records end with a line feed, a carriage return or both",
    arguments: [
      ("a\nb", [["a"], ["b"]]), ("a\rb", [["a"], ["b"]]), ("a\r\nb", [["a"], ["b"]]),
      ("a\n\rb", [["a"], [""], ["b"]]), ("a\r\rb", [["a"], [""], ["b"]]),
      ("a\r\r\nb", [["a"], [""], ["b"]]), ("a\r", [["a"]]), ("a\n", [["a"]]), ("a\r\n", [["a"]]),
      ("a\n\n", [["a"], [""]]), ("\"a\"\rb", [["a"], ["b"]]), ("\r", [[""]]), ("\n", [[""]]),
      ("a\n\r\n\rb", [["a"], [""], [""], ["b"]]),
    ])
  func ends(text: String, expected: [[String]]) throws {
    #expect(try fields(text) == expected)
  }

  @Test("Ends of lines within quotation marks stay what they are")
  func quotedEnds() throws {
    for end in ["\n", "\r", "\r\n", "\n\r", "\r\r\n"] {
      let read = try records(Array("\"a\(end)b\(end)\"\(end)c".utf8))
      #expect(read.first?.fields.map { Array($0.utf8) } == [Array("a\(end)b\(end)".utf8)])
      #expect(read.last?.fields == ["c"])
    }
  }

  @Test("There is nothing in an empty table, and nothing in a byte order mark")
  func empty() throws {
    #expect(try fields("").isEmpty)
    #expect(try fields("\u{FEFF}").isEmpty)
    #expect(try fields("\n").map(\.count) == [1])
    #expect(try records(Array("\n".utf8)).allSatisfy(\.isBlank))
    #expect(try !records(Array(",\n".utf8)).contains(where: \.isBlank))
  }

  @Test("One byte order mark is skipped, before quotation marks too; any other is text")
  func mark() throws {
    #expect(try fields("\u{FEFF}a,b\n") == [["a", "b"]])
    #expect(try fields("\u{FEFF}\"a,\"\"b\"\n") == [["a,\"b"]])
    #expect(try fields("\u{FEFF}\n\u{FEFF}") == [[""], ["\u{FEFF}"]])
    let others = try fields("\u{FEFF}\u{FEFF}a,\u{FEFF}b\n\"\u{FEFF}\"")
    #expect(others == [["\u{FEFF}a", "\u{FEFF}b"], ["\u{FEFF}"]])
    #expect(try fields("\"\u{FEFF}\"") == [["\u{FEFF}"]])
    // Half of one is no text.
    for half in [[0xEF], [0xEF, 0xBB]] as [[UInt8]] {
      #expect(throws: CSVError(line: 1, kind: .notUTF8)) { try records(half) }
    }
    #expect(try records(Array("\u{FEFF}a\nb".utf8)).map(\.bytes) == [0..<5, 5..<6])
  }

  @Test(
    "What programs write against the rules keeps all of its text",
    arguments: [
      ("6\" pipe,5' 3\"", ["6\" pipe", "5' 3\""]), ("a\"b\"c", ["a\"b\"c"]),
      (" \"a\"", [" \"a\""]), ("\"a\"b", ["ab"]), ("\"a\" \"b\"", ["a \"b\""]),
      ("\"a\"b\"\"c", ["ab\"\"c"]), ("\"\"a", ["a"]), ("a\"", ["a\""]),
    ])
  func lenient(text: String, expected: [String]) throws {
    #expect(try fields(text) == [expected])
  }

  @Test("Another separator leaves commas to the text", arguments: [";", "\t"])
  func separators(separator: Character) throws {
    let text = "a,b\(separator)\"c\(separator)d\"\n"
    #expect(try fields(text, separator: separator) == [["a,b", "c\(separator)d"]])
  }

  @Test("The separator is what the first line has most of")
  func separatorOfHeader() {
    for (text, separator) in [
      ("a;b;c,d\n,,,,", ";"), ("a\tb\r,,,", "\t"), ("a,b;c", ","), ("", ","), ("a", ","),
      ("\n;;", ","), ("\u{FEFF}a;b", ";"),
    ] as [(String, Character)] {
      #expect(CSVReader.separator(of: Array(text.utf8)) == separator.asciiValue, "\(text)")
    }
  }

  @Test("Records know their lines and their bytes")
  func places() throws {
    let read = try records(Array("a\r\n\"b\n\r\n\",c\rd\n\ne".utf8))
    #expect(read.map(\.fields) == [["a"], ["b\n\r\n", "c"], ["d"], [""], ["e"]])
    #expect(read.map(\.line) == [1, 2, 5, 6, 7])
    #expect(read.map(\.bytes) == [0..<3, 3..<12, 12..<14, 14..<15, 15..<16])
  }

  @Test(
    "Faults have a kind and a line",
    arguments: [
      ("\"", CSVError(line: 1, kind: .openQuote)),
      ("a\n\nb,\"c\n\nd", .init(line: 3, kind: .openQuote)),
      ("\"a\r\nb\",\"\"\"", .init(line: 2, kind: .openQuote)),
      ("a,\"b\"\"", .init(line: 1, kind: .openQuote)),
      ("a\0\n", .init(line: 1, kind: .zeroByte)), ("\0", .init(line: 1, kind: .zeroByte)),
      ("a\r\r\n\"b\n\0\"", .init(line: 4, kind: .zeroByte)),
      ("a,\"\"\0\"\n", .init(line: 1, kind: .zeroByte)),
      ("a\n\"\0", .init(line: 2, kind: .zeroByte)),
      ("123456789", .init(line: 1, kind: .fieldTooLong)),
      ("\"a\n\",\"1234567\n9", .init(line: 2, kind: .fieldTooLong)),
      ("\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"", .init(line: 1, kind: .fieldTooLong)),
    ])
  func faults(text: String, error: CSVError) {
    #expect(throws: error) { try records(Array(text.utf8), fieldLimit: 8) }
    #expect(!error.reason.isEmpty)
  }

  @Test("A field of just so many bytes is not too long, nor is its record")
  func limit() throws {
    let read = try records(Array("12345678,\"1234567\"\"\",12345678\n".utf8), fieldLimit: 8)
    #expect(read.map(\.fields) == [["12345678", "1234567\"", "12345678"]])
  }

  @Test(
    "Bytes that are no UTF-8 are told by the line of their field, UTF-16 among them",
    arguments: [
      ([0xFF, 0xFE, 0x61, 0, 0x0A, 0], 1), ([0xFE, 0xFF, 0, 0x61], 1), ([0x61, 0x0A, 0xC3], 2),
      ([0x0A, 0x22, 0x0A, 0x22, 0x2C, 0xED, 0xA0, 0x80], 3), ([0xC0, 0x80], 1), ([0x80, 0x2C], 1),
      ([0xF4, 0x90, 0x80, 0x80], 1), ([0xC3, 0x2C, 0xA9], 1),
    ] as [([UInt8], Int)])
  func notUTF8(bytes: [UInt8], line: Int) {
    #expect(throws: CSVError(line: line, kind: .notUTF8)) { try records(bytes) }
  }

  @Test("The limit may cut a letter, and is still what was wrong")
  func cutLetter() {
    #expect(throws: CSVError(line: 1, kind: .fieldTooLong)) {
      try records(Array("éé".utf8), fieldLimit: 3)
    }
  }

  @Test("Records before a fault are given, and those behind it too")
  func around() throws {
    var reader = CSVReader(Array("a\nb\0,\"\n\"\nc\n".utf8))
    #expect(try reader.next()?.fields == ["a"])
    #expect(throws: CSVError(line: 2, kind: .zeroByte)) { try reader.next() }
    let last = try reader.next()
    #expect(last?.fields == ["c"] && last?.line == 4 && last?.bytes == 9..<11)
    #expect(try reader.next() == nil)
  }

  @Test("What is not whole is not given before the end, whatever is wrong with it")
  func unfinished() throws {
    for tail in ["b", "\"b\n", "\0\0\0", "b\r", "\"", "\"b\""] {
      var reader = CSVReader()
      reader.feed(Array("a\r\n\(tail)".utf8))
      #expect(try reader.next()?.bytes == 0..<3)
      #expect(try reader.next() == nil, "\(tail)")
    }
  }

  @Test("Any bytes read the same wherever they are cut", arguments: 0..<400)
  func pieces(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let signs: [[UInt8]] =
      "a,\"\r\n;".utf8.map { [$0] } + [
        [0x22, 0x22], [0x0D, 0x0A], [0xC3, 0xA9], [0xEF, 0xBB, 0xBF],
      ]
      + (seed.isMultiple(of: 4) ? [[0], [0xFF], [0xC3]] : [])
    let bytes = (0..<Int.random(in: 0...40, using: &generator)).flatMap { _ in
      signs.randomElement(using: &generator) ?? []
    }
    let limit = seed.isMultiple(of: 5) ? 4 : Int.max
    let whole = outcome(bytes, fieldLimit: limit) { $0 }
    let single = outcome(bytes, fieldLimit: limit) { _ in 1 }
    let cut = outcome(bytes, fieldLimit: limit) { Int.random(in: 1...$0, using: &generator) }
    #expect(whole == single && whole == cut, "\(bytes)")
    // Records lie one behind the other, on lines that rise.
    var (end, line) = (0, 0)
    for record in whole.records {
      #expect(record.bytes.lowerBound == end && record.bytes.count > 0 && record.line > line)
      #expect(!record.fields.isEmpty)
      (end, line) = (record.bytes.upperBound, record.line)
    }
    if whole.error == nil { #expect(end == bytes.count || bytes == [0xEF, 0xBB, 0xBF]) }
  }

  @Test("Bytes of a piece that were not taken yet stay before the next piece")
  func early() throws {
    var reader = CSVReader()
    reader.feed(Array("a\nb\n".utf8))
    #expect(try reader.next()?.fields == ["a"])
    reader.feed(Array("c\n".utf8))
    #expect(try reader.next()?.fields == ["b"])
    #expect(try reader.next()?.fields == ["c"])
  }

  @Test("Megabytes of one sign take no long time and no deep stack")
  func long() throws {
    let count = 1 << 20
    #expect(try records([UInt8](repeating: 0x2C, count: count)).map(\.fields.count) == [count + 1])
    #expect(try records([UInt8](repeating: 0x0D, count: count)).count == count)
    let marks = try records([UInt8](repeating: 0x22, count: count))
    #expect(marks.map { $0.fields.map(\.utf8.count) } == [[count / 2 - 1]])
    #expect(throws: CSVError(line: 1, kind: .zeroByte)) {
      try records([UInt8](repeating: 0, count: count))
    }
    #expect(throws: CSVError(line: 1, kind: .fieldTooLong)) {
      try records([0x22] + [UInt8](repeating: 0x0A, count: count), fieldLimit: 100)
    }
  }
}
