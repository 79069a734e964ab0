/// What a browser lets the page do: its own style and script, images inside it, and nothing else.
///
/// There is no network, no form, no frame and no script but the one whose digest is here. A test
/// works the digests out again.
enum ContentPolicy {
  static let styleDigest = "HKjNEIxF8ql6hlnu18lc0v2E0NXkNdPkic9tk0NKgjM="
  static let scriptDigest = "ndevsCzuN2DjXcRqHnddSGZLhCv5L3O3Bo1t95yeXXo="

  /// The policy, as Content Security Policy Level 3 writes it.
  static let text = [
    "default-src 'none'", "img-src data:", "style-src 'sha256-\(styleDigest)'",
    "script-src 'sha256-\(scriptDigest)'", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")
}
