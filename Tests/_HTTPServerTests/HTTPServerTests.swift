import Foundation
import TestSupport
import Testing
import _HTTPServer

@Suite("A server of HTTP requests", .timeLimit(.minutes(5)))
struct HTTPServerTests {
  /// Counts calls.
  final class Tally: @unchecked Sendable {
    // Safe to share: the lock guards the number.
    private let lock = NSLock()
    private var number = 0
    var value: Int { lock.withLock { number } }
    func add() { lock.withLock { number += 1 } }
    func until(_ count: Int) async {
      while value < count { try? await Task.sleep(for: .milliseconds(2)) }
    }
  }

  /// A server that answers what it was sent.
  private func echo(_ limits: HTTPLimits = HTTPLimits()) throws -> HTTPServer {
    try HTTPServer(
      address: "127.0.0.1", port: 0, limits: limits, admit: { _ in .body(atMost: .max) },
      answer: { request in
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let head = "\(request.method) \(request.path) \(query)\n"
        return HTTPResponse(
          200, headers: [("X-Peer", request.peer), ("Bad", "a\r\nSet-Cookie: no")],
          body: Data(head.utf8) + request.body)
      })
  }

  @Test("It hands over method, path, query and body, and sends status, headers and body")
  func whole() async throws {
    let server = try echo()
    let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    let answer = try #require(
      await RawConnection.ask(
        "POST", "/a%20b/c?x=1&y=%C3%A4%26&x=2&flag", port: server.port, body: body))
    #expect(answer.status == 200)
    #expect(answer.body == Data("POST /a b/c x=1&y=ä&&x=2&flag=\n".utf8) + body)
    #expect(answer.headers["x-peer"] == "127.0.0.1")
    #expect(answer.headers["bad"] == nil && answer.headers["set-cookie"] == nil)
    let head = try #require(await RawConnection.ask("HEAD", "/", port: server.port))
    #expect(head.status == 200 && head.headers["content-length"] == "8")
    await server.stop()
    #expect(throws: (any Error).self) { try RawConnection(port: server.port) }
  }

  @Test("Several requests on one connection, sent at once")
  func pipeline() async throws {
    let server = try echo()
    let connection = try RawConnection(port: server.port)
    let request = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
    connection.send((request + request).utf8)
    // The second one may come in the same packet as the first, so they are taken together.
    #expect(await connection.answer()?.status == 200)
    await server.stop()
  }

  @Test("An address of another machine, and a port in use, are errors in words")
  func addresses() async throws {
    let server = try echo()
    for (address, port) in [("127.0.0.1", server.port), ("203.0.113.7", 0), ("name", 0)] {
      do {
        let other = try HTTPServer(
          address: address, port: port, admit: { _ in .body(atMost: .max) },
          answer: { _ in HTTPResponse(200) })
        await other.stop()
        Issue.record("it listens at \(address)")
      } catch {
        guard case .listening(address, port, let reason) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(!reason.isEmpty && "\(error)".hasPrefix("cannot listen at \(address)"))
      }
    }
    await server.stop()
  }

  // MARK: Limits

  @Test("A body above the limit is refused, by its head or by its bytes", arguments: [true, false])
  func tooLarge(isDeclared: Bool) async throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 1 << 20
    let server = try echo(limits)
    let connection = try RawConnection(port: server.port)
    let length = isDeclared ? "Content-Length: 2000000" : "Transfer-Encoding: chunked"
    connection.send("POST / HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n".utf8)
    if !isDeclared {
      let chunk = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
      for _ in 0..<20 { connection.send(chunk.utf8) }
      connection.send("0\r\n\r\n".utf8)
    }
    let answer = try #require(await connection.answer())
    #expect(answer.status == 413)
    #expect(answer.json["error"] as? String == "the body has more than 1 MiB")
    #expect(try await RawConnection.ask("GET", "/", port: server.port)?.status == 200)
    await server.stop()
  }

  @Test("All bodies together have a limit, and the memory of one that ended serves the next")
  func allBodies() async throws {
    var limits = HTTPLimits()
    limits.allBodyBytes = 1 << 20
    let server = try HTTPServer(
      address: "127.0.0.1", port: 0, limits: limits, admit: { _ in .body(atMost: .max) },
      answer: { HTTPResponse(200, body: $0.path == "/large" ? Data(count: 2 << 20) : Data()) })
    let half = Data(count: 600_000)
    let clients = try (0..<2).map { _ in try RawConnection(port: server.port) }
    for client in clients {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 600001\r\n\r\n".utf8)
      client.send(half)
    }
    for client in clients { client.send([1]) }
    // Either one may have been the first.
    var answers: [RawConnection.Answer] = []
    for client in clients { answers.append(try #require(await client.answer())) }
    answers.sort { $0.status < $1.status }
    #expect(answers.map(\.status) == [200, 503])
    #expect(answers[1].headers["retry-after"] == "5")
    for _ in 0..<5 {
      #expect(
        try await RawConnection.ask("POST", "/", port: server.port, body: half)?.status == 200)
    }
    // What is sent counts too.
    #expect(try await RawConnection.ask("GET", "/large", port: server.port)?.status == 503)
    await server.stop()
  }

  @Test("Silence ends a connection, and others are served meanwhile")
  func silence() async throws {
    var limits = HTTPLimits()
    limits.idleSeconds = 1
    let server = try echo(limits)
    let quiet = try (0..<20).map { _ in try RawConnection(port: server.port) }
    for (place, connection) in quiet.enumerated() {
      let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"
      connection.send(request.utf8.prefix(place * 3))
    }
    #expect(try await RawConnection.ask("GET", "/", port: server.port)?.status == 200)
    for connection in quiet {
      // libmicrohttpd may say 408 before it closes.
      let status = await connection.answer()?.status
      #expect(status == nil || status == 408)
    }
    await server.stop()
  }

  @Test(
    "A request that takes too long ends the connection, however often a byte comes",
    arguments: [
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n", "GET /", "",
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
  func slow(beginning: String) async throws {
    var limits = HTTPLimits()
    limits.requestSeconds = 0.2
    let server = try echo(limits)
    let connection = try RawConnection(port: server.port)
    connection.send(beginning.utf8)
    var sent = 0
    while connection.send([UInt8(ascii: "a")]), sent < 10_000 {
      sent += 1
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(sent < 10_000)
    #expect(try await RawConnection.ask("GET", "/", port: server.port)?.status == 200)
    await server.stop()
  }

  @Test("A response that nobody reads does not keep its memory")
  func unread() async throws {
    var limits = HTTPLimits()
    limits.requestSeconds = 0.3
    limits.allBodyBytes = 50 << 20
    let server = try HTTPServer(
      address: "127.0.0.1", port: 0, limits: limits, admit: { _ in .body(atMost: 0) },
      answer: { HTTPResponse(200, body: $0.path == "/large" ? Data(count: 40 << 20) : Data()) })
    let silent = try RawConnection(port: server.port)
    silent.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var status: Int?
    for _ in 0..<500 where status != 200 {
      try await Task.sleep(for: .milliseconds(20))
      status = try await RawConnection.ask("GET", "/large", port: server.port)?.status
    }
    #expect(status == 200)
    await server.stop()
  }

  @Test("A refusal by the head is sent before the body comes")
  func admission() async throws {
    let answered = Tally()
    let server = try HTTPServer(
      address: "127.0.0.1", port: 0,
      admit: { $0.path == "/no" ? .refused(.error(403, "not \"here\"")) : .body(atMost: 0) },
      answer: { _ in
        answered.add()
        return HTTPResponse(204)
      })
    let connection = try RawConnection(port: server.port)
    connection.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n".utf8)
    let answer = try #require(await connection.answer())
    #expect(answer.status == 403 && answer.json["error"] as? String == "not \"here\"")
    #expect(answered.value == 0)
    #expect(try await RawConnection.ask("GET", "/yes", port: server.port)?.status == 204)
    let unwanted = try await RawConnection.ask("POST", "/", port: server.port, body: Data([1]))
    #expect(unwanted?.status == 413)
    #expect(unwanted?.json["error"] as? String == "this request takes no body")
    await server.stop()
  }

  // MARK: Clients that leave, servers that end

  /// A server whose answers wait until they are cancelled.
  private func patient(_ begun: Tally, _ cancelled: Tally) throws -> HTTPServer {
    try HTTPServer(
      address: "127.0.0.1", port: 0, admit: { _ in .body(atMost: .max) },
      answer: { request in
        guard request.path == "/wait" else { return HTTPResponse(200) }
        begun.add()
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(600)) }
        cancelled.add()
        return HTTPResponse(200)
      })
  }

  @Test("The answer's task is cancelled if the client leaves", arguments: [true, false])
  func leaving(resets: Bool) async throws {
    let (begun, cancelled) = (Tally(), Tally())
    let server = try patient(begun, cancelled)
    var clients: [RawConnection] = []
    for _ in 0..<8 {
      let client = try RawConnection(port: server.port)
      client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
      clients.append(client)
    }
    await begun.until(8)
    if resets { for client in clients { client.reset() } }
    clients = []
    await cancelled.until(8)
    #expect(try await RawConnection.ask("GET", "/", port: server.port)?.status == 200)
    await server.stop()
  }

  @Test("Requests that are broken off leave no connection behind", arguments: [false, true])
  func brokenOff(isHalfClosed: Bool) async throws {
    var limits = HTTPLimits()
    limits.connectionsPerAddress = 4
    limits.idleSeconds = 600
    let server = try echo(limits)
    for _ in 0..<20 {
      var connection: RawConnection?
      // As a browser that is refused for a moment.
      repeat { connection = try? RawConnection(port: server.port) } while connection == nil
      connection?.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab".utf8)
      if isHalfClosed {
        connection?.finish()
        #expect(await connection?.isClosed() == true)
      }
    }
    var status: Int?
    for _ in 0..<500 where status != 200 {
      status = try await RawConnection.ask("GET", "/", port: server.port)?.status
      if status != 200 { try await Task.sleep(for: .milliseconds(10)) }
    }
    #expect(status == 200)
    await server.stop()
  }

  @Test("Stopping cancels the answers, and ends although clients wait")
  func stopping() async throws {
    let (begun, cancelled) = (Tally(), Tally())
    let server = try patient(begun, cancelled)
    let clients = try (0..<8).map { _ in try RawConnection(port: server.port) }
    for client in clients { client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".utf8) }
    let half = try RawConnection(port: server.port)
    half.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc".utf8)
    await begun.until(8)
    await server.stop()
    #expect(cancelled.value == 8)
    #expect(throws: (any Error).self) { try RawConnection(port: server.port) }
  }

  @Test("A hundred clients at once each get their own answer")
  func many() async throws {
    let server = try echo()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          let body = Data("\(number)".utf8)
          let answer = try await RawConnection.ask(
            "POST", "/\(number)", port: server.port, body: body)
          return answer?.body == Data("POST /\(number) \n".utf8) + body
        }
      }
      for try await isOwn in group { #expect(isOwn) }
    }
    await server.stop()
  }

  @Test("Bytes that are not a request never end the server")
  func rubbish() async throws {
    let server = try echo()
    var generator = SeededGenerator(seed: 7)
    let valid = Array(
      "POST /a?b=c HTTP/1.1\r\nHost: a\r\nCookie: k=v\r\nContent-Length: 3\r\n\r\nxyz".utf8)
    var requests = (0...valid.count).map { Array(valid.prefix($0)) }
    for _ in 0..<400 {
      var flipped = valid
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        flipped[Int.random(in: 0..<valid.count, using: &generator)] ^=
          1 << UInt8.random(in: 0..<8, using: &generator)
      }
      requests.append(flipped)
    }
    requests += (0..<100).map { _ in
      (0..<Int.random(in: 1...300, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
    }
    for lines in [1, 100_000] {
      let header = "X-Header: " + String(repeating: "a", count: 100_000 / lines) + "\r\n"
      let headers = String(repeating: header, count: lines)
      requests.append(Array("GET / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n".utf8))
    }
    for bytes in requests {
      let connection = try RawConnection(port: server.port)
      connection.send(bytes)
      connection.reset()
    }
    #expect(try await RawConnection.ask("GET", "/", port: server.port)?.status == 200)
    for path in [
      "/%ff", "/?%ff=1", "/?a=%ff", "/%00", "/%00ab", "/a%2F%00b", "/?a%00=1", "/?a=%00",
    ] {
      #expect(try await RawConnection.ask("GET", path, port: server.port)?.status == 400, "\(path)")
    }
    await server.stop()
  }
}
