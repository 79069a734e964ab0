/// The bars of EAN-13: what seven modules each digit has, and how the first digit hides in the
/// others.
///
/// Source: ISO/IEC 15420, tables 1 and 3.
enum EANPattern {
  /// Modules of a whole code, from the first guard bar to the last.
  static let modules = 95
  /// Modules that are bars of the three guards.
  static let guardBars = [0, 2, 46, 48, 92, 94]

  /// The modules of number set A (odd parity, left half), a bit each, the leftmost highest.
  private static let setA: [UInt8] = [
    0b000_1101, 0b001_1001, 0b001_0011, 0b011_1101, 0b010_0011,
    0b011_0001, 0b010_1111, 0b011_1011, 0b011_0111, 0b000_1011,
  ]

  /// Twenty patterns of seven modules, 1 a bar: the digits of set A, then of set B (even parity).
  static let left: [[Float]] = setA.map(modules) + setA.map { modules(mirrored(~$0 & 0x7F)) }
  /// The ten patterns of set C (right half).
  static let right: [[Float]] = setA.map { modules(~$0 & 0x7F) }

  /// For each first digit, which of the six digits of the left half are of set B, the leftmost
  /// highest.
  static let parities: [UInt8] = [
    0b000000, 0b001011, 0b001101, 0b001110, 0b010011,
    0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
  ]

  /// Whether some first digit has these sets: `parity` holds those of the first `count` digits.
  static func isPossible(parity: UInt8, count: Int) -> Bool {
    parities.contains { $0 >> (6 - count) == parity }
  }

  /// The first module of the digit at a place, 0...11.
  static func firstModule(ofDigit place: Int) -> Int {
    place < 6 ? 3 + 7 * place : 50 + 7 * (place - 6)
  }

  /// All modules of a number of 13 digits: 1 if there is a bar.
  static func bars(of digits: [UInt8]) -> [Float] {
    var bars = [Float](repeating: 0, count: modules)
    for module in guardBars { bars[module] = 1 }
    let parity = parities[Int(digits[0])]
    for place in 0..<12 {
      let digit = Int(digits[place + 1])
      let isB = place < 6 && parity >> (5 - place) & 1 == 1
      let pattern = place < 6 ? left[digit + (isB ? 10 : 0)] : right[digit]
      let first = firstModule(ofDigit: place)
      for offset in 0..<7 { bars[first + offset] = pattern[offset] }
    }
    return bars
  }

  /// Whether the last digit is the check digit of the others: weights 1 and 3, modulus 10.
  static func hasValidCheckDigit(_ digits: [UInt8]) -> Bool {
    var sum = 0
    for (place, digit) in digits.enumerated() { sum += Int(digit) * (place % 2 == 0 ? 1 : 3) }
    return sum % 10 == 0
  }

  private static func modules(_ bits: UInt8) -> [Float] {
    (0..<7).map { Float(bits >> (6 - $0) & 1) }
  }

  private static func mirrored(_ bits: UInt8) -> UInt8 {
    (0..<7).reduce(0) { $0 | (bits >> $1 & 1) << (6 - $1) }
  }
}
