import Foundation

/// A folder of models with their versions; one version of each model is in use.
///
/// ```swift
/// let models = ModelFolder(folder)
/// try models.add(file, name: "shelf-detector", version: "2", task: "object-detection")
/// let model = try models.verified("shelf-detector")    // reads it and checks its SHA-256
/// try models.rollBack("shelf-detector")                // back to version 1
/// ```
///
/// ``verified(_:version:)`` returns the whole installed file, or throws. The version in use stays
/// as it was if a process is killed at any moment, if the disk is full, or if a download fails. For
/// this, a version is made in a folder of its own and put in its place by renaming it. The file
/// that says which version is in use is replaced in the same way. Any number of processes may use
/// one folder; those that change it do so one after the other.
public struct ModelFolder: Sendable {
  /// The folder of the models.
  public let url: URL
  /// The longest wait for another process that changes the folder, in seconds.
  public let patience: Double

  let path: String

  /// Uses a folder, which need not exist until something is installed.
  public init(_ url: URL, patience: Double = 10) {
    self.url = url
    self.patience = patience
    path = url.path
  }

  /// The usual folder of a user's models.
  ///
  /// It is `tally/models` in `XDG_DATA_HOME`, or in `.local/share` of `HOME`; nil if neither is an
  /// absolute path.
  ///
  /// - Parameter environment: the variables of the process, which this module does not read by
  ///   itself.
  public static func usual(environment: [String: String]) -> ModelFolder? {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let place = folder("XDG_DATA_HOME") ?? folder("HOME").map { "\($0)/.local/share" }
    return place.map {
      ModelFolder(URL(fileURLWithPath: $0).appendingPathComponent("tally/models"))
    }
  }

  // MARK: Finding

  /// All versions of all models, by name and version.
  ///
  /// Files are not read. Damaged entries are listed as such.
  ///
  /// - Throws: ``ModelStoreError/unreadable(path:reason:)`` if the folder cannot be listed.
  public func list() throws(ModelStoreError) -> [ListedModel] {
    var listed: [ListedModel] = []
    for name in try FolderCalls.folders(in: path) where ModelManifest.isName(name) {
      let used = try? VersionsInUse(readingFrom: usePath(name), name: name)
      for version in try versions(of: name) {
        let manifest = Result { () throws(ModelStoreError) in try self.manifest(name, version) }
        listed.append(
          ListedModel(
            name: name, version: version, isInUse: used?.current == version, manifest: manifest))
      }
    }
    return listed
  }

  /// A model, without reading its file.
  ///
  /// - Parameters:
  ///   - name: the name of the model.
  ///   - version: the version; nil for the one in use.
  /// - Throws: ``ModelStoreError/noModel(name:)``, ``ModelStoreError/noVersion(name:version:)``, or
  ///   the error in the store's own files.
  public func model(
    _ name: String, version: String? = nil
  ) throws(ModelStoreError) -> StoredModel {
    try checkPresence(of: name)
    let used: String
    if let version {
      used = version
    } else {
      used = try VersionsInUse(readingFrom: usePath(name), name: name).current
    }
    try checkPresence(of: name, used)
    return StoredModel(
      manifest: try manifest(name, used), file: URL(fileURLWithPath: filePath(name, used)))
  }

  /// A model whose file was just read and is equal to the installed one.
  ///
  /// - Parameters:
  ///   - name: the name of the model.
  ///   - version: the version; nil for the one in use.
  /// - Throws: as ``model(_:version:)``; ``ModelStoreError/wrongDigest(path:expected:found:)`` or
  ///   ``ModelStoreError/wrongSize(path:expected:found:)`` if the file differs.
  /// - Complexity: O(*n*) for *n* bytes: 60 megabytes take 33 ms with a processor's own
  ///   instructions for it.
  public func verified(
    _ name: String, version: String? = nil
  ) throws(ModelStoreError) -> StoredModel {
    let model = try model(name, version: version)
    let path = model.file.path
    let file = try FileInput(path)
    guard file.size == model.manifest.size else {
      throw .wrongSize(path: path, expected: model.manifest.size, found: file.size)
    }
    let (digest, _) = try file.digest()
    guard digest == model.manifest.digest else {
      throw .wrongDigest(path: path, expected: model.manifest.digest, found: digest)
    }
    return model
  }

  // MARK: Files

  /// Throws if the model or its version does not exist.
  func checkPresence(
    of name: String, _ version: String? = nil
  ) throws(ModelStoreError) {
    guard ModelManifest.isName(name), FolderCalls.isFolder(modelPath(name)) else {
      throw .noModel(name: name)
    }
    guard let version else { return }
    guard ModelManifest.isName(version), FolderCalls.isFolder(versionPath(name, version)) else {
      throw .noVersion(name: name, version: version)
    }
  }

