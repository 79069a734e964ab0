import Foundation

/// The destination of a command's text.
package protocol OutputSink: Sendable {
  /// Writes all of `text`, or throws.
  func write(_ text: String) throws(OutputFailure)
}

/// The reason why text could not be written.
package enum OutputFailure: Error, Equatable, CustomStringConvertible {
  /// The reader has stopped, as `head` does after its lines.
  case readerLeft
  /// Any other reason, with the system's error number.
  case failed(errorNumber: Int32)

  /// The error, in one line.
  package var description: String {
    switch self {
    case .readerLeft: "the reader of standard output has left"
    case .failed(let number):
      "cannot write to standard output: \(String(cString: strerror(number)))"
    }
  }
}

/// A file descriptor of this process, such as standard output's.
package struct FileDescriptorSink: OutputSink {
  /// The descriptor.
  package let descriptor: Int32

  /// Writes to `descriptor`, which the sink does not close.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes all of `text`; continues after interruptions and partial writes.
  package func write(_ text: String) throws(OutputFailure) {
    switch Self.write(Array(text.utf8), to: descriptor) {
    case 0: return
    case EPIPE: throw .readerLeft
    case let number: throw .failed(errorNumber: number)
    }
  }

  /// Writes all bytes, and returns the system's error number, or 0.
  ///
  /// It continues after interruptions and partial writes.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var start = 0
    while start < bytes.count {
      // The pointer is used within this one call only.
      let written = bytes[start...].withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if written > 0 {
        start += written
      } else if written == 0 {
        // If a disk accepts nothing and reports no reason, it is full.
        return ENOSPC
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// Writes to another sink, and silently drops text after that sink's reader has left.
///
/// It is for commands whose work is more than their output.
final class LastingSink: OutputSink, @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var hasReader = true
  private let sink: any OutputSink

  /// Writes to `sink` while it has a reader.
  init(_ sink: any OutputSink) {
    self.sink = sink
  }

  func write(_ text: String) throws(OutputFailure) {
    guard lock.withLock({ hasReader }) else { return }
    do {
      try sink.write(text)
    } catch .readerLeft {
      lock.withLock { hasReader = false }
    }
  }
}

/// A sink that keeps the written text, for tests and for programs that call the commands.
package final class MemorySink: OutputSink, @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var content = ""

  /// An empty sink.
  package init() {}

  /// The text written so far.
  package var text: String {
    lock.withLock { content }
  }

  /// Appends `text`.
  package func write(_ text: String) throws(OutputFailure) {
    lock.withLock { content += text }
  }
}
