import Foundation
import _HTTPServer

/// The fixed files of the server.
enum ServePages {
  /// The start page.
  static let start = HTTPResponse(
    200,
    headers: [
      ("Content-Type", "text/html; charset=utf-8"),
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
          + "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
      ),
    ], body: Data(PackageResources.serve_html))

  /// The file of a name; nil if there is none.
  static func named(_ name: String) -> HTTPResponse? {
    switch name {
    case "serve.js":
      HTTPResponse(
        200, headers: [("Content-Type", "text/javascript; charset=utf-8")],
        body: Data(PackageResources.serve_js))
    case "serve.css":
      HTTPResponse(
        200, headers: [("Content-Type", "text/css; charset=utf-8")],
        body: Data(PackageResources.serve_css))
    case "openapi.json": .json(200, ServeDescription.openAPI)
    case "favicon.ico": HTTPResponse(204)
    default: nil
    }
  }
}
