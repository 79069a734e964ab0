/// The models known without a network: their sources and their expected content.
public enum ModelCatalogue {
  /// All models, each once.
  ///
  /// - Throws: ``ModelStoreError/invalidManifest(field:reason:)`` if the package was built with an
  ///   invalid catalogue.
  public static func models() throws(ModelStoreError) -> [ModelManifest] {
    try ModelManifest.list(json: PackageResources.catalogue_json)
  }

  /// The model of a name, or nil.
  ///
  /// - Throws: the errors of ``models()``.
  public static func model(_ name: String) throws(ModelStoreError) -> ModelManifest? {
    try models().first { $0.name == name }
  }
}
