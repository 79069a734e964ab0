import CountHistory
import Foundation
import Testing

/// What an app relies on, whatever keeps its history (P17).
@Suite("Stores of a history")
struct HistoryStoreTests {
  private func entry(_ count: Int, second: Double, isFavorite: Bool = false) throws -> HistoryEntry
  {
    try HistoryEntry(
      time: Date(timeIntervalSince1970: 1_767_268_800 + second), count: count,
      imageName: "tray\(count).jpg", thresholds: ["confidence": 0.3], thumbnail: nil,
      isFavorite: isFavorite)
  }

  @Test("a file and memory keep, change and drop the same", arguments: [true, false])
  func contract(isFile: Bool) async throws {
    let scratch = try ScratchFolder()
    let history: any HistoryStore
    if isFile {
      let file = scratch.history
      try await file.setLimit(3)
      history = file
    } else {
      history = MemoryHistory(limit: 3)
    }
    #expect(try await history.entries(matching: .all).isEmpty)
    let favorite = try entry(1, second: 10, isFavorite: true)
    let (old, same, new) = (
      try entry(2, second: 20), try entry(3, second: 20), try entry(4, second: 5)
    )
    for one in [favorite, old, same] { #expect(try await history.add(one) == []) }
    await #expect(throws: HistoryError.self) { try await history.add(old) }
    #expect(try await history.entries(matching: .all).map(\.count) == [3, 2, 1])
    // Full: the oldest that is not a favourite goes, and never the new one.
    #expect(try await history.add(new) == [old.id])
    #expect(try await history.entries(matching: .all).map(\.count) == [3, 1, 4])
    #expect(try await history.entries(matching: HistoryFilter(favoritesOnly: true)) == [favorite])

    #expect(try await history.setFavorite(true, new.id))
    #expect(try await history.setFavorite(true, same.id))
    #expect(try await !history.setFavorite(true, old.id))
    await #expect(throws: HistoryError.self) { try await history.add(entry(5, second: 50)) }
    #expect(try await history.setCorrectedCount(9, new.id))
    #expect(try await history.entry(new.id)?.finalCount == 9)
    #expect(try await history.setCorrectedCount(nil, new.id))
    #expect(try await history.entry(new.id)?.finalCount == 4)
    #expect(try await history.entry(old.id) == nil)
    await #expect(throws: HistoryError.self) { try await history.setCorrectedCount(-1, new.id) }

    #expect(try await history.remove(new.id))
    #expect(try await !history.remove(new.id))
    #expect(try await history.removeAll() == 2)
    #expect(try await history.entries(matching: .all).isEmpty)
  }
}
