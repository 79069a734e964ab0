import Dispatch

/// Writes a response into a part, as far as it is the requested content.
final class PartReceiver: HTTPReceiver {
  private let part: PartFile
  private let download: Download
  private let target: FetchAddress
  private let clock: FetchClock
  private let resumedFrom: Int
  private var lastByte: Double
  private var ignored = 0
  /// Whether any bytes of the body came.
  private(set) var hasBegun = false

  /// A receiver of the response from `target` to a request for the bytes after the part.
  init(_ part: PartFile, of download: Download, from target: FetchAddress, clock: FetchClock) {
    self.part = part
    self.download = download
    self.target = target
    self.clock = clock
    resumedFrom = part.length
    lastByte = FetchClock.now
  }

  /// The most bytes of a redirection's body that are read.
  private static let mostIgnored = 1 << 20

  func tick() throws(ModelStoreError) {
    if download.isCancelled() { throw .cancelled }
    try clock.checkTotal(target, received: part.length)
    let idle = FetchClock.now - lastByte
    guard idle < download.limits.idleSeconds else {
      throw .timedOut(url: target.shown, seconds: idle, received: part.length)
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer, of head: HTTPHead) throws(ModelStoreError) {
    if Self.leadsOn(head) {
      ignored += bytes.count
      guard ignored <= Self.mostIgnored else {
        throw .connection(url: target.shown, reason: "a redirection that does not end")
      }
      return
    }
    if !hasBegun { try begin(head) }
    guard bytes.count <= download.expected - part.length else {
      try part.begin(nil)
      throw .tooLong(url: target.shown, expected: download.expected)
    }
    try part.append(bytes)
    lastByte = FetchClock.now
    download.progress(FetchProgress(received: part.length, total: download.expected))
  }

  /// Whether a response is a redirection.
  static func leadsOn(_ head: HTTPHead) -> Bool {
    [301, 302, 303, 307, 308].contains(head.status)
  }

  /// Checks the head of a response before its first byte is kept, or at the end if no byte comes.
  func begin(_ head: HTTPHead) throws(ModelStoreError) {
    hasBegun = true
    switch head.status {
    case 200:
      if let length = head.fields["content-length"].flatMap({ Int($0) }), length > download.expected
      {
        try part.begin(nil)
        throw .tooLong(url: target.shown, expected: download.expected)
      }
      try part.begin(
        Self.validator(head).map { PartFile.Origin(url: download.address.identity, validator: $0) })
    case 206:
      let tag = head.fields["etag"]
      guard resumedFrom > 0, let range = ContentRange(head.fields["content-range"] ?? ""),
        range.first == resumedFrom, range.total == nil || range.total == download.expected,
        part.origin?.validator.hasPrefix("\"") != true || tag == nil
          || tag == part.origin?.validator
      else {
        try part.begin(nil)
        throw .connection(
          url: target.shown, reason: "the server sent another part than was asked for")
      }
    case 416:
      // The bytes here are not a part of the server's present content.
      try part.begin(nil)
      throw .connection(url: target.shown, reason: "the server has no such part any more")
    default: throw .refused(url: target.shown, status: head.status)
    }
  }

  /// The server's identifier of the content, if a request can use it.
  private static func validator(_ head: HTTPHead) -> String? {
    // A weak tag may stand for content with other bytes too.
    let tag = head.fields["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    return [tag, head.fields["last-modified"]].compactMap { $0 }.first(where: PartFile.isValidator)
  }
}

/// The part of the content that a response contains: `bytes 10-99/100`.
struct ContentRange: Equatable, Sendable {
  /// The first byte.
  let first: Int
  /// The last byte.
  let last: Int
  /// The number of bytes in all; nil if the server does not know it.
  let total: Int?

  init?(_ text: String) {
    let halves = text.split(separator: " ", maxSplits: 1)
    guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
    let parts = halves[1].split(separator: "/", omittingEmptySubsequences: false)
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, ends.count == 2, let first = ends[0], let last = ends[1],
      0 <= first, first <= last, last < .max, parts[1] == "*" || Int(parts[1]) != nil
    else { return nil }
    let total = Int(parts[1])
    if let total, total <= last { return nil }
    (self.first, self.last, self.total) = (first, last, total)
  }
}

/// The time limits of a download that has begun.
struct FetchClock: Sendable {
  private let start = FetchClock.now
  private let total: Double

  /// A clock that starts now.
  init(limits: FetchLimits) {
    total = limits.totalSeconds
  }

  /// Seconds of a clock that never goes back.
  static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  /// The time that is left.
  var secondsLeft: Double { total - (Self.now - start) }

  /// Throws if the whole download took too long.
  func checkTotal(_ address: FetchAddress, received: Int) throws(ModelStoreError) {
    let seconds = Self.now - start
    guard seconds < total else {
      throw .timedOut(url: address.shown, seconds: seconds, received: received)
    }
  }
}
