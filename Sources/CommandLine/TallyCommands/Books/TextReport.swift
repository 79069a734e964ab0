import CommandKit
import Drawing
import Geometry
import VisionProtocols

/// The text of a photo as text for people, as JSON for machines, and as a drawing.
struct TextReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  /// In reading order.
  let texts: [RecognizedText]

  /// One object.
  var json: JSONText {
    .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        ("lines", .array(texts.map { .object(Self.members(of: $0)) }))
      ])
  }

  /// A line's place, text and confidence.
  static func members(of line: RecognizedText) -> [(String, JSONText)] {
    [
      ("quad", .corners(of: line.outline)), ("text", .string(line.text)),
      ("confidence", .float(line.confidence)),
    ]
  }

  /// The number of lines, and a table of them.
  var lines: [String] {
    let number = texts.isEmpty ? "no text" : Sentence.count(texts.count, "line", "lines")
    let title = "\(PrintableText.of(path)): \(number) (\(width) x \(height) pixels)"
    guard !texts.isEmpty else { return [title] }
    var table = TextTable([
      ("  line", .right), ("confidence", .right), ("left", .right), ("top", .right),
      ("right", .right), ("bottom", .right), ("text", .left),
    ])
    for (index, line) in texts.enumerated() {
      let box = line.outline.boundingBox
      table.add(
        ["\(index + 1)", NumberText.fixed(Double(line.confidence), digits: 4)]
          + [box.minX, box.minY, box.maxX, box.maxY].map {
            NumberText.fixed(Double($0), digits: 1)
          } + [line.text])
    }
    return [title] + table.lines
  }

  static let columns = ["line", "text", "confidence", "left", "top", "right", "bottom"]

  var found: Int { texts.count }

  var records: [[String]] {
    texts.enumerated().map { index, line in
      ["\(index + 1)", CSVText.text(line.text), JSONText.float(line.confidence).text]
        + CSVText.sides(of: line.outline.boundingBox)
    }
  }

  /// The outlines, numbered in reading order.
  var overlay: Overlay {
    Overlay(
      marks: texts.enumerated().map { index, line in
        Overlay.Mark(quad: line.outline, label: "\(index + 1)", color: .green)
      }, caption: Sentence.count(texts.count, "line", "lines"))
  }
}
