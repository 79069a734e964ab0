import Foundation
import NumPyFiles
import TestSupport
import Testing

@Suite("tally index export")
struct IndexExportTests {
  @Test("The SQL reads as it was last looked at")
  func sql() async throws {
    let points = try IndexedPoints()
    _ = await points.build("--metric", "euclidean")
    let run = await tally("index", "export", points.index, "--format", "pgvector")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(
      run.output == #"""
        -- 4 vectors of 2 values, for PostgreSQL with pgvector.
        -- Load with: psql --set ON_ERROR_STOP=1 --file THIS.sql
        SET client_encoding = 'UTF8';
        CREATE EXTENSION IF NOT EXISTS vector;
        CREATE TABLE tally_index (
          id uuid PRIMARY KEY,
          payload text NOT NULL,
          embedding vector(2) NOT NULL
        );
        COPY tally_index (id, payload, embedding) FROM stdin;
        \#(IndexedPoints.id(0))	east	[1.0,0.0]
        \#(IndexedPoints.id(1))	north	[0.0,1.0]
        \#(IndexedPoints.id(2))	north-east, "far"	[1.0,1.0]
        \#(IndexedPoints.id(3))	west\t\\	[-1.0,0.5]
        \.

        -- Exact as it stands. For a graph, faster and approximate:
        -- CREATE INDEX ON tally_index USING hnsw (embedding vector_l2_ops);
        -- The search of the index: the query's vector as '[x,y,...]', and how many to find.
        PREPARE tally_search (vector, integer) AS
          SELECT id, (embedding <-> $1) ^ 2 AS distance, payload
          FROM tally_index
          ORDER BY embedding <-> $1
          LIMIT $2;

        """#, "\(run)")
  }

  @Test(
    "Each metric has its operator",
    arguments: [
      ("cosine", "embedding <=> $1", "vector_cosine_ops"),
      ("inner-product", "embedding <#> $1", "vector_ip_ops"),
      ("euclidean", "embedding <-> $1", "vector_l2_ops"),
    ])
  func operators(metric: String, term: String, operators: String) async throws {
    let points = try IndexedPoints()
    _ = await points.build("--metric", metric)
    let run = await tally("index", "export", points.index, "--format", "pgvector")
    #expect(
      run.output.contains("ORDER BY \(term)\n") && run.output.contains("(embedding \(operators))"))
  }

  @Test(
    "COPY's text read back by its rules has every id, payload and vector", arguments: [false, true])
  func readBack(hasBytes: Bool) async throws {
    let points = try IndexedPoints()
    var generator = SeededGenerator(seed: 91)
    let values = (0..<300).map { _ in (generator.unitFloat() - 0.5) * 0x1p-20 }
    let vectors = try points.write("r.npy", values, [100, 3])
    // All characters but those that end a line of the file, now and then a byte that is no text.
    let payloads = (0..<100).map { row -> [UInt8] in
      let text = (0..<(row % 9)).map { _ -> UInt8 in
        let byte = UInt8(generator.next() % 127) + 1
        return byte == 10 || byte == 13 ? 92 : byte
      }
      return hasBytes && row % 10 == 3 ? text + [0xFF] : text + Array("é".utf8)
    }
    let list = try points.folder.write("p", payloads.joined(separator: [10]))
    let build = await tally(
      "index", "build", points.index, "--vectors", vectors, "--payloads", list, "--metric",
      "euclidean")
    #expect(build.code == .success, "\(build)")
    let run = await tally("index", "export", points.index, "--format", "pgvector")
    #expect(run.output.contains(hasBytes ? "payload bytea NOT NULL" : "payload text NOT NULL"))
    let lines = run.output.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("COPY ") }) + 1
    let end = try #require(lines.firstIndex(of: "\\."))
    #expect(end - start == 100)
    for (row, line) in lines[start..<end].enumerated() {
      let fields = line.components(separatedBy: "\t")
      try #require(fields.count == 3)
      #expect(UUID(uuidString: fields[0]) != nil)
      let payload = try Self.unescaped(fields[1])
      #expect(
        hasBytes ? try Self.bytes(payload) == payloads[row] : Array(payload.utf8) == payloads[row])
      #expect(fields[2].hasPrefix("[") && fields[2].hasSuffix("]"))
      let vector = fields[2].dropFirst().dropLast().split(separator: ",").map { Float($0) }
      #expect(vector == values[(3 * row)..<(3 * row + 3)].map { $0 })
    }

    let csv = await tally("index", "export", points.index, "--format", "csv")
    let records = try csv.records()
    #expect(records.count == 101 && records[0] == ["id", "payload", "vector"])
    for (row, record) in records.dropFirst().enumerated() {
      try #require(record.count == 3)
      // Among the characters are some that would act on a terminal, so all payloads are digits.
      #expect(try Self.bytes(record[1]) == payloads[row])
      let numbers = record[2].dropFirst().dropLast().split(separator: ",").compactMap { Float($0) }
      #expect(numbers == Array(values[3 * row..<3 * row + 3]))
    }
  }

  @Test("CSV read back has every payload, marks with an accent and a byte order mark among them")
  func readBackCSV() async throws {
    let points = try IndexedPoints()
    let payloads = ["a\"\u{301},b", "\"\u{FE0F}", "x;y\tz", "\u{FEFF}\"a"]
    let list = try points.folder.write("p", text: payloads.joined(separator: "\n"))
    let build = await tally(
      "index", "build", points.index, "--vectors", points.vectors, "--payloads", list)
    #expect(build.code == .success, "\(build)")
    let records = try await tally("index", "export", points.index, "--format", "csv").records()
    #expect(
      records.dropFirst().map { Array($0[1].utf8) } == payloads.map { Array($0.utf8) },
      "\(records)")
  }

  /// The value of a field of COPY's text form.
  private static func unescaped(_ field: String) throws -> String {
    var result: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      let escaped = rest.popFirst()
      switch try #require(escaped) {
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "t"): result.append(9)
      case let other: result.append(other)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes of PostgreSQL's hexadecimal form.
  private static func bytes(_ text: String) throws -> [UInt8] {
    try #require(text.hasPrefix("\\x"))
    let digits = Array(text.dropFirst(2))
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
    }
  }
}
