import Foundation

/// Where a command's bytes come from, piece by piece.
public protocol InputSource: Sendable {
  /// Reads the next bytes, at most as many as `buffer` holds, and answers how many; 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int
}

/// Why bytes could not be read.
public struct InputFailure: Error, Equatable, CustomStringConvertible {
  /// The system's error number.
  public let errorNumber: Int32

  /// Makes a failure of the system's error number.
  public init(errorNumber: Int32) {
    self.errorNumber = errorNumber
  }

  /// What was wrong, in one line.
  public var description: String { "cannot be read: \(String(cString: strerror(errorNumber)))" }
}

/// A file descriptor of this process, such as standard input's.
public struct FileDescriptorSource: InputSource {
  /// The descriptor.
  public let descriptor: Int32

  /// Reads from `descriptor`, which the source does not close.
  public init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Reads what there is, going on after interruptions.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    while true {
      let count = systemRead(buffer)
      if count >= 0 { return count }
      guard errno == EINTR else { throw InputFailure(errorNumber: errno) }
    }
  }

  private func systemRead(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }
}

/// A source of given bytes, for tests and for programs that drive the commands.
public final class MemorySource: InputSource, @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var rest: ArraySlice<UInt8>

  /// A source that gives `bytes` and ends.
  public init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// Reads the next bytes.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    lock.withLock {
      let next = rest.prefix(buffer.count)
      buffer.copyBytes(from: next)
      rest.removeFirst(next.count)
      return next.count
    }
  }
}
