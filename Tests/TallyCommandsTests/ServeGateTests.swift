import CommandKit
import Foundation
import Testing
import _HTTPServer

@testable import TallyCommands

@Suite("Who may use the server")
struct ServeGateTests {
  private let gate = ServeGate(key: "abc")

  private func request(
    _ method: String = "POST", key: String? = nil, isLocal: Bool = false,
    headers: [String: String] = [:]
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, path: "/count", query: key.map { [("key", $0)] } ?? [],
      headers: ["host": "192.168.1.5:8080"].merging(headers) { $1 }, isLocal: isLocal)
  }

  @Test("This machine needs no key")
  func local() {
    #expect(gate.admit(request(isLocal: true)) == nil)
    #expect(ServeGate(key: nil).admit(request(isLocal: true)) == nil)
  }

  @Test("Others need it: as a token, a cookie, or once in the address")
  func key() throws {
    for headers in [
      [:], ["authorization": "Bearer abd"], ["authorization": "abc"], ["cookie": "tally=ab"],
      ["cookie": "other=abc"], ["authorization": "Bearer "], ["cookie": "tally="],
    ] {
      #expect(gate.admit(request(headers: headers))?.status == 401, "\(headers)")
      #expect(gate.admit(request("GET", headers: headers))?.status == 401, "\(headers)")
    }
    #expect(gate.admit(request(headers: ["authorization": "bearer abc"])) == nil)
    #expect(gate.admit(request(headers: ["cookie": "a=b; tally=abc"])) == nil)
    #expect(gate.admit(request(key: "abc")) == nil)
    #expect(gate.admit(request(key: "abcd"))?.status == 401)
    let welcome = try #require(gate.admit(request("GET", key: "abc")))
    #expect(welcome.status == 303)
    #expect(welcome.headers.contains { $0 == ("Location", "/") })
    #expect(
      welcome.headers.contains {
        $0 == ("Set-Cookie", "tally=abc; Path=/; HttpOnly; SameSite=Strict")
      })
    #expect(ServeGate(key: nil).admit(request(key: ""))?.status == 403)
    #expect(RandomText.make().count == 20 && RandomText.make() != RandomText.make())
  }

  @Test("A browser without the key gets a page that says what to do")
  func page() throws {
    let answer = try #require(gate.admit(request("GET", headers: ["accept": "text/html,*/*"])))
    #expect(answer.status == 401)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("tally serve"))
  }

  @Test("Names of other hosts and pages of other sites are refused, also on this machine")
  func sites() {
    for host in [
      "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "[::1", "a:b",
      "[::1].evil",
    ] {
      #expect(gate.admit(request(isLocal: true, headers: ["host": host]))?.status == 403, "\(host)")
    }
    for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "[::1]:8080", "192.168.1.5"] {
      #expect(gate.admit(request(isLocal: true, headers: ["host": host])) == nil, "\(host)")
    }
    for origin in ["http://evil.example", "null", "https://192.168.1.5:8080", "http://localhost"] {
      let foreign = request(isLocal: true, headers: ["origin": origin])
      #expect(gate.admit(foreign)?.status == 403, "\(origin)")
    }
    let own = request(isLocal: true, headers: ["origin": "http://192.168.1.5:8080"])
    #expect(gate.admit(own) == nil)
  }
}
