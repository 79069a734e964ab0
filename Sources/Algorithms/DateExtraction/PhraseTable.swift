/// Words and phrases with their meanings, for finding them at a place in a text.
struct PhraseTable<Meaning: Sendable>: Sendable {
  /// A phrase in capital letters; a blank stands for up to three characters between words, or none.
  private struct Phrase {
    let letters: [UInt8]
    let meaning: Meaning
    /// Whether it is so long that one misread letter does not make another word of it.
    let isLong: Bool
  }

  /// By first letter, longer phrases first.
  private var buckets = [[Phrase]](repeating: [], count: 26)

  /// Makes a table; `shortest` is the least number of letters for finding a phrase with misread
  /// ones.
  init(_ rows: [(Meaning, String)], shortestRepaired shortest: Int) {
    for (meaning, words) in rows {
      for word in words.split(separator: ",") {
        let letters = Array(word.utf8)
        buckets[Int(letters[0]) - 0x41].append(
          Phrase(letters: letters, meaning: meaning, isLong: letters.count >= shortest))
      }
    }
    for index in buckets.indices {
      buckets[index].sort { $0.letters.count > $1.letters.count }
    }
  }

  /// A phrase in the text.
  struct Hit {
    let meaning: Meaning
    /// The end of its last letter.
    let end: Int
    /// The number of digits read as letters.
    let repairs: Int
  }

  /// The longest phrase that begins here and ends with a word, unchanged or else with misread
  /// letters.
  ///
  /// - Complexity: O(1).
  func hit(in text: FoldedText, at start: Int, repairing: Bool) -> Hit? {
    let first = text[start]
    for bucket in Self.firstLetters(first, repairing: repairing) {
      for repairs in repairing ? [false, true] : [false] {
        for phrase in buckets[Int(bucket) - 0x41] where phrase.isLong || !repairs {
          if let hit = Self.match(phrase, in: text, at: start, repairing: repairs) { return hit }
        }
      }
    }
    return nil
  }

  private static func firstLetters(_ character: UInt8, repairing: Bool) -> [UInt8] {
    let upper = character & 0xDF
    if upper &- 0x41 < 26, character < 0x80 { return [upper] }
    guard repairing, Fold.isDigit(character) else { return [] }
    return [0x42, 0x44, 0x49, 0x4C, 0x4F, 0x53].filter { Fold.isMisread(character, of: $0) }
  }

  private static func match(
    _ phrase: Phrase, in text: FoldedText, at start: Int, repairing: Bool
  ) -> Hit? {
    var place = start
    var repairs = 0
    for letter in phrase.letters {
      if letter == 0x20 {
        let limit = place + 3
        while place < limit, isGap(text[place]), place < text.count { place += 1 }
        continue
      }
      let character = text[place]
      if character < 0x80, Fold.isLetter(character), character & 0xDF == letter {
      } else if repairing, Fold.isMisread(character, of: letter) {
        repairs += 1
      } else {
        return nil
      }
      place += 1
    }
    guard !Fold.isLetter(text[place]) else { return nil }
    return Hit(meaning: phrase.meaning, end: place, repairs: repairs)
  }

  private static func isGap(_ character: UInt8) -> Bool {
    switch character {
    case 0x20, 0x0A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "'"): true
    default: false
    }
  }
}

/// The names of months in English, German, French, Spanish and Italian, without accents.
let monthNames = PhraseTable<Int>(
  [
    (1, "JANUARY,JAN,JANUAR,JAENNER,JANNER,JANVIER,JANV,ENERO,ENE,GENNAIO,GENN,GEN"),
    (2, "FEBRUARY,FEB,FEBR,FEBRUAR,FEVRIER,FEVR,FEV,FEBRERO,FEBBRAIO,FEBB"),
    (3, "MARCH,MAR,MARZ,MAERZ,MRZ,MARS,MARZO"),
    (4, "APRIL,APR,AVRIL,AVR,ABRIL,ABR,APRILE"),
    (5, "MAY,MAI,MAYO,MAGGIO,MAG"),
    (6, "JUNE,JUN,JUNI,JUIN,JUNIO,GIUGNO,GIU"),
    (7, "JULY,JUL,JULI,JUILLET,JUIL,JULIO,LUGLIO,LUG"),
    (8, "AUGUST,AUG,AOUT,AGOSTO,AGO"),
    (9, "SEPTEMBER,SEPT,SEP,SEPTEMBRE,SEPTIEMBRE,SETIEMBRE,SETTEMBRE,SETT,SET"),
    (10, "OCTOBER,OCT,OKTOBER,OKT,OCTOBRE,OCTUBRE,OTTOBRE,OTT"),
    (11, "NOVEMBER,NOV,NOVEMBRE,NOVIEMBRE"),
    (12, "DECEMBER,DEC,DEZEMBER,DEZ,DECEMBRE,DICIEMBRE,DIC,DICEMBRE"),
  ], shortestRepaired: 3)

