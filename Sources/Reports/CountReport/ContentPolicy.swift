/// The content policy of the page: its own style and script, images inside it, and nothing else.
///
/// A browser then allows no network, no form, no frame and no script except the one with this
/// digest. A test computes the digests again.
enum ContentPolicy {
  static let styleDigest = "HKjNEIxF8ql6hlnu18lc0v2E0NXkNdPkic9tk0NKgjM="
  static let scriptDigest = "ndevsCzuN2DjXcRqHnddSGZLhCv5L3O3Bo1t95yeXXo="

  /// The policy in the syntax of Content Security Policy Level 3.
  static let text = [
    "default-src 'none'", "img-src data:", "style-src 'sha256-\(styleDigest)'",
    "script-src 'sha256-\(scriptDigest)'", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")
}
