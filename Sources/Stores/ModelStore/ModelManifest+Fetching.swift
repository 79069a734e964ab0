extension ModelManifest {
  /// Fetches the manifests at an address: one, or an array of them.
  ///
  /// Models are not fetched; see ``ModelFolder/check(_:)`` for what may be done with a manifest.
  /// Nothing vouches for a manifest but its address: prefer `https`.
  ///
  /// - Parameters:
  ///   - address: the address, `https` or `http`.
  ///   - limits: the limits of the download. Each attempt begins at the first byte.
  /// - Throws: ``ModelStoreError``; ``ModelStoreError/invalidManifest(field:reason:)`` if the
  ///   content is not a manifest, ``ModelStoreError/tooLong(url:expected:)`` if it has more than
  ///   ``largestManifest`` bytes, ``ModelStoreError/cancelled`` if the task is.
  public static func fetch(
    from address: String, limits: FetchLimits = FetchLimits(totalSeconds: 60)
  ) async throws(ModelStoreError) -> [ModelManifest] {
    let address = try FetchAddress(address)
    let bytes = try await BlockingWork.run { isCancelled throws(ModelStoreError) in
      try TextDownload(address: address, limits: limits, isCancelled: isCancelled).run()
    }
    return try offered(json: bytes)
  }

  /// Reads one manifest or an array of them.
  ///
  /// - Throws: ``ModelStoreError/invalidManifest(field:reason:)``.
  public static func offered(json: [UInt8]) throws(ModelStoreError) -> [ModelManifest] {
    let first = json.first { !" \t\r\n".utf8.contains($0) }
    return first == UInt8(ascii: "[") ? try list(json: json) : [try ModelManifest(json: json)]
  }
}

/// The download of a short text into memory.
struct TextDownload: Sendable {
  let address: FetchAddress
  let limits: FetchLimits
  let isCancelled: @Sendable () -> Bool

  /// Fetches the whole text and blocks the thread until then.
  func run() throws(ModelStoreError) -> [UInt8] {
    let clock = FetchClock(limits: limits)
    return try limits.retrying(address, clock: clock, isCancelled: isCancelled, received: { 0 }) {
      () throws(ModelStoreError) in try attempt(clock: clock)
    }
  }

  private func attempt(clock: FetchClock) throws(ModelStoreError) -> [UInt8] {
    var target = address
    var redirects = 0
    while true {
      let receiver = TextReceiver(self, from: target, clock: clock)
      let head = try HTTPTransfer.run(
        target, headers: ["Accept-Encoding: identity"], receiver: receiver)
      guard PartReceiver.leadsOn(head) else {
        guard head.status == 200 else { throw .refused(url: target.shown, status: head.status) }
        return receiver.bytes
      }
      redirects += 1
      guard redirects <= limits.redirects else {
        throw .refusedAddress(
          url: target.shown, reason: "it is redirected more than \(limits.redirects) times")
      }
      target = try target.following(head.fields["location"] ?? "")
    }
  }
}

/// Keeps a response in memory, up to the size of the largest manifest.
private final class TextReceiver: HTTPReceiver {
  private(set) var bytes: [UInt8] = []
  private let download: TextDownload
  private let target: FetchAddress
  private let clock: FetchClock
  private var lastByte = FetchClock.now

  /// A receiver of the response from `target`.
  init(_ download: TextDownload, from target: FetchAddress, clock: FetchClock) {
    self.download = download
    self.target = target
    self.clock = clock
  }

  func tick() throws(ModelStoreError) {
    if download.isCancelled() { throw .cancelled }
    try clock.checkTotal(target, received: bytes.count)
    let idle = FetchClock.now - lastByte
    guard idle < download.limits.idleSeconds else {
      throw .timedOut(url: target.shown, seconds: idle, received: bytes.count)
    }
  }

  func receive(_ piece: UnsafeRawBufferPointer, of head: HTTPHead) throws(ModelStoreError) {
    // The text of an error page is not read to its end.
    if head.status != 200, !PartReceiver.leadsOn(head) {
      throw .refused(url: target.shown, status: head.status)
    }
    guard piece.count <= ModelManifest.largestManifest - bytes.count else {
      throw .tooLong(url: target.shown, expected: ModelManifest.largestManifest)
    }
    bytes += piece
    lastByte = FetchClock.now
  }
}
