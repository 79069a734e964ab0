/// The content policy of the page: its own style and scripts, images inside it, and nothing else.
///
/// A browser then allows no network, no form, no frame and no script except the one with this
/// digest. A test computes the digests again.
enum ContentPolicy {
  static let styleDigest = "XkIiD7KACsTZwybM7DEdgH3I/ZR7o+0mLg6MWEd2Eqg="
  static let scriptDigest = "j5QfHNXrz7lsnWsib2v4zCILNsJg3VPSYkgU2WQ8NwI="

  static let servedScriptDigest = "p8zcihoBxutKsdjJHc2TepJZdJDqOFTMHVGtS0bYB0g="

  /// The policy in the syntax of Content Security Policy Level 3.
  ///
  /// A page that a server shows may also run its own script and ask that server.
  static func text(isServed: Bool) -> String {
    let served = isServed ? " 'sha256-\(servedScriptDigest)'" : ""
    var rules = [
      "default-src 'none'", "img-src data:", "style-src 'sha256-\(styleDigest)'",
      "script-src 'sha256-\(scriptDigest)'" + served,
    ]
    if isServed { rules.append("connect-src 'self'") }
    rules += ["base-uri 'none'", "form-action 'none'"]
    return rules.joined(separator: "; ")
  }
}
