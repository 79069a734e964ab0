/// The reason why barcodes could not be searched for.
public enum BarcodeError: Error, Equatable, CustomStringConvertible {
  /// The library could not get the memory that it needs.
  case outOfMemory

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .outOfMemory: "the memory is not enough to search for barcodes"
    }
  }
}
