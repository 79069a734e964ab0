import Foundation

/// A server on this machine's loopback that answers as a test says, byte for byte: also as no decent
/// server would.
///
/// One connection for each request, which it closes after the answer.
public final class LoopbackServer: @unchecked Sendable {
  // Safe to share: the lock guards what varies.

  /// What was asked for.
  public struct Request: Sendable {
    /// As `/model.onnx`.
    public let path: String
    /// Values by names in lower case.
    public let headers: [String: String]
    /// How many requests there were before.
    public let index: Int

    /// The first byte that is asked for, where a part is.
    public var start: Int? {
      headers["range"].flatMap { range in
        range.hasPrefix("bytes=") ? Int(range.dropFirst(6).prefix { $0 != "-" }) : nil
      }
    }
  }

  /// What is done with a connection, one step after the other.
  public enum Step: Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes one by one, with a pause in seconds after each.
    case drip([UInt8], pause: Double)
    /// Sends the same bytes until the other side leaves.
    case endless([UInt8])
    /// Does nothing until the other side leaves.
    case stall

    /// Sends a text.
    public static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  /// Where it listens.
  public let port: UInt16
  private let listening: Listening
  private let answer: @Sendable (Request) -> [Step]
  private let lock = NSLock()
  private var received: [Request] = []

  /// Starts a server.
  ///
  /// - Parameter answer: what it does for a request, asked in the order in which they come.
  public init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard descriptor >= 0, isBound else { throw MissingFile(path: "a port of 127.0.0.1") }
    self.answer = answer
    port = UInt16(bigEndian: address.sin_port)
    let listening = Listening(descriptor: descriptor)
    self.listening = listening
    Thread.detachNewThread { [weak self] in
      defer { close(descriptor) }
      while listening.waitsForConnection() {
        let connection = accept(descriptor, nil, nil)
        // What went wrong with one connection, or a signal, does not end the server.
        guard connection >= 0 else { continue }
        #if canImport(Darwin)
          var yes: Int32 = 1
          setsockopt(
            connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        guard let server = self else {
          close(connection)
          continue
        }
        Thread.detachNewThread { server.serve(connection) }
      }
    }
  }

  deinit { stop() }

  /// Stops listening.
  public func stop() { listening.stop() }

  /// The address of a path, which begins with a slash.
  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The requests so far.
  public var requests: [Request] { lock.withLock { received } }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0, bytes.count < 1 << 16 else { return }
      bytes += buffer.prefix(count)
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1 else { return }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    let request = lock.withLock {
      let request = Request(path: String(words[1]), headers: headers, index: received.count)
      received.append(request)
      return request
    }
    for step in answer(request) {
      switch step {
      case .send(let bytes): guard send(bytes, to: connection) else { return }
      case .drip(let bytes, let pause):
        for byte in bytes {
          guard send([byte], to: connection) else { return }
          usleep(useconds_t(pause * 1e6))
        }
      case .endless(let bytes):
        while send(bytes, to: connection) {}
        return
      case .stall: while recv(connection, &buffer, buffer.count, 0) > 0 {}
      }
    }
    // What the other side still sends is taken, so that closing does not take back what was sent.
    shutdown(connection, Int32(SHUT_WR))
    var timeout = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    while recv(connection, &buffer, buffer.count, 0) > 0 {}
  }

  private func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Foundation.send(connection, bytes.baseAddress, bytes.count, 0)
        #else
          Foundation.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Whether a server still listens.
///
/// The thread that accepts is the only one that closes the descriptor. If stopping did, another server could get the
/// same number before that thread has left `accept`, and this server would answer the other one's requests.
private final class Listening: @unchecked Sendable {
  // Safe to share: the lock guards what varies.

  /// How many milliseconds pass at most until the thread that accepts sees that it is to stop.
  ///
  /// On Linux stopping wakes it.
  private static let patience: Int32 = 100
  private let descriptor: Int32
  private let lock = NSLock()
  private var isStopped = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  func stop() {
    lock.withLock {
      // The descriptor may be closed as soon as this is set and the lock is open.
      if !isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
      isStopped = true
    }
  }

  /// Waits for a connection to accept; `false` after `stop`.
  func waitsForConnection() -> Bool {
    while true {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&waited, 1, Self.patience) > 0
      if lock.withLock({ isStopped }) { return false }
      if isReady { return true }
    }
  }
}

extension LoopbackServer {
  /// What a decent server does: all of the content, or the part that is asked for if the tag still holds.
  public static func file(
    _ content: [UInt8], tag: String? = "\"1\"", for request: Request
  ) -> [Step] {
    let tagLine = tag.map { "ETag: \($0)\r\n" } ?? ""
    if let start = request.start, start < content.count,
      request.headers["if-range"] == nil || request.headers["if-range"] == tag
    {
      return [
        .text(
          "HTTP/1.1 206 Partial Content\r\n\(tagLine)Content-Range: bytes \(start)-"
            + "\(content.count - 1)/\(content.count)\r\nContent-Length: \(content.count - start)\r\n\r\n"
        ),
        .send(Array(content[start...])),
      ]
    }
    return [
      .text("HTTP/1.1 200 OK\r\n\(tagLine)Content-Length: \(content.count)\r\n\r\n"),
      .send(content),
    ]
  }

  /// An answer without a body.
  public static func status(_ status: Int, _ headers: String = "") -> [Step] {
    [.text("HTTP/1.1 \(status) Status\r\n\(headers)Content-Length: 0\r\n\r\n")]
  }
}
