import TestSupport

/// Seeded bytes; Fixtures/generate/apple_vision.py makes the same.
func seededBytes(_ count: Int, seed: Int) -> [UInt8] {
  var generator = SeededGenerator(seed: UInt64(seed))
  return (0..<count).map { _ in UInt8(generator.next() >> 56) }
}

/// The bits of numbers, with one NaN for all.
func bits(_ values: [Float]) -> [UInt32] {
  values.map { $0.isNaN ? 0x7FC0_0000 : $0.bitPattern }
}

/// The bytes of integers, the lowest first.
func bytes<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
  values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}
