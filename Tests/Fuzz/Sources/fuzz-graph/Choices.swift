/// Decisions taken from the fuzzer's bytes; zeros when these are used up.
struct Choices {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Whether all bytes are used up.
  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  /// A number from 0 to `count` - 1, `count` being at most 65,536.
  mutating func below(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    return (count <= 256 ? Int(byte()) : Int(byte()) << 8 | Int(byte())) % count
  }

  /// True about once in `count` times.
  mutating func once(in count: Int) -> Bool { below(count) == 1 }

  mutating func element<Element>(of list: [Element]) -> Element { list[below(list.count)] }

  /// Mostly small, now and then at the edge of what an integer holds.
  mutating func integer() -> Int {
    let byte = Int(byte())
    if byte < 160 { return byte % 8 - 1 }
    if byte < 220 { return byte - 200 }
    return [
      .max, .min, .max - 1, 1 << 31, 1 << 31 - 1, -1 << 31, 1 << 32, 1 << 33 + 1, 1 << 40, 1 << 62,
      1 << 61, -1 << 62, 65_535, 65_536, 1 << 20, -1 << 33, 100, 1000, 4096, -1000, .min + 1,
      1 << 52,
    ][byte % 22]
  }

  mutating func float() -> Float {
    let byte = Int(byte())
    if byte < 200 { return Float(byte % 20 - 5) * 0.25 }
    return [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 1e9,
      -1e9,
      1e19, -1e19, 1e38, 3.5e9, 1e-30,
    ][byte % 13]
  }
}
