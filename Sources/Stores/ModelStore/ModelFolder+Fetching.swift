import Foundation

extension ModelFolder {
  /// Fetches a model that a manifest describes, installs it and puts it into use.
  ///
  /// If the version is installed and undamaged, it is put into use without a request. The bytes of
  /// an interrupted download are kept. The next download continues there if the server still has
  /// the same content. Nothing is installed before all bytes are here and their SHA-256 is that of
  /// the manifest. Until then, and after any failure, the version in use does not change.
  ///
  /// - Parameters:
  ///   - manifest: the wanted model.
  ///   - address: the address of the model, or of the archive with it, in place of the manifest's
  ///     source.
  ///   - limits: the limits of the download.
  ///   - progress: called with the number of bytes as they arrive, on the download's own thread.
  /// - Throws: ``ModelStoreError``; ``ModelStoreError/cancelled`` if the task is.
  @discardableResult
  public func fetch(
    _ manifest: ModelManifest, from address: String? = nil, limits: FetchLimits = FetchLimits(),
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) async throws(ModelStoreError) -> StoredModel {
    try await BlockingWork.run { isCancelled throws(ModelStoreError) in
      try fetchBlocking(
        manifest, from: address, limits: limits, isCancelled: isCancelled, progress: progress)
    }
  }

  private func fetchBlocking(
    _ manifest: ModelManifest, from address: String?, limits: FetchLimits,
    isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) throws(ModelStoreError) -> StoredModel {
    try manifest.validate()
    let (name, version) = (manifest.name, manifest.version)
    if let there = try? verified(name, version: version) {
      guard there.manifest.digest == manifest.digest else {
        throw .versionExists(name: name, version: version)
      }
      try use(name, version: version)
      return there
    }
    let archive = manifest.source?.archive
    let download = Download(
      address: try FetchAddress(try Self.address(of: manifest, insteadOf: address)),
      expected: archive?.size ?? manifest.size, limits: limits, isCancelled: isCancelled,
      progress: progress)
    // Names do not contain an @, so different versions do not share a part.
    let part = try PartFile(in: path, name: "\(name)@\(version)")
    do throws(ModelStoreError) {
      return try complete(part, by: download, as: manifest)
    } catch {
      // If there is no space for the rest, the part would only take up space; an empty part is
      // useless.
      if case .noSpace = error { part.remove() }
      if part.length == 0 { part.remove() }
      throw error
    }
  }

  /// Fetches the missing bytes of a part and installs the file.
  private func complete(
    _ part: PartFile, by download: Download, as manifest: ModelManifest
  ) throws(ModelStoreError) -> StoredModel {
    var wasThere = try download.run(into: part)
    while true {
      do throws(ModelStoreError) {
        let stored = try install(part, as: manifest, from: download.address)
        part.remove()
        return stored
      } catch {
        guard error.isOfContent else { throw error }
        try part.begin(nil)
        // An earlier process may have ended before all of its bytes were on the disk.
        guard wasThere else { throw error }
        wasThere = try download.run(into: part)
      }
    }
  }

  private static func address(
    of manifest: ModelManifest, insteadOf given: String?
  ) throws(ModelStoreError) -> String {
    if let given { return given }
    switch manifest.source?.place {
    case .url(let url): return url
    case .package(let name, let version, let file):
      throw .noSource(
        name: manifest.name,
        reason:
          "it is in '\(file)' of the package \(name)==\(version); get that file, or its address")
    case nil: throw .noSource(name: manifest.name, reason: "its manifest names no source")
    }
  }

  /// Installs the fetched file.
  private func install(
    _ part: PartFile, as manifest: ModelManifest, from address: FetchAddress
  ) throws(ModelStoreError) -> StoredModel {
    let file = URL(fileURLWithPath: part.path)
    guard manifest.source?.archive == nil else {
      do {
        return try install(fromArchive: file, as: manifest)
      } catch .wrongDigest(_, let expected, let found) {
        throw .wrongContent(url: address.shown, expected: expected, found: found)
      } catch .badArchive(_, let reason) {
        throw .badArchive(path: address.shown, reason: reason)
      }
    }
    do {
      return try install(file, as: manifest)
    } catch .wrongDigest(_, let expected, let found) {
      throw .wrongContent(url: address.shown, expected: expected, found: found)
    }
  }
}

extension ModelStoreError {
  /// Whether the fetched content is wrong.
  fileprivate var isOfContent: Bool {
    switch self {
    case .wrongContent, .badArchive: true
    default: false
    }
  }
}
