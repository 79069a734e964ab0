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
  private(set) var failure: ISBNError?

  /// The sums of every second digit: the one with the last digit in it, and the other.
  private var sumWithLast: UInt32 = 0
  private var sumBesideLast: UInt32 = 0
  /// The sum of all running sums: it weighs the first of ten digits 10 times and the last once.
  private var sumOfSums: UInt32 = 0

  /// Whether ten digits are an ISBN-10: the sum with weights 10 to 1 is a multiple of 11.
  var isISBN10: Bool { count == 10 && sumOfSums % 11 == 0 }

  /// Whether the digits satisfy the EAN checksum: the sum with weights 1 and 3 in turn from the
  /// right is a multiple of 10.
  var satisfiesEAN: Bool { !endsInX && (sumWithLast + 3 * sumBesideLast) % 10 == 0 }

  /// Reads a string.
  init(_ text: String) {
    var copy = text
    self = copy.withUTF8 { CodeReading($0) }
  }

  /// Reads any bytes.
  init(utf8 bytes: some Collection<UInt8>) {
    if let reading = bytes.withContiguousStorageIfAvailable({ CodeReading($0) }) {
      self = reading
    } else {
      self = Array(bytes).withUnsafeBufferPointer { CodeReading($0) }
    }
  }

  /// Reads UTF-8 bytes in place.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
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
    if index < bytes.count { readRest(bytes, from: index) }
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
  private mutating func readRest(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    var offset = start
    // What stands before `start` is ASCII, so its bytes are its scalars.
    var position = start
    if count == 0 {
      let label = CodeLabel.length(in: bytes, at: start)
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
      case .x:
        guard count == 9, !endsInX else {
          failure = .misplacedX(position: position)
          return
        }
        endsInX = true
        xPosition = position
        count += 1
        sumOfSums += sumWithLast + sumBesideLast + 10
      case .dash, .space, .newline:
        break
      case .letter, .other:
        failure = .unexpectedCharacter(scalar, position: position)
        return
      }
      position += 1
    }
  }

  private var xPosition = 0
}

/// The words that stand before a code: `ISBN`, `ISBN-13:`, `urn:isbn:`.
enum CodeLabel {
  /// How much of the text at `start` is a label, with the separators around it; zero if there is
  /// none.
  static func length(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (bytes: Int, scalars: Int) {
    var reader = Cursor(bytes, start)
    reader.skipSeparators()
    _ = reader.skip("URN:")
    guard reader.skip("ISBN") else { return (0, 0) }
    // The kind is a label only if a separator follows it, because an ISBN may start with 10.
    var kind = reader
    kind.skipSeparators()
    if kind.skip("10") || kind.skip("13") {
      if kind.skipSeparators() + kind.skipMarks() > 0 { reader = kind }
    }
    reader.skipSeparators()
    _ = reader.skipMarks()
    return (reader.reader.offset - start, reader.scalars)
  }

  /// A reader that advances only over what it searches for.
  private struct Cursor {
    var reader: ScalarReader
    var scalars = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) {
      reader = ScalarReader(bytes, at: offset)
    }

    /// Passes over `word`, upper-case ASCII; takes nothing if it is not there whole.
    mutating func skip(_ word: StaticString) -> Bool {
      var ahead = reader
      var passed = 0
      while passed < word.utf8CodeUnitCount {
        // Reading inside the literal: `passed` is below its length.
        let expected = CodeCharacter(ascii: word.utf8Start[passed])
        guard let scalar = ahead.next(), CodeCharacter(scalar) == expected else { return false }
        passed += 1
      }
      reader = ahead
      scalars += passed
      return true
    }

    /// Passes over spaces, dashes and line breaks, and says how many.
    @discardableResult
    mutating func skipSeparators() -> Int {
      skip { $0 == .space || $0 == .dash || $0 == .newline }
    }

    /// Passes over what people put between the label and the code, and the separators after it.
    mutating func skipMarks() -> Int {
      let marks = skip {
        $0 == .other(0x3A) || $0 == .other(0x2E) || $0 == .other(0x3D) || $0 == .other(0x23)
      }
      if marks > 0 { skipSeparators() }
      return marks
    }

    private mutating func skip(while isSkipped: (CodeCharacter) -> Bool) -> Int {
      var passed = 0
      var ahead = reader
      while let scalar = ahead.next(), isSkipped(CodeCharacter(scalar)) {
        reader = ahead
        passed += 1
      }
      scalars += passed
      return passed
    }
  }
}
