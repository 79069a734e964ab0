import Foundation
import FuzzSupport

@testable import CommandKit
@testable import CountCommands
@testable import TallyCommands
@testable import _CSVRecords

extension Target {
  /// Records of comma-separated values: the same wherever the bytes are cut, and what is written of any fields is
  /// read as they are.
  static let csv = Target(
    "csv", seeds: { [Array("\u{FEFF}a,\"b\"\r\n=c;\0 \"\"\",\0,\0\r".utf8)] }
  ) { bytes in
    let limit = bytes[0] & 3 == 3 ? 8 : Int.max
    let whole = outcome(bytes, fieldLimit: limit, most: bytes.count)
    let parts = outcome(bytes, fieldLimit: limit, most: 1 + Int(bytes[0]) % 8)
    expect(whole == parts, "\(whole) at once, \(parts) in pieces")
    var end = 0
    for record in whole.records {
      expect(record.bytes.lowerBound == end, "\(record) does not begin at \(end)")
      end = record.bytes.upperBound
      let again = outcome(
        Array(CSVWriter.record(record.fields).utf8), fieldLimit: limit, most: bytes.count)
      expect(again.records.map(\.fields) == [record.fields], "\(record) is read again as \(again)")
    }

    let fields = bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let record = Array(CSVWriter.record(fields).utf8)
    var reader = CSVReader()
    reader.feed(Array(record.dropLast()))
    expect(try reader.next() == nil, "a record of \(fields) ends early")
    reader.feed(Array(record.suffix(1)))
    let read = try reader.next()
    expect(
      read?.fields.map { Array($0.utf8) } == fields.map { Array($0.utf8) },
      "\(fields) is read as \(String(describing: read))")
    for field in fields {
      let name = CSVText.fileName(field)
      expect(!"=+-@".contains(name.first ?? " "), "'\(name)' is a formula")
      let json = JSONText.object([(field, .string(field))]).text
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
      expect(
        object?.values.first.map { Array($0.utf8) } == Array(field.utf8),
        "\(field) is \(json) as JSON")
      let printed = PrintableText.of(field)
      expect(!printed.unicodeScalars.contains { $0.value < 0x20 }, "'\(printed)' is printed")
    }
  }

  private struct Outcome: Equatable {
    var records: [CSVRecord] = []
    var error: CSVError?
  }

  /// What bytes are read as, so many at a time.
  private static func outcome(_ bytes: [UInt8], fieldLimit: Int, most: Int) -> Outcome {
    var reader = CSVReader(fieldLimit: fieldLimit)
    var outcome = Outcome()
    do throws(CSVError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        reader.feed(Array(rest.prefix(most)))
        rest = rest.dropFirst(most)
        while let record = try reader.next() { outcome.records.append(record) }
      }
      reader.finish()
      while let record = try reader.next() { outcome.records.append(record) }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  /// A file of results: what a run wrote is read, whatever else is refused.
  static let results = Target(
    "results",
    seeds: {
      let rows = [PhotoRow(path: "a,\"b\".jpg", outcome: .failed(CommandError(.badData, "no, \"")))]
      return [
        [0] + rows.flatMap { Array(($0.json + "\n").utf8) }
          + Array("{\"image\":\"b\",\"count\":3}\n".utf8)
      ]
        + [UInt8(1), 5].map { kind in
          let layout = layout(kind)
          return [kind] + Array(layout.titleRecord.utf8)
            + rows.flatMap { Array(layout.records(of: $0).utf8) }
        }
    }
  ) { bytes in
    let form = bytes[0] & 1 == 0 ? ResultsFile.Form.jsonl : .csv
    // With titles the fuzzer need not learn them.
    let layout = layout(bytes[0])
    let titles = bytes[0] & 3 == 3 ? Array(layout.titleRecord.utf8) : []
    let content = titles + bytes.dropFirst()
    func records(_ content: [UInt8]) throws -> [ResultsReader.Record] {
      let file = try Scratch.write(content, to: "results")
      let descriptor = open(file.path, O_RDONLY)
      defer { close(descriptor) }
      return try ResultsReader(
        path: file.path, form: form, layout: layout, descriptor: descriptor
      ).records()
    }
    try refusable(CommandError.self) {
      let read = try records(content)
      var end = 0
      for record in read {
        expect(record.bytes.lowerBound == end, "\(record) does not begin at \(end)")
        end = record.bytes.upperBound
      }
      expect(end <= content.count, "\(end) of \(content.count) bytes")
    }
    // A name that is written is the name that is read.
    let name = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let row = PhotoRow(path: name, outcome: .failed(CommandError(.badData, at: name, "is bad")))
    let line = form == .csv ? layout.titleRecord + layout.records(of: row) : row.json + "\n"
    let read = try records(Array(line.utf8))
    let expected = form == .csv ? CSVText.fileName(name) : name
    expect(
      read.last?.name.map { Array($0.utf8) } == Array(expected.utf8) && read.last?.code != 0,
      "'\(name)' is read as \(String(describing: read.last))")
  }

  /// The layout that a byte asks for: one record a photo, or one for each thing that was found.
  private static func layout(_ byte: UInt8) -> RecordLayout {
    byte & 4 == 0 ? RecordLayout(CountSummary.self) : RecordLayout(DetectionReport.self)
  }

  /// Lines of a stream: the same wherever the bytes are cut.
  static let stream = Target(
    "stream",
    seeds: {
      [
        "a.jpg\n\ndata:image/png;base64,aGFsbG8=\n/9j/4AAQSkZJRg==\ndata:;name=x,\nb",
        "data:image/jpeg;name=a%20b.jpg;base64,/9j/4AAQ\n",
      ].map { [3, 40] + Array($0.utf8) }
    }
  ) { bytes in
    guard bytes.count > 2 else { return }
    let limit = 1 + Int(bytes[1])
    let content = Array(bytes.dropFirst(2))
    func lines(_ most: Int) throws -> [LineReader.Line] {
      var reader = LineReader(Pieces(content, most: most), limit: limit)
      var lines: [LineReader.Line] = []
      while let line = try reader.next() { lines.append(line) }
      return lines
    }
    let whole = try lines(content.count)
    let parts = try lines(1 + Int(bytes[0]) % 32)
    expect(whole == parts, "\(whole) at once, \(parts) in pieces")
    for line in whole { _ = StreamLine(line) }
  }
}

/// Bytes that come a few at a time.
private final class Pieces: InputSource, @unchecked Sendable {
  // Safe to share: one reader takes from it.
  private var rest: ArraySlice<UInt8>
  private let most: Int

  init(_ bytes: [UInt8], most: Int) {
    rest = bytes[...]
    self.most = most
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    let piece = rest.prefix(min(most, buffer.count))
    buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}
