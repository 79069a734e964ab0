/// The content policy of the page: its own style and script, images inside it, and nothing else.
///
/// A browser then allows no network, no form, no frame and no script except the one with this
/// digest. A test computes the digests again.
enum ContentPolicy {
  static let styleDigest = "ZX9SlHGy8gnxre03YScCmAlhJ5SXKU/GAUfM8Sb6sQE="
  static let scriptDigest = "fzX7JUN5S3wHITkiEdVeJ5X09a0AawYIQkMt6006M40="

  /// The policy in the syntax of Content Security Policy Level 3.
  static let text = [
    "default-src 'none'", "img-src data:", "style-src 'sha256-\(styleDigest)'",
    "script-src 'sha256-\(scriptDigest)'", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")
}
