import Foundation
import _CSVRecords

/// Reads a file of results.
struct ResultsReader {
  /// A whole line, or all CSV records of a photo.
  struct Record {
    /// Its bytes, including its end.
    fileprivate(set) var bytes: Range<Int>
    /// The photo; nil for the titles.
    let name: String?
    /// The number of the photo's error, or 0.
    let code: Int
    /// The number of the photo's records that are missing.
    fileprivate(set) var missing = 0
  }

  let path: String
  let form: ResultsFile.Form
  /// The layout of CSV records.
  let layout: RecordLayout
  let descriptor: Int32

  /// All photos with complete records, in order.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/badData`` if one is not a photo's.
  func records() throws -> [Record] {
    var records: [Record] = []
    var table = CSVReader()
    var line: [UInt8] = []
    var (offset, start, number) = (0, 0, 0)
    while true {
      let piece = try Self.bytes(offset..<offset + 1 << 18, of: descriptor, path: path)
      // Only the last photo's records may be incomplete.
      guard !piece.isEmpty else { return records.last?.missing == 0 ? records : records.dropLast() }
      if form == .csv {
        offset += piece.count
        table.feed(piece)
        while let record = try next(of: &table) {
          try add(photo(of: record, isFirst: records.isEmpty), on: record.line, to: &records)
        }
        continue
      }
      for byte in piece {
        offset += 1
        line.append(byte)
        guard byte == UInt8(ascii: "\n") else { continue }
        number += 1
        try add(photo(of: line, at: start..<offset), on: number, to: &records)
        start = offset
        line.removeAll(keepingCapacity: true)
      }
    }
  }

  private func next(of table: inout CSVReader) throws(CommandError) -> CSVRecord? {
    do throws(CSVError) { return try table.next() } catch { throw foreign(error.line) }
  }

  /// Adds the content of a line: a photo, or one more record of the last one.
  private func add(_ found: Record?, on line: Int, to records: inout [Record]) throws(CommandError)
  {
    guard let found else { throw foreign(line) }
    guard let last = records.last, last.missing > 0 else { return records.append(found) }
    guard last.name.map(FoundPath.init) == found.name.map(FoundPath.init) else {
      throw CommandError(.badData, at: path, "line \(line) is of another photo than it should be")
    }
    records[records.count - 1].bytes = last.bytes.lowerBound..<found.bytes.upperBound
    records[records.count - 1].missing -= 1
  }

  private func foreign(_ line: Int) -> CommandError {
    CommandError(.badData, at: path, "line \(line) is not one that this command writes")
  }

  /// The bytes of a range, up to the end of the file.
  static func bytes(_ range: Range<Int>, of descriptor: Int32, path: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < bytes.count {
      // The pointer is used within this one call only.
      let read = bytes[count...].withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound + count))
      }
      if read == 0 { break }
      if read > 0 {
        count += read
      } else if errno != EINTR {
        throw CommandError.unreadable(path, String(cString: strerror(errno)))
      }
    }
    return Array(bytes.prefix(count))
  }

  private func photo(of line: [UInt8], at bytes: Range<Int>) -> Record? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
      let name = object["image"] as? String
    else { return nil }
    guard object["error"] != nil else { return Record(bytes: bytes, name: name, code: 0) }
    // A number that is not whole, or a text, is not a code, and would count as success.
    guard !(object["code"] is String), let code = object["code"] as? Int else { return nil }
    return Record(bytes: bytes, name: name, code: code)
  }

  private func photo(of row: CSVRecord, isFirst: Bool) -> Record? {
    let texts = row.fields
    guard !isFirst else {
      return texts == layout.titles ? Record(bytes: row.bytes, name: nil, code: 0) : nil
    }
    guard texts.count == layout.titles.count, let name = texts.first, let last = texts.last,
      let code = last.isEmpty ? 0 : Int(last)
    else { return nil }
    var record = Record(bytes: row.bytes, name: name, code: code)
    if layout.isList, code == 0 {
      guard let found = Int(texts[RecordLayout.foundColumn]), found >= 0 else { return nil }
      record.missing = max(found - 1, 0)
    }
    return record
  }
}
