import Foundation

extension ModelFolder {
  /// Fetches a model that a manifest describes, installs it and puts it into use.
  ///
  /// A version that is here and whole is put into use without asking anyone. What came of a
  /// download that was cut off stays beside, and the next one goes on from there where the server
  /// still has the same content. Nothing is installed before all of it is here and its SHA-256 is
  /// the manifest's; until then, and whatever fails, the version in use stays what it was.
  ///
  /// - Parameters:
  ///   - manifest: what is wanted.
  ///   - address: where it, or the archive with it, is fetched instead of from the manifest's
  ///     source.
  ///   - limits: how long it may take.
  ///   - progress: told of the bytes as they come, on a thread of the download's own.
  /// - Throws: ``ModelStoreError``; ``ModelStoreError/cancelled`` if the task is.
  @discardableResult
  public func fetch(
    _ manifest: ModelManifest, from address: String? = nil, limits: FetchLimits = FetchLimits(),
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) async throws(ModelStoreError) -> StoredModel {
    let flag = CancellationFlag()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A thread of its own: a download blocks, and those of the pool must not.
        Thread.detachNewThread {
          continuation.resume(
            returning: Result { () throws(ModelStoreError) in
              try fetchBlocking(
                manifest, from: address, limits: limits, isCancelled: { flag.isSet },
                progress: progress)
            })
        }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
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
    // No name holds an @, so that no two share a part.
    let part = try PartFile(in: path, name: "\(name)@\(version)")
    do throws(ModelStoreError) {
      return try complete(part, by: download, as: manifest)
    } catch {
      // What has no room for the rest is not left in the way of others, and nothing is nothing to
      // go on from.
      if case .noSpace = error { part.remove() }
      if part.length == 0 { part.remove() }
      throw error
    }
  }

  /// Fetches what is missing of a part and installs it.
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
        // An earlier process may have been stopped before all of its bytes were on the disk.
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

  /// Installs what was fetched.
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
  /// Whether what was fetched is not what it should be.
  fileprivate var isOfContent: Bool {
    switch self {
    case .wrongContent, .badArchive: true
    default: false
    }
  }
}

/// Says from one thread to another that the work is no longer wanted.
private final class CancellationFlag: @unchecked Sendable {
  // Safe to share: the lock guards what varies.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
