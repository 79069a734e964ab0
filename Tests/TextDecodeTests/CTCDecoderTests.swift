import TestSupport
import Testing
import TextDecode

@Suite struct CTCDecoderTests {
  struct Golden: Decodable, Sendable {
    let seed: UInt64
    let classes: Int
    let steps: Int
    let text: String
    let confidence: Double
  }

  @Test("Texts and confidences are RapidOCR's")
  func texts() throws {
    let goldens = try Folders.golden("TextDecode/lines.json", as: [Golden].self)
    #expect(goldens.count == 60)
    for golden in goldens {
      var generator = SeededGenerator(seed: golden.seed)
      var values = (0..<golden.steps * golden.classes).map { _ in
        (generator.unitFloat() * 16).rounded(.down) / 16
      }
      for step in 0..<golden.steps {
        values[step * golden.classes] += 0.25 * Float(golden.seed % 3)
      }
      let letters = "abcdefghijklmnopqrstuvwxyz".prefix(golden.classes - 2).map(String.init)
      let decoder = try CTCDecoder(characters: letters)
      #expect(decoder.classCount == golden.classes)
      let line = try decoder.text(in: values)
      #expect(line.text == golden.text)
      #expect(abs(Double(line.confidence) - golden.confidence) < 1e-7)
    }
  }
}

extension CTCDecoderTests {
  private func decoder(_ characters: [String] = ["a", "b"]) throws -> CTCDecoder {
    try CTCDecoder(characters: characters)
  }

  @Test("The first of equal classes in a row counts, and a blank parts them")
  func repeats() throws {
    // Rows of blank, a, b, space.
    func row(_ index: Int, _ value: Float) -> [Float] {
      (0..<4).map { $0 == index ? value : 0 }
    }
    let values = row(1, 0.5) + row(1, 1) + row(0, 1) + row(1, 0.75) + row(3, 1) + row(2, 0.25)
    let line = try decoder().text(in: values)
    #expect(line == CTCText(text: "aa b", confidence: 0.625))
  }

  @Test("Nothing, blanks alone, and what is no number are no text")
  func nothing() throws {
    let decoder = try decoder()
    let none = CTCText(text: "", confidence: 0)
    #expect(try decoder.text(in: []) == none)
    #expect(try decoder.text(in: [1, 0, 0, 0, 1, 0, 0, 0]) == none)
    #expect(try decoder.text(in: Array(repeating: .nan, count: 12)) == none)
    #expect(try decoder.text(in: Array(repeating: -.infinity, count: 12)) == none)
    #expect(try decoder.text(in: [.nan, .nan, 0.5, .nan]) == CTCText(text: "b", confidence: 0.5))
    #expect(try decoder.text(in: [0.25, 0.25, 0.25, 0.25]) == none)
  }

  @Test("Classes of several letters, of none, and thousands of them")
  func strangeLists() throws {
    let odd = try CTCDecoder(characters: ["ffi", "", "\n", "e\u{301}"], endsWithSpace: false)
    #expect(odd.classCount == 5)
    var values = [Float](repeating: 0, count: 20)
    for (row, index) in [1, 2, 4, 3].enumerated() { values[row * 5 + index] = 1 }
    #expect(try odd.text(in: values).text == "ffie\u{301}\n")
    let many = try CTCDecoder(characters: (0..<6623).map { "<\($0)>" })
    #expect(many.classCount == 6625)
    for index in [1, 7, 8, 9, 4000, 6617, 6623] {
      var values = [Float](repeating: 0.1, count: 6625)
      values[index] = 0.9
      #expect(try many.text(in: values) == CTCText(text: "<\(index - 1)>", confidence: 0.9))
    }
  }

  @Test("An empty list and values that are no whole rows are errors")
  func errors() throws {
    #expect(throws: TextDecodeError.noCharacters) { try CTCDecoder(characters: []) }
    let decoder = try decoder()
    #expect(throws: TextDecodeError.valueCount(got: 5, expected: 4)) {
      try decoder.text(in: [1, 0, 0, 0, 1])
    }
    for error in [TextDecodeError.noCharacters, .classCount(got: 3, expected: 4)] {
      #expect(!error.description.contains("\n"))
    }
  }

  @Test("Any order of the same numbers finds the greatest, wherever it is")
  func greatest() throws {
    var generator = SeededGenerator(seed: 9)
    for classes in 3..<60 {
      let decoder = try CTCDecoder(characters: (0..<classes - 2).map { "<\($0)>" })
      let row = (0..<classes).map { _ in generator.unitFloat() }
      let best = row.indices.max { row[$0] < row[$1] } ?? 0
      let expected = best == 0 ? "" : best == classes - 1 ? " " : "<\(best - 1)>"
      #expect(try decoder.text(in: row).text == expected)
    }
  }
}
