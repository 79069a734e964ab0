import Geometry

/// One finding of a frame.
public enum FrameFinding: Hashable, Sendable, Codable {
  /// A barcode.
  case barcode(BarcodeRegion)
  /// An object.
  case object(FrameObject)
  /// A line of text.
  case text(TextLineRegion)
}

extension FrameFinding {
  /// Where, in shares of the frame, 0...1, origin at the bottom left.
  public var box: NormalizedBox {
    switch self {
    case .barcode(let barcode): barcode.box
    case .object(let object): object.box
    case .text(let text): text.box
    }
  }

  /// The outline in the same shares; that of the box if only the box is known.
  public var outline: Quadrilateral {
    switch self {
    case .barcode(let barcode): barcode.box.outline
    case .object(let object): object.outline
    case .text(let text): text.outline ?? text.box.outline
    }
  }

  /// How sure the recognizer is, 0...1.
  public var confidence: Float {
    switch self {
    case .barcode(let barcode): barcode.confidence
    case .object(let object): object.confidence
    case .text(let text): text.confidence
    }
  }
}

extension AnalyzedFrame {
  /// All findings: the objects, the texts, the barcodes, each in their order.
  public var findings: [FrameFinding] {
    objects.map { .object($0) } + texts.map { .text($0) } + barcodes.map { .barcode($0) }
  }
}
