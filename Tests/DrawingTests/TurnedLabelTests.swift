import Foundation
import Geometry
import Testing

@testable import Drawing

/// A shelf of made-up spines that stand or lean.
private struct Shelf {
  var lean = 0.0
  var thickness = 40.0
  var length = 600.0
  var titles = ["Moby Dick", "Pride and Prejudice", "The Time Machine"]

  var marks: [Overlay.Mark] {
    titles.enumerated().map { index, title in
      let (along, across) = (Point(x: -sin(lean), y: cos(lean)), Point(x: cos(lean), y: sin(lean)))
      let left = 250 + Double(index) * (thickness + 4) / cos(lean)
      let top = Point(x: left, y: 150)
      func corner(_ a: Double, _ b: Double) -> Point {
        top.translated(dx: a * across.x + b * along.x, dy: a * across.y + b * along.y)
      }
      return Overlay.Mark(
        quad: Quadrilateral(
          topLeft: corner(0, 0), topRight: corner(thickness, 0),
          bottomRight: corner(thickness, length), bottomLeft: corner(0, length)),
        label: "\(index + 1) \(title)", shortLabel: "\(index + 1)", color: .green)
    }
  }

  func layout() throws -> OverlayLayout {
    OverlayLayout(
      Overlay(marks: marks, caption: "\(titles.count) spines"), width: 900, height: 900,
      measure: try Canvas(width: 1, height: 1))
  }
}

@Suite("Labels along spines")
struct TurnedLabelTests {
  @Test(
    "A title is along its spine, within it, and apart from all others",
    arguments: [-0.4, -0.1, 0, 0.02, 0.3], [14, 24, 60.0])
  func within(lean: Double, thickness: Double) throws {
    let shelf = Shelf(lean: lean, thickness: thickness)
    let layout = try shelf.layout()
    #expect(layout.lostLabels == 0)
    for (mark, outline) in zip(shelf.marks, layout.outlines) {
      let label = try #require(outline.label)
      let plate = try #require(label.plate, "'\(label.string)' is not turned")
      let quad = try #require(mark.quad)
      #expect(label.string == mark.label)
      #expect(plate.corners.allSatisfy(quad.contains))
      #expect(plate.parts.allSatisfy { $0.x >= 0 && $0.y >= 0 })
      #expect(abs(plate.angle - (.pi / 2 + lean)) < 1e-9, "read downwards, along the spine")
      #expect(label.size >= 8)
      // The letters are on the plate.
      #expect(abs(label.x) <= plate.width / 2 && label.baseline <= plate.height / 2)
    }
    let plates = layout.outlines.compactMap(\.label?.plate)
    for (index, plate) in plates.enumerated() {
      for other in plates[(index + 1)...] {
        for a in plate.parts {
          #expect(other.parts.allSatisfy { a.overlap(with: $0) < 1e-6 })
        }
      }
    }
  }

