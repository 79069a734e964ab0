/// A place that keeps templates by their names.
///
/// ``TemplateFolder`` keeps them in files, and ``MemoryTemplates`` in memory. An app may keep them
/// elsewhere: ``StoredTemplate/json()`` is what to keep, and ``StoredTemplate/init(json:)`` reads it.
public protocol TemplateStore: Sendable {
  /// The names of all templates, in order.
  func names() async throws -> [String]

  /// The template of a name.
  ///
  /// - Throws: an error if there is none.
  func template(_ name: String) async throws -> StoredTemplate

  /// Keeps a template.
  ///
  /// - Parameters:
  ///   - template: the template, by its name.
  ///   - replacing: whether it may take the place of one with the same name.
  /// - Throws: an error if there is one and it may not be replaced.
  func add(_ template: StoredTemplate, replacing: Bool) async throws

  /// Removes a template.
  ///
  /// - Throws: an error if there is none of this name.
  func remove(_ name: String) async throws
}

/// Templates in memory, for tests and for sessions that leave nothing behind.
///
/// Errors name the folder `memory`.
public actor MemoryTemplates: TemplateStore {
  private var templates: [String: StoredTemplate] = [:]

  /// Makes a store without templates.
  public init() {}

  /// The names of all templates, in order.
  public func names() -> [String] { templates.keys.sorted() }

  /// The template of a name.
  ///
  /// - Throws: ``TemplateError/invalidName(_:)``, ``TemplateError/noTemplate(name:folder:known:)``.
  public func template(_ name: String) throws(TemplateError) -> StoredTemplate {
    guard TemplateFolder.isName(name) else { throw .invalidName(name) }
    guard let template = templates[name] else {
      throw .noTemplate(name: name, folder: "memory", known: names())
    }
    return template
  }

  /// Keeps a template.
  ///
  /// - Throws: ``TemplateError/invalidName(_:)``, ``TemplateError/invalidValue(_:)``;
  ///   ``TemplateError/exists(name:folder:)`` if there is one and it may not be replaced.
  public func add(
    _ template: StoredTemplate, replacing: Bool = false
  ) throws(TemplateError) {
    guard TemplateFolder.isName(template.name) else { throw .invalidName(template.name) }
    // Through its JSON, so that what a folder would refuse or round is refused and rounded here.
    let kept = try StoredTemplate(json: template.json())
    guard replacing || templates[template.name] == nil else {
      throw .exists(name: template.name, folder: "memory")
    }
    templates[template.name] = kept
  }

  /// Removes a template.
  ///
  /// - Throws: as ``template(_:)``.
  public func remove(_ name: String) throws(TemplateError) {
    _ = try template(name)
    templates[name] = nil
  }
}
