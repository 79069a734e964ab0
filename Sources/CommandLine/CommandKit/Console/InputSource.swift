import Foundation

/// A source of a command's bytes, read piece by piece.
package protocol InputSource: Sendable {
  /// Reads the next bytes, at most the size of `buffer`, and returns their number; 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int
}

extension InputSource {
  /// The next bytes, at most `limit`; none at the end.
  ///
  /// - Throws: `InputFailure`.
  func bytes(atMost limit: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    // The pointer is used within this one call only.
    let count = try bytes.withUnsafeMutableBytes { try read(into: $0) }
    bytes.removeSubrange(count...)
    return bytes
  }
}

/// The reason why bytes could not be read.
package struct InputFailure: Error, Equatable, CustomStringConvertible {
  /// The system's error number.
  package let errorNumber: Int32

  /// Makes a failure of the system's error number.
  package init(errorNumber: Int32) {
    self.errorNumber = errorNumber
  }

  /// The error, in one line.
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

  /// Reads the available bytes; continues after interruptions.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw InputFailure(errorNumber: errno) }
    }
  }
}

/// A source whose first bytes were read in advance and are returned again.
struct PeekedSource: InputSource {
  private let source: any InputSource
  private let first: MemorySource
  /// The first bytes, 32 if there are enough.
  let beginning: [UInt8]

  /// Reads the first bytes of `source`.
  ///
  /// - Throws: `InputFailure`.
  init(_ source: any InputSource) throws {
    self.source = source
    var bytes: [UInt8] = []
    while bytes.count < 32 {
      let piece = try source.bytes(atMost: 32 - bytes.count)
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    beginning = bytes
    first = MemorySource(bytes)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    let count = try first.read(into: buffer)
    return count > 0 || buffer.isEmpty ? count : try source.read(into: buffer)
  }

  /// The largest image that standard input may hold.
  private static let largestImage = 512 << 20

  /// All bytes, as the content of one image.
  func image() throws -> Data {
    var data = Data()
    while true {
      let piece = try bytes(atMost: 1 << 20)
      guard !piece.isEmpty else { return data }
      data.append(contentsOf: piece)
      guard data.count <= Self.largestImage else {
        throw CommandError(
          .badData, at: "-", "the image has more than \(Self.largestImage >> 20) MiB")
      }
    }
  }
}

/// A source of given bytes, for tests and for programs that call the commands.
package final class MemorySource: InputSource, @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var rest: ArraySlice<UInt8>

  /// A source that returns `bytes` and ends.
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
