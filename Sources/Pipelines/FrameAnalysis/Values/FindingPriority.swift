import Geometry

/// Which kind of finding matters most.
///
/// Kinds that the order does not name are never the primary finding. As JSON it is an array of the
/// kinds' names.
public struct FindingPriority: Hashable, Sendable {
  /// A kind of finding.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A barcode with a valid ISBN.
    case isbn
    /// Any barcode; one with a valid ISBN before others.
    case barcode
    /// An object.
    case object
    /// A line of text.
    case text
  }

  /// The kinds, the one that matters most first, each once.
  public let order: [Kind]

  /// Makes an order.
  ///
  /// - Throws: ``FrameConfigurationError/repeatedKind(_:)`` if a kind stands in it twice.
  public init(_ order: [Kind]) throws(FrameConfigurationError) {
    for (index, kind) in order.enumerated() where order[..<index].contains(kind) {
      throw .repeatedKind(kind)
    }
    self.order = order
  }

  private init(known order: [Kind]) {
    self.order = order
  }

  /// An ISBN, then objects, then text: for apps that search for books.
  public static let objectsFirst = FindingPriority(known: [.isbn, .object, .text])
  /// An ISBN, then text, then objects: for apps that read.
  public static let textFirst = FindingPriority(known: [.isbn, .text, .object])
}

extension FindingPriority: Codable {
  /// Reads an array of kinds.
  ///
  /// - Throws: ``FrameConfigurationError/repeatedKind(_:)``, or a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try self.init([Kind](from: decoder))
  }

  /// Writes the kinds.
  public func encode(to encoder: any Encoder) throws {
    try order.encode(to: encoder)
  }
}

extension FindingPriority {
  /// The finding that matters most.
  ///
  /// Among findings of one kind, the one with the highest confidence comes first, then the largest.
  func primary(
    texts: [TextLineRegion], barcodes: [BarcodeRegion], objects: [FrameObject]
  ) -> FrameFinding? {
    for kind in order {
      switch kind {
      case .isbn:
        if let best = best(barcodes.filter { $0.isbn != nil }) { return .barcode(best) }
      case .barcode:
        if let best = best(barcodes.filter { $0.isbn != nil }) ?? best(barcodes) {
          return .barcode(best)
        }
      case .object:
        if let best = best(objects) { return .object(best) }
      case .text:
        if let best = best(texts) { return .text(best) }
      }
    }
    return nil
  }
}

/// Something with a place and a confidence.
protocol Finding {
  var box: NormalizedBox { get }
  var confidence: Float { get }
}

extension TextLineRegion: Finding {}
extension BarcodeRegion: Finding {}
extension FrameObject: Finding {}

/// The most confident finding, then the largest, then the first.
func best<Value: Finding>(_ findings: [Value]) -> Value? {
  var best: Value?
  for finding in findings {
    guard let current = best else {
      best = finding
      continue
    }
    let (old, new) = (
      (current.confidence, current.box.area), (finding.confidence, finding.box.area)
    )
    if new > old { best = finding }
  }
  return best
}
