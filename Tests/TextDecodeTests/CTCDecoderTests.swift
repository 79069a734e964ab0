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
