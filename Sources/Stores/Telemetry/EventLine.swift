/// An event as one line of a file.
///
/// ```json
/// {"time":1732272012345,"confidence":0.91230,"width":0.12300,"height":0.55120,"aspect":0.22390,
///  "text":true,"barcode":false,"check":"4f1c..."}
/// ```
///
/// (all on one line). An event of a variant also has `,"variant":"new-finder"` before the check.
///
/// The check is FNV-1a of 64 bits (Fowler, Noll and Vo) of everything before `,"check"`, in 16
/// hexadecimal digits. The check fails for a line that was cut anywhere, for one whose end belongs
/// to another line, and for one with a changed byte, because every step of FNV-1a is a bijection.
enum EventLine {
  /// More than any line has, its end included.
  static let longest = 240

  private static let keys: [StaticString] = [
    "{\"time\":", ",\"confidence\":", ",\"width\":", ",\"height\":", ",\"aspect\":", ",\"text\":",
    ",\"barcode\":", ",\"check\":\"",
  ]
  private static let variantKey: StaticString = ",\"variant\":\""
  private static let end: StaticString = "\"}"
  private static let checkLength = 16

  // MARK: Writing

  /// Appends an event's line, its end included.
  static func append(_ event: TelemetryEvent, to bytes: inout [UInt8]) {
    let start = bytes.count
    append(keys[0], to: &bytes)
    append(UInt64(event.milliseconds), to: &bytes)
    append(keys[1], to: &bytes)
    append(units: event.confidenceUnits, to: &bytes)
    append(keys[2], to: &bytes)
    append(units: event.widthUnits, to: &bytes)
    append(keys[3], to: &bytes)
    append(units: event.heightUnits, to: &bytes)
    append(keys[4], to: &bytes)
    append(units: event.aspectUnits, to: &bytes)
    append(keys[5], to: &bytes)
    append(event.sawText ? "true" : "false", to: &bytes)
    append(keys[6], to: &bytes)
    append(event.sawBarcode ? "true" : "false", to: &bytes)
    if let variant = event.variant {
      append(variantKey, to: &bytes)
      bytes.append(contentsOf: variant.utf8)
      bytes.append(UInt8(ascii: "\""))
    }
    let check = bytes[start...].withUnsafeBytes { fnv1a($0) }
    append(keys[7], to: &bytes)
    for place in (0..<checkLength).reversed() {
      bytes.append(hexDigits[Int(check >> UInt64(4 * place) & 15)])
    }
    append(end, to: &bytes)
    bytes.append(newline)
  }

  static let newline = UInt8(ascii: "\n")
  private static let hexDigits = Array("0123456789abcdef".utf8)

  private static func append(_ text: StaticString, to bytes: inout [UInt8]) {
    // A literal's own bytes, which last as long as the program.
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// A number of units of 1e-5, with all five decimals.
  private static func append(units: Int32, to bytes: inout [UInt8]) {
    append(UInt64(units / 100_000), to: &bytes)
    bytes.append(UInt8(ascii: "."))
    var place: Int32 = 10_000
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(units / place % 10))
      place /= 10
    }
  }

  /// The 64-bit FNV-1a hash.
  private static func fnv1a(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  // MARK: Reading

  /// The event of a line without its end, and its check; nil if the line does not verify or is
  /// not exactly what ``append(_:to:)`` writes.
  static func event(in line: UnsafeRawBufferPointer) -> (event: TelemetryEvent, check: UInt64)? {
    let tail = keys[7].utf8CodeUnitCount + checkLength + end.utf8CodeUnitCount
    guard line.count > tail, line.count < longest else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: line.dropLast(tail))
    var ending = Cursor(UnsafeRawBufferPointer(rebasing: line.suffix(tail)))
    guard ending.skip(keys[7]), let check = ending.hexadecimal(digits: checkLength),
      ending.skip(end), ending.isAtEnd, fnv1a(body) == check
    else { return nil }

    var cursor = Cursor(body)
    guard cursor.skip(keys[0]), let time = cursor.integer(),
      cursor.skip(keys[1]), let confidence = cursor.units(),
      cursor.skip(keys[2]), let width = cursor.units(),
      cursor.skip(keys[3]), let height = cursor.units(),
      cursor.skip(keys[4]), let aspect = cursor.units(),
      cursor.skip(keys[5]), let text = cursor.truth(),
      cursor.skip(keys[6]), let barcode = cursor.truth()
    else { return nil }
    var variant: String?
    if cursor.skip(variantKey) {
      guard let name = cursor.text() else { return nil }
      variant = name
    }
    guard cursor.isAtEnd,
      let event = TelemetryEvent(
        milliseconds: time, confidence: confidence, width: width, height: height, aspect: aspect,
        sawText: text, sawBarcode: barcode, variant: variant)
    else { return nil }
    return (event, check)
  }

  /// The check that an event's line has.
  static func check(of event: TelemetryEvent) -> UInt64 {
    var bytes: [UInt8] = []
    append(event, to: &bytes)
    let tail = keys[7].utf8CodeUnitCount + checkLength + end.utf8CodeUnitCount + 1
    return bytes.dropLast(tail).withUnsafeBytes { fnv1a($0) }
  }
}

/// A place in a line, and what can be read from there.
private struct Cursor {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { place == bytes.count }

  /// Goes past a text, or stays and answers false.
  mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for offset in 0..<count where bytes[place + offset] != text.utf8Start[offset] { return false }
    place += count
    return true
  }

  /// A whole number of at most 15 digits, as it is written: without zeros in front.
  mutating func integer() -> Int64? {
    let start = place
    guard let value = digits(), bytes[start] != UInt8(ascii: "0") || place - start == 1
    else { return nil }
    return value
  }

  /// At most 15 digits.
  private mutating func digits() -> Int64? {
    let start = place
    var value: Int64 = 0
    while place < bytes.count, let digit = Self.digit(bytes[place]), place - start < 16 {
      value = value * 10 + Int64(digit)
      place += 1
    }
    return (1...15).contains(place - start) ? value : nil
  }

  /// A number with five decimals, in units of 1e-5.
  mutating func units() -> Int32? {
    guard let whole = integer(), whole <= 10_000, skip(".") else { return nil }
    let start = place
    guard let decimals = digits(), place - start == 5 else { return nil }
    return Int32(whole * 100_000 + decimals)
  }

  mutating func truth() -> Bool? {
    if skip("true") { return true }
    return skip("false") ? false : nil
  }

  /// The text before the next quotation mark, and goes past that.
  ///
  /// Bytes outside ASCII may come out as others. No variant has any.
  mutating func text() -> String? {
    let rest = bytes[place...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    place = end + 1
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  mutating func hexadecimal(digits: Int) -> UInt64? {
    guard bytes.count - place >= digits else { return nil }
    var value: UInt64 = 0
    for _ in 0..<digits {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
      place += 1
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : nil
  }
}
