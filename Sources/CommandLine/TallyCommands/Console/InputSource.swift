import Foundation

/// Where a command's bytes come from, piece by piece.
package protocol InputSource: Sendable {
  /// Reads the next bytes, at most as many as `buffer` holds, and answers how many; 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int
}

/// Why bytes could not be read.
package struct InputFailure: Error, Equatable, CustomStringConvertible {
  /// The system's error number.
  package let errorNumber: Int32

  /// Makes a failure of the system's error number.
  package init(errorNumber: Int32) {
    self.errorNumber = errorNumber
  }

  /// What was wrong, in one line.
  package var description: String { "cannot be read: \(String(cString: strerror(errorNumber)))" }
}

/// A file descriptor of this process, such as standard input's.
package struct FileDescriptorSource: InputSource {
  /// The descriptor.
  package let descriptor: Int32

  /// Reads from `descriptor`, which the source does not close.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Reads what there is, going on after interruptions.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
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

/// A source whose first bytes were looked at, and come again.
final class PeekedSource: InputSource, @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let source: any InputSource
  private let lock = NSLock()
  private var rest: ArraySlice<UInt8>
  /// The first bytes, 32 if there are as many.
  let beginning: [UInt8]

  /// Reads the first bytes of `source`.
  ///
  /// - Throws: `InputFailure`.
  init(_ source: any InputSource) throws {
    self.source = source
    var bytes: [UInt8] = []
    while bytes.count < 32 {
      var piece = [UInt8](repeating: 0, count: 32 - bytes.count)
      // The pointer is used within this one call only.
      let count = try piece.withUnsafeMutableBytes { buffer throws(InputFailure) -> Int in
        try source.read(into: buffer)
      }
      guard count > 0 else { break }
      bytes += piece.prefix(count)
    }
    beginning = bytes
    rest = bytes[...]
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    let count = lock.withLock { () -> Int in
      let next = rest.prefix(buffer.count)
      buffer.copyBytes(from: next)
      rest.removeFirst(next.count)
      return next.count
    }
    return count > 0 || buffer.isEmpty ? count : try source.read(into: buffer)
  }

  /// The largest image that standard input may hold.
  private static let largestImage = 512 << 20

  /// All bytes, as those of one image.
  func image() throws -> Data {
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = try piece.withUnsafeMutableBytes { buffer throws(InputFailure) -> Int in
        try read(into: buffer)
      }
      guard count > 0 else { return data }
      data.append(contentsOf: piece.prefix(count))
      guard data.count <= Self.largestImage else {
        throw CommandError(
          .badData, at: "-", "the image has more than \(Self.largestImage >> 20) MiB")
      }
    }
  }
}

/// A source of given bytes, for tests and for programs that drive the commands.
package final class MemorySource: InputSource, @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var rest: ArraySlice<UInt8>

  /// A source that gives `bytes` and ends.
  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// Reads the next bytes.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    lock.withLock {
      let next = rest.prefix(buffer.count)
      buffer.copyBytes(from: next)
      rest.removeFirst(next.count)
      return next.count
    }
  }
}
