import Foundation
import Geometry
import TestSupport
import Testing

@testable import SpineHeuristics

/// Titles of spines on photos of shelves, chosen from lines as the recognizer read them.
@Suite("Titles on shelves")
struct ShelfTitleTests {
  /// Lines by photo and spine, as `tally scan` has them.
  private struct Lines: Decodable {
    let text: String
    let confidence: Double
    let outline: [Double]

    var line: SpineTextLine {
      let points = stride(from: 0, to: 8, by: 2).map { Point(x: outline[$0], y: outline[$0 + 1]) }
      return SpineTextLine(
        outline: Quadrilateral(
          topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3]),
        text: text, confidence: confidence)
    }
  }

  private struct Photo: Decodable {
    let titles: [String]
    let subtitles: [String]?
    let authors: [String]?
  }

  private let spines: [String: [[SpineTextLine]]]
  private let truth: [String: Photo]

  init() throws {
    func data(_ name: String) throws -> Data {
      try Data(contentsOf: Folders.package.appendingPathComponent("Fixtures/Truth/\(name).json"))
    }
    spines = try Self.spines(in: data("shelf_lines"))
    truth = try JSONDecoder().decode([String: Photo].self, from: data("shelf_titles"))
  }

  private static func spines(in json: Data) throws -> [String: [[SpineTextLine]]] {
    try JSONDecoder().decode([String: [[Lines]]].self, from: json)
      .mapValues { $0.map { $0.map(\.line) } }
  }

  @Test("As many titles are chosen right as Docs/Shelves.md says")
  func chosen() {
    var right = 0
    var titles = 0
    for (name, photo) in truth {
      var labels = (spines[name] ?? []).map { SpineGeometry().label(of: $0) }
      for (index, title) in photo.titles.enumerated() where !title.isEmpty {
        titles += 1
        let subtitle = photo.subtitles?[index] ?? ""
        if let found = labels.firstIndex(where: { isRight($0, title, subtitle) }) {
          right += 1
          labels.remove(at: found)
        }
      }
    }
    #expect(titles == 213)
    #expect(right >= 189, "\(right) of \(titles)")
  }

  @Test("Nothing but the order of lines changes if they come in another order")
  func shuffled() {
    for lines in (spines["shelf_librum_en4.jpg"] ?? []) {
      let label = SpineGeometry().label(of: lines)
      #expect(SpineGeometry().label(of: lines.reversed()).title == label.title)
    }
  }

  /// With TALLY_SPINE_READINGS=FILE all readings are written there, a spine a line, for `Fixtures/Training/titles.py`.
  ///
  /// TALLY_SPINE_LINES=FILE:... adds lines of the same photos with changes.
  @Test("Readings are written for the training")
  func readings() throws {
    guard let path = ProcessInfo.processInfo.environment["TALLY_SPINE_READINGS"] else { return }
    var output = ""
    func add(_ lines: [SpineTextLine], _ what: [String: Any]) throws {
      let readings = SpineReading.readings(
        of: SpineGeometry().written(lines).lines, keepingValues: true)
      var object = what
      object["readings"] = readings.prefix(400).map { reading in
        [
          "title": reading.text(of: .title) ?? "", "author": reading.text(of: .author) ?? "",
          "subtitle": reading.text(of: .subtitle) ?? "",
          "values": Dictionary(
            uniqueKeysWithValues: (reading.evidence.values ?? [:]).map { ("\($0.key)", $0.value) }),
        ] as [String: Any]
      }
      output += String(
        decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
      output += "\n"
    }
    let paths = ProcessInfo.processInfo.environment["TALLY_SPINE_LINES"] ?? ""
    let others = try paths.split(separator: ":").map {
      try Self.spines(in: Data(contentsOf: URL(fileURLWithPath: String($0))))
    }
    let sets = [spines] + others
    for (set, spines) in sets.enumerated() {
      for (name, photo) in spines.sorted(by: { $0.key < $1.key }) {
        for lines in photo { try add(lines, ["photo": name, "set": set]) }
      }
    }
    var generator = SeededGenerator(seed: 7)
    for spine in SpineTableTests.spines {
      let what = ["photo": "", "title": spine.title, "author": spine.author ?? ""]
      try add(spine.written, what)
      for _ in 0..<3 { try add(spoilt(spine, &generator).written, what) }
    }
    try output.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// A spine with marks and labels at its ends, letters of other heights, and spaces lost.
  private func spoilt(
    _ spine: SpineTableTests.Spine, _ generator: inout SeededGenerator
  ) -> SpineTableTests.Spine {
    func letters(_ count: Int) -> String {
      String(
        (0..<count).map { _ in Array("ABCDEFGHIKLMNOPRSTUVXYZ")[Int(generator.unit() * 22.9)] })
    }
    var lines = spine.lines.map { line in
      (
        generator.unit() < 0.2 ? line.text.filter { $0 != " " } : line.text,
        line.height * (0.88 + 0.24 * generator.unit()), line.isAcross
      )
    }
    let largest = lines.map(\.1).max() ?? 1
    for _ in 0..<Int(generator.unit() * 2.9) {
      let code = "\(letters(1))\(Int(generator.unit() * 900) + 99)"
      let text = generator.unit() < 0.6 ? letters(2 + Int(generator.unit() * 3.9)) : code
      let line = (text, largest * (0.3 + 0.4 * generator.unit()), generator.unit() < 0.7)
      lines.insert(line, at: generator.unit() < 0.2 ? 0 : lines.count)
    }
    return SpineTableTests.Spine(lines, spine.title, spine.author)
  }

  // MARK: The rule of Fixtures/reference/score_titles.py

  private func isRight(_ label: SpineLabel, _ title: String, _ subtitle: String) -> Bool {
    let (title, subtitle) = (Lexicon.key(of: title), Lexicon.key(of: subtitle))
    let read = Lexicon.key(of: label.title ?? "")
    let whole = read + Lexicon.key(of: label.subtitle ?? "")
    return [title, title + subtitle, subtitle + title].contains { form in
      isAlike(read, form) || isAlike(whole, form)
    }
  }

  private func isAlike(_ read: String, _ form: String) -> Bool {
    var row = Array(0...form.count)
    for (index, letter) in read.enumerated() {
      var next = [index + 1]
      for (column, other) in form.enumerated() {
        next.append(
          min(row[column + 1] + 1, next[column] + 1, row[column] + (letter == other ? 0 : 1)))
      }
      row = next
    }
    return row[form.count] <= max(1, form.count / 10)
  }
}
