/// Models that are known without asking anyone: where they are to be had, and what they must be.
public enum ModelCatalogue {
  /// All of them, each once.
  ///
  /// - Throws: ``ModelStoreError/invalidManifest(field:reason:)`` if the package was built with a
  ///   catalogue that is none.
  public static func models() throws(ModelStoreError) -> [ModelManifest] {
    try ModelManifest.list(json: PackageResources.catalogue_json)
  }

  /// The model of a name, or nil.
  ///
  /// - Throws: as ``models()``.
  public static func model(_ name: String) throws(ModelStoreError) -> ModelManifest? {
    try models().first { $0.name == name }
  }
}
