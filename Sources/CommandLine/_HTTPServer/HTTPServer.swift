import CMicroHTTPD
import Foundation
import _HTTPDaemon

/// A server that answers HTTP requests by an asynchronous function, within limits.
///
/// One thread receives all requests and sends all responses. A slow client costs a connection and nothing else. If a
/// client leaves before its answer, the task of the answer is cancelled.
package final class HTTPServer: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.

  /// Decides about a request by its head, before its body comes.
  package typealias Admission = @Sendable (HTTPRequest) -> HTTPAdmission
  /// Answers a whole request.
  package typealias Answer = @Sendable (HTTPRequest) async -> HTTPResponse

  /// The port that it listens at.
  package let port: Int

  private let limits: HTTPLimits
  private let admit: Admission
  private let answer: Answer

  private let lock = NSLock()
  /// Nil once the server is being stopped.
  private var daemon: Daemon?
  private var bodyBytes = 0
  private var isStopping = false
  /// The exchanges that are being answered.
  private var working: [ObjectIdentifier: Exchange] = [:]
  private var idleWaiter: CheckedContinuation<Void, Never>?

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - address: a numeric address of this machine, such as `127.0.0.1`, `0.0.0.0` or `::`.
  ///   - port: the port; 0 for any free one.
  /// - Throws: ``HTTPServerError``.
  package init(
    address: String, port: Int, limits: HTTPLimits = HTTPLimits(), admit: @escaping Admission,
    answer: @escaping Answer
  ) throws(HTTPServerError) {
    self.limits = limits
    self.admit = admit
    self.answer = answer
    var number = UInt16(clamping: port)
    var reason: UnsafePointer<CChar>?
    let listener = tally_http_listen(address, &number, &reason)
    guard listener >= 0 else {
      throw .listening(
        address: address, port: port, reason: reason.map { String(cString: $0) } ?? "unknown")
    }
    self.port = Int(number)
    var settings = tally_http_settings(
      connections: UInt32(limits.connections),
      connections_per_address: UInt32(limits.connectionsPerAddress),
      idle_seconds: UInt32(limits.idleSeconds), step_seconds: limits.requestSeconds,
      // It is released by `stop`, after the last call.
      context: Unmanaged.passRetained(self).toOpaque(),
      receive: { context, daemon, connection, path, method, bytes, count, slot in
        Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
          .receive(
            daemon, connection, path, method, UnsafeBufferPointer(start: bytes, count: count),
            slot)
      },
      finish: { context, slot in
        let exchange = Unmanaged<Exchange>.fromOpaque(slot).takeRetainedValue()
        Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().giveBytes(of: exchange)
      })
    guard let daemon = tally_http_start(listener, &settings) else {
      close(listener)
      Unmanaged.passUnretained(self).release()
      throw .starting
    }
    lock.withLock { self.daemon = Daemon(pointer: daemon) }
  }

  /// The library's server, which any thread may tell to stop.
  private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// Cancels all work, waits for it to end, and closes all connections.
  ///
  /// A second call does nothing. A server that is not stopped lives on.
  package func stop() async {
    let (running, tasks) = lock.withLock {
      defer { daemon = nil }
      isStopping = true
      return (daemon, working.values.compactMap(\.task))
    }
    guard let running else { return }
    tally_http_quiesce(running.pointer)
    for task in tasks { task.cancel() }
    await withCheckedContinuation { continuation in
      let isIdle = lock.withLock {
        if !working.isEmpty { idleWaiter = continuation }
        return working.isEmpty
      }
      if isIdle { continuation.resume() }
    }
    // It waits for the server's thread, which must not block one of Swift's.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        tally_http_stop(running.pointer)
        continuation.resume()
      }
    }
    Unmanaged.passUnretained(self).release()
  }

  // MARK: On the server's thread

  private func receive(
    _ daemon: OpaquePointer, _ connection: OpaquePointer, _ path: UnsafePointer<CChar>,
    _ method: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> tally_http_step {
    guard let known = slot.pointee else {
      let head = Self.head(connection, path, method)
      let exchange = Exchange(head.request, daemon, connection)
      slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return respond(to: exchange, with: head.isValid ? refusal(of: exchange) : .badRequest)
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if !bytes.isEmpty { return take(bytes, for: exchange) }
    if let response = lock.withLock({ exchange.response }) {
      return respond(to: exchange, with: response)
    }
    if let refusal = exchange.refusal { return respond(to: exchange, with: refusal) }
    begin(exchange)
    return TALLY_HTTP_GO_ON
  }

  /// The response to a head whose body is not wanted; nil for all others.
  private func refusal(of exchange: Exchange) -> HTTPResponse? {
    guard !lock.withLock({ isStopping }) else { return .stopping }
    switch admit(exchange.request) {
    case .refused(let response): return response
    case .body(let most): exchange.mostBytes = min(most, limits.bodyBytes)
    }
    guard let length = exchange.request.headers["content-length"] else { return nil }
    guard let count = Int(length), count >= 0 else { return .badRequest }
    return count <= exchange.mostBytes ? nil : .tooLarge(exchange.mostBytes)
  }

  private func take(
    _ bytes: UnsafeBufferPointer<UInt8>, for exchange: Exchange
  ) -> tally_http_step {
    guard exchange.refusal == nil else { return TALLY_HTTP_GO_ON }
    if !hold(bytes.count, for: exchange) {
      drop(exchange, for: .busy("all memory for photos is in use"))
    } else if exchange.request.body.count + bytes.count > exchange.mostBytes {
      drop(exchange, for: .tooLarge(exchange.mostBytes))
    } else {
      exchange.request.body.append(bytes)
    }
    return TALLY_HTTP_GO_ON
  }

  /// Lets the rest of a body come without keeping it, because many clients read no response before they have sent
  /// everything.
  private func drop(_ exchange: Exchange, for refusal: HTTPResponse) {
    exchange.refusal = refusal
    exchange.request.body = Data()
    giveBytes(of: exchange)
  }

  private func giveBytes(of exchange: Exchange) {
    lock.withLock {
      bodyBytes -= exchange.bytesHeld
      exchange.bytesHeld = 0
    }
  }

  private func begin(_ exchange: Exchange) {
    let request = exchange.request
    let connection = exchange.connection
    let socket = tally_http_socket(connection)
    tally_http_pause(exchange.daemon, connection)
    let answer = answer
    let isRefused = lock.withLock {
      if !isStopping { working[ObjectIdentifier(exchange)] = exchange }
      return isStopping
    }
    if isRefused {
      lock.withLock { exchange.response = .stopping }
      tally_http_resume(connection)
      return
    }
    let task = Task {
      let response = await Self.whileConnected(to: socket) { await answer(request) }
      self.end(exchange, with: response)
    }
    let isOver = lock.withLock {
      exchange.task = task
      return isStopping
    }
    if isOver { task.cancel() }
  }

  private func end(_ exchange: Exchange, with response: HTTPResponse) {
    lock.withLock { exchange.response = response }
    // After this the connection may be gone at any time.
    tally_http_resume(exchange.connection)
    let waiter: CheckedContinuation<Void, Never>? = lock.withLock {
      working[ObjectIdentifier(exchange)] = nil
      guard working.isEmpty else { return nil }
      defer { idleWaiter = nil }
      return idleWaiter
    }
    waiter?.resume()
  }

  /// Works, and cancels the work if the client leaves.
  private static func whileConnected(
    to socket: Int32, _ work: @escaping @Sendable () async -> HTTPResponse
  ) async -> HTTPResponse {
    await withTaskGroup(of: HTTPResponse?.self) { group in
      group.addTask { await work() }
      group.addTask {
        while !Task.isCancelled, !tally_http_has_left(socket) {
          try? await Task.sleep(for: .milliseconds(250))
        }
        return nil
      }
      var response: HTTPResponse?
      for await ended in group {
        // Either one that ends makes the other end.
        group.cancelAll()
        response = ended ?? response
      }
      return response ?? .stopping
    }
  }

  private func respond(to exchange: Exchange, with response: HTTPResponse?) -> tally_http_step {
    guard var response else { return TALLY_HTTP_GO_ON }
    if response.body.count > Self.mostCopied, !hold(response.body.count, for: exchange) {
      response = .busy("all memory for responses is in use")
    }
    // The storage of a long body does not move while something holds it, so that many clients can share one.
    let owner =
      response.body.count > Self.mostCopied
      ? Unmanaged.passRetained(Body(response.body)) : nil
    let isQueued = response.body.withUnsafeBytes {
      tally_http_respond(
        exchange.daemon, exchange.connection, UInt32(response.status), response.lines,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count, owner?.toOpaque()
      ) { owner in
        owner.map { Unmanaged<Body>.fromOpaque($0).release() }
      }
    }
    return isQueued ? TALLY_HTTP_GO_ON : TALLY_HTTP_CLOSE
  }

  /// The most bytes of a body that is copied for its connection.
  private static let mostCopied = 1 << 16

  /// A body that the library sends.
  private final class Body {
    let data: Data

    init(_ data: Data) { self.data = data }
  }

  /// Counts bytes that are held for an exchange until it is over; false if there is no room for them.
  private func hold(_ count: Int, for exchange: Exchange) -> Bool {
    lock.withLock {
      guard bodyBytes + count <= limits.allBodyBytes else { return false }
      bodyBytes += count
      exchange.bytesHeld += count
      return true
    }
  }

  // MARK: Heads

  private static func head(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>
  ) -> (request: HTTPRequest, isValid: Bool) {
    let query = values(of: connection, isQuery: true)
    let headers = values(of: connection, isQuery: false)
    var address = [CChar](repeating: 0, count: 64)
    let hasAddress = tally_http_peer(connection, &address, address.count)
    let (path, method) = (String(validatingCString: path), String(validatingCString: method))
    let request = HTTPRequest(
      method: method ?? "", path: path ?? "", query: query.items,
      headers: Dictionary(
        headers.items.map { ($0.name.lowercased(), $0.value) },
        uniquingKeysWith: { first, _ in first }),
      peer: hasAddress
        ? String(decoding: address.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        : "",
      isLocal: tally_http_is_local(connection))
    let isWhole = query.isValid && headers.isValid && path != nil && method != nil
    // If a proxy read another one of two than this server, it would see another request.
    let single = ["host", "content-length", "transfer-encoding"]
    let given = headers.items.map { $0.name.lowercased() }.filter(single.contains)
    let isClear =
      Set(given).count == given.count
      && !(given.contains(single[1]) && given.contains(single[2]))
    return (request, isWhole && isClear)
  }

  private typealias Values = (items: [(name: String, value: String)], isValid: Bool)

  /// The headers or the query; invalid if they are not UTF-8.
  private static func values(of connection: OpaquePointer, isQuery: Bool) -> Values {
    var found: Values = ([], true)
    withUnsafeMutablePointer(to: &found) { found in
      tally_http_visit(connection, isQuery, found) { context, name, nameCount, value, valueCount in
        let found = context.assumingMemoryBound(to: Values.self)
        func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String? {
          guard let start else { return "" }
          return String(
            validating: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
        guard let name = text(name, nameCount), let value = text(value, valueCount) else {
          found.pointee.isValid = false
          return
        }
        found.pointee.items.append((name, value))
      }
    }
    return found
  }
}

/// A request and its response.
private final class Exchange: @unchecked Sendable {
  // Unchecked: `response` and `task` are touched under the server's lock, the others on its thread only.
  var request: HTTPRequest
  let daemon: OpaquePointer
  let connection: OpaquePointer
  var bytesHeld = 0
  /// The greatest number of bytes of its body.
  var mostBytes = 0
  /// The response to a body that was not kept.
  var refusal: HTTPResponse?
  var response: HTTPResponse?
  var task: Task<Void, Never>?

  init(_ request: HTTPRequest, _ daemon: OpaquePointer, _ connection: OpaquePointer) {
    self.request = request
    self.daemon = daemon
    self.connection = connection
  }
}

extension HTTPResponse {
  /// A response whose body is `{"error": reason}`.
  package static func error(_ status: Int, _ reason: String) -> HTTPResponse {
    let body =
      (try? JSONSerialization.data(
        withJSONObject: ["error": reason], options: .withoutEscapingSlashes)) ?? Data()
    return HTTPResponse(status, headers: [("Content-Type", "application/json")], body: body)
  }

  /// The response of a server that has too much to do.
  package static func busy(_ reason: String) -> HTTPResponse {
    var response = error(503, "\(reason); try again in a few seconds")
    response.headers.append(("Retry-After", "5"))
    return response
  }

  // Not stored: LeakSanitizer does not see the pointer inside a `Data` of a global.
  fileprivate static var badRequest: HTTPResponse {
    error(400, "the request is not valid HTTP in UTF-8")
  }

  fileprivate static var stopping: HTTPResponse { error(503, "the server is being stopped") }

  fileprivate static func tooLarge(_ limit: Int) -> HTTPResponse {
    limit == 0
      ? error(413, "this request takes no body")
      : error(413, "the body has more than \(limit >> 20) MiB")
  }
}
