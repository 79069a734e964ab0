import Foundation

/// What happens to a history of counts, change by change: the same in the process that a test kills and
/// in the test, which so knows what must be found after each.
public struct HistoryScript: Sendable {
  /// An entry as it must be found.
  public struct Entry: Hashable, Sendable {
    /// Its number, of which all else but the flag follows.
    public let number: Int
    /// Whether it is a favourite.
    public var isFavorite: Bool

    /// The entry of a number.
    public init(number: Int, isFavorite: Bool) {
      self.number = number
      self.isFavorite = isFavorite
    }

    /// Its id.
    public var id: UUID { HistoryScript.id(number) }
    /// When it was counted.
    public var time: Date { Date(timeIntervalSince1970: 1_700_000_000 + Double(number) / 8) }
    /// What its photo is called.
    public var name: String { "photo \(number).jpg" }

    /// Its thumbnail: 5 to 20 KB that cannot be compressed.
    public var thumbnail: Data {
      var generator = SeededGenerator(seed: UInt64(number))
      let words = 640 + Int(generator.next() % 1920)
      return (0..<words).reduce(into: Data(capacity: 8 * words)) { bytes, _ in
        withUnsafeBytes(of: generator.next().littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
  }

  /// A change.
  public enum Change: Hashable, Sendable {
    /// Adds the entry with a number.
    case add(Int, isFavorite: Bool)
    /// Removes the entry with a number, if it is there.
    case remove(Int)
    /// Makes the entry with a number a favourite or not, if it is there.
    case favorite(Int, Bool)
    /// Removes all.
    case clear
  }

  /// How many entries the histories have room for that tests change by this: soon full.
  public static let limit = 100

  /// How many changes were taken in.
  public private(set) var count = 0
  /// The entries after them, oldest first.
  public private(set) var entries: [Entry] = []
  private let capacity: Int

  /// No entries, of which there will never be more than so many.
  public init(capacity: Int) { self.capacity = capacity }

  /// The change that comes after so many: mostly the adding of an entry.
  public static func change(after count: Int) -> Change {
    var generator = SeededGenerator(seed: UInt64(count) &* 2_654_435_761)
    let earlier = count - Int(generator.next() % 120)
    switch generator.next() % 1000 {
    case 0..<700: return .add(count, isFavorite: generator.next() % 20 == 0)
    case 700..<850: return .remove(earlier)
    case 850..<999: return .favorite(earlier, generator.next() % 3 == 0)
    default: return .clear
    }
  }

  /// Takes in the next change.
  public mutating func advance() {
    switch Self.change(after: count) {
    case .add(let number, let isFavorite):
      // With all of them favourites, nothing happens.
      if entries.count == capacity {
        if let oldest = entries.firstIndex(where: { !$0.isFavorite }) {
          entries.remove(at: oldest)
          entries.append(Entry(number: number, isFavorite: isFavorite))
        }
      } else {
        entries.append(Entry(number: number, isFavorite: isFavorite))
      }
    case .remove(let number): entries.removeAll { $0.number == number }
    case .favorite(let number, let isFavorite):
      if let index = entries.firstIndex(where: { $0.number == number }) {
        entries[index].isFavorite = isFavorite
      }
    case .clear: entries = []
    }
    count += 1
  }

  /// The id of an entry's number.
  public static func id(_ number: Int) -> UUID {
    var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(number)) &+ 1 << 40)
    return generator.uuid()
  }
}
