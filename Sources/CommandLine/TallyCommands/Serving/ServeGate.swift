import Foundation
import _HTTPServer

/// Refuses requests that come from elsewhere without the key, or that another site's page sends.
struct ServeGate: Sendable {
  /// The key for clients on other machines; nil if there are none.
  let key: String?

  private static let cookie = "tally"

  /// The refusal of a request, or the answer to one that brings the key; nil lets it pass.
  func admit(_ request: HTTPRequest) -> HTTPResponse? {
    // A site may give its own name this machine's address, and so read what it serves to itself. It cannot do so with an
    // address instead of a name.
    guard let host = request.headers["host"], Self.isOwn(host) else {
      return .error(
        403, "the Host header must be an address of this machine, localhost or its name")
    }
    if let origin = request.headers["origin"], origin != "http://\(host)" {
      return .error(403, "pages of other sites may not use this server")
    }
    guard !request.isLocal else { return nil }
    guard let key else { return .error(403, "only programs on this machine are served") }
    if let given = request.value(of: "key") {
      guard Self.isSame(given, key) else { return Self.unknown(request) }
      guard request.method == "GET" else { return nil }
      return HTTPResponse(
        303,
        headers: [
          ("Location", "/"),
          ("Set-Cookie", "\(Self.cookie)=\(key); Path=/; HttpOnly; SameSite=Strict"),
        ])
    }
    let given = Self.bearer(request) ?? Self.cookie(request) ?? ""
    return Self.isSame(given, key) ? nil : Self.unknown(request)
  }

  // MARK: Hosts

  private static let names: Set<String> = {
    let name = ProcessInfo.processInfo.hostName.lowercased()
    return ["localhost", name, "\(name).local"]
  }()

  /// Whether the host of an address is numeric, or a name of this machine.
  static func isOwn(_ host: String) -> Bool {
    var name = host.lowercased()
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]") else { return false }
      return NetworkAddresses.isNumeric(String(name[name.index(after: name.startIndex)..<end]))
        && isPort(name[name.index(after: end)...])
    }
    if let colon = name.firstIndex(of: ":") {
      guard isPort(name[colon...]) else { return false }
      name = String(name[..<colon])
    }
    return names.contains(name) || NetworkAddresses.isNumeric(name)
  }

  /// Whether a text is empty, or a colon and digits.
  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && text.dropFirst().allSatisfy { "0"..."9" ~= $0 }
  }

  // MARK: Keys

  private static func bearer(_ request: HTTPRequest) -> String? {
    guard let text = request.headers["authorization"], text.lowercased().hasPrefix("bearer ") else {
      return nil
    }
    return String(text.dropFirst(7))
  }

  private static func cookie(_ request: HTTPRequest) -> String? {
    request.headers["cookie"]?.split(separator: ";").lazy
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.hasPrefix("\(cookie)=") }
      .map { String($0.dropFirst(cookie.count + 1)) }
  }

  /// Compares in the same time wherever the texts differ.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func unknown(_ request: HTTPRequest) -> HTTPResponse {
    guard request.method == "GET", request.headers["accept"]?.contains("text/html") == true else {
      return .error(401, "the key is missing or wrong; the server printed it when it was started")
    }
    let page = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Tally: the key is missing</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head>
      <body><h1>The key is missing</h1>
      <p>Open the whole address that <code>tally serve</code> printed. It ends in <code>?key=...</code>.</p>
      </body></html>

      """
    return HTTPResponse(
      401, headers: [("Content-Type", "text/html; charset=utf-8")], body: Data(page.utf8))
  }
}
