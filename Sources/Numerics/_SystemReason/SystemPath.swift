import Foundation

/// Links and folders by the system's own calls, for files that replace others.
package enum SystemPath {
  /// The target of a link at a path, or the path itself if there is no link.
  package static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return URL(fileURLWithPath: path).path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns when the name of a new or renamed file is on the disk.
  ///
  /// - Returns: 0, or the system's error number.
  package static func synchronizeFolder(of path: String) -> Int32 {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // If the folder cannot be read, or the file system does not support this, it is skipped.
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno
  }
}
