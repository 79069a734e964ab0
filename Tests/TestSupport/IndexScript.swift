import Foundation

/// What happens to an index, commit by commit: the same in the process that a test kills and in the
/// test, which so knows what must be found after each.
public struct IndexScript: Sendable {
  /// An entry as it must be found.
  public struct Entry: Equatable, Sendable {
    /// Its vector.
    public let vector: [Float]
    /// Its payload.
    public let payload: String

    /// An entry of both.
    public init(vector: [Float], payload: String) {
      self.vector = vector
      self.payload = payload
    }
  }

  /// A change of one entry: nil removes it.
  public typealias Change = (id: UUID, entry: Entry?)

  /// The length of vectors.
  public static let dimension = 8

  /// The last commit that was taken in.
  public private(set) var commit = 1
  /// All entries after it.
  public private(set) var entries: [UUID: Entry] = [:]

  /// The state after the first commit, which makes the index.
  public init() {}

  /// Whether a commit is made by compaction, and changes nothing.
  public static func isCompaction(_ commit: Int) -> Bool { commit % 7 == 0 }

  /// The changes of a commit, in order.
  public static func changes(of commit: Int) -> [Change] {
    guard !isCompaction(commit) else { return [] }
    var generator = SeededGenerator(seed: UInt64(commit))
    return (0..<(1 + generator.next() % 40)).map { place in
      let id = id(Int(generator.next() % 200))
      // The first is never a removal: one of nothing would leave nothing to commit.
      guard generator.next() % 4 > 0 || place == 0 else { return (id, nil) }
      let vector = (0..<dimension).map { _ in generator.unitFloat() - 0.5 }
      let length = Int(generator.next() % (generator.next() % 8 == 0 ? 20_000 : 200))
      let payload = String(repeating: "p\(commit) ", count: length / 4)
      return (id, Entry(vector: vector, payload: payload))
    }
  }

  /// Makes the changes of a commit, in order.
  public static func replay(
    _ commit: Int, add: (UUID, Entry) throws -> Void, remove: (UUID) throws -> Void
  ) rethrows {
    for (id, entry) in changes(of: commit) {
      if let entry { try add(id, entry) } else { try remove(id) }
    }
  }

  /// The id of an entry's number.
  public static func id(_ number: Int) -> UUID {
    var generator = SeededGenerator(seed: UInt64(number) &+ 1 << 32)
    return generator.uuid()
  }

  /// Takes in all commits up to one.
  public mutating func advance(to last: Int) {
    while commit < last {
      commit += 1
      for change in Self.changes(of: commit) { entries[change.id] = change.entry }
    }
  }
}

extension SeededGenerator {
  /// An id of random bytes.
  public mutating func uuid() -> UUID {
    let (high, low) = (next(), next())
    func byte(_ word: UInt64, _ place: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (8 * place))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}
