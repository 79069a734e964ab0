import Foundation

/// Which entries of a history are wanted: all that every condition holds for.
public struct HistoryFilter: Hashable, Sendable {
  /// Part of the image's name, in any case of letters; nil for all, those without a name too.
  public var name: String?
  /// The earliest time.
  public var earliest: Date?
  /// The latest time.
  public var latest: Date?
  /// Whether only favourites are wanted.
  public var favoritesOnly: Bool

  /// Makes a filter; without conditions, all entries are wanted.
  public init(
    name: String? = nil, earliest: Date? = nil, latest: Date? = nil, favoritesOnly: Bool = false
  ) {
    self.name = name
    self.earliest = earliest
    self.latest = latest
    self.favoritesOnly = favoritesOnly
  }

  /// All entries.
  public static let all = HistoryFilter()

  /// Whether an entry is wanted.
  public func includes(_ entry: HistoryEntry) -> Bool {
    if favoritesOnly, !entry.isFavorite { return false }
    // As numbers, so that no entry is before or after a NaN.
    let time = entry.time.timeIntervalSince1970
    if let earliest, !(time >= earliest.timeIntervalSince1970) { return false }
    if let latest, !(time <= latest.timeIntervalSince1970) { return false }
    guard let name, !name.isEmpty else { return true }
    return entry.imageName?.range(of: name, options: .caseInsensitive) != nil
  }
}
