/// The version of a model that is in use, and the one that a manifest offers.
///
/// ```swift
/// for manifest in try await ModelManifest.fetch(from: address) {
///   let update = try models.check(manifest)
///   if update.isAvailable { try await models.fetch(update.offered) }    // or ask first
/// }
/// ```
public struct ModelUpdate: Hashable, Sendable {
  /// What the offered version is to the one in use.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It is newer.
    case newer
    /// It is the same.
    case same
    /// It is older.
    case older
    /// It has the same version and other content, which is not allowed: versions never change.
    case changed
    /// At least one of the two has no order, or two contents have equal versions.
    case unordered
  }

  /// The manifest of the version in use.
  public let current: ModelManifest
  /// The offered manifest, with the size and the digest of its file.
  public let offered: ModelManifest
  /// Whether the offered version is kept already, with the same content.
  ///
  /// It is if somebody went back from it.
  public let isKept: Bool

  /// Compares two manifests of one model.
  init(current: ModelManifest, offered: ModelManifest, isKept: Bool) {
    self.current = current
    self.offered = offered
    self.isKept = isKept
  }

  /// What the offered version is to the one in use, in the order of ``ModelVersion``.
  public var kind: Kind {
    let isSameContent = current.digest == offered.digest && current.size == offered.size
    if current.version == offered.version { return isSameContent ? .same : .changed }
    guard let before = ModelVersion(current.version), let after = ModelVersion(offered.version)
    else { return .unordered }
    if before == after { return isSameContent ? .same : .unordered }
    return before < after ? .newer : .older
  }

  /// Whether a newer version is offered.
  public var isAvailable: Bool { kind == .newer }
}

extension ModelFolder {
  /// Compares an offered manifest with the version in use.
  ///
  /// Nothing is fetched, and no model's file is read.
  ///
  /// - Throws: ``ModelStoreError/noModel(name:)`` if the model is not kept,
  ///   ``ModelStoreError/invalidManifest(field:reason:)``, or the error in the store's own files.
  public func check(_ offered: ModelManifest) throws(ModelStoreError) -> ModelUpdate {
    try offered.validate()
    let current = try model(offered.name).manifest
    // A version that cannot be read would be repaired by fetching it.
    let kept = try? model(offered.name, version: offered.version)
    return ModelUpdate(
      current: current, offered: offered, isKept: kept?.manifest.digest == offered.digest)
  }
}
