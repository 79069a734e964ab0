import Foundation

/// Why Foundation could not read or write a file, in words.
///
/// What it says of itself is often no more than that an operation could not be completed, and a
/// number.
package enum SystemReason {
  /// What the system said, as far as Foundation passes it on.
  package static func text(of error: any Error) -> String {
    var next: NSError? = error as NSError
    while let current = next {
      if current.domain == NSPOSIXErrorDomain { return text(of: Int32(current.code)) }
      next = current.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    switch (error as? CocoaError)?.code {
    case .fileWriteOutOfSpace?: return text(of: ENOSPC)
    case .fileWriteNoPermission?, .fileReadNoPermission?: return text(of: EACCES)
    case .fileWriteVolumeReadOnly?: return text(of: EROFS)
    case .fileNoSuchFile?, .fileReadNoSuchFile?: return text(of: ENOENT)
    case .fileWriteFileExists?: return text(of: EEXIST)
    case .fileWriteInvalidFileName?, .fileReadInvalidFileName?: return text(of: EINVAL)
    default: return "the system refused, and did not say why"
    }
  }

  /// What the system's error number says.
  package static func text(of number: Int32) -> String {
    // A limit on the size of files is as good as a full disk.
    number == ENOSPC || number == EFBIG || number == EDQUOT
      ? "no space left" : String(cString: strerror(number))
  }
}
