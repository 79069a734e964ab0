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
/// as it was: a version is made beside and put in its place by renaming it, and so is the mark which is in
/// use. Any number of processes may use one folder; those that change it do so one after the other.
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

  /// Where a user's models are: `tally/models` in `XDG_DATA_HOME`, or in `.local/share` of `HOME`; nil
  /// where neither is an absolute path.
  ///
  /// - Parameter environment: the variables of the process, which this module does not read by itself.
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
  /// - Throws: ``ModelStoreError/unreadable(path:reason:)`` where the folder cannot be listed.
  public func list() throws(ModelStoreError) -> [ListedModel] {
    var listed: [ListedModel] = []
    for name in try FolderCalls.names(in: "\(path)/models") where ModelManifest.isName(name) {
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
    guard ModelManifest.isName(name), FolderCalls.exists(modelPath(name)) else {
      throw .noModel(name: name)
    }
    let used: String
    if let version {
      used = version
    } else {
      used = try VersionsInUse(readingFrom: usePath(name), name: name).current
    }
    guard ModelManifest.isName(used), FolderCalls.exists(versionPath(name, used)) else {
      throw .noVersion(name: name, version: used)
    }
    return StoredModel(
      manifest: try manifest(name, used), file: URL(fileURLWithPath: filePath(name, used)))
  }

  /// A model, whose file was just read and is what was installed.
  ///
  /// - Parameter version: nil for the one in use.
  /// - Throws: as ``model(_:version:)``; ``ModelStoreError/wrongDigest(path:expected:found:)`` and
  ///   ``ModelStoreError/wrongSize(path:expected:found:)`` for a file that is not.
  /// - Complexity: O(*n*) for *n* bytes, a few hundred megabytes a second.
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

  // MARK: Changing

  /// Installs a copy of a file as a version of a model, and puts it into use.
  ///
  /// - Parameters:
  ///   - file: a file that stays as it is.
  ///   - manifest: what it must be.
  ///   - isUsed: whether the version is put into use.
  /// - Throws: ``ModelStoreError``; nothing has changed then.
  @discardableResult
  public func install(
    _ file: URL, as manifest: ModelManifest, isUsed: Bool = true
  ) throws(ModelStoreError) -> StoredModel {
    let input = try FileInput(file.path, follows: true)
    return try install(manifest, isUsed: isUsed) { output throws(ModelStoreError) in
      guard input.size == manifest.size else {
        throw .wrongSize(path: input.path, expected: manifest.size, found: input.size)
      }
      var hasher = SHA256Hasher()
      try input.forEachPiece { piece throws(ModelStoreError) in
        hasher.update(piece)
        try output.write(piece)
      }
      let digest = hasher.finish()
      guard digest == manifest.digest else {
        throw .wrongDigest(path: input.path, expected: manifest.digest, found: digest)
      }
    }
  }

  /// Installs a copy of a file that comes without a manifest, and puts it into use.
  ///
  /// - Parameter version: what to call it; nil for the first twelve digits of its SHA-256.
  /// - Throws: ``ModelStoreError``; nothing has changed then.
  @discardableResult
  public func add(
    _ file: URL, name: String, version: String? = nil, task: String, input: ModelInput? = nil,
    licence: String? = nil
  ) throws(ModelStoreError) -> StoredModel {
    let (digest, size) = try FileInput(file.path, follows: true).digest()
    let manifest = try ModelManifest(
      name: name, version: version ?? String(digest.description.prefix(12)), digest: digest,
      size: size, task: task, input: input, licence: licence)
    return try install(file, as: manifest)
  }

  /// Installs the member of an archive that a manifest names as its source.
  ///
  /// - Throws: ``ModelStoreError``; nothing has changed then.
  @discardableResult
  public func install(
    fromArchive archive: URL, as manifest: ModelManifest, isUsed: Bool = true
  ) throws(ModelStoreError) -> StoredModel {
    guard let known = manifest.source?.archive else {
      throw .noSource(name: manifest.name, reason: "its manifest names no archive")
    }
    let input = try FileInput(archive.path, follows: true)
    if let digest = known.digest {
      let (found, _) = try input.digest()
      guard found == digest else {
        throw .wrongDigest(path: archive.path, expected: digest, found: found)
      }
    }
    let zip = try ZipArchive(input)
    return try install(manifest, isUsed: isUsed) { output throws(ModelStoreError) in
      let digest = try zip.extract(known.member, size: manifest.size, to: output)
      guard digest == manifest.digest else {
        throw .badArchive(
          path: archive.path,
          reason: "its member '\(known.member)' has the SHA-256 \(digest), and it must be "
            + "\(manifest.digest)")
      }
    }
  }

  /// Puts a version that is there into use, after reading it.
  ///
  /// - Throws: ``ModelStoreError``; the version in use stays then.
  public func use(_ name: String, version: String) throws(ModelStoreError) {
    _ = try verified(name, version: version)
    let incoming = try IncomingFolder(in: path)
    let lock = try StoreLock(path, patience: patience)
    defer { _ = lock }
    try markUsed(name, version, by: incoming)
  }

  /// Puts the version into use that was before the one that is.
  ///
  /// Going back again leads further back. A version that is no longer there, or damaged, is passed over.
  ///
  /// - Returns: the version that is now in use.
  /// - Throws: ``ModelStoreError/noEarlierVersion(name:)`` where there is none.
  @discardableResult
  public func rollBack(_ name: String) throws(ModelStoreError) -> String {
    guard ModelManifest.isName(name) else { throw .noModel(name: name) }
    let incoming = try IncomingFolder(in: path)
    let lock = try StoreLock(path, patience: patience)
    defer { _ = lock }
    var used = try VersionsInUse(readingFrom: usePath(name), name: name)
    while let earlier = used.earlier.popLast() {
      guard (try? verified(name, version: earlier)) != nil else { continue }
      used.current = earlier
      try write(used, of: name, by: incoming)
      return earlier
    }
    throw .noEarlierVersion(name: name)
  }

  /// Removes a model, all its versions.
  ///
  /// - Throws: ``ModelStoreError``.
  public func remove(_ name: String) throws(ModelStoreError) {
    guard ModelManifest.isName(name), FolderCalls.exists(modelPath(name)) else {
      throw .noModel(name: name)
    }
    try discard(modelPath(name))
  }

  /// Removes one version, which must not be in use.
  ///
  /// - Throws: ``ModelStoreError``.
  public func remove(_ name: String, version: String) throws(ModelStoreError) {
    guard ModelManifest.isName(name), FolderCalls.exists(modelPath(name)) else {
      throw .noModel(name: name)
    }
    guard ModelManifest.isName(version), FolderCalls.exists(versionPath(name, version)) else {
      throw .noVersion(name: name, version: version)
    }
    try discard(versionPath(name, version)) { () throws(ModelStoreError) in
      let used = try? VersionsInUse(readingFrom: usePath(name), name: name)
      guard used?.current != version else { throw .inUse(name: name, version: version) }
    }
  }

  /// Takes a folder out of the store in one step, and then deletes it.
  private func discard(
    _ place: String, unless check: () throws(ModelStoreError) -> Void = {}
  ) throws(ModelStoreError) {
    let incoming = try IncomingFolder(in: path)
    let lock = try StoreLock(path, patience: patience)
    defer { _ = lock }
    try check()
    guard rename(place, "\(incoming.path)/removed") == 0 else { throw .writing(place, errno) }
    try FolderCalls.synchronize((place as NSString).deletingLastPathComponent)
    IncomingFolder.removeLeft(in: path)
  }

  // MARK: Files

  private func modelPath(_ name: String) -> String { "\(path)/models/\(name)" }
  private func usePath(_ name: String) -> String { "\(modelPath(name))/use.json" }
  private func versionPath(_ name: String, _ version: String) -> String {
    "\(modelPath(name))/versions/\(version)"
  }
  private func filePath(_ name: String, _ version: String) -> String {
    "\(versionPath(name, version))/\(Self.fileName)"
  }

  private static let fileName = "model.onnx"
  private static let manifestName = "manifest.json"

  private func versions(of name: String) throws(ModelStoreError) -> [String] {
    try FolderCalls.names(in: "\(modelPath(name))/versions").filter(ModelManifest.isName)
  }

  /// The manifest of a version that is there, which must be that version's.
  private func manifest(
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
      try FolderCalls.make("\(modelPath(name))/versions")
      for folder in [path, "\(path)/models", modelPath(name)] {
        try FolderCalls.synchronize(folder)
      }
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

  private func write(
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
