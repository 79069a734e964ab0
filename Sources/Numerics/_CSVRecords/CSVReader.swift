/// A record of a table.
package struct CSVRecord: Hashable, Sendable {
  /// What its fields say, without the quotation marks around them; at least one.
  package let fields: [String]
  /// The line on which it begins, counted from 1.
  package let line: Int
  /// Its bytes in the input, including its line end and anything skipped before it.
  package let bytes: Range<Int>

  /// Whether it is a line with nothing on it.
  package var isBlank: Bool { fields == [""] }
}

/// Takes tables of comma-separated values apart, record by record (RFC 4180).
///
/// A record ends with a line feed, a carriage return or both; the last one needs no end. A field
/// that begins with a quotation mark goes on to the next one: separators and ends of lines in it
/// are text, and two marks are one that is meant. The text stays as it is, ends of lines included.
/// A byte order mark at the start is skipped. Every line counts, those within quotation marks too.
///
/// Some programs write what the RFC does not allow. A mark in a field that does not begin with one
/// stands for itself, and text behind a closing mark belongs to the field.
///
/// The bytes may come in pieces, cut anywhere. A record is given when its end is certain: after a
/// carriage return that is the next byte, or the end of the input. O(*n*) for *n* bytes, in the
/// memory of a piece and a record.
package struct CSVReader: Sendable {
  /// How far a field is.
  private enum State {
    /// Nothing of it came.
    case start
    /// It has no quotation marks, or they are behind.
    case bare
    /// It goes on to a quotation mark.
    case quoted
    /// A quotation mark came, which is the last one unless another follows.
    case closed
  }

  private let separator: UInt8
  private let fieldLimit: Int
  private var piece: [UInt8] = []
  private var place = 0
  /// How many bytes were taken, and the line of the next one.
  private var (offset, line) = (0, 1)
  private var isFinished = false

  /// The offset at which the record begins, that at which its text begins, and its first line.
  private var (start, textStart, startLine) = (0, 0, 1)
  private var fields: [String] = []
  /// The first thing that is wrong with it; what follows is not kept.
  private var fault: CSVError?
  private var field: [UInt8] = []
  private var (fieldLine, quoteLine) = (1, 1)
  private var state = State.start
  /// Whether the record ended with a carriage return, to which a line feed may belong.
  private var isReturned = false
  private var previous: UInt8 = 0

  /// Begins a table whose bytes come in pieces.
  ///
  /// - Parameters:
  ///   - separator: what stands between fields.
  ///   - fieldLimit: the most bytes of a field, without its quotation marks.
  package init(separator: UInt8 = UInt8(ascii: ","), fieldLimit: Int = .max) {
    self.separator = separator
    self.fieldLimit = fieldLimit
  }

  /// Begins a table that is all there.
  package init(
    _ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), fieldLimit: Int = .max
  ) {
    self.init(separator: separator, fieldLimit: fieldLimit)
    piece = bytes
    isFinished = true
  }

  /// The comma, semicolon or tab that the first line has most of; of equal numbers the comma.
  package static func separator(of bytes: [UInt8]) -> UInt8 {
    let header = bytes.prefix(4096).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let counts = ",;\t".utf8.map { sign in (sign, header.count { $0 == sign }) }
    return counts.reduce((UInt8(ascii: ","), 0)) { $1.1 > $0.1 ? $1 : $0 }.0
  }

  /// Adds bytes to the input.
  package mutating func feed(_ bytes: [UInt8]) {
    piece = place == piece.count ? bytes : piece[place...] + bytes
    place = 0
  }

  /// Says that the input has no more bytes.
  package mutating func finish() { isFinished = true }

  /// The next record; nil if the bytes so far have no other one that is whole, or at the end.
  ///
  /// - Throws: ``CSVError`` in the place of a record with a fault, when its end is reached.
  package mutating func next() throws(CSVError) -> CSVRecord? {
    while place < piece.count {
      let byte = piece[place]
      if isReturned, byte != UInt8(ascii: "\n") { return try endRecord() }
      place += 1
      offset += 1
      defer { previous = byte }
      switch byte {
      case UInt8(ascii: "\n") where isReturned: return try endRecord()
      case UInt8(ascii: "\n") where state != .quoted:
        line += 1
        return try endRecord()
      case UInt8(ascii: "\r") where state != .quoted:
        line += 1
        isReturned = true
      case separator where state != .quoted: endField()
      case UInt8(ascii: "\""): takeQuotationMark()
      default: take(byte)
      }
    }
    guard isFinished, offset > textStart else { return nil }
    if state == .quoted { note(.openQuote, line: quoteLine) }
    return try endRecord()
  }

  private mutating func takeQuotationMark() {
    switch state {
    case .start:
      state = .quoted
      quoteLine = line
    case .quoted: state = .closed
    case .closed:
      state = .quoted
      keep(UInt8(ascii: "\""))
    case .bare: keep(UInt8(ascii: "\""))
    }
  }

  private mutating func take(_ byte: UInt8) {
    if state != .quoted { state = .bare }
    switch byte {
    case 0:
      // UTF-16 has such bytes, too, and begins with some that UTF-8 does not have.
      if isUTF8 { note(.zeroByte, line: line) } else { note(.notUTF8, line: fieldLine) }
    case UInt8(ascii: "\r"): line += 1
    case UInt8(ascii: "\n") where previous != UInt8(ascii: "\r"): line += 1
    default: break
    }
    keep(byte)
    if offset == 3, field == [0xEF, 0xBB, 0xBF] {
      // The byte order mark.
      field = []
      state = .start
      textStart = offset
    }
  }

  private mutating func keep(_ byte: UInt8) {
    if field.count == fieldLimit { note(.fieldTooLong, line: fieldLine) }
    if fault == nil { field.append(byte) }
  }

  private mutating func note(_ kind: CSVError.Kind, line: Int) {
    if fault == nil { fault = CSVError(line: line, kind: kind) }
  }

  private var isUTF8: Bool { String(decoding: field, as: UTF8.self).utf8.elementsEqual(field) }

  private mutating func endField() {
    if fault == nil {
      let text = String(decoding: field, as: UTF8.self)
      // Bytes that are not UTF-8 were replaced in the text, so it differs from the field.
      if text.utf8.elementsEqual(field) {
        fields.append(text)
      } else {
        note(.notUTF8, line: fieldLine)
      }
    }
    field.removeAll(keepingCapacity: true)
    state = .start
    fieldLine = line
  }

  private mutating func endRecord() throws(CSVError) -> CSVRecord {
    endField()
    let record = CSVRecord(fields: fields, line: startLine, bytes: start..<offset)
    let found = fault
    (start, textStart, startLine) = (offset, offset, line)
    (fields, fault, isReturned) = ([], nil, false)
    if let found { throw found }
    return record
  }
}

/// What is wrong with a table, and where.
package struct CSVError: Error, Hashable, Sendable {
  /// Of which kind it is.
  package enum Kind: Hashable, Sendable {
    /// A field is not UTF-8.
    case notUTF8
    /// There is a byte of 0, which no text has.
    case zeroByte
    /// A field has more bytes than are allowed.
    case fieldTooLong
    /// A quotation mark is never closed.
    case openQuote
  }

  /// The line, counted from 1: of the byte, of the quotation mark, or on which the field begins.
  package let line: Int
  /// Of which kind it is.
  package let kind: Kind

  /// What is wrong, as the end of a sentence that begins with the line.
  package var reason: String {
    switch kind {
    case .notUTF8: "is not UTF-8"
    case .zeroByte: "has a byte of 0"
    case .fieldTooLong: "has a field that is too long"
    case .openQuote: "has quotes that do not end"
    }
  }
}
