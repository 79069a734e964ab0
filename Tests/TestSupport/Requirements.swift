import Foundation

/// Files a test needs that do not come with the repository.
///
/// Where they are missing the test is skipped with a printed line, unless `TALLY_REQUIRE_SHARED=1`
/// asks for it to fail instead, as CI does.
public enum Requirements {
  /// Whether a missing file is a failure.
  public static let areStrict =
    ProcessInfo.processInfo.environment["TALLY_REQUIRE_SHARED"] == "1"

  /// The file at `path` below ``Folders/shared``, or nil, with a printed line, where the test is to be
  /// skipped.
  public static func shared(_ path: String) throws -> URL? {
    try found(path, in: Folders.shared, called: "../shared")
  }

  /// The file at `path` below ``Folders/models``, or nil, with a printed line, where the test is to be
  /// skipped.
  public static func model(_ path: String) throws -> URL? {
    try found(path, in: Folders.models, called: "$TALLY_MODELS")
  }

  private static func found(_ path: String, in folder: URL?, called name: String) throws -> URL? {
    if let url = folder?.appendingPathComponent(path),
      FileManager.default.fileExists(atPath: url.path)
    {
      return url
    }
    if areStrict { throw MissingFile(path: "\(name)/\(path)") }
    print("skipped: \(name)/\(path) is not here")
    return nil
  }
}

/// A file that `TALLY_REQUIRE_SHARED=1` insists on is missing.
public struct MissingFile: Error, CustomStringConvertible {
  let path: String

  /// Which file.
  public var description: String { "\(path) is missing" }
}
