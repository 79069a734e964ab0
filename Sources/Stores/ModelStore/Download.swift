import Foundation

/// The download of a file of known length into a part of it.
struct Download: Sendable {
  /// The address of the request.
  let address: FetchAddress
  /// The number of bytes that the file must have.
  let expected: Int
  let limits: FetchLimits
  let isCancelled: @Sendable () -> Bool
  let progress: @Sendable (FetchProgress) -> Void

  /// Fetches the missing bytes and blocks the thread until then.
  ///
  /// - Returns: whether some of the bytes were there before.
  /// - Throws: ``ModelStoreError``; the received bytes stay in the part, unless they are useless.
  func run(into part: PartFile) throws(ModelStoreError) -> Bool {
    let clock = FetchClock(limits: limits)
    if part.length > expected || part.origin?.url != address.identity { try part.begin(nil) }
    let wasThere = part.length > 0
    try limits.retrying(
      address, clock: clock, isCancelled: isCancelled, received: { part.length }
    ) { () throws(ModelStoreError) in
      if part.length < expected { try attempt(into: part, clock: clock) }
    }
    return wasThere
  }

  /// One request, with its redirections.
  ///
  /// - Throws: ``ModelStoreError``, also if fewer bytes came than are missing.
  private func attempt(into part: PartFile, clock: FetchClock) throws(ModelStoreError) {
    var target = address
    for redirect in 0... {
      var headers = ["Accept-Encoding: identity"]
      if part.length > 0 {
        if let origin = part.origin {
          headers += ["Range: bytes=\(part.length)-", "If-Range: \(origin.validator)"]
        } else {
          try part.begin(nil)
        }
      }
      let receiver = PartReceiver(part, of: self, from: target, clock: clock)
      let head = try HTTPTransfer.run(target, headers: headers, receiver: receiver)
      guard PartReceiver.leadsOn(head) else {
        if !receiver.hasBegun { try receiver.begin(head) }
        guard part.length == expected else {
          throw .tooShort(url: target.shown, expected: expected, received: part.length)
        }
        return
      }
      guard redirect < limits.redirects else {
        throw .refusedAddress(
          url: target.shown, reason: "it is redirected more than \(limits.redirects) times")
      }
      target = try target.following(head.fields["location"] ?? "")
    }
  }
}

extension FetchLimits {
  /// Does work until it succeeds, fails for good, or has used up its attempts or time.
  ///
  /// - Parameter received: the bytes so far, for the error.
  func retrying<Value>(
    _ address: FetchAddress, clock: FetchClock, isCancelled: () -> Bool, received: () -> Int,
    _ work: () throws(ModelStoreError) -> Value
  ) throws(ModelStoreError) -> Value {
    var (attempts, pause) = (max(1, attempts), pause)
    while true {
      do throws(ModelStoreError) {
        return try work()
      } catch {
        attempts -= 1
        guard error.isWorthAnotherTry, attempts > 0, clock.secondsLeft > pause else { throw error }
        let end = FetchClock.now + pause
        repeat {
          if isCancelled() { throw .cancelled }
          try clock.checkTotal(address, received: received())
          if pause > 0 { usleep(10_000) }
        } while FetchClock.now < end
        pause *= 2
      }
    }
  }
}

extension ModelStoreError {
  /// Whether the same request may succeed the next time.
  fileprivate var isWorthAnotherTry: Bool {
    switch self {
    case .connection, .tooShort, .timedOut: true
    case .refused(_, let status): status >= 500 || status == 408 || status == 429
    default: false
    }
  }
}
