import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What is in a page, read as XML: the page is written so that it is both.
final class PageReader: NSObject, XMLParserDelegate {
  private(set) var elements: [String: Int] = [:]
  private(set) var ids: [String] = []
  private(set) var addresses: [String] = []
  private(set) var classes: [String: Int] = [:]
  private(set) var attributes: Set<String> = []
  private(set) var texts: [String: String] = [:]
  private var open: [String] = []
  private var error: (any Error)?

  /// Nil where the page is not well-formed.
  init?(_ page: String) {
    super.init()
    // Style and script are no XML, and no text of a reader's.
    guard let style = page.range(of: "<style>"), let endOfStyle = page.range(of: "</style>"),
      let script = page.range(of: "<script>"), let endOfScript = page.range(of: "</script>"),
      page.hasPrefix("<!DOCTYPE html>\n")
    else { return nil }
    let xml =
      page[..<style.upperBound].dropFirst("<!DOCTYPE html>\n".count)
      + page[endOfStyle.lowerBound..<script.upperBound] + page[endOfScript.lowerBound...]
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = self
    guard parser.parse(), error == nil else { return nil }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    error = parseError
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    elements[name, default: 0] += 1
    open.append(name)
    if let id = attributes["id"] { ids.append(id) }
    for word in (attributes["class"] ?? "").split(separator: " ") {
      classes[String(word), default: 0] += 1
    }
    for name in ["href", "src"] { if let address = attributes[name] { addresses.append(address) } }
    self.attributes.formUnion(attributes.keys)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if let name = open.last { texts[name, default: ""] += string }
  }
}
