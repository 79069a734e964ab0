/// The reason why something could not be drawn.
public enum DrawingError: Error, Equatable, CustomStringConvertible {
  /// A side is below 1 or above the limit.
  case size(width: Int, height: Int, limit: Int)
  /// A document without a page.
  case noPages
  /// The drawing library failed, with its message.
  case cairo(String)

  /// The wrong value and the expected one, in one line.
  public var description: String {
    switch self {
    case .size(let width, let height, let limit):
      "a drawing of \(width) x \(height); sides must be 1 to \(limit)"
    case .noPages:
      "a document without pages; it needs one at least"
    case .cairo(let message):
      "the drawing failed: \(message)"
    }
  }
}