  // Names begin with a letter or a digit: a name with a dot in front is not a model or a version.

  func modelPath(_ name: String) -> String { "\(path)/\(name)" }
  func usePath(_ name: String) -> String { "\(modelPath(name))/.use.json" }
  func versionPath(_ name: String, _ version: String) -> String {
    "\(modelPath(name))/\(version)"
  }
  func filePath(_ name: String, _ version: String) -> String {
    "\(versionPath(name, version))/\(Self.fileName)"
  }

  /// The name of every version's file.
  static let fileName = "model.onnx"
  /// The name of its manifest.
  static let manifestName = "manifest.json"

  func versions(of name: String) throws(ModelStoreError) -> [String] {
    try FolderCalls.folders(in: modelPath(name)).filter(ModelManifest.isName)
  }

  /// The manifest of an existing version, which must be that version's.
  func manifest(
    _ name: String, _ version: String
  ) throws(ModelStoreError) -> ModelManifest {
    let path = "\(versionPath(name, version))/\(Self.manifestName)"
    let bytes = try FileInput(path).bytes(at: 0, count: ModelManifest.largestManifest + 1)
    let manifest: ModelManifest
    do {
      manifest = try ModelManifest(json: bytes)
    } catch {
      throw .damaged(path: path, reason: "\(error)")
    }
    guard manifest.name == name, manifest.version == version else {
      throw .damaged(
        path: path, reason: "it is that of '\(manifest.name)', version '\(manifest.version)'")
    }
    return manifest
  }

  /// Makes a version in a new folder and puts it in its place.
  ///
  /// - Parameter fill: writes the file, and throws unless its content is that of the manifest.
  func install(
    _ manifest: ModelManifest, isUsed: Bool,
    fill: (borrowing FileOutput) throws(ModelStoreError) -> Void
  ) throws(ModelStoreError) -> StoredModel {
    try manifest.validate()
    let (name, version) = (manifest.name, manifest.version)
    let incoming = try IncomingFolder(in: path)
    let made = "\(incoming.path)/version"
    try FolderCalls.make(made)
    do {
      let output = try FileOutput(creating: "\(made)/\(Self.fileName)")
      try fill(output)
      try output.synchronize()
    }
    try FileOutput.write(manifest.json, to: "\(made)/\(Self.manifestName)")
    try FolderCalls.synchronize(made)

    let lock = try StoreLock(path, patience: patience)
    defer { _ = lock }
    IncomingFolder.removeLeft(in: path)
    let target = versionPath(name, version)
    if FolderCalls.exists(target) {
      // A manifest that cannot be read is ignored.
      if let there = try? self.manifest(name, version), there.digest != manifest.digest {
        throw .versionExists(name: name, version: version)
      }
      if (try? verified(name, version: version)) == nil {
        // The file comes first: with the old manifest, which has the same digest or is missing, the
        // version is complete at once.
        for file in [Self.fileName, Self.manifestName] {
          try FolderCalls.move("\(made)/\(file)", to: "\(target)/\(file)")
        }
      }
    } else {
      try FolderCalls.make(modelPath(name))
      try FolderCalls.synchronize(path)
      try FolderCalls.move(made, to: target)
    }
    if isUsed { try markUsed(name, version, by: incoming) }
    return try model(name, version: version)
  }

  /// Records a version as the one in use; the store is locked.
  func markUsed(
    _ name: String, _ version: String, by incoming: borrowing IncomingFolder
  ) throws(ModelStoreError) {
    // A damaged record is ignored.
    let before = try? VersionsInUse(readingFrom: usePath(name), name: name)
    guard before?.current != version else { return }
    let used = before?.putting(version) ?? VersionsInUse(current: version, earlier: [])
    try write(used, of: name, by: incoming)
  }

  func write(
    _ used: VersionsInUse, of name: String, by incoming: borrowing IncomingFolder
  ) throws(ModelStoreError) {
    let made = "\(incoming.path)/use.json"
    try FileOutput.write(used.json, to: made)
    try FolderCalls.move(made, to: usePath(name))
  }
}

/// A version of a model in a store.
public struct StoredModel: Hashable, Sendable {
  /// Its manifest.
  public let manifest: ModelManifest
  /// Its file.
  public let file: URL
}

/// A version of a model in a list.
public struct ListedModel: Sendable {
  /// The name of the model.
  public let name: String
  /// The version.
  public let version: String
  /// Whether it is the version in use.
  public let isInUse: Bool
  /// Its manifest, or the error in it.
  public let manifest: Result<ModelManifest, ModelStoreError>
}
