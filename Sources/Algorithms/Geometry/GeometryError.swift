/// The reason why a geometric value cannot be made.
public enum GeometryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A width or height is not in 1...2147483647.
  case invalidSize(width: Int, height: Int)
  /// A quadrilateral was given another number of corners.
  case cornerCount(Int)

  /// The wrong value and the expected one, in one line.
  public var description: String {
    switch self {
    case .invalidSize(let width, let height):
      "a size of \(width) x \(height); both sides must be in 1...\(Int32.max)"
    case .cornerCount(let count):
      "a quadrilateral of \(count) corners; there must be 4"
    }
  }
}

/// Throws for sizes that are not positive, or too large for their products to fit in an `Int`.
func requireSize(width: Int, height: Int) throws(GeometryError) {
  let range = 1...Int(Int32.max)
  guard range.contains(width), range.contains(height) else {
    throw .invalidSize(width: width, height: height)
  }
}
