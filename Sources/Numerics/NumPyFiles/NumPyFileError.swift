/// Why bytes are not an array that ``NumPyArray`` reads, or an array cannot be made or written.
public enum NumPyFileError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// The bytes do not begin with `\x93NUMPY`.
  case notNumPy
  /// The format version is not 1, 2 or 3.
  case unsupportedVersion(major: Int, minor: Int)
  /// The header is not the dictionary that the format asks for.
  case invalidHeader(String)
  /// The element type is none of ``NumPyElementType``.
  case unsupportedType(String)
  /// A negative length, more than 64 axes, or more elements than an `Int` counts.
  case invalidShape([Int])
  /// There are fewer or more bytes than the header announces.
  case sizeMismatch(expected: Int, found: Int)
  /// There are fewer or more elements than the shape asks for.
  case countMismatch(expected: Int, found: Int)

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .notNumPy: "not a .npy file: it does not begin with \\x93NUMPY"
    case .unsupportedVersion(let major, let minor):
      ".npy format version \(major).\(minor) is not supported; 1.0, 2.0 and 3.0 are"
    case .invalidHeader(let reason): "invalid .npy header: \(reason)"
    case .unsupportedType(let type):
      ".npy element type \(type) is not supported; bool, int8 to int64, uint8 to uint64 and "
        + "float16 to float64 are"
    case .invalidShape(let shape):
      ".npy shape \(shape) is invalid: at most 64 lengths from 0 whose product is below 2^63"
    case .sizeMismatch(let expected, let found):
      ".npy data of \(found) bytes where the header announces \(expected)"
    case .countMismatch(let expected, let found):
      "\(found) elements where the shape asks for \(expected)"
    }
  }
}
