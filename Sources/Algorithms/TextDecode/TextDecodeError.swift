/// Why a text network's output cannot be decoded.
public enum TextDecodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A side of a map or of an image is not in 1...2147483647, or their product is too large to
  /// count.
  case invalidSize(width: Int, height: Int)
  /// The output holds another number of values than its shape says.
  case valueCount(got: Int, expected: Int)
  /// A setting is NaN or outside its range.
  case setting(field: String, value: Double, range: String)
  /// The network answers another number of classes than there are characters, the blank among them.
  case classCount(got: Int, expected: Int)
  /// There are no characters.
  case noCharacters

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .invalidSize(let width, let height):
      "a size of \(width) x \(height); both sides must be at least 1, and their product countable"
    case .valueCount(let got, let expected):
      "\(got) values; an output of this shape has \(expected)"
    case .setting(let field, let value, let range):
      "\(field) is \(value); it must be in \(range)"
    case .classCount(let got, let expected):
      "\(got) classes for \(expected) characters, the blank and the space among them; the list is "
        + "another network's"
    case .noCharacters:
      "the list of characters is empty; it must name at least one"
    }
  }
}
