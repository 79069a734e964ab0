import Counting
import Foundation
import _SystemReason

/// A folder with templates, each a file `NAME.json`.
///
/// ```swift
/// let templates = TemplateFolder(URL(fileURLWithPath: "templates"))    // need not be there yet
/// try templates.add(
///   StoredTemplate(
///     name: "sweets", created: Date(), photo: "tray.jpg", objects: 24, template: template))
/// let sweets = try templates.template("sweets")
/// try sweets.template.models.requireSame(as: models)
/// ```
///
/// Files are written atomically: each is written beside its place and moved there. Files may be
/// copied and renamed by hand; the name of a template is that of its file.
public struct TemplateFolder: TemplateStore, Hashable {
  /// The folder.
  public let url: URL

  /// Uses a folder, which need not exist until a template is added.
  public init(_ url: URL) {
    self.url = url
  }

  /// The folder of a user's templates; nil if there is no place for it.
  ///
  /// It is `tally/templates` in `XDG_DATA_HOME`, or in `.local/share` of `HOME`. Nil if neither is
  /// an absolute path (XDG Base Directory Specification).
  ///
  /// - Parameter environment: the variables of the process, which this module does not read by
  ///   itself.
  public static func usual(environment: [String: String]) -> TemplateFolder? {
    func folder(_ name: String) -> URL? {
      environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
    }
    let place = folder("XDG_DATA_HOME") ?? folder("HOME")?.appendingPathComponent(".local/share")
    return place.map { TemplateFolder($0.appendingPathComponent("tally/templates")) }
  }

  // MARK: Names

  /// What a name must be, as the end of the sentence "a name must be ...".
  public static let nameRule =
    "1 to 64 ASCII letters, digits, '.', '-' and '_', a letter or digit first, and not end in '.json'"

  /// Whether a text may name a template: it then names a file of the folder, and none elsewhere.
  public static func isName(_ text: String) -> Bool {
    func isLetterOrDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let bytes = Array(text.utf8)
    guard (1...64).contains(bytes.count), let first = bytes.first, isLetterOrDigit(first),
      !text.lowercased().hasSuffix(".json")
    else { return false }
    return bytes.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
  }

  /// The file in which the template of a name is, or would be.
  ///
  /// - Throws: ``TemplateError/invalidName(_:)``.
  public func file(of name: String) throws(TemplateError) -> URL {
    guard Self.isName(name) else { throw .invalidName(name) }
    return url.appendingPathComponent("\(name).json")
  }

  // MARK: Reading

  /// The names of all templates, damaged ones too, in order; none if there is no folder.
  ///
  /// - Throws: ``TemplateError/unreadable(path:reason:)``.
  public func names() throws(TemplateError) -> [String] {
    let entries: [String]
    do {
      entries = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      var status = stat()
      if stat(url.path, &status) != 0, errno == ENOENT { return [] }
      throw .unreadable(path: url.path, reason: SystemReason.text(of: error))
    }
    return entries.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
      .filter(Self.isName).sorted()
  }

  /// The template of a name.
  ///
  /// - Throws: ``TemplateError``.
  public func template(_ name: String) throws(TemplateError) -> StoredTemplate {
    let file = try file(of: name)
    var status = stat()
    if stat(file.path, &status) != 0, errno == ENOENT || errno == ENOTDIR {
      throw .noTemplate(name: name, folder: url.path, known: (try? names()) ?? [])
    }
    var stored = try Self.template(contentsOf: file)
    stored.name = name
    return stored
  }

  /// The template in a file, wherever that is.
  ///
  /// - Throws: ``TemplateError/unreadable(path:reason:)``, ``TemplateError/damaged(path:reason:)``.
  public static func template(contentsOf file: URL) throws(TemplateError) -> StoredTemplate {
    let data = try TemplateFile.contents(of: file.path)
    do {
      return try StoredTemplate(json: data)
    } catch {
      throw .damaged(path: file.path, reason: error.description)
    }
  }

  // MARK: Changing

  /// Keeps a template; the folder is made if it is not there.
  ///
  /// Its file is ``file(of:)``.
  ///
  /// - Parameters:
  ///   - template: the template, which has the name.
  ///   - replacing: whether it may take the place of one with the same name.
  /// - Throws: ``TemplateError/exists(name:folder:)`` if there is one and it may not be replaced;
  ///   ``TemplateError``.
  public func add(
    _ template: StoredTemplate, replacing: Bool = false
  ) throws(TemplateError) {
    let file = try file(of: template.name)
    let data = try template.json()
    do {
      // Private if it is made here, as the XDG specification requires.
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .unwritable(path: url.path, reason: SystemReason.text(of: error))
    }
    guard try TemplateFile.write(data, to: file.path, replacing: replacing) else {
      throw .exists(name: template.name, folder: url.path)
    }
  }

  /// Removes a template, damaged or not.
  ///
  /// - Throws: ``TemplateError/noTemplate(name:folder:known:)`` if there is none of this name;
  ///   ``TemplateError``.
  public func remove(_ name: String) throws(TemplateError) {
    let file = try file(of: name)
    guard unlink(file.path) != 0 else { return }
    let number = errno
    if number == ENOENT || number == ENOTDIR {
      throw .noTemplate(name: name, folder: url.path, known: (try? names()) ?? [])
    }
    throw .unwritable(path: file.path, reason: String(cString: strerror(number)))
  }
}
