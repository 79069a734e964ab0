import Foundation

extension ModelManifest {
  /// Reads a manifest from an untrusted source.
  ///
  /// Unknown fields are ignored. A field that appears twice, has the wrong type or is out of range
  /// is an error.
  ///
  /// - Throws: ``ModelStoreError/invalidManifest(field:reason:)``.
  public init(json: [UInt8]) throws(ModelStoreError) {
    self = try Self(Self.value(of: json))
  }

  /// Reads an array of manifests.
  ///
  /// - Throws: ``ModelStoreError/invalidManifest(field:reason:)``, also if two have the same name.
  public static func list(json: [UInt8]) throws(ModelStoreError) -> [ModelManifest] {
    guard case .array(let values) = try value(of: json) else {
      throw .invalidManifest(field: "list", reason: "is not an array")
    }
    var manifests: [ModelManifest] = []
    for value in values {
      let manifest = try ModelManifest(value)
      guard !manifests.contains(where: { $0.name == manifest.name }) else {
        throw .invalidManifest(field: "list", reason: "has the model '\(manifest.name)' twice")
      }
      manifests.append(manifest)
    }
    return manifests
  }

  private static func value(of json: [UInt8]) throws(ModelStoreError) -> StrictJSON {
    guard json.count <= largestManifest else {
      throw .invalidManifest(
        field: "text", reason: "has \(json.count) bytes; it must have at most \(largestManifest)")
    }
    do {
      return try StrictJSON(json)
    } catch {
      throw .invalidManifest(
        field: "text", reason: "is not JSON at byte \(error.offset): \(error.reason)")
    }
  }

  private init(_ value: StrictJSON) throws(ModelStoreError) {
    let fields = try Fields(value, path: "")
    try self.init(
      name: try fields.needed("name", fields.text),
      version: try fields.needed("version", fields.text),
      digest: try fields.needed("sha256", fields.digest),
      size: try fields.needed("size", fields.integer),
      task: try fields.needed("task", fields.text),
      input: try fields.object("input").map { value throws(ModelStoreError) in
        try ModelInput(value)
      },
      source: try fields.object("source").map { value throws(ModelStoreError) in
        try ModelSource(value)
      },
      licence: try fields.text("licence"))
  }

  /// The manifest as JSON; equal values give equal bytes.
  public var json: [UInt8] {
    var members: [(String, Any)] = [
      ("name", name), ("version", version), ("sha256", digest.description), ("size", size),
      ("task", task),
    ]
    if let licence { members.append(("licence", licence)) }
    if let input { members.append(("input", input.object)) }
    if let source { members.append(("source", source.object)) }
    let object = Dictionary(members) { $1 }
    // All values are text and finite numbers, so this cannot fail.
    let data = try? JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return Array(data ?? Data())
  }
}

extension ModelInput {
  fileprivate init(_ fields: Fields) throws(ModelStoreError) {
    self.init(
      name: try fields.text("name"), type: try fields.text("type"),
      shape: try fields.sides("shape") ?? [], channels: try fields.text("channels"),
      mean: try fields.numbers("mean"), deviation: try fields.numbers("deviation"))
  }

  fileprivate var object: [String: Any] {
    var object: [String: Any] = ["shape": shape.map { side -> Any in side ?? NSNull() }]
    object["name"] = name
    object["type"] = type
    object["channels"] = channels
    object["mean"] = mean
    object["deviation"] = deviation
    return object
  }
}

extension ModelSource {
  fileprivate init(_ fields: Fields) throws(ModelStoreError) {
    let (url, package) = (try fields.text("url"), try fields.text("package"))
    switch (url, package) {
    case (let url?, nil): self.init(.url(url))
    case (nil, let package?):
      self.init(
        .package(
          name: package, version: try fields.needed("packageVersion", fields.text),
          file: try fields.needed("file", fields.text)))
    default:
      throw .invalidManifest(field: "source", reason: "must have a url or a package, and not both")
    }
    if let member = try fields.text("member") {
      archive = Archive(
        member: member, size: try fields.needed("size", fields.integer),
        digest: try fields.digest("sha256"))
    }
  }

  fileprivate var object: [String: Any] {
    var object: [String: Any] = [:]
    switch place {
    case .url(let url): object["url"] = url
    case .package(let name, let version, let file):
      object["package"] = name
      object["packageVersion"] = version
      object["file"] = file
    }
    if let archive {
      object["member"] = archive.member
      object["size"] = archive.size
      object["sha256"] = archive.digest?.description
    }
    return object
  }
}

/// The members of a manifest's object, each read by its name and type.
private struct Fields {
  private let members: [String: StrictJSON]
  private let path: String

  init(_ value: StrictJSON, path: String) throws(ModelStoreError) {
    guard case .object(let members) = value else {
      throw .invalidManifest(field: path.isEmpty ? "text" : path, reason: "is not an object")
    }
    self.members = members
    self.path = path
  }

  /// The value that a reader finds; it is required.
  func needed<Value>(
    _ name: String, _ read: (String) throws(ModelStoreError) -> Value?
  ) throws(ModelStoreError) -> Value {
    guard let value = try read(name) else { throw fault(name, "is missing") }
    return value
  }

  func text(_ name: String) throws(ModelStoreError) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw fault(name, "is not text")
    }
  }

  func integer(_ name: String) throws(ModelStoreError) -> Int? {
    switch members[name] {
    case nil, .null: return nil
    case .number(let text):
      guard let number = Int(text) else {
        throw fault(name, "is \(text.prefix(40)), no whole number")
      }
      return number
    default: throw fault(name, "is not a number")
    }
  }

  func digest(_ name: String) throws(ModelStoreError) -> SHA256Digest? {
    guard let text = try text(name) else { return nil }
    guard let digest = SHA256Digest(text) else {
      throw fault(name, "has \(text.utf8.count) characters; it must be 64 hexadecimal digits")
    }
    return digest
  }

  func object(_ name: String) throws(ModelStoreError) -> Fields? {
    switch members[name] {
    case nil, .null: return nil
    case .some(let value): return try Fields(value, path: name)
    }
  }

  func sides(_ name: String) throws(ModelStoreError) -> [Int?]? {
    guard let values = try array(name) else { return nil }
    var sides: [Int?] = []
    for value in values {
      switch value {
      case .null: sides.append(nil)
      case .number(let text) where Int(text) != nil: sides.append(Int(text))
      default: throw fault(name, "has a side that is neither a whole number nor null")
      }
    }
    return sides
  }

  func numbers(_ name: String) throws(ModelStoreError) -> [Double]? {
    guard let values = try array(name) else { return nil }
    var numbers: [Double] = []
    for value in values {
      guard case .number(let text) = value, let number = Double(text) else {
        throw fault(name, "has a value that is not a number")
      }
      numbers.append(number)
    }
    return numbers
  }

  private func array(_ name: String) throws(ModelStoreError) -> [StrictJSON]? {
    switch members[name] {
    case nil, .null: return nil
    case .array(let values): return values
    default: throw fault(name, "is not an array")
    }
  }

  private func fault(_ name: String, _ reason: String) -> ModelStoreError {
    .invalidManifest(field: path.isEmpty ? name : "\(path).\(name)", reason: reason)
  }
}
