import CommandKit
import Foundation

/// What may be done in a folder, found out without trying it.
enum FolderAccess {
  /// What is at a path.
  enum Kind: Equatable {
    case absent
    case folder
    case other
    /// It cannot be found out; with the system's reason.
    case hidden(String)
  }

  /// What is at a path, through links.
  static func kind(_ path: String) -> Kind {
    guard !path.utf8.contains(0) else { return .hidden("no path holds a zero byte") }
    var status = stat()
    guard stat(path, &status) == 0 else {
      // A folder above it that is a file leaves nothing here.
      return errno == ENOENT || errno == ENOTDIR ? .absent : .hidden(OutputFile.reason(errno))
    }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
  }

  /// Why nothing can be written in a folder, which need not exist; nil if it probably can.
  static func refusal(toWriteIn path: String) -> String? {
    var place = URL(fileURLWithPath: path).path
    while true {
      switch kind(place) {
      case .folder:
        return access(place, W_OK | X_OK) == 0
          ? nil : "nothing can be written in \(place): \(OutputFile.reason(errno))"
      case .other: return "\(place) is not a folder"
      case .hidden(let reason): return "\(place) cannot be looked at: \(reason)"
      case .absent:
        let above = (place as NSString).deletingLastPathComponent
        guard above != place, !above.isEmpty else { return "\(place) does not exist" }
        place = above
      }
    }
  }

  /// How many bytes this user may still write in a folder; nil if it is not known.
  static func freeBytes(in path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isHuge) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isHuge ? nil : Int(exactly: bytes)
  }
}
