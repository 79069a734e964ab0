import Foundation

/// A request, with its whole body.
package struct HTTPRequest: Sendable {
  /// The method in capitals, such as `GET`.
  package var method: String
  /// The path without the query, decoded.
  package var path: String
  /// The items of the query, in order, decoded; an item without a value has an empty one.
  package var query: [(name: String, value: String)]
  /// The headers, their names in small letters.
  package var headers: [String: String]
  /// The body; empty while only the head has been received.
  package var body: Data
  /// The client's numeric address.
  package var peer: String
  /// Whether the client is on this machine.
  package var isLocal: Bool

  /// Makes a request.
  package init(
    method: String, path: String, query: [(name: String, value: String)] = [],
    headers: [String: String] = [:], body: Data = Data(), peer: String = "127.0.0.1",
    isLocal: Bool = true
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.peer = peer
    self.isLocal = isLocal
  }

  /// The first value of a query's item; nil if there is none.
  package func value(of name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A response, with its whole body.
package struct HTTPResponse: Sendable {
  /// The status, such as 200.
  package var status: Int
  /// The headers, in order.
  ///
  /// The length of the body need not be among them.
  package var headers: [(name: String, value: String)]
  package var body: Data

  /// Makes a response.
  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Lines of headers for the library; a header with a control character is left out.
  var lines: String {
    headers.filter { header in
      !(header.name + header.value).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    }.map { "\($0.name): \($0.value)\n" }.joined()
  }
}

/// What becomes of a request whose head has come.
package enum HTTPAdmission: Sendable {
  /// It is answered at once, and its body is not read.
  case refused(HTTPResponse)
  /// Its body may come, with at most that many bytes.
  case body(atMost: Int)
}

/// What a server holds against clients that ask too much.
package struct HTTPLimits: Sendable {
  /// The greatest number of bytes of one body.
  package var bodyBytes = 64 << 20
  /// The greatest number of bytes of all bodies that are being received, worked on or sent.
  package var allBodyBytes = 512 << 20
  /// The greatest number of connections; others wait until one is free.
  package var connections = 256
  /// The greatest number of connections of one address; others are closed.
  package var connectionsPerAddress = 128
  /// The seconds without a byte after which a connection is closed.
  package var idleSeconds = 30
  /// The seconds for a head to come, for a body to come, and for a response to be read, each.
  package var requestSeconds = 300.0

  /// The usual limits.
  package init() {}
}

/// The reason why a server cannot be started.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
  /// The address is not one of this machine, or the port is in use or not allowed.
  case listening(address: String, port: Int, reason: String)
  /// The system has no memory or threads for a server.
  case starting

  /// The reason in one line.
  package var description: String {
    switch self {
    case .listening(let address, let port, let reason):
      "cannot listen at \(address), port \(port): \(reason)"
    case .starting: "the server could not be started"
    }
  }
}
