/// Decisions taken from the fuzzer's bytes; zeros when these are used up.
public struct Choices: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  /// Begins with the first byte.
  public init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Whether all bytes are used up.
  public var isAtEnd: Bool { position >= bytes.count }

  /// The next byte.
  public mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  /// A number from 0 to `count` - 1, `count` being at most 65,536.
  public mutating func below(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    return (count <= 256 ? Int(byte()) : Int(byte()) << 8 | Int(byte())) % count
  }

  /// True about once in `count` times.
  public mutating func once(in count: Int) -> Bool { below(count) == 1 }

  /// One of a list, which must not be empty.
  public mutating func element<Element>(of list: [Element]) -> Element { list[below(list.count)] }

  /// Mostly small, now and then at the edge of what an integer holds.
  public mutating func integer() -> Int {
    let byte = Int(byte())
    if byte < 160 { return byte % 8 - 1 }
    if byte < 220 { return byte - 200 }
    return [
      .max, .min, .max - 1, 1 << 31, 1 << 31 - 1, -1 << 31, 1 << 32, 1 << 33 + 1, 1 << 40, 1 << 62,
      1 << 61, -1 << 62, 65_535, 65_536, 1 << 20, -1 << 33, 100, 1000, 4096, -1000, .min + 1,
      1 << 52,
    ][byte % 22]
  }

  /// Mostly small and in quarters, now and then not a number or at the edge of what it holds.
  public mutating func float() -> Float {
    let byte = Int(byte())
    if byte < 200 { return Float(byte % 20 - 5) * 0.25 }
    return [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 1e9,
      -1e9,
      1e19, -1e19, 1e38, 3.5e9, 1e-30,
    ][byte % 13]
  }

  /// The next bytes, fewer where they are used up.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    let end = min(position + max(count, 0), bytes.count)
    defer { position = end }
    return Array(bytes[position..<end])
  }

  /// All bytes that are left.
  public mutating func rest() -> [UInt8] { bytes(bytes.count) }

  /// Any bits of four bytes as a number.
  public mutating func anyFloat() -> Float {
    Float(bitPattern: (0..<4).reduce(0) { bits, _ in bits << 8 | UInt32(byte()) })
  }
}
