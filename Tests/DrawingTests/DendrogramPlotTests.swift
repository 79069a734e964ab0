import Drawing
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// How many elements of each name an XML file has; nil where it is none.
private func elements(of data: Data) -> [String: Int]? {
  final class Counter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      counts[name, default: 0] += 1
    }
  }
  let counter = Counter()
  let parser = XMLParser(data: data)
  parser.delegate = counter
  return parser.parse() ? counter.counts : nil
}

@Suite("Plots of dendrograms")
struct DendrogramPlotTests {
  static let tree = [
    DendrogramPlot.Bracket(
      left: 5, right: 15, leftBase: 0, rightBase: 0, height: 0.25, group: 0),
    DendrogramPlot.Bracket(
      left: 25, right: 35, leftBase: 0, rightBase: 0, height: 0.5, group: 1),
    DendrogramPlot.Bracket(
      left: 10, right: 30, leftBase: 0.25, rightBase: 0.5, height: 1, group: nil),
  ]

  private func text(_ plot: DendrogramPlot, _ width: Int = 400, _ height: Int = 200) throws
    -> String
  {
    let data = try plot.svg(width: width, height: height)
    let counts = try #require(elements(of: data))
    #expect(counts["svg"] == 1)
    return String(decoding: data, as: UTF8.self)
  }

  @Test("Every group has its colour, and the cut is dashed")
  func colours() throws {
    let text = try text(
      DendrogramPlot(leaves: ["a", "b", "c", "d"], brackets: Self.tree, cut: 0.7))
    // Blue and orange of the palette, and grey, as shares of 1 or of 255.
    #expect(text.contains("stroke-dasharray"))
    let strokes = text.split(separator: "stroke:").dropFirst().map { $0.prefix { $0 != ";" } }
    #expect(
      Set(strokes).subtracting(["none"]).count == 4, "two groups, grey, and ink: \(Set(strokes))")
    let without = try self.text(DendrogramPlot(leaves: ["a", "b"], brackets: Self.tree))
    #expect(!without.contains("stroke-dasharray"))
  }

  @Test("Names of leaves are left out where there is no room for them")
  func names() throws {
    let few = try text(DendrogramPlot(leaves: ["a", "b", "c", "d"], brackets: Self.tree))
    let none = try text(DendrogramPlot(leaves: ["", "", "", ""], brackets: Self.tree))
    #expect(few.count > none.count)
    let many = (0..<500).map { "row \($0)" }
    let crowded = try text(DendrogramPlot(leaves: many, brackets: Self.tree))
    #expect(crowded.count <= none.count)
  }

  @Test("Nothing, one leaf, and values that cannot be drawn")
  func edges() throws {
    _ = try text(DendrogramPlot(leaves: [], brackets: []))
    _ = try text(DendrogramPlot(leaves: ["only"], brackets: [], cut: 0.2, title: "One"))
    for value in [Double.nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, 0] {
      let bracket = DendrogramPlot.Bracket(
        left: 5, right: 15, leftBase: 0, rightBase: value, height: value, group: 3)
      for cut in [nil, value, 0.1] {
        let plot = DendrogramPlot(
          leaves: ["a", "b"], brackets: Self.tree + [bracket], cut: cut, title: "\(value)")
        let text = try text(plot)
        #expect(!text.contains("nan") && !text.contains("inf"), "of \(value)")
      }
    }
    for (width, height) in [(1, 1), (3, 900), (900, 3), (32767, 40)] {
      _ = try text(DendrogramPlot(leaves: ["a", "b"], brackets: Self.tree), width, height)
    }
  }

  @Test("Sides that cannot be drawn are refused", arguments: [(0, 5), (5, 0), (-1, 4), (32768, 9)])
  func sides(width: Int, height: Int) {
    #expect(throws: DrawingError.size(width: width, height: height, limit: 32767)) {
      try DendrogramPlot(leaves: [], brackets: []).svg(width: width, height: height)
    }
  }
}
