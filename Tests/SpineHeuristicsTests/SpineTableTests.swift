import Geometry
import Testing

@testable import SpineHeuristics

/// Spines of known books, their lines as they stand from the head to the foot.
@Suite("Spines of known books")
struct SpineTableTests {
  /// Lines with the height of their letters and whether they run across the spine, and what they say.
  struct Spine: Sendable, CustomTestStringConvertible {
    let lines: [(text: String, height: Double, isAcross: Bool)]
    let title: String
    let author: String?

    init(_ lines: [(String, Double, Bool)], _ title: String, _ author: String?) {
      self.lines = lines.map { (text: $0.0, height: $0.1, isAcross: $0.2) }
      self.title = title
      self.author = author
    }

    var testDescription: String { lines.map(\.text).joined(separator: " | ") }

    /// Along x, as the text of most lines runs.
    var written: [SpineTextLine] {
      var start = 0.0
      return lines.map { text, height, isAcross in
        let length = Double(text.count) * height * 0.55
        defer { start += (isAcross ? height : length) + 14 }
        let corners =
          isAcross
          ? [
            (start + height, -length / 2), (start + height, length / 2), (start, length / 2),
            (start, -length / 2),
          ]
          : [
            (start, -height / 2), (start + length, -height / 2), (start + length, height / 2),
            (start, height / 2),
          ]
        let points = corners.map { Point(x: $0.0, y: $0.1) }
        return SpineTextLine(
          outline: Quadrilateral(
            topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3]),
          text: text)
      }
    }
  }

  @Test("Title and author are found among what else is written", arguments: spines)
  func label(spine: Spine) {
    let label = SpineGeometry().label(of: spine.written)
    // Subtitles may be joined to titles; letters tell.
    let title = Lexicon.key(of: label.title ?? "")
    let right = Lexicon.key(of: spine.title)
    let whole = right + Lexicon.key(of: label.subtitle ?? "")
    #expect(title == right || title == whole, "\(label)")
    if let author = spine.author {
      #expect(label.author.map { Lexicon.key(of: $0) } == Lexicon.key(of: author), "\(label)")
    }
    let probabilities = label.candidates.map(\.probability)
    #expect(label.candidates.count <= 5 && probabilities == probabilities.sorted(by: >))
    #expect(probabilities.reduce(0, +) <= 1.000001)
  }

  @Test("Publisher, series, edition and volume are no titles")
  func fields() {
    let biology = SpineGeometry().label(
      of: Spine(
        [
          ("Campbell", 20, false), ("BIOLOGY", 40, false), ("TENTH EDITION", 14, false),
          ("PEARSON", 16, true),
        ],
        "", nil
      ).written)
    #expect(biology.title == "BIOLOGY" && biology.publisher == "PEARSON")
    #expect(biology.edition == "TENTH EDITION")
    let plague = SpineGeometry().label(
      of: Spine(
        [("MODERN CLASSICS", 9, false), ("Albert Camus", 18, false), ("The Plague", 22, false)], "",
        nil
      )
      .written)
    #expect(plague.title == "The Plague" && plague.series == "MODERN CLASSICS")
    let rings = SpineGeometry().label(
      of: Spine([("MATERIALS", 20, false), ("Band 3", 12, false)], "", nil).written)
    #expect(rings.title == "MATERIALS" && rings.volume == "Band 3")
  }

  @Test(
    "Words that stand together are parted where they are words",
    arguments: [
      ("MOBYDICK", "MOBY DICK"), ("THEOLDMANANDTHESEA", "THE OLD MAN AND THE SEA"),
      ("PhilipPullman", "Philip Pullman"), ("ARTHURC.CLARKE", "ARTHUR C. CLARKE"),
      ("RICHTER10", "RICHTER 10"), ("BLUEBEARD", "BLUEBEARD"), ("MIDDLEMARCH", "MIDDLEMARCH"),
      ("McEwan", "McEwan"), ("Isherwood", "Isherwood"), ("KUBE-McDOWELL", "KUBE-McDOWELL"),
      ("UNDERWORLD", "UNDERWORLD"), ("4.3BSD", "4.3BSD"), ("", ""),
    ])
  func words(text: String, parted: String) {
    #expect(WordSeparation.words(of: text).joined(separator: " ") == parted)
  }

  static let spines: [Spine] = [
    Spine(
      [("GEORGE ORWELL", 20, false), ("NINETEEN EIGHTY-FOUR", 24, false), ("PENGUIN", 9, true)],
      "NINETEEN EIGHTY-FOUR", "GEORGE ORWELL"),
    Spine(
      [
        ("PENGUIN MODERN CLASSICS", 9, false), ("Albert Camus", 18, false),
        ("The Plague", 22, false),
      ], "The Plague", "Albert Camus"),
    Spine(
      [
        ("Ursula K. Le Guin", 18, false), ("The Dispossessed", 26, false),
        ("SF MASTERWORKS", 12, false),
      ], "The Dispossessed", "Ursula K. Le Guin"),
    Spine(
      [("DONNA TARTT", 30, false), ("THE SECRET HISTORY", 22, false), ("PENGUIN", 8, true)],
      "THE SECRET HISTORY", "DONNA TARTT"),
    Spine(
      [
        ("Introduction to Algorithms", 26, false), ("THIRD EDITION", 12, false),
        ("CORMEN", 14, false), ("LEISERSON", 14, false), ("RIVEST", 14, false),
        ("STEIN", 14, false), ("The MIT Press", 10, false),
      ], "Introduction to Algorithms", nil),
    Spine(
      [
        ("Campbell", 20, false), ("BIOLOGY", 40, false), ("TENTH EDITION", 14, false),
        ("PEARSON", 16, true),
      ], "BIOLOGY", "Campbell"),
    Spine(
      [("STEPHEN KING", 34, false), ("IT", 40, false), ("HODDER", 10, true)], "IT", "STEPHEN KING"),
    Spine(
      [
        ("Gabriel García Márquez", 16, false), ("One Hundred Years of Solitude", 20, false),
        ("PICADOR", 9, false),
      ], "One Hundred Years of Solitude", "Gabriel García Márquez"),
    Spine(
      [
        ("THE GREAT GATSBY", 22, false), ("F. SCOTT FITZGERALD", 14, false),
        ("WORDSWORTH CLASSICS", 9, false),
      ], "THE GREAT GATSBY", "F. SCOTT FITZGERALD"),
    Spine(
      [("TOLSTOY", 20, false), ("WAR AND PEACE", 26, false), ("VINTAGE CLASSICS", 9, false)],
      "WAR AND PEACE", "TOLSTOY"),
    Spine(
      [
        ("Frank Herbert", 18, false), ("DUNE", 40, false), ("MESSIAH", 30, false),
        ("ACE", 10, true),
      ], "DUNE MESSIAH", "Frank Herbert"),
    Spine(
      [("Terry Pratchett", 22, false), ("Guards! Guards!", 26, false), ("CORGI", 10, true)],
      "Guards! Guards!", "Terry Pratchett"),
    Spine(
      [("EMMA", 40, false), ("JANE AUSTEN", 20, false), ("OXFORD WORLD'S CLASSICS", 10, false)],
      "EMMA", "JANE AUSTEN"),
    Spine(
      [("Charlotte Brontë", 16, false), ("Jane Eyre", 24, false), ("Penguin Classics", 9, false)],
      "Jane Eyre", "Charlotte Brontë"),
    Spine(
      [("MICHELLE OBAMA", 26, false), ("BECOMING", 30, false), ("VIKING", 9, true)], "BECOMING",
      "MICHELLE OBAMA"),
    Spine(
      [
        ("Bill Bryson", 22, false), ("A Short History of Nearly Everything", 18, false),
        ("BLACK SWAN", 8, true),
      ], "A Short History of Nearly Everything", "Bill Bryson"),
    Spine(
      [("THE SELFISH GENE", 22, false), ("RICHARD DAWKINS", 16, false), ("OXFORD", 10, false)],
      "THE SELFISH GENE", "RICHARD DAWKINS"),
    Spine(
      [
        ("Daniel Kahneman", 16, false), ("Thinking, Fast and Slow", 22, false),
        ("ALLEN LANE", 8, false),
      ], "Thinking, Fast and Slow", "Daniel Kahneman"),
    Spine(
      [
        ("Steven Pinker", 18, false), ("The Blank Slate", 24, false),
        ("The Modern Denial of Human Nature", 10, false),
      ], "The Blank Slate", "Steven Pinker"),
    Spine(
      [("CIXIN LIU", 20, false), ("THE THREE-BODY PROBLEM", 20, false), ("TOR", 12, true)],
      "THE THREE-BODY PROBLEM", "CIXIN LIU"),
    Spine(
      [("Hilary Mantel", 20, false), ("Wolf Hall", 30, false), ("FOURTH ESTATE", 9, false)],
      "Wolf Hall", "Hilary Mantel"),
    Spine(
      [("MARGARET ATWOOD", 18, false), ("THE HANDMAID'S TALE", 22, false), ("VINTAGE", 9, true)],
      "THE HANDMAID'S TALE", "MARGARET ATWOOD"),
    Spine(
      [
        ("The Art of Computer Programming", 18, false), ("VOLUME 1", 14, false),
        ("Fundamental Algorithms", 14, false), ("KNUTH", 18, false), ("ADDISON", 8, true),
        ("WESLEY", 8, true),
      ], "The Art of Computer Programming", "KNUTH"),
    Spine(
      [
        ("Design Patterns", 26, false),
        ("Elements of Reusable Object-Oriented Software", 10, false), ("Gamma", 12, true),
        ("Helm", 12, true), ("Johnson", 12, true), ("Vlissides", 12, true),
      ], "Design Patterns", nil),
    Spine(
      [
        ("C", 40, false), ("KERNIGHAN & RITCHIE", 14, false),
        ("THE C PROGRAMMING LANGUAGE", 20, false), ("PRENTICE HALL", 8, false),
      ], "THE C PROGRAMMING LANGUAGE", "KERNIGHAN & RITCHIE"),
    Spine(
      [("Lee Child", 30, false), ("Killing Floor", 24, false), ("BANTAM", 9, true)],
      "Killing Floor", "Lee Child"),
    Spine(
      [("JO NESBØ", 30, false), ("THE SNOWMAN", 26, false), ("VINTAGE", 9, false)], "THE SNOWMAN",
      "JO NESBØ"),
    Spine(
      [
        ("DER ZAUBERBERG", 22, false), ("THOMAS MANN", 18, false),
        ("FISCHER TASCHENBUCH", 9, false),
      ], "DER ZAUBERBERG", "THOMAS MANN"),
    Spine(
      [("Franz Kafka", 16, false), ("Der Prozeß", 24, false), ("suhrkamp taschenbuch", 9, false)],
      "Der Prozeß", "Franz Kafka"),
    Spine(
      [("Patrick Süskind", 16, false), ("Das Parfum", 22, false), ("Diogenes", 10, false)],
      "Das Parfum", "Patrick Süskind"),
    Spine(
      [("ALBERT CAMUS", 18, false), ("L'étranger", 24, false), ("folio", 12, true)], "L'étranger",
      "ALBERT CAMUS"),
    Spine(
      [
        ("Antoine de Saint-Exupéry", 14, false), ("Le Petit Prince", 22, false),
        ("Gallimard", 9, false),
      ], "Le Petit Prince", "Antoine de Saint-Exupéry"),
    Spine(
      [
        ("Isabel Allende", 18, false), ("La casa de los espíritus", 20, false),
        ("DEBOLSILLO", 9, false),
      ], "La casa de los espíritus", "Isabel Allende"),
    Spine(
      [("Umberto Eco", 20, false), ("Il nome della rosa", 22, false), ("Bompiani", 9, false)],
      "Il nome della rosa", "Umberto Eco"),
    Spine(
      [
        ("Andrzej Sapkowski", 16, false), ("Ostatnie życzenie", 22, false), ("superNOWA", 9, false),
      ], "Ostatnie życzenie", "Andrzej Sapkowski"),
    Spine(
      [("Stanisław Lem", 20, false), ("Solaris", 30, false), ("Wydawnictwo Literackie", 8, false)],
      "Solaris", "Stanisław Lem"),
    Spine(
      [("MOBYDICK", 26, false), ("HERMANMELVILLE", 16, false), ("WORDSWORTHCLASSICS", 8, false)],
      "MOBY DICK", "HERMAN MELVILLE"),
    Spine(
      [("THEOLDMANANDTHESEA", 20, false), ("ERNESTHEMINGWAY", 16, false)],
      "THE OLD MAN AND THE SEA", "ERNEST HEMINGWAY"),
    Spine(
      [("TOKILLAMOCKINGBIRD", 20, false), ("HARPER LEE", 14, false)], "TO KILL A MOCKINGBIRD",
      "HARPER LEE"),
    Spine(
      [("AGATHA CHRISTIE MURDER ON THE ORIENT EXPRESS", 18, false), ("FONTANA", 8, false)],
      "MURDER ON THE ORIENT EXPRESS", "AGATHA CHRISTIE"),
    Spine([("Ian McEwan Atonement", 20, false), ("VINTAGE", 9, true)], "Atonement", "Ian McEwan"),
    Spine(
      [("NEVER LET ME GO KAZUO ISHIGURO", 20, false), ("ff", 12, true)], "NEVER LET ME GO",
      "KAZUO ISHIGURO"),
    Spine(
      [
        ("THE OXFORD BOOK OF ENGLISH VERSE", 18, false), ("EDITED BY", 9, false),
        ("CHRISTOPHER RICKS", 12, false), ("OXFORD", 10, false),
      ], "THE OXFORD BOOK OF ENGLISH VERSE", "CHRISTOPHER RICKS"),
    Spine(
      [
        ("Freakonomics", 28, false), ("Steven D. Levitt & Stephen J. Dubner", 14, false),
        ("PENGUIN", 8, true),
      ], "Freakonomics", "Steven D. Levitt & Stephen J. Dubner"),
    Spine(
      [
        ("A Game of Thrones", 24, false), ("BOOK ONE", 10, false),
        ("A Song of Ice and Fire", 11, false), ("GEORGE R.R. MARTIN", 22, false),
        ("HARPER", 9, true), ("VOYAGER", 9, true),
      ], "A Game of Thrones", "GEORGE R.R. MARTIN"),
    Spine(
      [("Carl Sagan", 20, false), ("COSMOS", 34, false), ("ABACUS", 9, true)], "COSMOS",
      "Carl Sagan"),
    Spine(
      [("Cormac McCarthy", 20, false), ("THE ROAD", 34, false), ("PICADOR", 9, true)], "THE ROAD",
      "Cormac McCarthy"),
    Spine(
      [("DAN BROWN", 36, false), ("ANGELS AND DEMONS", 22, false), ("CORGI", 9, true)],
      "ANGELS AND DEMONS", "DAN BROWN"),
    Spine([("Lonely Planet", 14, false), ("ICELAND", 36, false)], "ICELAND", nil),
    Spine([("ROUGH GUIDES", 10, false), ("Portugal", 34, false)], "Portugal", nil),
    Spine(
      [
        ("PYTHON CRASH COURSE", 26, false), ("2ND EDITION", 12, false), ("MATTHES", 14, false),
        ("no starch press", 8, false),
      ], "PYTHON CRASH COURSE", "MATTHES"),
    Spine(
      [
        ("Clean Code", 28, false), ("A Handbook of Agile Software Craftsmanship", 10, false),
        ("Martin", 16, false), ("PRENTICE", 8, true), ("HALL", 8, true),
      ], "Clean Code", "Martin"),
    Spine(
      [("CAL NEWPORT", 16, false), ("DIGITAL MINIMALISM", 22, false), ("PORTFOLIO", 8, false)],
      "DIGITAL MINIMALISM", "CAL NEWPORT"),
    Spine(
      [
        ("Virginia Woolf", 16, false), ("Mrs Dalloway", 24, false),
        ("PENGUIN MODERN CLASSICS", 8, false),
      ], "Mrs Dalloway", "Virginia Woolf"),
    Spine(
      [("DAPHNE DU MAURIER", 18, false), ("Rebecca", 30, false), ("VIRAGO", 9, true)], "Rebecca",
      "DAPHNE DU MAURIER"),
    Spine(
      [
        ("John le Carré", 20, false), ("Tinker Tailor Soldier Spy", 18, false),
        ("SCEPTRE", 9, true),
      ], "Tinker Tailor Soldier Spy", "John le Carré"),
    Spine(
      [
        ("SALMAN RUSHDIE", 18, false), ("MIDNIGHT'S CHILDREN", 22, false),
        ("BOOKER PRIZE WINNER", 8, false),
      ], "MIDNIGHT'S CHILDREN", "SALMAN RUSHDIE"),
    Spine(
      [
        ("CHIMAMANDA NGOZI ADICHIE", 14, false), ("AMERICANAH", 26, false),
        ("FOURTH ESTATE", 8, false),
      ], "AMERICANAH", "CHIMAMANDA NGOZI ADICHIE"),
    Spine(
      [("Sally Rooney", 20, false), ("Normal People", 26, false), ("ff", 12, true)],
      "Normal People", "Sally Rooney"),
    Spine(
      [
        ("Elena Ferrante", 16, false), ("My Brilliant Friend", 22, false),
        ("EUROPA EDITIONS", 8, false),
      ], "My Brilliant Friend", "Elena Ferrante"),
    Spine(
      [("Roald Dahl", 24, false), ("MATILDA", 34, false), ("PUFFIN", 10, true)], "MATILDA",
      "Roald Dahl"),
    Spine(
      [("PAULO COELHO", 20, false), ("THE ALCHEMIST", 24, false), ("HARPER ONE", 8, false)],
      "THE ALCHEMIST", "PAULO COELHO"),
    Spine(
      [
        ("Principles of Economics", 24, false), ("N. GREGORY MANKIW", 14, false),
        ("SEVENTH EDITION", 10, false), ("CENGAGE", 10, false),
      ], "Principles of Economics", "N. GREGORY MANKIW"),
    Spine(
      [("RANDALL MUNROE", 16, false), ("what if?", 34, false), ("JOHN MURRAY", 8, false)],
      "what if?", "RANDALL MUNROE"),
    Spine(
      [
        ("Collected Poems", 20, false), ("PHILIP LARKIN", 18, false), ("faber and faber", 9, false),
      ], "Collected Poems", "PHILIP LARKIN"),
    Spine(
      [
        ("ANNE FRANK", 20, false), ("The Diary of a Young Girl", 20, false),
        ("PUFFIN BOOKS", 8, false),
      ], "The Diary of a Young Girl", "ANNE FRANK"),
    Spine(
      [("NAOMI KLEIN", 20, false), ("No Logo", 34, false), ("FLAMINGO", 9, true)], "No Logo",
      "NAOMI KLEIN"),
    Spine(
      [("HISTORY OF ART", 26, false), ("GOMBRICH", 16, false), ("PHAIDON", 10, false)],
      "HISTORY OF ART", "GOMBRICH"),
    Spine(
      [("1Q84", 40, false), ("HARUKI MURAKAMI", 20, false), ("BOOKS ONE AND TWO", 10, false)],
      "1Q84", "HARUKI MURAKAMI"),
    Spine(
      [("Octavia E. Butler", 16, false), ("KINDRED", 28, false), ("HEADLINE", 9, true)], "KINDRED",
      "Octavia E. Butler"),
    Spine(
      [
        ("Richard Osman", 24, false), ("THE THURSDAY MURDER CLUB", 18, false),
        ("THE NUMBER ONE BESTSELLER", 8, false),
      ], "THE THURSDAY MURDER CLUB", "Richard Osman"),
    Spine(
      [
        ("Adam Smith", 14, false), ("THE WEALTH OF NATIONS", 20, false), ("BOOKS I-III", 9, false),
        ("PENGUIN CLASSICS", 8, false),
      ], "THE WEALTH OF NATIONS", "Adam Smith"),
  ]
}
