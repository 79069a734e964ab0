import Foundation

/// People's labels of events: which were right, and which objects were missed.
///
/// A file with labels is JSON Lines, each line one of
///
/// ```text
/// {"event":"4f1c09d2a6b7e385","right":true}      the event of this id was right, or was not
/// {"time":1732272012345,"right":false}           so were all events of this time
/// {"missed":1732272012345,"width":0.1,"height":0.6,"aspect":0.1,"text":true,"barcode":false}
/// ```
///
/// The last kind is an object at this time without an event; everything but the time may be left
/// out. It may also have the `"variant"` that missed it. Times are milliseconds since 1970, as in
/// events. If an event is labelled by its id and by its time, the id counts. Empty lines are
/// skipped.
public struct TelemetryLabels: Hashable, Sendable {
  /// An object without an event.
  public struct Missed: Hashable, Sendable {
    /// Milliseconds since 1970.
    public let time: Int64
    /// The width as a share of the frame's.
    public let width: Double?
    /// The height as a share of the frame's.
    public let height: Double?
    /// Width over height in pixels.
    public let aspectRatio: Double?
    /// Whether text was in the frame.
    public let hasText: Bool?
    /// Whether a barcode was in the frame.
    public let hasBarcode: Bool?
    /// The variant that missed it.
    public let variant: String?
  }

  /// The objects that were missed.
  public private(set) var missed: [Missed] = []
  private var rightByID: [EventID: Bool] = [:]
  private var rightByTime: [Int64: Bool] = [:]

  /// How many labels there are for events.
  public var count: Int { rightByID.count + rightByTime.count }

  /// Reads labels from the bytes of a file.
  ///
  /// - Throws: ``TelemetryError/invalidLabel(line:reason:)`` for a line that is not a label, and
  ///   for one that contradicts another.
  public init(_ data: some Sequence<UInt8>) throws(TelemetryError) {
    let lines = Array(data).split(separator: EventLine.newline, omittingEmptySubsequences: false)
    let decoder = JSONDecoder()
    for (index, line) in lines.enumerated() where !line.allSatisfy(Self.isSpace) {
      let row: Row
      do {
        row = try decoder.decode(Row.self, from: Data(line))
      } catch {
        throw .invalidLabel(line: index + 1, reason: Self.reason(error, in: Data(line)))
      }
      try add(row, line: index + 1)
    }
  }

  /// Whether an event was right; nil if it has no label.
  public func isRight(_ event: TelemetryEvent, id: EventID) -> Bool? {
    rightByID[id] ?? rightByTime[event.milliseconds]
  }

  private struct Row: Decodable {
    let event: String?
    let time, missed: Int64?
    let right: Bool?
    let width, height, aspect: Double?
    let text, barcode: Bool?
    let variant: String?
  }

  private mutating func add(_ row: Row, line: Int) throws(TelemetryError) {
    func invalid(_ reason: String) -> TelemetryError { .invalidLabel(line: line, reason: reason) }
    let subjects = [row.event != nil, row.time != nil, row.missed != nil].count { $0 }
    guard subjects == 1 else {
      throw invalid("has \(subjects) of \"event\", \"time\" and \"missed\"; it must have one")
    }
    if let time = row.missed {
      for (name, value) in [("width", row.width), ("height", row.height), ("aspect", row.aspect)] {
        if let value, !(value >= 0 && value.isFinite) {
          throw invalid("\"\(name)\" is \(value); it must be at least 0")
        }
      }
      if let variant = row.variant, !TelemetryEvent.isVariant(variant.utf8) {
        throw invalid("\"variant\" is not the name of a variant")
      }
      missed.append(
        Missed(
          time: time, width: row.width, height: row.height, aspectRatio: row.aspect,
          hasText: row.text, hasBarcode: row.barcode, variant: row.variant))
      return
    }
    guard let right = row.right else { throw invalid("has no \"right\": true or false") }
    let earlier: Bool?
    if let text = row.event {
      guard let id = EventID(text) else {
        throw invalid("\"event\" is \"\(text)\"; it must be 16 hexadecimal digits")
      }
      earlier = rightByID.updateValue(right, forKey: id)
    } else {
      earlier = rightByTime.updateValue(right, forKey: row.time ?? 0)
    }
    if let earlier, earlier != right { throw invalid("an earlier line says the contrary") }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [9, 13, 32].contains(byte) }

  private static func reason(_ error: any Error, in line: Data) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      guard let key = context.codingPath.last else { return "is not a JSON object" }
      return "\"\(key.stringValue)\" is of the wrong type"
    default:
      // Foundation does not tell which number it is.
      return (try? JSONSerialization.jsonObject(with: line)) == nil
        ? "is not a JSON object" : "has a time that is not whole, or too large"
    }
  }
}
