import Foundation
import TestSupport
import Testing

@testable import CountHistory

@Suite("A history")
struct StoreTests {
  /// Thresholds as an app has them.
  struct Thresholds: Codable, Equatable {
    var confidence = 0.25
    var names = ["é", "a/b", "\u{0}\u{1F}\u{2028}"]
    var off: Double?
  }

  @Test("What is added is found again, in another instance, value by value")
  func roundTrip() async throws {
    let folder = try ScratchFolder()
    let entry = try HistoryEntry(
      time: Date(timeIntervalSince1970: 1_795_387_654.321_9), count: 56,
      imageName: "tartlets.jpg", thresholds: Thresholds(), thumbnail: Data([0xFF, 0xD8, 0, 1]),
      isFavorite: true)
    // Rounded when it is made, so that what is read is equal.
    #expect(entry.time == Date(timeIntervalSince1970: 1_795_387_654.322))
    #expect(try await folder.history.add(entry) == [])
    let found = try #require(try await folder.history.entries().first)
    #expect(found == entry)
    #expect(try found.thresholds(as: Thresholds.self) == Thresholds())
    #expect(found.count == 56 && found.isFavorite && found.thumbnail == Data([0xFF, 0xD8, 0, 1]))
    #expect(try await folder.history.entry(entry.id) == entry)
    #expect(try await folder.history.entry(UUID()) == nil)
    #expect(try folder.names() == ["history.sqlite"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.history.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("Where there is no file, reading finds nothing and makes none")
  func nothing() async throws {
    let folder = try ScratchFolder()
    let history = HistoryFile(folder.file("a/b/history.sqlite"))
    #expect(try await history.entries().isEmpty)
    #expect(try await history.entry(UUID()) == nil)
    #expect(try await history.remove(UUID()) == false)
    #expect(try await history.setFavorite(true, UUID()) == false)
    #expect(try await history.removeAll() == 0)
    #expect(try folder.names().isEmpty)
    try await history.fill([1])
    #expect(try await history.numbers() == [1])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a").path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    // So it is for an empty file, which a killed process may leave.
    try folder.write(Data(), "empty")
    let empty = HistoryFile(folder.file("empty"))
    #expect(try await empty.numbers() == [])
    #expect(try await empty.removeAll() == 0)
    try await empty.fill([2])
    #expect(try await empty.numbers() == [2])
  }

  @Test("Newest first; of the same time, the last added first")
  func order() async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill([5, 1, 9, 3])
    #expect(try await folder.history.numbers() == [9, 5, 3, 1])
    let time = HistoryScript.Entry(number: 5, isFavorite: false).time
    for count in [50, 51] {
      try await folder.history.add(
        HistoryEntry(time: time, count: count, imageName: nil, thresholds: 0, thumbnail: nil))
    }
    #expect(try await folder.history.numbers() == [9, 51, 50, 5, 3, 1])
  }

