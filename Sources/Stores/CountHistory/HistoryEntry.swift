import Foundation

/// A count that is kept: what came out, of which photo, by which thresholds.
public struct HistoryEntry: Hashable, Sendable, Identifiable {
  /// Names the entry.
  public let id: UUID
  /// When it was counted, to the millisecond, from year 1 to year 9999.
  public let time: Date
  /// How many objects of the main kind there were, 0 to 1,000,000,000, as they were counted.
  public let count: Int
  /// The interval of the count, with the probability of the method that counted; nil if unknown.
  public let interval: ClosedRange<Int>?
  /// The person's count, 0 to 1,000,000,000; nil if the count was not corrected.
  public internal(set) var correctedCount: Int?
  /// What the photo is called, in at most 4,096 bytes of UTF-8; nil if it has no name.
  public let imageName: String?
  /// The folder that the photo was in, in at most 4,096 bytes of UTF-8; nil if it is not known.
  ///
  /// It tells photos of equal names apart.
  public let imageFolder: String?
  /// Whether it stays when others make room.
  public internal(set) var isFavorite: Bool
  /// The thresholds of the count as JSON, such as those of `CountingConfiguration`; at most 65,536
  /// bytes.
  public let thresholdsJSON: String
  /// One object of the main kind as the bytes of a JPEG, 1 to 65,536 of them, which are not looked
  /// at; nil if nothing was counted.
  public let thumbnail: Data?

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - id: the id of the entry; a new one by default.
  ///   - time: the time of the count; rounded to the millisecond.
  ///   - count: the number of objects.
  ///   - interval: the interval of the count.
  ///   - correctedCount: the person's count.
  ///   - imageName: the name of the photo.
  ///   - imageFolder: the folder of the photo.
  ///   - thresholds: the configuration of the count, which is kept as JSON.
  ///   - thumbnail: the bytes of a JPEG.
  ///   - isFavorite: whether it is kept when older entries are removed.
  /// - Throws: ``HistoryError/outOfRange(name:value:range:)``; ``HistoryError/thresholds(reason:)``
  ///   for values that JSON cannot represent, such as NaN.
  public init(
    id: UUID = UUID(), time: Date, count: Int, interval: ClosedRange<Int>? = nil,
    correctedCount: Int? = nil, imageName: String?, imageFolder: String? = nil,
    thresholds: some Encodable, thumbnail: Data?, isFavorite: Bool = false
  ) throws(HistoryError) {
    try self.init(
      id: id, milliseconds: try Self.milliseconds(of: time), count: count, interval: interval,
      correctedCount: correctedCount, imageName: imageName, imageFolder: imageFolder,
      thresholdsJSON: try Self.json(of: thresholds), thumbnail: thumbnail, isFavorite: isFavorite)
  }

  /// How many objects there are: as a person says if one did, else as they were counted.
  public var finalCount: Int { correctedCount ?? count }

  /// The thresholds as a value of the type that they were given as.
  ///
  /// - Throws: ``HistoryError/thresholds(reason:)`` if the JSON is of something else.
  public func thresholds<Value: Decodable>(
    as type: Value.Type = Value.self
  ) throws(HistoryError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(thresholdsJSON.utf8))
    } catch {
      throw .thresholds(reason: Self.line(of: error))
    }
  }

  // MARK: Parts

  /// The limits of an entry's values; with them, 100 entries of any file are below 15 MB.
  enum Limits {
    static let count = 0...1_000_000_000
    static let nameBytes = 0...4096
    static let thresholdBytes = 1...65_536
    static let thumbnailBytes = 1...65_536
    /// From the year 1 to the year 9999.
    static let milliseconds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
  }

  /// The time in milliseconds since 1970.
  var milliseconds: Int64 { Int64((time.timeIntervalSince1970 * 1000).rounded()) }

  /// An entry of what was read, or given.
  init(
    id: UUID, milliseconds: Int64, count: Int, interval: ClosedRange<Int>?, correctedCount: Int?,
    imageName: String?, imageFolder: String?, thresholdsJSON: String, thumbnail: Data?,
    isFavorite: Bool
  ) throws(HistoryError) {
    try Self.check("the count", count, in: Limits.count, "")
    if let interval {
      try Self.check("the interval's lower end", interval.lowerBound, in: Limits.count, "")
      try Self.check("the interval's upper end", interval.upperBound, in: Limits.count, "")
    }
    if let correctedCount { try Self.check(correctedCount: correctedCount) }
    try Self.check(
      "the length of the image's name", imageName?.utf8.count ?? 0, in: Limits.nameBytes, " bytes")
    try Self.check(
      "the length of the folder's path", imageFolder?.utf8.count ?? 0, in: Limits.nameBytes,
      " bytes")
    try Self.check(
      "the length of the thresholds", thresholdsJSON.utf8.count, in: Limits.thresholdBytes,
      " bytes")
    if let thumbnail {
      try Self.check(
        "the length of the thumbnail", thumbnail.count, in: Limits.thumbnailBytes, " bytes")
    }
    guard Limits.milliseconds.contains(milliseconds) else {
      throw Self.wrongTime("\(milliseconds)")
    }
    self.id = id
    time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    self.count = count
    self.interval = interval
    self.correctedCount = correctedCount
    self.imageName = imageName
    self.imageFolder = imageFolder
    self.thresholdsJSON = thresholdsJSON
    self.thumbnail = thumbnail
    self.isFavorite = isFavorite
  }

  /// Fails for a corrected count outside its range.
  static func check(correctedCount: Int) throws(HistoryError) {
    try check("the corrected count", correctedCount, in: Limits.count, "")
  }

  private static func check(
    _ name: String, _ value: Int, in range: ClosedRange<Int>, _ unit: String
  ) throws(HistoryError) {
    guard !range.contains(value) else { return }
    throw .outOfRange(
      name: name, value: "\(value)\(unit)",
      range: "from \(range.lowerBound) to \(range.upperBound)\(unit)")
  }

  private static func wrongTime(_ value: String) -> HistoryError {
    .outOfRange(
      name: "the time", value: "\(value) milliseconds since 1970",
      range: "in the years 1 to 9999")
  }

  private static func milliseconds(of time: Date) throws(HistoryError) -> Int64 {
    let value = (time.timeIntervalSince1970 * 1000).rounded()
    // A time far outside the range, or NaN, has no such whole number.
    guard abs(value) < 1e15 else { throw wrongTime("\(value)") }
    return Int64(value)
  }

  private static func json(of value: some Encodable) throws(HistoryError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw .thresholds(reason: line(of: error))
    }
  }

  /// What an encoder or decoder says, on one line.
  private static func line(of error: any Error) -> String {
    let context: (path: [any CodingKey], text: String)? =
      switch error {
      case EncodingError.invalidValue(_, let context):
        (context.codingPath, context.debugDescription)
      case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
        DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
        (context.codingPath, context.debugDescription)
      default: nil
      }
    guard let context else { return "\(error)" }
    let path = context.path.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.text : "\(path): \(context.text)"
  }
}
