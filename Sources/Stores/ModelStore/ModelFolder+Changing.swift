import Foundation

extension ModelFolder {
  /// Installs a copy of a file as a version of a model, and puts it into use.
  ///
  /// - Parameters:
  ///   - file: a file, which does not change.
  ///   - manifest: the expected content.
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

  /// Installs a copy of a file without a manifest, and puts it into use.
  ///
  /// - Parameters:
  ///   - file: a file, which does not change.
  ///   - name: the name of the model.
  ///   - version: the name of the version; nil for the first twelve digits of its SHA-256.
  ///   - task: what the model does, such as `object-detection`.
  ///   - input: what the model takes; nil if that is not known.
  ///   - licence: the licence of the model; nil if that is not known.
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

  /// Puts an installed version into use, after reading it.
  ///
  /// - Throws: ``ModelStoreError``; the version in use stays then.
  public func use(_ name: String, version: String) throws(ModelStoreError) {
    _ = try verified(name, version: version)
    let incoming = try IncomingFolder(in: path)
    let lock = try StoreLock(path, patience: patience)
    defer { _ = lock }
    // Another process may have removed it meanwhile.
    try checkPresence(of: name, version)
    try markUsed(name, version, by: incoming)
  }

  /// Puts the previous version into use again.
  ///
  /// A second call goes back further. A version that no longer exists, or is damaged, is skipped.
  ///
  /// - Returns: the version that is now in use.
  /// - Throws: ``ModelStoreError/noEarlierVersion(name:)`` if there is none.
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

  /// Removes a model with all its versions.
  ///
  /// - Throws: ``ModelStoreError``.
  public func remove(_ name: String) throws(ModelStoreError) {
    try discard(modelPath(name)) { () throws(ModelStoreError) in try checkPresence(of: name) }
  }

  /// Removes one version, which must not be in use.
  ///
  /// - Throws: ``ModelStoreError``.
  public func remove(_ name: String, version: String) throws(ModelStoreError) {
    try discard(versionPath(name, version)) { () throws(ModelStoreError) in
      try checkPresence(of: name, version)
      let used = try? VersionsInUse(readingFrom: usePath(name), name: name)
      guard used?.current != version else { throw .inUse(name: name, version: version) }
    }
  }

  /// Takes a folder out of the store in one step, and then deletes it.
  ///
  /// - Parameter check: fails if the folder must not be removed. It is called before anything is
  ///   created, and again when no other process can change the answer.
  private func discard(
    _ place: String, unless check: () throws(ModelStoreError) -> Void
  ) throws(ModelStoreError) {
    try check()
    let incoming = try IncomingFolder(in: path)
    let lock = try StoreLock(path, patience: patience)
    defer { _ = lock }
    try check()
    guard rename(place, "\(incoming.path)/removed") == 0 else { throw .writing(place, errno) }
    try FolderCalls.synchronize((place as NSString).deletingLastPathComponent)
    IncomingFolder.removeLeft(in: path)
  }
}
