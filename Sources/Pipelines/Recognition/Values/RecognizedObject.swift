import DateExtraction
import ISBN
import VisionProtocols

/// What an object is, as the step that recognized it says.
public enum RecognizedObject: Hashable, Sendable, Codable {
  /// What its barcode says.
  case barcode(BarcodeFinding)
  /// Its kind, and the next likely ones.
  case classification(Classification, alternatives: [Classification])
  /// The most similar known object, and the next ones.
  case likeness(LikenessMatch, alternatives: [LikenessMatch])
  /// The text on it.
  case text(TextFinding)
}

/// A barcode that was read, and the book that it names.
public struct BarcodeFinding: Hashable, Sendable {
  /// The barcode.
  public let barcode: RecognizedBarcode
  /// The book's ISBN, where the payload is one.
  public let isbn: ISBN13?

  /// Looks for an ISBN in a barcode.
  public init(_ barcode: RecognizedBarcode) {
    self.barcode = barcode
    isbn = (try? EANPayload(barcode.payload))?.isbn
  }
}

extension BarcodeFinding: Codable {
  /// Reads a barcode; the ISBN follows from its payload.
  public init(from decoder: any Decoder) throws {
    self.init(try RecognizedBarcode(from: decoder))
  }

  /// Writes the barcode.
  public func encode(to encoder: any Encoder) throws {
    try barcode.encode(to: encoder)
  }
}

/// The text on an object, and the facts that follow from it.
public struct TextFinding: Hashable, Sendable, Codable {
  /// The lines that the recognizer is sure enough of, in its order.
  public let lines: [RecognizedText]
  /// The different books that the lines name.
  public let isbns: [ISBN13]
  /// The dates in the lines, in their order.
  public let dates: [TextDate]

  /// Looks for ISBNs and dates in lines.
  ///
  /// O(length of the text).
  init(lines: [RecognizedText], dates extractor: DateExtractor) {
    self.lines = lines
    let texts = lines.map(\.text)
    isbns = ISBNExtractor().books(in: texts.joined(separator: "\n"))
    dates = extractor.matches(inLines: texts).enumerated().flatMap { line, matches in
      matches.map { TextDate(line: line, match: $0) }
    }
  }
}

/// A date in one of several lines.
public struct TextDate: Hashable, Sendable, Codable {
  /// Which line, counted from 0.
  public let line: Int
  /// The date, with its place in the line.
  public let match: DateMatch
}
