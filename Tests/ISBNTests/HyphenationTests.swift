import Foundation
import TestSupport
import Testing

@testable import ISBN

/// Elements, groups and hyphens, against the agency's message and the peers.
@Suite struct HyphenationTests {
  @Test(arguments: [
    ("9780306406157", "978-0-306-40615-7", "English language"),
    ("9783161484100", "978-3-16-148410-0", "German language"),
    ("9782070408504", "978-2-07-040850-4", "French language"),
    ("9786001191251", "978-600-119-125-1", "Iran"),
    ("9789999999991", nil, nil),
    ("9791090636071", "979-10-90636-07-1", "France"),
    ("9798602477290", "979-8-6024-7729-0", "United States"),
  ])
  func examples(code: String, hyphenated: String?, group: String?) throws {
    let isbn = try ISBN13(code)
    #expect(isbn.hyphenated == hyphenated)
    #expect(isbn.group?.name == group)
    #expect(try AnyISBN(code).hyphenated == hyphenated)
  }

  @Test func elements() throws {
    let elements = try #require(try ISBN13("9780306406157").elements)
    #expect(elements.prefix == "978")
    #expect(elements.group == "0")
    #expect(elements.registrant == "306")
    #expect(elements.publication == "40615")
    #expect(elements.checkDigit == 7)
    let group = try #require(try ISBN13("9786001191251").group)
    #expect(group == RegistrationGroup(prefix: 978, identifier: "600", name: "Iran"))
  }

  @Test func oldNumbers() throws {
    #expect(try ISBN10("080442957X").hyphenated == "0-8044-2957-X")
    #expect(try ISBN10("0306406152").hyphenated == "0-306-40615-2")
    #expect(try AnyISBN("0306406152").hyphenated == "0-306-40615-2")
    #expect(try ISBN10(completing: "664000000").hyphenated == nil)
  }

  @Test func assignedGroupsWithUnassignedRanges() throws {
    let entry = try #require(
      RegistrationRanges.entries.first { $0 / 10_000 % 10 > 0 && $0 / 1000 % 10 == 0 })
    let isbn = try ISBN13(completing: String(entry / 100_000))
    #expect(isbn.group != nil)
    #expect(isbn.elements == nil)
    #expect(isbn.hyphenated == nil)
  }

  @Test func theTableIsSortedAndCoversBothPrefixes() {
    let starts = RegistrationRanges.entries.map { $0 / 100_000 }
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
    #expect(starts.first == 978_000_000_000)
    #expect(starts.allSatisfy { $0 < 980_000_000_000 })
    for entry in RegistrationRanges.entries {
      let range = RegistrationRange(holding: entry / 100_000 * 10)
      #expect(range.groupLength <= 5 && range.registrantLength <= 7)
      #expect(range.groupLength + range.registrantLength < 9)
      #expect(!range.name.isEmpty)
    }
    #expect(RegistrationGroup.tableDate == RegistrationRanges.date)
    #expect(RegistrationGroup.tableDate.count == 10)
  }

  @Test func theGuideNamesTheDateOfTheTable() throws {
    let guide = try String(
      contentsOf: Folders.package.appendingPathComponent("Docs/ISBN.md"), encoding: .utf8)
    #expect(guide.contains("message of \(RegistrationGroup.tableDate)"))
    #expect(guide.contains("(\(RegistrationRanges.groupCount) groups"))
  }

  /// 120,000 numbers over all ranges: the hyphenation that the message gives, read rule by rule in
  /// Python, and that python-stdnum gives with a table of the same message.
  @Test func everyRange() throws {
    struct Golden: Decodable {
      let seed: UInt64
      let count: Int
      let unassigned: Int
      let blockLength: Int
      let fnv1a: [String]
    }
    let golden = try Folders.golden("ISBN/hyphenation.json", as: Golden.self)
    let starts = RegistrationRanges.entries.map { $0 / 100_000 } + [980_000_000_000]
    var generator = SeededGenerator(seed: golden.seed)
    var unassigned = 0
    var groups: Set<String> = []
    for block in golden.fnv1a {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for _ in 0..<golden.blockLength {
        let index = Int(generator.next() % UInt64(starts.count - 1))
        let body = starts[index] + generator.next() % (starts[index + 1] - starts[index])
        let number = body * 10 + CheckDigit.ean(of: body)
        // 979-0 is no ISBN, and nothing is assigned in it.
        let isbn = try? ISBN13(number: number)
        if let group = isbn?.group { groups.insert("\(group.prefix)-\(group.identifier)") }
        let text = isbn?.hyphenated ?? "-"
        if text == "-" { unassigned += 1 }
        for byte in (text + "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
      let digits = String(hash, radix: 16)
      #expect(String(repeating: "0", count: 16 - digits.count) + digits == block)
    }
    #expect(unassigned == golden.unassigned)
    #expect(golden.count - unassigned >= 100_000)
    #expect(groups.count == RegistrationRanges.groupCount)
  }

  /// Numbers that the message, isbnlib and python-stdnum hyphenate alike, and their ISBN-10.
  @Test func conversionsAndHyphensOfThePeers() throws {
    struct Golden: Decodable { let rows: [String] }
    let golden = try Folders.golden("ISBN/conversions.json", as: Golden.self)
    #expect(golden.rows.count == 4000)
    for row in golden.rows {
      let parts = row.split(separator: " ").map(String.init)
      let isbn = try ISBN13(parts[0])
      #expect(isbn.hyphenated == parts[0])
      #expect((isbn.isbn10?.hyphenated ?? "-") == parts[1])
      if parts[1] != "-" { #expect(try ISBN10(parts[1]).isbn13 == isbn) }
    }
  }
}
