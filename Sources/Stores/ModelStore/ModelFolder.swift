import Foundation

/// A folder of models, their versions side by side, one of each in use.
///
/// ```swift
/// let models = ModelFolder(folder)
/// try models.add(file, name: "shelf-detector", version: "2", task: "object-detection")
/// let model = try models.verified("shelf-detector")    // reads it and checks its SHA-256
/// try models.rollBack("shelf-detector")                // back to version 1
/// ```
///
/// What is found by ``verified(_:version:)`` is the whole file that was installed, or an error. A
/// process that is killed at any moment, a full disk and a failed download leave the version in use
/// as it was: a version is made beside and put in its place by renaming it, and so is the mark
/// which is in use. Any number of processes may use one folder; those that change it do so one
/// after the other.
public struct ModelFolder: Sendable {
  /// Where the models are.
  public let url: URL
  /// How long to wait for another process that changes the folder, in seconds.
  public let patience: Double

  let path: String

  /// A folder at a place, which need not be there until something is installed.
  public init(_ url: URL, patience: Double = 10) {
    self.url = url
    self.patience = patience
    path = url.path
  }

  /// Where a user's models are: `tally/models` in `XDG_DATA_HOME`, or in `.local/share` of `HOME`;
  /// nil if neither is an absolute path.
  ///
  /// - Parameter environment: the variables of the process, which this module does not read by
  ///   itself.
  public static func usual(environment: [String: String]) -> ModelFolder? {
    let places = [
      environment["XDG_DATA_HOME"], environment["HOME"].map { "\($0)/.local/share" },
    ]
    return places.compactMap { $0 }.first { $0.hasPrefix("/") }.map {
      ModelFolder(URL(fileURLWithPath: $0).appendingPathComponent("tally/models"))
    }
  }

  // MARK: Finding

  /// All versions of all models, by name and version.
  ///
  /// Files are not read; what is damaged is listed as such.
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

  /// A model, whose file is not read.
  ///
  /// - Parameter version: nil for the one in use.
  /// - Throws: ``ModelStoreError/noModel(name:)``, ``ModelStoreError/noVersion(name:version:)``, or
  ///   what is wrong with the store's own files.
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

  /// A model, whose file was just read and is what was installed.
  ///
  /// - Parameter version: nil for the one in use.
  /// - Throws: as ``model(_:version:)``; ``ModelStoreError/wrongDigest(path:expected:found:)`` and
  ///   ``ModelStoreError/wrongSize(path:expected:found:)`` for a file that is not.
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

  /// Fails if there is no such model, or no such version of it.
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

  // Names begin with a letter or a digit: what begins with a dot is nobody's model, and no version.

  func modelPath(_ name: String) -> String { "\(path)/\(name)" }
  func usePath(_ name: String) -> String { "\(modelPath(name))/.use.json" }
  func versionPath(_ name: String, _ version: String) -> String {
    "\(modelPath(name))/\(version)"
  }
  func filePath(_ name: String, _ version: String) -> String {
    "\(versionPath(name, version))/\(Self.fileName)"
  }

  /// What the file of every version is called.
  static let fileName = "model.onnx"
  /// And what its manifest is.
  static let manifestName = "manifest.json"

  func versions(of name: String) throws(ModelStoreError) -> [String] {
    try FolderCalls.folders(in: modelPath(name)).filter(ModelManifest.isName)
  }

  /// The manifest of a version that is there, which must be that version's.
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

  /// Makes a version beside and puts it in its place.
  ///
  /// - Parameter fill: writes the file, and throws unless it is what the manifest says.
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
      // One whose manifest cannot be read has nothing to say.
      if let there = try? self.manifest(name, version), there.digest != manifest.digest {
        throw .versionExists(name: name, version: version)
      }
      if (try? verified(name, version: version)) == nil {
        // The file first: with the old manifest, of the same digest or none, it is whole at once.
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

  /// Marks a version as the one in use; the store is locked.
  func markUsed(
    _ name: String, _ version: String, by incoming: borrowing IncomingFolder
  ) throws(ModelStoreError) {
    // One that is damaged has nothing to say.
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
  /// What is known of it.
  public let manifest: ModelManifest
  /// Its file.
  public let file: URL
}

/// A version of a model as a list has it.
public struct ListedModel: Sendable {
  /// What the model is called.
  public let name: String
  /// Which one it is.
  public let version: String
  /// Whether it is found where no version is asked for.
  public let isInUse: Bool
  /// What is known of it, or what is wrong with its manifest.
  public let manifest: Result<ModelManifest, ModelStoreError>
}
