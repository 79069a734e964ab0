import Foundation

/// Reads lines of bytes piece by piece.
///
/// It keeps at most one line, and at most a limit of bytes.
package struct LineReader: Sendable {
  /// A line without its end.
  package enum Line: Sendable, Equatable {
    case bytes([UInt8])
    /// More bytes than the limit; they were read and dropped.
    case tooLong
  }

  private let source: any InputSource
  private let end: UInt8
  private let limit: Int
  private var piece: [UInt8] = []
  private var place = 0
  /// Whether a byte order mark before the first line is left out.
  package var skipsByteOrderMark = false

  private static let pieceSize = 1 << 16

  /// - Parameters:
  ///   - source: where the bytes come from.
  ///   - end: the byte that ends a line.
  ///   - limit: the most bytes of a line.
  package init(_ source: any InputSource, end: UInt8 = UInt8(ascii: "\n"), limit: Int) {
    self.source = source
    self.end = end
    self.limit = limit
  }

  /// The next line, of which the last one need not be ended; nil at the end.
  ///
  /// - Throws: `InputFailure`.
  mutating func next() throws -> Line? {
    let isFirst = skipsByteOrderMark
    skipsByteOrderMark = false
    let line = try nextLine()
    guard isFirst, case .bytes(let bytes) = line, bytes.starts(with: ByteOrderMark.bytes) else {
      return line
    }
    return .bytes(Array(bytes.dropFirst(ByteOrderMark.bytes.count)))
  }

  private mutating func nextLine() throws -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    var isBegun = false
    while true {
      if place == piece.count {
        piece = try source.bytes(atMost: Self.pieceSize)
        place = 0
        guard !piece.isEmpty else { return !isBegun ? nil : isTooLong ? .tooLong : .bytes(line) }
      }
      isBegun = true
      let rest = piece[place...]
      let stop = rest.firstIndex(of: end)
      let part = rest[..<(stop ?? rest.endIndex)]
      if line.count + part.count > limit {
        isTooLong = true
        line = []
      } else if !isTooLong {
        line += part
      }
      place = stop.map { $0 + 1 } ?? piece.count
      if stop != nil { return isTooLong ? .tooLong : .bytes(line) }
    }
  }
}

/// Distributes lines, in their order, to several tasks; a task that waits for a line can be
/// cancelled.
package final class LineFeed: @unchecked Sendable {
  // Unchecked: `reader` and `count` are only touched on `queue`.
  private let queue = DispatchQueue(label: "tally.lines")
  private var reader: LineReader
  private var count = 0

  package init(_ reader: LineReader) {
    self.reader = reader
  }

  /// The next line and the number of lines before it; nil at the end.
  ///
  /// Reading blocks its own thread, not one of those that count.
  ///
  /// - Throws: `InputFailure`; `CancellationError` as soon as the task is cancelled.
  package func next() async throws -> (index: Int, item: LineReader.Line)? {
    let answer = Answer()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        queue.async { [self] in
          // The next caller after a cancelled task gets the line that this task would have got.
          guard answer.isAwaited else { return }
          do {
            let line = try reader.next()
            answer.give(.success(line.map { (count, $0) }))
            if line != nil { count += 1 }
          } catch {
            answer.give(.failure(error))
          }
        }
      }
    } onCancel: {
      answer.give(.failure(CancellationError()))
    }
  }

  /// One answer for one waiting task, whichever comes first.
  private final class Answer: @unchecked Sendable {
    // Unchecked: every access to the variables is under `lock`.
    typealias Line = (index: Int, item: LineReader.Line)
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Line?, any Error>?
    private var early: Result<Line?, any Error>?
    private var isGiven = false

    var isAwaited: Bool { lock.withLock { !isGiven } }

    func wait(_ continuation: CheckedContinuation<Line?, any Error>) {
      let early = lock.withLock { () -> Result<Line?, any Error>? in
        if self.early == nil { self.continuation = continuation }
        return self.early
      }
      if let early { continuation.resume(with: early) }
    }

    func give(_ result: sending Result<Line?, any Error>) {
      let waiting = lock.withLock { () -> CheckedContinuation<Line?, any Error>? in
        guard !isGiven else { return nil }
        isGiven = true
        if continuation == nil { early = result }
        return continuation
      }
      waiting?.resume(with: result)
    }
  }
}