/// The two-letter symbols of months in Canada's rules for prepackaged food, for both languages.
///
/// Source: Canadian Food Inspection Agency, Date marking on prepackaged foods, bilingual symbols.
let monthSymbols = PhraseTable<Int>(
  [
    (1, "JA"), (2, "FE"), (3, "MR"), (4, "AL"), (5, "MA"), (6, "JN"), (7, "JL"), (8, "AU"),
    (9, "SE"), (10, "OC"), (11, "NO"), (12, "DE"),
  ], shortestRepaired: 3)

/// The labels of dates; nil is a phrase that only looks like a label.
let labelPhrases = PhraseTable<DateLabel?>(
  [
    (
      .expiry,
      "EXP,EXPIRES,EXPIRY,EXPIRATION,EXPIRE,EXPIRED,EXPIRING,VERFALL,VERFALLT,VERFALLSDATUM,VERW BIS,"
        + "VERWENDBAR BIS,PEREMPTION,CADUCIDAD,CADUCA,VENCE,VENCIMIENTO,VENC,VTO,SCADENZA,SCADE,SCAD"
    ),
    (
      .bestBefore,
      "BEST BEFORE,BEST BEFORE END,BEST BY,BEST IF USED BY,BEST IF USED BEFORE,BEST WHEN USED BY,"
        + "BEST WHEN USED BEFORE,BEST IF ENJOYED BY,BETTER IF USED BY,BBE,BBD,BB,BEST BEF,MHD,"
        + "MINDESTENS HALTBAR BIS,HALTBAR BIS,A CONSOMMER DE PREFERENCE AVANT,MEILLEUR AVANT,"
        + "CONSUMIR PREFERENTEMENTE ANTES DE,CONSUMIR PREFERENTEMENTE ANTES DEL,"
        + "DA CONSUMARSI PREFERIBILMENTE ENTRO,DDM,TMC"
    ),
    (
      .useBy,
      "USE BY,USE BEFORE,CONSUME BY,CONSUME BEFORE,EAT BY,ZU VERBRAUCHEN BIS,VERBRAUCHEN BIS,"
        + "A CONSOMMER JUSQU AU,A CONSOMMER AVANT,DLC,DA CONSUMARSI ENTRO,CONSUMIR ANTES DE,"
        + "CONSUMIR ANTES DEL"
    ),
    (.sellBy, "SELL BY,SELL BEFORE,DISPLAY UNTIL,SELL UNTIL"),
    (
      .packed,
      "PACKED,PACKED ON,PACKAGED,PACKAGED ON,PACK DATE,PACKING DATE,PKD,VERPACKT,VERPACKT AM,"
        + "ABGEPACKT AM,EMBALLE LE,CONDITIONNE LE,ENVASADO,CONFEZIONATO"
    ),
    (
      .manufactured,
      "MFG,MFD,MANUFACTURED,MANUFACTURE DATE,MANUFACTURING DATE,DATE OF MANUFACTURE,PRODUCED,"
        + "PRODUCTION DATE,DATE OF PRODUCTION,PROD,MADE ON,HERGESTELLT,HERSTELLUNGSDATUM,FABRIQUE LE,"
        + "FABRICATION,FECHA DE FABRICACION,PRODOTTO,ELABORACION"
    ),
    (
      nil,
      "PACKED BY,PACKED IN,PACKED FOR,PACKAGED BY,PACKAGED IN,PACKAGED FOR,MANUFACTURED BY,"
        + "MANUFACTURED IN,MANUFACTURED FOR,PRODUCED BY,PRODUCED IN,PRODUCED FOR,HERGESTELLT IN,"
        + "HERGESTELLT VON,HERGESTELLT FUR,PRODOTTO IN,PRODOTTO DA"
    ),
  ], shortestRepaired: 5)

/// The endings of ordinal numbers.
let ordinalEnds = PhraseTable<Void>([((), "ST,ND,RD,TH,ER")], shortestRepaired: 9)
/// Words between the parts of a date.
let joiningWords = PhraseTable<Void>([((), "OF,DE,DEL,DI,D")], shortestRepaired: 9)
