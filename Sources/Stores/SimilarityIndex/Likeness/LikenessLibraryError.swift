import Foundation

/// The reason why a library cannot be made, opened or searched.
///
/// Errors of its index are `SimilarityIndexError`.
public enum LikenessLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing at the path.
  case noLibrary(path: String)
  /// There is something at the path that is not a library.
  case notALibrary(path: String, reason: String)
  /// The library was written by a later version of this module.
  case fromTheFuture(path: String, version: Int)
  /// The vectors were made by another embedder.
  case otherEmbedder(path: String, has: String, given: String)
  /// The vectors have another dimension than the embedder's.
  case otherDimension(path: String, dimension: Int, given: Int)
  /// The index measures anything but the cosine.
  case notCosine(path: String)
  /// An embedder's dimension that no index can have.
  case dimension(Int)
  /// A file cannot be read, with the system's reason.
  case unreadable(path: String, reason: String)
  /// A file or the folder cannot be written, with the system's reason.
  case unwritable(path: String, reason: String)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .noLibrary(let path): "\(path): there is no such library"
    case .notALibrary(let path, let reason): "\(path): this is not a library: \(reason)"
    case .fromTheFuture(let path, let version):
      "\(path): this is version \(version) of the format, and this program reads version "
        + "\(LikenessLibrary.version); a newer one is needed"
    case .otherEmbedder(let path, let has, let given):
      "\(path): this library was made with the embedder \(has); it cannot be used with \(given)"
    case .otherDimension(let path, let dimension, let given):
      "\(path): vectors of \(dimension) values, and the embedder makes \(given)"
    case .notCosine(let path): "\(path): this index does not measure the cosine, which is needed"
    case .dimension(let dimension):
      "an embedder of \(dimension) values; it must have from \(IndexFormat.dimensions.lowerBound) to "
        + "\(IndexFormat.dimensions.upperBound)"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    }
  }

  /// The error for a failed call of the system on something to be written.
  static func unwritable(_ path: String, _ number: Int32) -> LikenessLibraryError {
    .unwritable(path: path, reason: String(cString: strerror(number)))
  }
}