  @Test("One more than may be takes the place of the oldest that is no favourite")
  func capacity() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    try await history.setLimit(100)
    try await history.fill(0..<2, isFavorite: true)
    try await history.fill(2..<100)
    #expect(try await history.entries().count == 100)
    #expect(try await history.add(.sample(100)) == [HistoryScript.id(2)])
    #expect(try await history.numbers() == Array((3...100).reversed()) + [1, 0])
    // A favourite no more, it is the oldest.
    #expect(try await history.setFavorite(false, HistoryScript.id(1)))
    #expect(try await history.add(.sample(101)) == [HistoryScript.id(1)])
    // An entry that is older than all others is still added, and goes when the next one comes.
    #expect(try await history.add(.sample(2)) == [HistoryScript.id(3)])
    #expect(try await history.numbers().suffix(2) == [2, 0])
    #expect(try await history.add(.sample(102)) == [HistoryScript.id(2)])
    #expect(try await history.capacity() == (100, 4))
    #expect(try await history.removeAll() == 100)
    #expect(try await history.capacity() == (100, 0))
  }

  @Test("A limit is the file's: it holds for all who open it, and a smaller one removes if told to")
  func limits() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    #expect(try await history.capacity() == (1000, 0))
    #expect(try folder.names().isEmpty)
    for limit in [0, -1, 10_001, .max, .min] {
      await #expect(throws: HistoryError.self) { try await history.setLimit(limit) }
    }
    try await history.setLimit(5)
    try await history.fill([0, 2], isFavorite: true)
    try await history.fill([1, 3, 4])
    #expect(try await folder.history.add(.sample(5)) == [HistoryScript.id(1)])
    // Nothing is removed unasked, and no favourite in any case.
    let error = HistoryError.moreThan(path: history.path, limit: 3, count: 5)
    #expect(
      error.description.hasSuffix("holds 5 entries, more than the limit of 3 that was asked for"))
    await #expect(throws: error) { try await history.setLimit(3) }
    await #expect(throws: HistoryError.full(path: history.path, limit: 1)) {
      try await history.setLimit(1, removesEntries: true)
    }
    #expect(try await history.numbers() == [5, 4, 3, 2, 0])
    #expect(try await history.capacity() == (5, 1))
    let removed = try await history.setLimit(3, removesEntries: true)
    #expect(removed == [HistoryScript.id(3), HistoryScript.id(4)])
    #expect(try await history.numbers() == [5, 2, 0])
    try await history.setLimit(10_000)
    try await history.fill(6..<20)
    #expect(try await history.numbers().count == 17)
  }

  @Test("The folder, the interval and a person's count come back, and are in the checksum")
  func laterFields() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    let time = Date(timeIntervalSince1970: 1)
    let entry = try HistoryEntry(
      time: time, count: 18, interval: 12...26, correctedCount: 19, imageName: "a.jpg",
      imageFolder: "/photos/é", thresholds: 0, thumbnail: nil)
    let plain = try HistoryEntry(
      time: time, count: 18, imageName: "a.jpg", thresholds: 0, thumbnail: nil)
    try await history.add(entry)
    try await history.add(plain)
    #expect(try await history.entries() == [plain, entry])
    #expect(entry.finalCount == 19 && plain.finalCount == 18)
    #expect(try await history.setCorrectedCount(nil, entry.id))
    #expect(try await history.setCorrectedCount(0, plain.id))
    #expect(try await !history.setCorrectedCount(0, UUID()))
    #expect(try await history.entries().map(\.correctedCount) == [0, nil])
    #expect(try await history.entries().map(\.finalCount) == [0, 18])
    await #expect(throws: HistoryError.self) { try await history.setCorrectedCount(-1, plain.id) }
    for change in [
      "folder = 'b'", "folder = NULL", "folder = x'00'", "corrected = 3", "corrected = 'x'",
      "least = 11", "least = NULL", "least = 30", "greatest = 27", "least = NULL, greatest = NULL",
    ] {
      let other = try ScratchFolder()
      try other.write(try folder.read())
      try other.edit("UPDATE entries SET \(change) WHERE sequence = 1")
      await #expect(throws: HistoryError.self, "\(change)") { try await other.history.entries() }
    }
    for (interval, folder) in [(-1...3, "a"), (0...1_000_000_001, "a")] {
      #expect(throws: HistoryError.self) {
        try HistoryEntry(
          time: time, count: 1, interval: interval, imageName: nil, imageFolder: folder,
          thresholds: 0, thumbnail: nil)
      }
    }
    #expect(throws: HistoryError.self) {
      try HistoryEntry(
        time: time, count: 1, imageName: nil, imageFolder: String(repeating: "f", count: 4097),
        thresholds: 0, thumbnail: nil)
    }
  }

  @Test("With nothing but favourites none is added, none lost, and the error says why")
  func allFavorites() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    try await history.setLimit(100)
    try await history.fill(0..<100, isFavorite: true)
    let before = try await history.entries()
    let error = await #expect(throws: HistoryError.full(path: history.path, limit: 100)) {
      try await history.fill([100])
    }
    #expect(error?.description.contains("room for 100 entries, and favourites take it all") == true)
    await #expect(throws: HistoryError.full(path: history.path, limit: 100)) {
      try await history.fill([100], isFavorite: true)
    }
    #expect(try await history.entries() == before)
    #expect(try await history.remove(HistoryScript.id(50)))
    #expect(try await history.add(.sample(100)) == [])
    // It is the only one that may go, and the next takes its place.
    #expect(try await history.add(.sample(101)) == [HistoryScript.id(100)])
  }

  @Test("Entries are made favourites and removed, one by one and all")
  func changes() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    try await history.fill(0..<10)
    #expect(try await history.setFavorite(true, HistoryScript.id(4)))
    #expect(try await history.setFavorite(true, HistoryScript.id(4)))
    #expect(try await history.entry(HistoryScript.id(4))?.isFavorite == true)
    #expect(try await history.remove(HistoryScript.id(4)))
    #expect(try await !history.remove(HistoryScript.id(4)))
    #expect(try await !history.setFavorite(true, HistoryScript.id(4)))
    #expect(try await history.numbers() == [9, 8, 7, 6, 5, 3, 2, 1, 0])
    #expect(try await history.removeAll() == 9)
    #expect(try await history.removeAll() == 0)
    #expect(try await history.entries().isEmpty)
    try await history.fill([1])
    #expect(try await history.numbers() == [1])
  }

  @Test("An id is there once")
  func taken() async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill([1])
    await #expect(
      throws: HistoryError.taken(path: folder.history.path, id: HistoryScript.id(1))
    ) { try await folder.history.fill([1]) }
    #expect(try await folder.history.numbers() == [1])
  }

  @Test("What is deleted is not in the file any more")
  func overwritten() async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill(0..<20)
    let kept = try HistoryEntry.sample(7)
    let gone = try HistoryEntry.sample(8)
    let pieces = { (entry: HistoryEntry) in
      let thumbnail = entry.thumbnail ?? Data()
      return stride(from: 0, to: thumbnail.count - 16, by: 500).map {
        Data(thumbnail[$0..<($0 + 16)])
      }
    }
    let before = try folder.read()
    #expect(pieces(gone).filter { before.range(of: $0) != nil }.count > 5)
    try await folder.history.remove(gone.id)
    let after = try folder.read()
    #expect(pieces(gone).allSatisfy { after.range(of: $0) == nil })
    #expect(pieces(kept).filter { after.range(of: $0) != nil }.count > 5)
  }

  @Test("A file of 100 entries with thumbnails of 5 to 20 KB is below 3 MB, and stays so")
  func size() async throws {
    let folder = try ScratchFolder()
    try await folder.history.setLimit(100)
    try await folder.history.fill(0..<300)
    #expect(try folder.read().count < 3_000_000)
    #expect(try folder.names() == ["history.sqlite"])
  }

  @Test("Found by name in any case, by time and by favourite")
  func filters() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    for (count, name) in ["Coins.JPG", nil, "coins-2.jpg", "ÉTÉ.png", "", "100%_.jpg"].enumerated()
    {
      try await history.add(
        HistoryEntry(
          time: Date(timeIntervalSince1970: Double(count)), count: count, imageName: name,
          thresholds: [0], thumbnail: nil, isFavorite: count % 2 == 0))
    }
    func numbers(_ filter: HistoryFilter) async throws -> [Int] {
      try await history.entries(matching: filter).map(\.count)
    }
    func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
    #expect(try await numbers(.all) == [5, 4, 3, 2, 1, 0])
    #expect(try await numbers(HistoryFilter(name: "coins")) == [2, 0])
    #expect(try await numbers(HistoryFilter(name: "été")) == [3])
    #expect(try await numbers(HistoryFilter(name: "%_")) == [5])
    #expect(try await numbers(HistoryFilter(name: "")) == [5, 4, 3, 2, 1, 0])
    #expect(try await numbers(HistoryFilter(name: "none")) == [])
    #expect(try await numbers(HistoryFilter(earliest: time(2), latest: time(4))) == [4, 3, 2])
    #expect(try await numbers(HistoryFilter(earliest: time(2.5))) == [5, 4, 3])
    #expect(try await numbers(HistoryFilter(favoritesOnly: true)) == [4, 2, 0])
    #expect(try await numbers(HistoryFilter(name: "COINS", earliest: time(1))) == [2])
    #expect(try await numbers(HistoryFilter(latest: Date(timeIntervalSince1970: .nan))) == [])
  }

  // MARK: Values

  @Test(
    "Names of any letters come back as they were, zeros and control characters too",
    arguments: [
      "", "a\u{0}b", "\u{0}", "\u{FEFF}bom", "\u{202E}gpj.exe", "\n\r\t\u{1B}[31m", "e\u{301}", "é",
      "🍰", "'; DROP TABLE entries; --", String(repeating: "n", count: 4096),
    ])
  func names(name: String) async throws {
    let folder = try ScratchFolder()
    try await folder.history.add(
      HistoryEntry(
        time: Date(timeIntervalSince1970: 0), count: 0, imageName: name, thresholds: name,
        thumbnail: nil))
    let found = try #require(try await folder.history.entries().first)
    // Strings are equal by meaning; bytes tell more.
    #expect(found.imageName.map { Array($0.utf8) } == Array(name.utf8))
    #expect(try Array(found.thresholds(as: String.self).utf8) == Array(name.utf8))
    #expect(
      try await folder.history.entries(matching: HistoryFilter(name: name)).count == 1)
  }

  private func entry(
    time: Date = Date(timeIntervalSince1970: 0), count: Int = 1, name: String? = nil,
    thresholds: some Encodable = [1], thumbnail: Data? = nil
  ) throws -> HistoryEntry {
    try HistoryEntry(
      time: time, count: count, imageName: name, thresholds: thresholds, thumbnail: thumbnail)
  }

  @Test("Values outside their ranges are errors of one line, and none traps")
  func ranges() throws {
    for count in [-1, .min, 1_000_000_001, .max] {
      #expect(throws: HistoryError.self) { try entry(count: count) }
    }
    for seconds in [.nan, .infinity, -.infinity, 1e300, -1e300, 253_402_300_800, -62_135_596_801] {
      let error = #expect(throws: HistoryError.self) {
        try entry(time: Date(timeIntervalSince1970: seconds))
      }
      #expect(error?.description.contains("in the years 1 to 9999") == true)
    }
    for seconds in [253_402_300_799, -62_135_596_800, -0.0004, 0.0005] {
      #expect(throws: Never.self) { try entry(time: Date(timeIntervalSince1970: seconds)) }
    }
    let long = String(repeating: "n", count: 10_000_000)
    for make in [
      { try entry(name: long) }, { try entry(name: String(long.prefix(4097))) },
      { try entry(thresholds: long) }, { try entry(thumbnail: Data()) },
      { try entry(thumbnail: Data(count: 65_537)) },
    ] {
      let error = #expect(throws: HistoryError.self) { _ = try make() }
      #expect(error.map { "\($0)".count < 120 && "\($0)".contains("it must be from") } == true)
    }
    #expect(throws: Never.self) { try entry(thumbnail: Data(count: 65_536)) }
  }

  @Test(
    "Thresholds that are no numbers cannot be kept, and say which",
    arguments: [Double.nan, .infinity])
  func notNumbers(value: Double) throws {
    let error = #expect(throws: HistoryError.self) {
      try entry(thresholds: Thresholds(confidence: value))
    }
    #expect(error?.description.contains("confidence") == true, "\(String(describing: error))")
    #expect(error?.description.contains("\n") == false)
    let other = #expect(throws: HistoryError.self) {
      try entry(thresholds: [1, 2]).thresholds(as: Thresholds.self)
    }
    #expect(other?.description.hasPrefix("the thresholds are wrong: ") == true)
  }

  @Test("The largest 100 entries there can be are below 20 MB")
  func largest() async throws {
    let folder = try ScratchFolder()
    for number in 0..<100 {
      try await folder.history.add(
        entry(
          time: Date(timeIntervalSince1970: Double(number)), count: number,
          name: String(repeating: "n", count: 4096),
          thresholds: String(repeating: "t", count: 65_534), thumbnail: Data(count: 65_536)))
    }
    #expect(try await folder.history.numbers() == (0..<100).reversed())
    #expect(try folder.read().count < 20_000_000)
  }

  @Test("The usual place is what the environment says")
  func usual() {
    func path(_ environment: [String: String]) -> String? {
      HistoryFile.usual(environment: environment)?.url.path
    }
    #expect(path(["XDG_DATA_HOME": "/data", "HOME": "/home/me"]) == "/data/tally/history.sqlite")
    #expect(path(["HOME": "/home/me"]) == "/home/me/.local/share/tally/history.sqlite")
    #expect(
      path(["XDG_DATA_HOME": "data", "HOME": "/home/me"])
        == "/home/me/.local/share/tally/history.sqlite")
    #expect(path(["XDG_DATA_HOME": "", "HOME": ""]) == nil)
    #expect(path([:]) == nil)
  }
}
