/// Why a template cannot be read, kept or removed.
public enum TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no template with this name; the known names.
  case noTemplate(name: String, folder: String, known: [String])
  /// A text that may not name a template.
  case invalidName(String)
  /// There is a template of this name already.
  case exists(name: String, folder: String)
  /// Bytes that hold no template; why, in words.
  case notATemplate(String)
  /// Bytes of a later version of the format.
  case fromTheFuture(Int)
  /// A value that makes no sense; which, in words.
  case invalidValue(String)
  /// A file that holds no template, or one that makes no sense.
  case damaged(path: String, reason: String)
  /// The file or folder cannot be read, with the system's reason.
  case unreadable(path: String, reason: String)
  /// The file or folder cannot be written, with the system's reason.
  case unwritable(path: String, reason: String)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .noTemplate(let name, let folder, _): "there is no template '\(name)' in \(folder)"
    case .invalidName(let name):
      "'\(name.prefix(80))' cannot name a template; a name must be \(TemplateFolder.nameRule)"
    case .exists(let name, let folder): "there is a template '\(name)' in \(folder) already"
    case .notATemplate(let reason): "this is not a template: \(reason)"
    case .fromTheFuture(let version):
      "this is a template of version \(version), and this program reads version "
        + "\(StoredTemplate.formatVersion); a newer one is needed"
    case .invalidValue(let reason): "the template is damaged: \(reason)"
    case .damaged(let path, let reason): "\(path): \(reason)"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    }
  }
}
