/// What a label names an event by: the check at the end of its line.
///
/// It follows from the event's values, and events that differ in any of them have different ids
/// except one chance in 2^64.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
  let check: UInt64

  init(check: UInt64) {
    self.check = check
  }

  /// The id of an event.
  public init(of event: TelemetryEvent) {
    check = EventLine.check(of: event)
  }

  /// The id with these 16 hexadecimal digits, nil if they are something else.
  public init?(_ text: String) {
    guard text.utf8.count == 16, text.allSatisfy(\.isHexDigit), let value = UInt64(text, radix: 16)
    else { return nil }
    check = value
  }

  /// 16 hexadecimal digits.
  public var description: String {
    let digits = String(check, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
