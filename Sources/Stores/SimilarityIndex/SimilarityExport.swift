import Foundation
import NearestNeighbors
import _CSVRecords

/// Writes the entries of an index as text for other programs, piece by piece.
public struct SimilarityExport {
  /// A form that others read.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// SQL for `psql`: the table, its rows, and the search as a prepared statement, for PostgreSQL
    /// with the extension pgvector.
    case pgvector
    /// Comma-separated values (RFC 4180, but with plain line feeds) with the columns `id`,
    /// `payload` and `vector`.
    ///
    /// A payload that a spreadsheet would compute, one that begins with `=`, `+`, `-`, `@`, a tab
    /// or a return, has `'` in front. Others that begin with `'` stay what they are.
    case csv
  }

  /// The most values that a vector of pgvector has.
  public static let largestDimension = 16_000
  /// The most that pgvector's own graph takes.
  static let largestIndexedDimension = 2000
  /// The table that ``Format/pgvector`` makes.
  static let table = "tally_index"

  private let reader: SimilarityReader
  /// Whether all payloads are texts that PostgreSQL takes, so that they need not be written as
  /// bytes.
  private let isText: Bool
  /// Whether, besides, none holds a control character that would act on a terminal.
  private let isPrintable: Bool

  /// Looks at all payloads.
  ///
  /// - Throws: ``SimilarityIndexError``.
  public init(_ reader: SimilarityReader) throws {
    self.reader = reader
    var isText = true
    var isPrintable = true
    try reader.forEachEntry { entry in
      guard isText else { return }
      let payload = try entry.payload()
      let text = payload.contains(0) ? nil : String(data: payload, encoding: .utf8)
      isText = text != nil
      isPrintable = isPrintable && text?.unicodeScalars.contains(where: Self.isControl) == false
    }
    self.isText = isText
    self.isPrintable = isPrintable
  }

  /// Whether a character is a control character other than a tab and the ends of lines.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && !"\t\r\n".unicodeScalars.contains(scalar)
  }

  /// Writes all entries, in the order they were added.
  ///
  /// Vectors are written as they are stored: rounded to the precision of the index and, for the
  /// cosine metric, of length 1. Payloads are text if all of them are text, otherwise all are `\x`
  /// and hexadecimal digits. CSV also uses digits if a payload has a control character, which could
  /// act on a terminal.
  ///
  /// - Throws: ``SimilarityIndexError``, also if the dimension is too large for pgvector; the
  ///   errors of `write`.
  public func write(_ format: Format, to write: (String) throws -> Void) throws {
    switch format {
    case .pgvector: try writeSQL(write)
    case .csv: try writeCSV(write)
    }
  }

  private func writeSQL(_ write: (String) throws -> Void) throws {
    let dimension = reader.layout.dimension
    guard dimension <= Self.largestDimension else {
      throw SimilarityIndexError.outOfRange(
        name: "the dimension", value: dimension,
        range: "at most \(Self.largestDimension) for pgvector")
    }
    let (table, metric) = (Self.table, reader.layout.metric)
    let distance = metric.distance("embedding", "$1")
    try write(
      """
      -- \(reader.count) vectors of \(dimension) values, for PostgreSQL with pgvector.
      -- Load with: psql --set ON_ERROR_STOP=1 --file THIS.sql
      SET client_encoding = 'UTF8';
      CREATE EXTENSION IF NOT EXISTS vector;
      CREATE TABLE \(table) (
        id uuid PRIMARY KEY,
        payload \(isText ? "text" : "bytea") NOT NULL,
        embedding vector(\(dimension)) NOT NULL
      );
      COPY \(table) (id, payload, embedding) FROM stdin;

      """)
    try reader.forEachEntry { entry in
      let payload = try text(of: entry, isText: isText)
      try write(
        "\(entry.id.uuidString.lowercased())\t\(Self.copyEscaped(payload))\t"
          + "\(try Self.vector(of: entry))\n")
    }
    try write("\\.\n\n")
    if dimension <= Self.largestIndexedDimension {
      try write(
        """
        -- Exact as it stands. For a graph, faster and approximate:
        -- CREATE INDEX ON \(table) USING hnsw (embedding \(metric.operatorClass));

        """)
    }
    try write(
      """
      -- The search of the index: the query's vector as '[x,y,...]', and how many to find.
      PREPARE tally_search (vector, integer) AS
        SELECT id, \(distance) AS distance, payload
        FROM \(table)
        ORDER BY embedding \(metric.sqlOperator) $1
        LIMIT $2;

      """)
  }

  private func writeCSV(_ write: (String) throws -> Void) throws {
    try write("id,payload,vector\n")
    try reader.forEachEntry { entry in
      var payload = try text(of: entry, isText: isPrintable)
      if let first = payload.utf8.first, "=+-@\t\r".utf8.contains(first) { payload = "'" + payload }
      try write(
        "\(entry.id.uuidString.lowercased()),\(CSVWriter.field(payload)),"
          + "\(CSVWriter.quoted(try Self.vector(of: entry)))\n")
    }
  }

  private func text(of entry: SimilarityEntry, isText: Bool) throws -> String {
    let payload = try entry.payload()
    return isText ? String(decoding: payload, as: UTF8.self) : "\\x" + Self.hexadecimal(payload)
  }

  private static func hexadecimal(_ bytes: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The fewest digits that read back as the same numbers.
  private static func vector(of entry: SimilarityEntry) throws -> String {
    "[" + (try entry.vector()).map { "\($0)" }.joined(separator: ",") + "]"
  }

  /// Text as COPY takes it (PostgreSQL 15, "COPY", File Formats).
  static func copyEscaped(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): result += [byte, byte]
      case 0x0A: result += Array("\\n".utf8)
      case 0x0D: result += Array("\\r".utf8)
      case 0x09: result += Array("\\t".utf8)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension VectorMetric {
  /// pgvector's operator that orders as the metric does.
  fileprivate var sqlOperator: String {
    switch self {
    case .cosine: "<=>"
    case .innerProduct: "<#>"
    case .squaredEuclidean: "<->"
    }
  }

  fileprivate var operatorClass: String {
    switch self {
    case .cosine: "vector_cosine_ops"
    case .innerProduct: "vector_ip_ops"
    case .squaredEuclidean: "vector_l2_ops"
    }
  }

  /// The metric itself: pgvector's Euclidean distance is not squared.
  fileprivate func distance(_ one: String, _ other: String) -> String {
    let term = "\(one) \(sqlOperator) \(other)"
    return self == .squaredEuclidean ? "(\(term)) ^ 2" : term
  }
}
