/// Series and kinds of books, as spines name them.
enum SeriesWords {
  /// Series, genres and remarks, folded as ``Lexicon/key(of:)`` does.
  static let names = Set(written.map { Lexicon.key(of: $0) })

  /// The same as they are written, with spaces around them.
  static let written =
    """
    Modern Classics, Penguin Classics, Penguin Modern Classics, Modern Library, Oxford World's Classics, \
    World's Classics, Wordsworth Classics, Vintage Classics, Everyman's Library, Collins Classics, \
    Classics, Masterworks, SF Masterworks, Fantasy Masterworks, Loeb Classical Library, Pelican Books, \
    Very Short Introductions, A Very Short Introduction, For Dummies, Graduate Texts in Mathematics, \
    Lecture Notes in Computer Science, Undergraduate Texts in Mathematics, Library of America, \
    The Library of America, Science Fiction, Fiction, Non-Fiction, Nonfiction, Fantasy, Crime, Horror, \
    Thriller, Romance, Western, Biography, Autobiography, Memoir, Travel, Cookery, Poetry, Drama, \
    Reference, Young Adult, Graphic Novel, A Graphic Novel, A Novel, Novel, Novels, A Memoir, Stories, \
    Short Stories, A Thriller, Roman, Romane, Krimi, Kriminalroman, Thriller, Erzählungen, Novellen, \
    Gedichte, Sachbuch, Ein Roman, Nouvelles, Récit, Essai, Poésie, Policier, Novela, Cuentos, Ensayo, \
    Poesía, Romanzo, Racconti, Saggi, Powieść, Opowiadania wybrane, Kryminał, Poezja, International \
    Bestseller, The International Bestseller, The No 1 Bestseller, The Number One Bestseller, Bestseller, \
    The Sunday Times Bestseller, New York Times Bestseller, The New York Times Bestseller, Booker Prize \
    Winner, Winner of the Booker Prize, Winner of the Pulitzer Prize, Pulitzer Prize Winner, Pulitzer \
    Prize, Nobel Prize in Literature, Winner of the Nobel Prize, Now a Major Motion Picture, Winner, \
    Soon to be a Major Film, Now a Major Film, Business, History, Politics, Science, Computing, \
    Taschenbuch, Bibliothek, Bibliothek Suhrkamp, Edition Suhrkamp, Folio, Folio Classique, Folio Policier, \
    Livre de Poche, Points, Bolsillo, Letras Hispánicas, Biblioteca, I Meridiani, Oscar, Biblioteka, \
    Biblioteka Narodowa, Lektury, Klasyka, Teach Yourself, Shakespeare Library, The Arden Shakespeare, \
    Arden Shakespeare, Norton Critical Edition, Dover Thrift Editions, New Directions, Student Edition
    """.split(separator: ",")

  /// Words that the name of a series ends with.
  static let endings: Set<String> = [
    "classics", "masterworks", "library", "series", "collection", "bestsellers", "essentials",
    "reihe", "bibliothek", "taschenbucher", "taschenbuecher", "klassiker", "collana", "biblioteca",
    "coleccion", "seria", "biblioteka", "klassik", "originals", "modernclassics",
  ]
}

/// What editions are called.
enum EditionWords {
  /// Words for an edition.
  static let nouns: Set<String> = [
    "edition", "editions", "ed", "edn", "auflage", "aufl", "ausgabe", "tirage", "edicion",
    "edizione", "wydanie", "wyd", "printing", "impression",
  ]

  /// Words that tell one edition from another.
  static let adjectives: Set<String> = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "new", "revised", "updated", "expanded", "enlarged", "international",
    "anniversary", "special", "limited", "collectors", "deluxe", "illustrated", "complete",
    "unabridged", "abridged", "student", "teachers", "global", "critical", "annotated",
    "definitive",
    "authorised", "authorized", "paperback", "hardcover", "pocket", "large", "print", "motif",
    "1st", "erste", "zweite", "dritte", "vierte", "neue", "erweiterte", "uberarbeitete",
    "ueberarbeitete", "premiere", "deuxieme", "troisieme", "nouvelle", "revue", "primera",
    "segunda", "tercera", "nueva", "prima", "seconda", "terza", "nuova", "pierwsze", "drugie",
    "trzecie", "nowe", "poprawione",
  ]

  /// Phrases that say the same without such a word.
  static let phrases: Set<String> = [
    "revisedandupdated", "newandrevised", "fullyrevised", "fullyrevisedandupdated", "uncut",
    "theoriginaluncut", "theuncutedition", "unabridged", "completeandunabridged", "largeprint",
    "completelyrevised", "revisedandexpanded", "newrevised", "paperback", "hardback", "neuausgabe",
    "sonderausgabe", "originalausgabe", "illustrated", "bilingual", "zweisprachig",
  ]
}

/// What volumes are called and how they are numbered.
enum VolumeWords {
  /// Words before a number; in key form.
  static let nouns: Set<String> = [
    "vol", "volume", "volumes", "vols", "part", "book", "no", "number", "band", "bd", "teil",
    "buch", "heft", "tome", "livre", "partie", "tomo", "volumen", "parte", "libro", "tom", "czesc",
    "ksiega", "nr", "issue",
  ]

  /// Months in English, whole ones before their short forms.
  static let months = [
    "january", "february", "march", "april", "june", "july", "august", "september", "october",
    "november", "december", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sept", "sep",
    "oct", "nov", "dec", "spring", "summer", "autumn", "winter",
  ]

  /// Roman numerals from 1 to 20, without single letters other than I, V and X.
  static let roman: Set<String> = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv",
    "xvi", "xvii", "xviii", "xix", "xx",
  ]

  /// Numbers as words.
  static let spelled: Set<String> = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "first", "second", "third", "eins", "zwei", "drei", "vier", "un", "deux", "trois",
    "quatre", "uno", "dos", "tres", "due", "tre", "pierwszy", "drugi", "trzeci",
  ]
}

extension Publishers {
  /// The longer names, which a recognizer's mistake leaves recognizable.
  static let longNames = names.filter { $0.utf8.count >= 7 }
}
