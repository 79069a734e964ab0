/// The digits of a code, read off its text once: separators and a label in front are skipped and
/// the checksums are gathered on the way, so that nothing is allocated.
struct CodeReading {
  /// The digits as one number; a final X counts as nothing and digits past the 18th are left out.
  private(set) var value: UInt64 = 0
  /// How many digits there were, an X among them.
  private(set) var count = 0
  /// Whether the last of them is an X.
  private(set) var endsInX = false
  /// The first thing that cannot belong to a code.
  private(set) var failure: CodeFailure?
  /// Whether the M of an old ISMN stands before the digits.
  private(set) var startsWithM = false

  /// Whether eight digits are an ISSN: the sum with weights 8 to 1 is a multiple of 11.
  var isISSN: Bool { count == 8 && sumOfSums % 11 == 0 }

  /// The sums of every second digit: the one with the last digit in it, and the other.
  private var sumWithLast: UInt32 = 0
  private var sumBesideLast: UInt32 = 0
  /// The sum of all running sums: it weighs the last digit once, the one before it twice, and
  /// so on.
  private var sumOfSums: UInt32 = 0

  /// Whether ten digits are an ISBN-10: the sum with weights 10 to 1 is a multiple of 11.
  var isISBN10: Bool { count == 10 && sumOfSums % 11 == 0 }

  /// Whether the digits satisfy the EAN checksum: the sum with weights 1 and 3 in turn from the
  /// right is a multiple of 10.
  var satisfiesEAN: Bool { !endsInX && (sumWithLast + 3 * sumBesideLast) % 10 == 0 }

  /// Reads a string.
  init(_ text: String, as kind: CodeKind = .isbn) {
    var copy = text
    self = copy.withUTF8 { CodeReading($0, as: kind) }
  }

  /// Reads any bytes.
  init(utf8 bytes: some Collection<UInt8>, as kind: CodeKind = .isbn) {
    if let reading = bytes.withContiguousStorageIfAvailable({ CodeReading($0, as: kind) }) {
      self = reading
    } else {
      self = Array(bytes).withUnsafeBufferPointer { CodeReading($0, as: kind) }
    }
  }

  /// Reads UTF-8 bytes in place.
  init(_ bytes: UnsafeBufferPointer<UInt8>, as kind: CodeKind) {
    var index = 0
    // Nearly every code is plain ASCII digits and hyphens to its end.
    while index < bytes.count {
      let byte = bytes[index]
      let digit = byte &- 0x30
      if digit < 10 {
        append(digit)
      } else if byte != 0x2D && byte != 0x20 {
        break
      }
      index += 1
    }
    if index < bytes.count { readRest(bytes, from: index, as: kind) }
  }

  @inline(__always)
  private mutating func append(_ digit: UInt8) {
    count &+= 1
    guard count <= 18 else { return }
    value = value &* 10 &+ UInt64(digit)
    swap(&sumWithLast, &sumBesideLast)
    sumWithLast &+= UInt32(digit)
    sumOfSums &+= sumWithLast &+ sumBesideLast
  }

  /// Everything that is not an ASCII digit, hyphen or space.
  private mutating func readRest(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, as kind: CodeKind
  ) {
    var offset = start
    // What stands before `start` is ASCII, so its bytes are its scalars.
    var position = start
    if count == 0 {
      let label = CodeLabel.length(in: bytes, at: start, of: kind)
      offset += label.bytes
      position += label.scalars
    }
    var reader = ScalarReader(bytes, at: offset)
    while !reader.isAtEnd {
      guard let scalar = reader.next() else {
        failure = .invalidUTF8(position: position)
        return
      }
      switch CodeCharacter(scalar) {
      case .digit(let digit):
        guard !endsInX else {
          failure = .misplacedX(position: xPosition)
          return
        }
        append(digit)
      case .x where kind.digitsBeforeX != nil:
        guard count == kind.digitsBeforeX, !endsInX else {
          failure = .misplacedX(position: position)
          return
        }
        endsInX = true
        xPosition = position
        count += 1
        sumOfSums += sumWithLast + sumBesideLast + 10
      case .dash, .space, .newline:
        break
      case .letter(0x4D) where kind == .ismn && count == 0 && !startsWithM:
        startsWithM = true
      case .x, .letter, .other:
        failure = .unexpectedCharacter(scalar, position: position)
        return
      }
      position += 1
    }
  }

  private var xPosition = 0
}
