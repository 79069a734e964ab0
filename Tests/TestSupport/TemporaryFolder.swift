import Foundation

/// A folder of a test's own, removed with the value.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("tally-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of `name` in the folder.
  public func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }

  /// Writes a file and answers its path.
  @discardableResult
  public func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// Writes a text file and answers its path.
  @discardableResult
  public func write(_ name: String, text: String) throws -> String {
    try write(name, text.utf8)
  }

  /// Whether there is anything called `name` in the folder.
  public func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  /// The names of what is in the folder, sorted.
  public func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }
}
