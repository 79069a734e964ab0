import Foundation

/// Where tests find their files.
public enum Folders {
  /// The top of the checkout.
  public static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What the scripts in `Fixtures/generate` wrote.
  public static let goldens = package.appendingPathComponent("Fixtures/Goldens")

  /// The photos and models beside the checkout, where there are any.
  public static let shared: URL? = {
    let folder = package.deletingLastPathComponent().appendingPathComponent("shared")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// Models too large for the repository, made by `.ci/models` into the folder named by
  /// `TALLY_MODELS`.
  public static let models: URL? = ProcessInfo.processInfo.environment["TALLY_MODELS"]
    .map { URL(fileURLWithPath: $0) }

  /// A golden file, decoded from JSON.
  public static func golden<Value: Decodable>(
    _ path: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let data = try Data(contentsOf: goldens.appendingPathComponent(path))
    return try JSONDecoder().decode(type, from: data)
  }
}
