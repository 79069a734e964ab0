import Drawing
import Foundation
import Raster
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
    // Cairo 1.18 writes `stroke="rgb(...)"` for `stroke:rgb(...);`.
    let strokes = text.replacingOccurrences(of: "stroke=\"", with: "stroke:")
      .split(separator: "stroke:").dropFirst().map { $0.prefix { $0 != ";" && $0 != "\"" } }
    #expect(
      Set(strokes).subtracting(["none"]).count == 4, "two groups, grey, and ink: \(Set(strokes))")
    let without = try self.text(DendrogramPlot(leaves: ["a", "b"], brackets: Self.tree))
    #expect(!without.contains("stroke-dasharray"))
  }

  @Test("Names of leaves are left out where there is no room for them, and a line says so")
  func names() throws {
    let few = try text(DendrogramPlot(leaves: ["a", "b", "c", "d"], brackets: Self.tree))
    let none = try text(DendrogramPlot(leaves: ["", "", "", ""], brackets: Self.tree))
    #expect(few.count > none.count)
    let many = (0..<500).map { "row \($0)" }
    let crowded = try text(DendrogramPlot(leaves: many, brackets: Self.tree))
    let nameless = try text(
      DendrogramPlot(leaves: many.map { _ in "" }, brackets: Self.tree))
    #expect(crowded.count > nameless.count)
    let spacious = try text(DendrogramPlot(leaves: many, brackets: Self.tree), 9000)
    #expect(spacious.count > 3 * crowded.count)
  }

  @Test("A page is at most 1,200 wide, and has the names of 120 leaves, or says that it has none")
  func wide() throws {
    func plot(_ count: Int, names: Bool = true) -> DendrogramPlot {
      DendrogramPlot(
        leaves: (1...count).map { names ? "\($0)" : "" }, brackets: Self.tree)
    }
    #expect(plot(3).readableWidth == 800 && plot(60).readableWidth == 1060)
    #expect(plot(124).readableWidth == 1200 && plot(100_000).readableWidth == 1200)
    func ink(_ plot: DendrogramPlot) throws -> Int {
      let image = try plot.page(width: plot.readableWidth).image()
      // Below the tree.
      return image.samples.suffix(1200 * 3 * 22).count { $0 < 128 }
    }
    let named = try ink(plot(124))
    #expect(named > 2000, "124 numbers: \(named)")
    let note = try ink(plot(400))
    #expect(note > 200 && note < named, "a sentence: \(note)")
    #expect(try ink(plot(400, names: false)) < 100)
  }

  @Test("A key names the groups, on as many lines as it needs, and nothing leaves the page")
  func key() throws {
    var plot = DendrogramPlot(leaves: ["a", "b", "c", "d"], brackets: Self.tree)
    let bare = try text(plot)
    plot.groups = ["main kind: 2", "kind 2: 2"]
    let named = try text(plot)
    #expect(named.count > bare.count)
    plot.groups = (1...40).map { "kind \($0): 3" }
    _ = try text(plot)
    _ = try text(plot, 20, 20)
    plot.groups = ["", String(repeating: "long ", count: 100)]
    _ = try text(plot)
    // With names, groups beyond the last colour are grey and not the first colour again.
    var late = DendrogramPlot(leaves: ["a", "b"], brackets: [Self.tree[0]], groups: ["main kind"])
    late.brackets[0].group = KindStyle.last
    let green = KindStyle(rank: 0).color
    let image = try late.page().image()
    let row = image.height / 2
    for x in 0..<image.width {
      #expect(
        [green.red, green.green, green.blue] != (0..<3).map { image[x: x, y: row, channel: $0] })
    }
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
