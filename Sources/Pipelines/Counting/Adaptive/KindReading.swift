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

/// Two readings of a photo that are both sensible: red and green sweets are sweets, or two kinds of them.
public struct KindReadings: Hashable, Sendable, Codable {
  /// With fewer kinds.
  public let coarser: KindReading
  /// With more kinds.
  public let finer: KindReading

  /// Makes readings.
  public init(coarser: KindReading, finer: KindReading) {
    self.coarser = coarser
    self.finer = finer
  }
}
