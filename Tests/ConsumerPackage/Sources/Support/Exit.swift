#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends the program as failed, saying why.
public func exit(because reason: String) -> Never {
  print("failed: \(reason)")
  exit(1)
}
