import Foundation

/// A connection to a server on this machine, on which a test sends any bytes.
public final class RawConnection: @unchecked Sendable {
  // Safe to share: the descriptor never changes, and the system guards what is behind it.

  /// A server's answer.
  public struct Answer: Sendable {
    /// As 200.
    public var status = 0
    /// Values by names in lower case.
    public var headers: [String: String] = [:]
    /// What follows the headers.
    public var body = Data()

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty if it is none.
    public var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }
  }

  private let descriptor: Int32

  /// Connects.
  public init(port: Int, address: String = "127.0.0.1") throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, kind, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = UInt16(port).bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    let isConnected = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard descriptor >= 0, isConnected else { throw MissingFile(path: "a server at port \(port)") }
    // No test waits for ever.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends bytes; false if the other side has closed the connection.
  @discardableResult
  public func send(_ bytes: some Sequence<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  /// Says that nothing more will be sent.
  public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the connection at once, so that the other side sees it reset.
  public func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Receives one answer, without blocking the task's thread; nil if the connection ends before.
  public func answer(hasBody: Bool = true) async -> Answer? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.receive(hasBody: hasBody)) }
    }
  }

  /// Whether the other side closes the connection without a word.
  public func isClosed() async -> Bool { await answer() == nil }

  private func receive(hasBody: Bool) -> Answer? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func more() -> Bool {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { bytes += buffer.prefix(count) }
      return count > 0
    }
    var end: Range<Int>?
    while end == nil {
      guard more() else { return nil }
      end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
    }
    let lines = String(decoding: bytes[..<end!.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    var answer = Answer()
    answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      answer.headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    let length = hasBody ? Int(answer.headers["content-length"] ?? "") ?? 0 : 0
    while bytes.count < end!.upperBound + length { guard more() else { return nil } }
    answer.body = Data(bytes[end!.upperBound..<end!.upperBound + length])
    return answer
  }

  /// Sends a request and receives its answer on a connection of its own.
  public static func ask(
    _ method: String, _ path: String, port: Int, address: String = "127.0.0.1",
    headers: [(String, String)] = [], body: Data = Data()
  ) async throws -> Answer? {
    let connection = try RawConnection(port: port, address: address)
    var head = "\(method) \(path) HTTP/1.1\r\n"
    if !headers.contains(where: { $0.0.lowercased() == "host" }) {
      head += "Host: \(address):\(port)\r\n"
    }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if !body.isEmpty || method != "GET" { head += "Content-Length: \(body.count)\r\n" }
    connection.send((head + "\r\n").utf8)
    connection.send(body)
    return await connection.answer(hasBody: method != "HEAD")
  }
}
