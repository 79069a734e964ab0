import Foundation

/// Reads what a file of results has.
struct ResultsReader {
  /// A whole line, or a record of CSV.
  struct Record {
    /// Where it stands, its end included.
    let bytes: Range<Int>
    /// The photo; nil for the titles.
    let name: String?
    /// The number of the photo's error, or 0.
    let code: Int
  }

  let path: String
  let form: ResultsFile.Form
  let descriptor: Int32

  /// All whole records, in order.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/badData`` where one is no photo's.
  func records() throws -> [Record] {
    var records: [Record] = []
    var scanner = CSVScanner()
    var line: [UInt8] = []
    var (offset, start) = (0, 0)
    while true {
      let piece = try Self.bytes(offset..<offset + 1 << 18, of: descriptor, path: path)
      guard !piece.isEmpty else { return records }
      for byte in piece {
        offset += 1
        let isWhole: Bool
        if form == .csv {
          isWhole = scanner.take(byte)
        } else {
          line.append(byte)
          isWhole = byte == UInt8(ascii: "\n")
        }
        guard isWhole else { continue }
        let found =
          form == .csv ? photo(of: scanner.fields, isFirst: records.isEmpty) : photo(of: line)
        guard let found else {
          throw CommandError(
            .badData, at: path,
            "line \(records.count + 1) is none that 'tally count --results' writes")
        }
        records.append(Record(bytes: start..<offset, name: found.name, code: found.code))
        start = offset
        line.removeAll(keepingCapacity: true)
        scanner.clear()
      }
    }
  }

  /// The bytes of a range, as far as the file reaches.
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
        throw CommandError(
          .inputOutput, at: path, "cannot be read: \(String(cString: strerror(errno)))")
      }
    }
    return Array(bytes.prefix(count))
  }

  private func photo(of line: [UInt8]) -> (name: String?, code: Int)? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
      let name = object["image"] as? String
    else { return nil }
    return (name, object["error"] == nil ? 0 : object["code"] as? Int ?? 0)
  }

  private func photo(of fields: [[UInt8]], isFirst: Bool) -> (name: String?, code: Int)? {
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    guard !isFirst else {
      return CSVText.record(texts) == PhotoRow.csvTitles ? (nil, 0) : nil
    }
    guard texts.count == 11, let name = texts.first, let last = texts.last,
      let code = last.isEmpty ? 0 : Int(last)
    else { return nil }
    return (name, code)
  }
}
