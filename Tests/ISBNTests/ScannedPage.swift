import TestSupport

@testable import ISBN

/// A page as text recognition leaves it: columns, lines that break off, misread letters, numbers of every
/// other kind, ISBNs, and ISBNs with a wrong digit, which are none.
struct ScannedPage {
  private(set) var text = ""
  /// The ISBNs that stand on the page.
  private(set) var isbns: [ISBN13] = []

  private var generator: SeededGenerator
  private let lineEnd: String

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    lineEnd = seed % 3 == 0 ? "\r\n" : "\n"
    for _ in 0..<Int.random(in: 3...9, using: &generator) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...2: addISBN()
      case 3: addDamagedISBN()
      case 4, 5: add(otherNumber())
      default: addWords()
      }
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func digits(_ count: Int) -> String {
    (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
  }

  private mutating func add(_ piece: String) {
    text += piece + pick([" ", "  ", lineEnd, lineEnd, ", ", lineEnd + lineEnd, "     ", " | "])
  }

  private mutating func addWords() {
    let words = [
      "Printed", "in", "Boston", "Oslo", "is", "So", "le", "livre", "Best", "iOS", "Bill", "Soil",
      "x", "Library", "of", "Congress", "Verlag", "(pbk.)", "©", "2004", "first", "edition", "BIS",
      "80-100", "pp.", "No.", "7", "l", "I", "O", "S", "B", "5", "vol.", "2nd", "MIX", "él",
      "\u{FFFD}", "«", "•", "—",
    ]
    for _ in 0..<Int.random(in: 2...9, using: &generator) { text += pick(words) + " " }
    if chance(30) { text += lineEnd }
  }

  /// A number that is no ISBN, with what usually stands before it.
  private mutating func otherNumber() -> String {
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: return "Tel. " + digits(10)
    case 1: return "Fax: (0\(digits(2))) \(digits(7))"
    case 2: return "+49 \(digits(3)) \(digits(7))"
    case 3: return "Phone No. \(digits(3))-\(digits(3))-\(digits(4))"
    case 4: return "ISSN \(digits(4))-\(digits(4))"
    case 5: return "LCCN \(digits(10))"
    case 6: return "$\(digits(2)).\(digits(2)) / Can. $\(digits(2)).\(digits(2))"
    case 7: return "10 9 8 7 6 5 4 3 2 1"
    case 8: return pick(["2004-06-15 20:30:41", "15.06.2004 20:30", "20040615203041"])
    case 9: return digits(16)
    case 10: return "doi:10.\(digits(4))/s\(digits(5))-0\(digits(2))-\(digits(4))-\(digits(1))"
    case 11:
      // Groceries, periodicals, printed music.
      let body = pick(["400", "500", "977", "9790", "12"]) + digits(11)
      return String(body.prefix(12)) + CheckDigit.text(ofEAN: body.prefix(12))
    case 12: return "DE\(digits(2)) " + (0..<4).map { _ in digits(4) + " " }.joined() + digits(2)
    default: return "\(digits(3)).\(digits(3)).\(digits(1)).\(digits(2))"
    }
  }

  /// An ISBN with one digit changed or two neighbours swapped, so that the check digit is wrong.
  private mutating func addDamagedISBN() {
    var code = Array(printed(NoisyPage.assigned(using: &generator)))
    let places = code.indices.filter { code[$0].isNumber }
    repeat {
      let place = pick(places.dropLast())
      let next = places[(places.firstIndex(of: place) ?? 0) + 1]
      if chance(50) {
        code.swapAt(place, next)
      } else {
        code[place] = Character(digits(1))
      }
    } while (try? AnyISBN(String(code))) != nil
    add(label() + String(code))
  }

  private mutating func addISBN() {
    let isbn = NoisyPage.assigned(using: &generator)
    isbns.append(isbn)
    let label = label()
    var code = printed(isbn)
    if code.contains("-") {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: code = code.replacing("-", with: "–")
      case 1: code = code.replacing("-", with: " ")
      case 2 where !label.isEmpty: code = code.replacing("-", with: " - ")
      case 3: code = code.replacing("-", with: "\u{AD}")
      case 4:
        // The line breaks off behind a hyphen.
        let hyphens = code.indices.filter { code[$0] == "-" }
        let indent = String(repeating: " ", count: Int.random(in: 0...8, using: &generator))
        code.insert(contentsOf: lineEnd + indent, at: code.index(after: pick(hyphens)))
      default: break
      }
    }
    add(label + misread(code) + ending(isThirteen: code.filter(\.isNumber).count == 13))
  }

  /// With or without hyphens, as ISBN-13 or as ISBN-10.
  private mutating func printed(_ isbn: ISBN13) -> String {
    let isTen = chance(30)
    let isHyphenated = chance(60)
    if isTen, let ten = isbn.isbn10 {
      return isHyphenated ? ten.hyphenated ?? ten.description : ten.description
    }
    return isHyphenated ? isbn.hyphenated ?? isbn.description : isbn.description
  }

  private mutating func label() -> String {
    pick([
      "", "", "ISBN ", "ISBN: ", "lSBN ", "1SBN ", "I5BN: ",
      "ISBN", "ISBN" + lineEnd, "ISBN (pbk.) ", "I.S.B.N. ", "ISEN ", "urn:isbn:", "(ISBN ",
    ])
  }

  /// What may stand behind a number without a space.
  private mutating func ending(isThirteen: Bool) -> String {
    if isThirteen, chance(10) { return pick(["Printed", "Bound in", " 51495", "_53", "."]) }
    return pick(["", "", "", ".", ",", ")", ";", " >", " (hbk.)"])
  }

  /// One digit in twelve that looks like a letter becomes it.
  private mutating func misread(_ code: String) -> String {
    let letters: [Character: [Character]] = [
      "0": ["O", "o"], "1": ["I", "l"], "8": ["B"], "5": ["S", "s"],
    ]
    return String(
      code.map { character in
        guard let readings = letters[character], chance(8) else { return character }
        return pick(readings)
      })
  }
}

extension CheckDigit {
  /// The EAN check digit of digits in a text.
  fileprivate static func text(ofEAN body: Substring) -> String {
    String(ean(of: UInt64(body) ?? 0))
  }
}
