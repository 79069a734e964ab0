import Foundation

/// The version of a model in use and the earlier ones: the content of `.use.json`.
struct VersionsInUse: Hashable, Sendable {
  /// The version in use.
  var current: String
  /// The earlier versions, the last one last.
  var earlier: [String]

  /// The greatest number of earlier versions.
  static let mostEarlier = 16

  init(current: String, earlier: [String]) {
    self.current = current
    self.earlier = earlier
  }

  /// Reads the file of a model.
  init(readingFrom path: String, name: String) throws(ModelStoreError) {
    guard FolderCalls.exists(path) else { throw .noModel(name: name) }
    let bytes = try FileInput(path).bytes(at: 0, count: 1 << 16)
    guard case .object(let members)? = try? StrictJSON(bytes),
      case .string(let current)? = members["version"],
      case .array(let values)? = members["earlier"],
      values.count <= Self.mostEarlier, ModelManifest.isName(current)
    else { throw .damaged(path: path, reason: "it must name the version in use and those before") }
    var earlier: [String] = []
    for value in values {
      guard case .string(let version) = value, ModelManifest.isName(version) else {
        throw .damaged(path: path, reason: "an earlier version is not a version's name")
      }
      earlier.append(version)
    }
    self.init(current: current, earlier: earlier)
  }

  /// The versions after another one is put into use.
  func putting(_ version: String) -> VersionsInUse {
    let before = (earlier + [current]).filter { $0 != version }
    return VersionsInUse(current: version, earlier: Array(before.suffix(Self.mostEarlier)))
  }

  /// The file's content.
  var json: [UInt8] {
    // Names need no escapes.
    let list = earlier.map { "\"\($0)\"" }.joined(separator: ", ")
    return Array("{\"version\": \"\(current)\", \"earlier\": [\(list)]}\n".utf8)
  }
}
