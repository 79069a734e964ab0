import Foundation

/// Files of results.
enum OutputFile {
  /// Writes a whole file, or none.
  ///
  /// - Throws: ``CommandError``.
  static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandError(.inputOutput, at: path, "cannot be written: \(reason(error))")
    }
  }

  /// What the system says; Foundation often says no more than that the operation could not be completed.
  private static func reason(_ error: any Error) -> String {
    var next: NSError? = error as NSError
    while let current = next {
      if current.domain == NSPOSIXErrorDomain {
        return String(cString: strerror(Int32(current.code)))
      }
      next = current.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return error.localizedDescription
  }
}
