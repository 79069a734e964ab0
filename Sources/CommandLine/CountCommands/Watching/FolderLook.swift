import CommandKit
import Foundation

/// The properties that distinguish a file from an earlier one of the same name.
struct FileStamp: Hashable, Sendable {
  let size: Int64
  private let seconds: Int
  private let nanoseconds: Int
  private let number: UInt64

  /// The stamp from a status; nil if it is not of a file.
  init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    seconds = time.tv_sec
    nanoseconds = time.tv_nsec
    number = UInt64(status.st_ino)
  }

  /// The stamp of the file at a path, or of the target of a link.
  init?(ofFileAt path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// A name in a folder.
struct FolderName: Hashable, Sendable {
  /// The name; if its bytes are not UTF-8, the part that can be shown.
  let text: String
  /// Whether a file can be opened by ``text``.
  let isExact: Bool

  /// The name of bytes that end in a zero.
  init(_ bytes: UnsafePointer<CChar>) {
    if let exact = String(validatingCString: bytes) {
      (text, isExact) = (exact, true)
    } else {
      (text, isExact) = (String(cString: bytes), false)
    }
  }

  /// Whether it is the name of a photo that is not hidden.
  ///
  /// Names of unfinished files begin with a dot, or have another ending than photos: `.part`,
  /// `.tmp`.
  var isPhoto: Bool {
    guard !text.hasPrefix("."), let dot = text.lastIndex(of: ".") else { return false }
    return PhotoList.extensions.contains(text[text.index(after: dot)...].lowercased())
  }
}

/// The identity of a path's folder.
struct FolderIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
  }
}

/// The photos in a folder at one time.
struct FolderLook {
  let identity: FolderIdentity
  let stamps: [FolderName: FileStamp]

  /// Scans a folder without its subfolders.
  ///
  /// - Returns: nil if it cannot be read any more.
  /// - Complexity: O(*n*) for *n* names.
  init?(at path: String) {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    let descriptor = dirfd(folder)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    identity = FolderIdentity(status)
    var stamps: [FolderName: FileStamp] = [:]
    while let entry = readdir(folder) {
      // The name is longer than its type, and is overwritten by the next call.
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let name = FolderName(bytes)
      guard name.isPhoto, fstatat(descriptor, bytes, &status, 0) == 0,
        let stamp = FileStamp(status)
      else { continue }
      stamps[name] = stamp
    }
    self.stamps = stamps
  }
}
