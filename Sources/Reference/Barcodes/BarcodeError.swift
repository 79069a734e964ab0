/// Why barcodes could not be looked for.
public enum BarcodeError: Error, Equatable, CustomStringConvertible {
  /// The library could not get the memory that it needs.
  case outOfMemory

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .outOfMemory: "there is not enough memory to look for barcodes"
    }
  }
}
