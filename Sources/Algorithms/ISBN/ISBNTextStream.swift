/// Finds the ISBNs of a text that comes in pieces, such as a file too large for memory.
///
/// ```swift
/// var stream = ISBNTextStream()
/// var matches = stream.read("ISBN 978-0-306-".utf8)
/// matches += stream.read("40615-7, a paperback".utf8)
/// matches += stream.finish()
/// print(matches[0].isbn)  // 9780306406157
/// ```
///
/// Finds the same as ``ISBNExtractor`` in the whole text, wherever the pieces are cut. It keeps at
/// most some tens of kilobytes of the text.
public struct ISBNTextStream: Sendable {
  private let extractor: ISBNExtractor
  private var scan: TextScan
  /// Bytes that wait for what follows them; the scan is at the first of them.
  private var rest: [UInt8] = []

  /// Starts a text.
  public init(_ extractor: ISBNExtractor = ISBNExtractor()) {
    self.extractor = extractor
    scan = TextScan(extractor)
  }

  /// Reads the next bytes of the text, and returns the matches that are certain by now, in order.
  ///
  /// Offsets count from the beginning of the text. O(number of bytes).
  public mutating func read(_ bytes: some Collection<UInt8>) -> [ISBNMatch] {
    rest.append(contentsOf: bytes)
    let start = scan.position
    rest.withUnsafeBufferPointer { scan.read($0, isLast: false) }
    rest.removeFirst(scan.position - start)
    return taken()
  }

  /// Ends the text, and returns the remaining matches; the next bytes begin another text.
  public mutating func finish() -> [ISBNMatch] {
    rest.withUnsafeBufferPointer { scan.read($0, isLast: true) }
    let matches = taken()
    scan = TextScan(extractor)
    rest = []
    return matches
  }

  /// No match still to come begins before this offset: bytes before it need not be kept for showing
  /// matches.
  public var settledOffset: Int { scan.settledPosition }

  private mutating func taken() -> [ISBNMatch] {
    defer { scan.matches = [] }
    return scan.matches
  }
}
