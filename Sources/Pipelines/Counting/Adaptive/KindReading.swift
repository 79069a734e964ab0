/// One way to read the objects of a photo as kinds.
public struct KindReading: Hashable, Sendable, Codable {
  /// The kind of each of ``CountingResult/detections``, in order: 0 has most objects.
  public let labels: [Int]

  /// Makes a reading.
  public init(labels: [Int]) {
    self.labels = labels
  }

  /// How many objects each kind has, the largest kind first.
  public var sizes: [Int] {
    var sizes: [Int: Int] = [:]
    for label in labels { sizes[label, default: 0] += 1 }
    return sizes.keys.sorted().map { sizes[$0] ?? 0 }
  }
}

/// Readings of a photo that are all sensible: red and green sweets are sweets, or two kinds of
/// them.
public struct KindReadings: Hashable, Sendable, Codable {
  /// With fewer kinds.
  public let coarser: KindReading
  /// With more kinds.
  public let finer: KindReading
  /// Other numbers of kinds that divide the objects as well as the chosen number, fewer first.
  ///
  /// Green and yellow sweets may be one kind or two. ``CountingResult/confidence`` holds the counts
  /// of all these readings. Empty if all objects were taken for one kind.
  public let ties: [KindReading]

  /// Makes readings.
  public init(coarser: KindReading, finer: KindReading, ties: [KindReading] = []) {
    self.coarser = coarser
    self.finer = finer
    self.ties = ties
  }

  private enum CodingKeys: String, CodingKey {
    case coarser, finer, ties
  }

  /// Reads readings; those that an earlier version wrote have no ties.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    coarser = try values.decode(KindReading.self, forKey: .coarser)
    finer = try values.decode(KindReading.self, forKey: .finer)
    ties = try values.decodeIfPresent([KindReading].self, forKey: .ties) ?? []
  }
}
