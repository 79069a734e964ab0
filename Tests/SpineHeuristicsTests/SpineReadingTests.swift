import Geometry
import Testing

@testable import SpineHeuristics

/// What recognizers do to the lines of a spine, and what becomes of it.
@Suite("Lines as they are read")
struct SpineReadingTests {
  /// A line that is read along x.
  private func line(
    _ text: String, from start: Double, row: Double = 0, height: Double = 20, length: Double? = nil,
    confidence: Double = 1
  ) -> SpineTextLine {
    let end = start + (length ?? Double(text.count) * height * 0.6)
    let (top, bottom) = (row - height / 2, row + height / 2)
    return SpineTextLine(
      outline: Quadrilateral(
        topLeft: Point(x: start, y: top), topRight: Point(x: end, y: top),
        bottomRight: Point(x: end, y: bottom), bottomLeft: Point(x: start, y: bottom)),
      text: text, confidence: confidence)
  }

  @Test("A mark that was read with doubt is no title, and no author")
  func doubt() throws {
    func label(_ confidence: Double) -> SpineLabel {
      SpineGeometry().label(of: [
        line("PLATO", from: 0, height: 14), line("REPUBLIC", from: 80, height: 18),
        line("SACYS", from: 200, height: 11, confidence: confidence),
      ])
    }
    let doubted = label(0.55)
    #expect(doubted.title == "REPUBLIC" && doubted.author == "PLATO")
    let sure = try #require(label(1).candidates.first { $0.title == "REPUBLIC" })
    let first = try #require(doubted.candidates.first)
    #expect(first.probability > sure.probability)
  }

  @Test("Two lines that are two columns are read column by column")
  func columns() {
    let authors = SpineGeometry().label(of: [
      line("Ash Ahmed Materials Science", from: 0, height: 18, length: 231),
      line("John Sturges in Construction", from: 0, row: 20, height: 17, length: 226),
    ])
    #expect(authors.title == "Materials Science in Construction")
    #expect(authors.author == "Ash Ahmed, John Sturges")
    let subtitle = SpineGeometry().label(of: [
      line("A WORLD Our Living Record", from: 0, height: 60, length: 790),
      line("ON HOLD of the Global Pandemic", from: 0, row: 70, height: 60, length: 1000),
    ])
    #expect(subtitle.title == "A WORLD ON HOLD")
    #expect(subtitle.subtitle == "Our Living Record of the Global Pandemic")
  }

  @Test("What stands there again and again counts once")
  func repeats() {
    let words = ["WHITE", "TEETH", "ZADIE", "SMITH"]
    let lines = (0..<16).map { line(words[$0 % 4], from: 70 * Double($0)) }
    let label = SpineGeometry().label(of: lines)
    #expect(label.title == "WHITE TEETH" && label.author == "ZADIE SMITH")
    #expect(label.order == Array(0..<16))
  }

  @Test(
    "A misread letter is put right if a word comes of it",
    arguments: [
      ("HUNPRED", "HUNDRED"), ("Everythlng", "Everything"), ("Stownik", "Słownik"),
      ("OLSKIEGO", "POLSKIEGO"), ("BLUEBEARD", "BLUEBEARD"), ("Sturges", "Sturges"),
      ("Kurzweil", "Kurzweil"), ("MELVILLE", "MELVILLE"), ("abc", "abc"), ("", ""),
    ])
  func misreadings(word: String, mended: String) {
    #expect(Misreadings.mended(word) == mended)
  }

  @Test(
    "Names that stand without a space behind or before other words are parted",
    arguments: [
      ("THEGODSH.G.WELLS", "THEGODS H.G. WELLS"), ("ARCHITECTUREDavid", "ARCHITECTURE David"),
      ("MFREDERICKFORSYTH", "M FREDERICK FORSYTH"), ("KUBE-McDOWELL", "KUBE-McDOWELL"),
      ("USA", "USA"), ("McDOWELL", "McDOWELL"),
    ])
  func names(text: String, parted: String) {
    #expect(WordSeparation.words(of: text).joined(separator: " ") == parted)
  }

  @Test("An issue has a number and may have a date")
  func issues() {
    #expect(Lexicon.volume("Issue 68 May/Jun 2017") == 1)
    #expect(Lexicon.volume("Issue 68") == 1)
    #expect(Lexicon.volume("Issue 68 Bread 2017") == 0)
  }

  @Test("A score is the sum of values times weights, and there is a weight for each feature")
  func scores() {
    #expect(SpineFeature.weights.count == SpineFeature.allCases.count)
    let lines = SpineGeometry().written(SpineTableTests.spines.first?.written ?? []).lines
    let readings = SpineReading.readings(of: lines, keepingValues: true)
    #expect(!readings.isEmpty)
    for reading in readings {
      let sum = (reading.evidence.values ?? [:]).reduce(0) {
        $0 + SpineFeature.weights[$1.key] * $1.value
      }
      #expect(abs(sum - reading.score) < 1e-9)
    }
    #expect(SpineReading.readings(of: lines).map(\.score) == readings.map(\.score))
  }
}
