import Foundation
import TestSupport
import Testing

@testable import ModelStore

/// A folder of a test's own, removed with the value.
final class Scratch: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("tally-models-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Where models may be kept.
  var store: URL { url.appendingPathComponent("store") }
  /// The models in it.
  var models: ModelFolder { ModelFolder(store) }

  /// Writes a file beside the store.
  func write(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file
  }

  /// The names of all files and folders below the store, as paths, but those of locks.
  func contents() -> [String] {
    let all = FileManager.default.enumerator(atPath: store.path)?.allObjects as? [String] ?? []
    return all.filter { $0 != ".lock" }.sorted()
  }

  /// All files below the store with what is in them.
  func snapshot() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in contents() {
      let file = store.appendingPathComponent(path)
      if let data = try? Data(contentsOf: file) { files[path] = data }
    }
    return files
  }
}

/// Bytes from a seed.
func content(_ count: Int, seed: UInt64) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
}

/// The manifest of some bytes.
func manifest(
  _ bytes: [UInt8], name: String = "model", version: String = "1", url: String? = nil,
  archive: ModelSource.Archive? = nil
) throws -> ModelManifest {
  try ModelManifest(
    name: name, version: version, digest: SHA256Hasher.digest(bytes), size: bytes.count,
    task: "object-detection",
    source: url.map { ModelSource(.url($0), archive: archive) })
}

extension ModelFolder {
  /// The bytes of a model, checked.
  func bytes(_ name: String = "model", version: String? = nil) throws -> [UInt8] {
    Array(try Data(contentsOf: verified(name, version: version).file))
  }
}