  @Test("A plate leaves most of a thick spine free")
  func thick() throws {
    let layout = try Shelf(thickness: 90).layout()
    for outline in layout.outlines {
      let plate = try #require(outline.label?.plate)
      #expect(plate.height < 0.5 * 90)
      // It is at a long side and not in the middle.
      let xs = plate.corners.map(\.x)
      let left = try #require(outline.path.map(\.x).min())
      let right = try #require(outline.path.map(\.x).max())
      let (low, high) = (try #require(xs.min()) - left, right - (try #require(xs.max())))
      #expect(min(low, high) < 0.1 * 90)
    }
  }

  @Test("A title that is too long is shortened, and keeps its number and beginning")
  func shortened() throws {
    let long = "The Life and Strange Surprizing Adventures of Robinson Crusoe, of York, Mariner"
    let shelf = Shelf(thickness: 20, length: 200, titles: [long, "Emma"])
    let labels = try shelf.layout().outlines.compactMap(\.label)
    #expect(labels.count == 2)
    #expect(labels[0].string.hasPrefix("1 The Life"))
    #expect(labels[0].string.hasSuffix("…"))
    #expect(labels[0].string.dropLast().last != " ")
    #expect(labels[0].string.count < long.count)
    #expect(labels[1].string == "2 Emma")
  }

  @Test("A spine without room for a title has its number, and a short label is not turned")
  func small() throws {
    let titles = ["Moby Dick", "Emma"]
    let layout = try Shelf(thickness: 20, length: 24, titles: titles).layout()
    #expect(layout.outlines.compactMap(\.label?.string) == ["1", "2"])
    #expect(layout.outlines.allSatisfy { $0.label?.plate == nil })
    let mark = Overlay.Mark(quad: try #require(Shelf().marks[0].quad), label: "12", color: .green)
    let plain = OverlayLayout(
      Overlay(marks: [mark]), width: 900, height: 900, measure: try Canvas(width: 1, height: 1))
    #expect(plain.outlines[0].label?.string == "12" && plain.outlines[0].label?.plate == nil)
  }

  @Test("Titles of a lying spine are not upside down", arguments: [-0.3, -0.05, 0.05, 0.3])
  func lying(slope: Double) throws {
    let center = Point(x: 450, y: 450)
    let quad = Quadrilateral(Box(minX: 150, minY: 430, maxX: 750, maxY: 470)).mapCorners { corner in
      let (x, y) = (corner.x - center.x, corner.y - center.y)
      return center.translated(
        dx: x * cos(slope) - y * sin(slope), dy: x * sin(slope) + y * cos(slope))
    }
    let mark = Overlay.Mark(
      quad: quad, label: "1 " + String(repeating: "a long title ", count: 4), shortLabel: "1")
    let layout = OverlayLayout(
      Overlay(marks: [mark]), width: 900, height: 900, measure: try Canvas(width: 1, height: 1))
    let label = try #require(layout.outlines[0].label)
    #expect(label.string.hasPrefix("1 a long"))
    #expect(abs(label.plate?.angle ?? 0) < 0.31)
  }

  @Test("Any shape and any text is drawn", arguments: ["", "…", "a\u{0}b", "\u{1F370} 蛋挞 כוס"])
  func hostile(text: String) throws {
    let huge = String(repeating: text + "word ", count: 2000)
    let upright = Quadrilateral(Box(minX: 10, minY: 10, maxX: 40, maxY: 380))
    let shapes = [
      upright, upright.mapCorners { $0.scaled(x: 1e307, y: 1e307) },
      upright.mapCorners { $0.translated(dx: 390, dy: 0) },
      // A bow tie.
      Quadrilateral(
        topLeft: Point(x: 10, y: 10), topRight: Point(x: 40, y: 380),
        bottomRight: Point(x: 40, y: 10), bottomLeft: Point(x: 10, y: 380)),
      upright.mapCorners { Point(x: $0.x, y: .nan) },
    ]
    for shape in shapes {
      for label in [text, huge] {
        let overlay = Overlay(marks: [.init(quad: shape, label: "1 \(label)", shortLabel: "1")])
        #expect(try !overlay.svg(width: 400, height: 400).isEmpty)
      }
    }
  }
}

@Suite("Labels of boxes of one colour")
struct WholeLabelTests {
  private func layout(_ sides: [Float], colors: [Color]) throws -> [String?] {
    let marks = zip(sides, colors).enumerated().map { index, mark in
      Overlay.Mark(
        box: Box(
          x: Float(index % 8) * 120, y: Float(index / 8) * 120, width: mark.0, height: mark.0),
        label: "\(index + 1) 0.90", shortLabel: "\(index + 1)", color: mark.1)
    }
    return OverlayLayout(
      Overlay(marks: marks), width: 1000, height: 1000, measure: try Canvas(width: 1, height: 1)
    ).outlines.map(\.label?.string)
  }

  @Test("All have their scores, or none has, whatever the other colours have")
  func allOrNone() throws {
    let sides: [Float] = [100, 100, 100, 100, 30, 100, 100, 100]
    let colors: [Color] = [.green, .green, .blue, .blue, .blue, .green, .blue, .green]
    #expect(
      try layout(sides, colors: colors) == [
        "1 0.90", "2 0.90", "3", "4", "5", "6 0.90", "7", "8 0.90",
      ])
    #expect(
      try layout(sides.map { _ in 100 }, colors: colors) == (1...8).map { "\($0) 0.90" })
  }

  @Test("A label that loses its place to another takes the scores of its colour with it")
  func crowded() throws {
    // Boxes that lie over each other leave room for few labels.
    let marks = (0..<12).map { index in
      Overlay.Mark(
        box: Box(x: 400 + Float(index), y: 400, width: 110, height: 60),
        label: "\(index + 1) 0.90", shortLabel: "\(index + 1)", color: .green)
    }
    let layout = OverlayLayout(
      Overlay(marks: marks), width: 1000, height: 1000, measure: try Canvas(width: 1, height: 1))
    #expect(Set(layout.outlines.compactMap(\.label?.string)) == Set((1...12).map(String.init)))
    #expect(layout.lostLabels == 0)
  }

  @Test("Kinds have colours of their own on a photo, and readable texts on them")
  func kinds() {
    let colors = (0...KindStyle.last).map { KindStyle(rank: $0).photoColor }
    #expect(Set(colors).count == colors.count && colors[0] == .green)
    #expect(!colors.contains(.orange))
    for color in colors + [.orange] {
      let (a, b) = (color.luminance + 0.05, color.readableText.luminance + 0.05)
      #expect(max(a, b) / min(a, b) >= 4.5, "\(color)")
    }
  }
}
