import ISBN

/// An ISBN seen before the shutter, for photos whose own result has none.
///
/// It never replaces the ISBN of the photo. The newest ISBN counts. It is kept until ``clear()``,
/// even if there is no book, because people turn a book over between its barcode and its spine.
public struct PreScannedISBN: Hashable, Sendable, Codable {
  /// The ISBN, if any was seen.
  public private(set) var isbn: ISBN13?

  /// Starts with none.
  public init() {}

  /// Takes the ISBN of a frame; nil changes nothing.
  public mutating func see(_ isbn: ISBN13?) {
    if let isbn { self.isbn = isbn }
  }

  /// Forgets it, after the photo that it was for.
  public mutating func clear() {
    isbn = nil
  }

  /// The ISBN of a later result: its own if it has one, else this.
  public func merged(into later: ISBN13?) -> ISBN13? {
    later ?? isbn
  }
}
