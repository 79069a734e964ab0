import Foundation

/// An address for downloading models.
struct FetchAddress: Hashable, Sendable {
  /// The whole address, only for the request: the part after `?` may be a key.
  let text: String
  /// The address as errors show it: `?...` stands for a query.
  var shown: String { Self.shown(text) }
  /// The text that identifies the address in a file.
  ///
  /// It is the address itself. If a part of the address must not be shown, it is the shown part and
  /// the SHA-256 of the whole address.
  var identity: String {
    guard shown != text else { return text }
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return "\(shown)#\(hasher.finish())"
  }
  /// Whether nobody can read or change the content on its way.
  let isEncrypted: Bool

  /// Checks an address.
  ///
  /// It must be `https` or `http`, with a host, in printable ASCII. It must not have a name and a
  /// password, which do not belong in a manifest.
  init(_ text: String) throws(ModelStoreError) {
    func refused(_ reason: String) -> ModelStoreError {
      .refusedAddress(url: String(Self.shown(text).prefix(200)), reason: reason)
    }
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw refused("it must be at most 2000 printable ASCII characters without spaces")
    }
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme)
    else { throw refused("it must begin with https:// or http://") }
    guard let host = parts.host, !host.isEmpty else { throw refused("it has no host") }
    guard parts.user == nil, parts.password == nil else {
      throw refused("it must hold no name and password")
    }
    self.text = text
    isEncrypted = scheme == "https"
  }

  /// An address without its possibly secret parts: name and password, and the part after `?` or
  /// `#`.
  private static func shown(_ text: String) -> String {
    var shown = text
    if let query = shown.firstIndex(where: { "?#".contains($0) }) {
      shown = shown[..<query] + "?..."
    }
    guard let scheme = shown.range(of: "//") else { return shown }
    let end = shown[scheme.upperBound...].firstIndex(of: "/") ?? shown.endIndex
    if let at = shown[scheme.upperBound..<end].lastIndex(of: "@") {
      shown.replaceSubrange(scheme.upperBound...at, with: "...@")
    }
    return shown
  }

  /// The target of a redirection.
  func following(_ location: String) throws(ModelStoreError) -> FetchAddress {
    guard let base = URL(string: text), let target = URL(string: location, relativeTo: base) else {
      throw .refusedAddress(url: shown, reason: "it leads on to no address")
    }
    let next = try FetchAddress(target.absoluteString)
    guard next.isEncrypted || !isEncrypted else {
      throw .refusedAddress(url: next.shown, reason: "a redirection leads there from https to http")
    }
    return next
  }
}
