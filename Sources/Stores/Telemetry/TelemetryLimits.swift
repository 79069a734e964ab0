/// How much is kept, for how long, and how often it is written.
public struct TelemetryLimits: Hashable, Sendable {
  /// How large a file gets at most, in bytes; the next event begins a new one.
  public let fileBytes: Int
  /// How long a file is written to at most, in seconds; then the next event begins a new one.
  public let fileAge: Double
  /// How many files there are at most, the one being written to included; the oldest go first.
  public let files: Int
  /// How many events are written at once.
  public let batchEvents: Int
  /// How long an event waits for others at most, in seconds.
  public let delay: Double
  /// The greatest number of waiting events if writing is too slow; further events are dropped.
  public let waitingEvents: Int

  /// The bytes of all files together never exceed this.
  public var totalBytes: Int { fileBytes * files }
  /// A file that was begun longer ago than this is deleted, in seconds.
  public var retention: Double { fileAge * Double(files) }

  /// Four files of 10 MB or 7 days, so at most 40 MB and 28 days; every second or 256 events.
  public static let standard = TelemetryLimits(
    validFileBytes: 10_000_000, fileAge: 7 * 86_400, files: 4, batchEvents: 256, delay: 1,
    waitingEvents: 8192)

  /// Makes limits; the defaults are those of ``standard``.
  ///
  /// - Parameters:
  ///   - fileBytes: 1000 to 1e9.
  ///   - fileAge: seconds, from 1 to 1e9.
  ///   - files: 1 to 1000.
  ///   - batchEvents: 1 to 1e5.
  ///   - delay: seconds, from 0 to 3600.
  ///   - waitingEvents: at least `batchEvents`, at most 1e6.
  /// - Throws: ``TelemetryError/limitOutOfRange(name:value:range:)``.
  public init(
    fileBytes: Int = standard.fileBytes, fileAge: Double = standard.fileAge,
    files: Int = standard.files, batchEvents: Int = standard.batchEvents,
    delay: Double = standard.delay, waitingEvents: Int = standard.waitingEvents
  ) throws(TelemetryError) {
    func require(
      _ value: Double, _ name: String, _ range: ClosedRange<Double>
    ) throws(TelemetryError) {
      guard range.contains(value) else {
        throw .limitOutOfRange(
          name: name, value: value, range: "\(range.lowerBound)...\(range.upperBound)")
      }
    }
    try require(Double(fileBytes), "fileBytes", 1000...1e9)
    try require(fileAge, "fileAge", 1...1e9)
    try require(Double(files), "files", 1...1000)
    try require(Double(batchEvents), "batchEvents", 1...1e5)
    try require(delay, "delay", 0...3600)
    try require(Double(waitingEvents), "waitingEvents", Double(batchEvents)...1e6)
    self.init(
      validFileBytes: fileBytes, fileAge: fileAge, files: files, batchEvents: batchEvents,
      delay: delay, waitingEvents: waitingEvents)
  }

  private init(
    validFileBytes: Int, fileAge: Double, files: Int, batchEvents: Int, delay: Double,
    waitingEvents: Int
  ) {
    fileBytes = validFileBytes
    self.fileAge = fileAge
    self.files = files
    self.batchEvents = batchEvents
    self.delay = delay
    self.waitingEvents = waitingEvents
  }
}
