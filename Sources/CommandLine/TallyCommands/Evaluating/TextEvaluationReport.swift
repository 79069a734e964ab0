import CommandKit
import Evaluation
import Foundation

/// The texts of images compared with the true ones, for people and as JSON for machines.
struct TextEvaluationReport {
  private struct Image {
    let name, truth, text: String
    let rate: TextErrorRate
    /// Whether it was read, and without an error.
    let isExact: Bool
  }

  private let answers: JoinedAnswers
  private let images: [Image]
  private let ignoresCase: Bool

  init(_ answers: JoinedAnswers, ignoresCase: Bool) {
    self.answers = answers
    self.ignoresCase = ignoresCase
    images = answers.images.map { image in
      let truth = Self.plain(image.truth, ignoresCase: ignoresCase)
      let text = Self.plain(image.prediction, ignoresCase: ignoresCase)
      let rate = TextErrorRate(truth: truth, prediction: text)
      return Image(
        name: image.name, truth: truth, text: text, rate: rate,
        isExact: image.isAnswered && rate.exactTexts == 1)
    }
  }

  /// The text in one line, with accents in one encoding.
  private static func plain(_ answer: Answer, ignoresCase: Bool) -> String {
    let words = answer.values.flatMap { $0.split(whereSeparator: \.isWhitespace) }
    let text = words.joined(separator: " ").precomposedStringWithCanonicalMapping
    return ignoresCase ? text.lowercased() : text
  }

  private var together: TextErrorRate? {
    guard let first = images.first else { return nil }
    return images.dropFirst().reduce(first.rate) { $0 + $1.rate }
  }

  private var exact: Int { images.count(where: \.isExact) }

  /// The images with errors, the most errors first.
  private var wrong: [Image] {
    let wrong = images.filter { $0.rate.characters.distance > 0 }.enumerated()
    return wrong.sorted {
      ($1.element.rate.characters.distance, $0.offset)
        < ($0.element.rate.characters.distance, $1.offset)
    }.map(\.element)
  }

  // MARK: Text

  var lines: [String] {
    guard let together else { return [] }
    var table = TextTable(
      [("", .left)]
        + ["true", "right", "substituted", "missing", "too many", "error rate"].map {
          ($0, .right)
        })
    for (name, edits) in [("characters", together.characters), ("words", together.words)] {
      table.add([
        name, "\(edits.truthCount)", "\(edits.matches)", "\(edits.substitutions)",
        "\(edits.deletions)", "\(edits.insertions)", FigureText.share(edits.rate),
      ])
    }
    let summary =
      "\(exact) of \(Sentence.count(images.count, "image", "images")) read without an error"
    let wrong = wrong
    return table.lines + ["", summary]
      + (wrong.isEmpty ? [] : ["", "errors, the most first:"])
      + JoinedAnswers.listed(wrong, Self.lines) + answers.notes
  }

  private static func lines(of image: Image) -> [String] {
    let rates =
      "CER \(FigureText.share(image.rate.characters.rate)), "
      + "WER \(FigureText.share(image.rate.words.rate))"
    return [
      "\(PrintableText.of(image.name)): \(rates)", "  true: \(PrintableText.of(image.truth))",
      "  read: \(PrintableText.of(image.text))",
    ]
  }

  // MARK: JSON

  var json: JSONText {
    let rows = images.map { image in
      JSONText.object(
        [("image", .string(image.name))] + Self.members(of: image.rate) + [
          ("truth", .string(image.truth)), ("text", .string(image.text)),
        ])
    }
    return .object(
      [("ignoresCase", .bool(ignoresCase)), ("exact", .integer(exact))]
        + (together.map(Self.members) ?? []) + [("images", .array(rows))] + answers.members)
  }

  private static func members(of rate: TextErrorRate) -> [(String, JSONText)] {
    [
      ("cer", FigureText.json(rate.characters.rate)), ("wer", FigureText.json(rate.words.rate)),
      ("characters", json(rate.characters)), ("words", json(rate.words)),
    ]
  }

  private static func json(_ edits: EditCounts) -> JSONText {
    .object([
      ("true", .integer(edits.truthCount)), ("right", .integer(edits.matches)),
      ("substituted", .integer(edits.substitutions)), ("missing", .integer(edits.deletions)),
      ("tooMany", .integer(edits.insertions)),
    ])
  }
}
