import Foundation

/// What the programs have in common that tests run as processes of their own, to kill them or to give them
/// too little disk.
public enum ChildProgram {
  /// From here on no file can grow beyond so many bytes, as on a full disk; nil changes nothing.
  public static func limitFiles(to bytes: rlim_t?) {
    guard let bytes else { return }
    // The write is to fail, not the process.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    #if canImport(Darwin)
      setrlimit(RLIMIT_FSIZE, &limit)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
  }

  /// Prints a line at once, whatever standard output is.
  public static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
