import CommandKit
import Drawing
import Geometry
import RectangleDetection
import SpineDetection
import SpineHeuristics

/// The spines of a photo as text for people, as JSON for machines, and as a drawing.
struct SpineReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  /// In reading order.
  let spines: [DetectedSpine]
  /// Best first; for JSON only.
  let rectangles: [DetectedRectangle]

  private var rows: SpineRowNumbers { SpineRowNumbers(of: spines.map(\.quad)) }

  // MARK: JSON

  /// One object; the rectangles best first, the spines in reading order, the rows with the numbers
  /// of their spines, counted from 0.
  var json: JSONText {
    .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        (
          "rectangles",
          .array(
            rectangles.map {
              .object(Self.members(of: $0.quad) + [("confidence", .float(Float($0.confidence)))])
            })
        ),
        (
          "spines",
          .array(
            spines.map {
              .object(
                Self.members(of: $0.quad) + [
                  ("confidence", .float(Float($0.confidence))),
                  ("orientation", .string($0.orientation.rawValue)),
                ])
            })
        ),
        ("rows", rows.json),
      ])
  }

  /// The place of a shape: its corners and the box around them.
  static func members(of quad: Quadrilateral) -> [(String, JSONText)] {
    let box = quad.boundingBox
    return [
      ("quad", .corners(of: quad)),
      (
        "box",
        .array([.float(box.minX), .float(box.minY), .float(box.maxX), .float(box.maxY)])
      ),
    ]
  }

  // MARK: Text

  /// The number of spines, of each row if there are several, and a table of them.
  var lines: [String] {
    let rows = rows
    let number = spines.isEmpty ? "no spines" : Sentence.count(spines.count, "spine", "spines")
    let title =
      "\(PrintableText.of(path)): \(number)\(rows.counts) (\(width) x \(height) pixels)"
    guard !spines.isEmpty else { return [title] }
    var table = TextTable(
      [("  spine", .right)] + (rows.areSeveral ? [("row", .right)] : []) + [
        ("confidence", .right), ("orientation", .left), ("left", .right), ("top", .right),
        ("right", .right), ("bottom", .right), ("length", .right), ("thickness", .right),
      ])
    for (index, spine) in spines.enumerated() {
      let box = spine.quad.boundingBox
      let sizes =
        [box.minX, box.minY, box.maxX, box.maxY].map(Double.init)
        + [spine.quad.longSide, spine.quad.shortSide]
      table.add(
        ["\(index + 1)"] + (rows.areSeveral ? ["\(rows.number(of: index))"] : [])
          + [NumberText.fixed(spine.confidence, digits: 4), spine.orientation.rawValue]
          + sizes.map { NumberText.fixed($0, digits: 1) })
    }
    return [title] + table.lines
  }

  // MARK: Tables

  static let columns = [
    "spine", "row", "confidence", "orientation", "left", "top", "right", "bottom", "length",
    "thickness",
  ]

  var found: Int { spines.count }

  var records: [[String]] {
    let rows = rows
    return spines.enumerated().map { index, spine in
      [
        "\(index + 1)", "\(rows.number(of: index))",
        JSONText.float(Float(spine.confidence)).text, spine.orientation.rawValue,
      ] + CSVText.sides(of: spine.quad.boundingBox)
        + [spine.quad.longSide, spine.quad.shortSide].map { JSONText.float(Float($0)).text }
    }
  }

  // MARK: Drawing

  /// The outlines, numbered in reading order.
  var overlay: Overlay {
    Overlay(
      marks: spines.enumerated().map { index, spine in
        Overlay.Mark(quad: spine.quad, label: "\(index + 1)", color: .green)
      }, caption: Sentence.count(spines.count, "spine", "spines"))
  }
}
