import Foundation

/// The SHA-256 of some bytes, which identifies a model's content.
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// The digest that 64 hexadecimal digits write, in either case; nil for any other text.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The digest of a file.
  ///
  /// - Throws: ``ModelStoreError/unreadable(path:reason:)``.
  /// - Complexity: O(*n*) for *n* bytes, read piece by piece.
  public init(contentsOf file: URL) throws(ModelStoreError) {
    self = try FileInput(file.path, follows: true).digest().digest
  }

  /// The digest of bytes in memory.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  public init(of data: Data) {
    self = SHA256Hasher.digest(data)
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// 64 hexadecimal digits in lower case.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
