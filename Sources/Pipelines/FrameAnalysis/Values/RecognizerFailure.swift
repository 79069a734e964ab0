/// Why one recognizer saw nothing in a frame.
///
/// The other recognizers' findings of the same frame do not depend on it. Two failures are equal if
/// recognizer and reason are. As JSON it is the recognizer and the reason.
public struct RecognizerFailure: Error {
  /// Which recognizer.
  public enum Recognizer: String, Hashable, Sendable, Codable, CaseIterable {
    /// The text's.
    case text
    /// The barcodes'.
    case barcodes
    /// The objects'.
    case objects
  }

  /// The recognizer that failed.
  public let recognizer: Recognizer
  /// What it threw, as text.
  public let reason: String
  /// What it threw, for example a `ModelNotLoadedError`; nil if the failure was read from a
  /// recording.
  public let underlying: (any Error)?

  /// Makes a failure from what a recognizer threw.
  public init(_ recognizer: Recognizer, underlying: any Error) {
    self.recognizer = recognizer
    self.underlying = underlying
    reason = "\(underlying)"
  }
}

extension RecognizerFailure: CustomStringConvertible {
  /// What was wrong, in one line.
  public var description: String { "the recognizer of \(recognizer.rawValue) failed: \(reason)" }
}

extension RecognizerFailure: Hashable {
  /// Whether recognizer and reason are the same.
  public static func == (first: RecognizerFailure, second: RecognizerFailure) -> Bool {
    first.recognizer == second.recognizer && first.reason == second.reason
  }

  /// Hashes recognizer and reason.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recognizer)
    hasher.combine(reason)
  }
}

extension RecognizerFailure: Codable {
  private enum CodingKeys: String, CodingKey {
    case recognizer, reason
  }

  /// Reads recognizer and reason; the error itself is not stored.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    recognizer = try fields.decode(Recognizer.self, forKey: .recognizer)
    reason = try fields.decode(String.self, forKey: .reason)
    underlying = nil
  }

  /// Writes recognizer and reason.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(recognizer, forKey: .recognizer)
    try fields.encode(reason, forKey: .reason)
  }
}
