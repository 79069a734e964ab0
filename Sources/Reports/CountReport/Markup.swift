import Annotations

/// A well-formed piece of a page: text is escaped, and tags are closed.
///
/// A string cannot become markup, so that a hostile name stays a name. Elements are written so that
/// both HTML and XML can read them.
struct Markup: Hashable, Sendable {
  /// The characters of the piece.
  let html: String

  private init(html: String) { self.html = html }

  /// An empty piece.
  static let none = Markup(html: "")

  /// Text as readers see it.
  ///
  /// Characters of markup are escaped. Characters that are invisible or reorder the line are
  /// written as codes.
  static func text(_ text: String) -> Markup { Markup(html: escaped(text)) }

  /// Pieces one after the other.
  static func all(_ pieces: [Markup]) -> Markup {
    Markup(html: pieces.map(\.html).joined())
  }

  /// An element; attributes without a value are left out.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ body: [Markup] = []
  ) -> Markup {
    var html = "<\(name)"
    for (attribute, value) in attributes {
      if let value { html += " \(attribute)=\"\(escaped(value))\"" }
    }
    if body.isEmpty, !needsEndTag(name) { return Markup(html: html + " />") }
    html += ">"
    for piece in body { html += piece.html }
    return Markup(html: html + "</\(name)>" + (isBlock(name) ? "\n" : ""))
  }

  /// An element that contains only text.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ body: String
  ) -> Markup {
    element(name, attributes, [text(body)])
  }

  /// The style sheet or script of the page, which is always part of this program.
  static func embedded(_ name: String, _ source: StaticSource) -> Markup {
    Markup(html: "<\(name)>\(source.text)</\(name)>\n")
  }

  private static let empty: Set<String> = [
    "meta", "input", "image", "rect", "circle", "path", "line", "use", "pattern", "br", "polygon",
  ]
  private static func needsEndTag(_ name: String) -> Bool { !empty.contains(name) }

  private static let blocks: Set<String> = [
    "tr", "section", "div", "p", "h1", "h2", "h3", "table", "figure", "svg", "dl", "g", "head",
  ]
  private static func isBlock(_ name: String) -> Bool { blocks.contains(name) }

  private static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _ where scalar.isHidden: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Text that is part of the program.
struct StaticSource: Hashable, Sendable {
  let text: String

  /// The style sheet.
  static let style = StaticSource(PackageResources.page_css)
  /// The script of the page, then the script for drawing marks for the next count.
  static let script = StaticSource(PackageResources.page_js + PackageResources.guide_js)
  /// The script of a page that a server shows.
  static let servedScript = StaticSource(PackageResources.served_js)

  private init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }
}
