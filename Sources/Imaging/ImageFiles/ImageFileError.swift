/// The reason why an image file could not be read or written.
///
/// The text names the file only for errors of the file system. For other errors, the caller prints
/// the name.
public enum ImageFileError: Error, Equatable, CustomStringConvertible {
  /// There is nothing at the path.
  case noSuchFile(path: String)
  /// The path is a directory's.
  case isDirectory(path: String)
  /// The file is there but cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// The file has more bytes than are read.
  case fileTooLarge(limit: Int)
  /// The file has no bytes.
  case empty
  /// The data are not an image; `found` is what they are.
  case notAnImage(found: String)
  /// The data are an image of a format that is not read.
  case unsupportedFormat(String)
  /// The name to write to ends in nothing that is written.
  case unsupportedExtension(String)
  /// The image has a feature of its format that is not read or written.
  case unsupportedFeature(ImageFormat, detail: String)
  /// The header announces more pixels than are decoded.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// Decoding the image takes more memory than was allowed, in bytes.
  ///
  /// `reduction` is the least one that would fit (`ImageFile.Options.reduction`); nil if none does.
  case tooMuchMemory(width: Int, height: Int, needed: Int, limit: Int, reduction: Int?)
  /// The data end before the image does.
  case truncated(ImageFormat, detail: String)
  /// The data contradict themselves or their format.
  case corrupt(ImageFormat, detail: String)
  /// A setting of a writer is out of range.
  case invalidSetting(String)
  /// The image could not be encoded.
  case encodingFailed(ImageFormat, detail: String)

  /// What kind of failure it is, for exit codes and advice.
  public enum Kind: Hashable, Sendable {
    /// The bytes are at fault.
    case badData
    /// The file does not exist.
    case noSuchInput
    /// The file system is at fault.
    case inputOutput
    /// The caller's setting is at fault.
    case usage
  }

  /// What kind of failure this is.
  public var kind: Kind {
    switch self {
    case .noSuchFile, .isDirectory: .noSuchInput
    case .unreadable, .unwritable: .inputOutput
    case .unsupportedExtension, .invalidSetting: .usage
    case .fileTooLarge, .empty, .notAnImage, .unsupportedFormat, .unsupportedFeature,
      .tooManyPixels, .tooMuchMemory, .truncated, .corrupt, .encodingFailed:
      .badData
    }
  }

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .noSuchFile(let path):
      "there is no file \(path)"
    case .isDirectory(let path):
      "\(path) is a directory; an image file is needed"
    case .unreadable(let path, let reason):
      "\(path) cannot be read: \(reason)"
    case .unwritable(let path, let reason):
      "\(path) cannot be written: \(reason)"
    case .fileTooLarge(let limit):
      "the file has more than \(limit) bytes, which is the limit for an image"
    case .empty:
      "the file is empty; a JPEG, PNG, HEIC, WebP or TIFF image is needed"
    case .notAnImage(let found):
      "this is \(found), not an image; JPEG, PNG, HEIC, WebP and TIFF are read"
    case .unsupportedFormat(let name):
      "\(name) is not supported; JPEG, PNG, HEIC, WebP and TIFF are"
    case .unsupportedExtension(let name):
      "\(name) does not say in which format to write; end it in .jpg, .jpeg or .png"
    case .unsupportedFeature(let format, let detail):
      "this \(format.name) is of a kind that is not supported: \(detail)"
    case .tooManyPixels(let width, let height, let limit):
      "the image claims \(width) x \(height) pixels; at most \(limit) are decoded, so take one of "
        + "lower resolution"
    case .tooMuchMemory(let width, let height, let needed, let limit, let reduction):
      "the image of \(width) x \(height) pixels takes \(needed) bytes of memory, more than "
        + "\(limit); take one of lower resolution"
        + (reduction.map { ", or decode it at a reduction of \($0)" } ?? "")
    case .truncated(let format, let detail):
      "the \(format.name) is cut short: \(detail)"
    case .corrupt(let format, let detail):
      "the \(format.name) is damaged: \(detail)"
    case .invalidSetting(let detail):
      detail
    case .encodingFailed(let format, let detail):
      "the image cannot be written as \(format.name): \(detail)"
    }
  }
}

/// A C library's message on one line: some end theirs with a line break, or have one inside.
func libraryMessage(_ message: UnsafePointer<CChar>) -> String {
  String(cString: message).split(whereSeparator: \.isNewline).joined(separator: " ")
}
