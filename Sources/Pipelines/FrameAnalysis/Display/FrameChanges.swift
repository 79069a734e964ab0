import Geometry

/// What of a shown frame is to be drawn again.
public struct FrameChanges: OptionSet, Hashable, Sendable {
  /// One bit for each part.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The objects: one came, went, was confirmed, read, moved or changed its confidence.
  public static let objects = FrameChanges(rawValue: 1 << 0)
  /// The texts: one came, went, moved, reads differently or changed its confidence.
  public static let texts = FrameChanges(rawValue: 1 << 1)
  /// The barcodes: one came, went, moved or changed its confidence.
  public static let barcodes = FrameChanges(rawValue: 1 << 2)
  /// Which finding matters most, or where it is.
  public static let primary = FrameChanges(rawValue: 1 << 3)
  /// The ISBN.
  public static let isbn = FrameChanges(rawValue: 1 << 4)
  /// The guidance.
  public static let guidance = FrameChanges(rawValue: 1 << 5)
  /// The message.
  public static let message = FrameChanges(rawValue: 1 << 6)
  /// The frame has events.
  public static let events = FrameChanges(rawValue: 1 << 7)
  /// The number of different objects.
  public static let distinctObjects = FrameChanges(rawValue: 1 << 8)
  /// Which recognizers failed, and why.
  public static let failures = FrameChanges(rawValue: 1 << 9)
}

/// How much places and confidences have to change to be drawn again.
struct RedrawLimits: Sendable {
  private let shift: Double
  private let confidence: Double

  init(_ configuration: FrameConfiguration) {
    shift = configuration.redrawShift
    confidence = configuration.redrawConfidence
  }

  /// What differs between the frame that is shown and a newer one.
  func changes(from shown: AnalyzedFrame, to new: AnalyzedFrame) -> FrameChanges {
    var changes: FrameChanges = []
    if !same(shown.objects, new.objects, by: same) { changes.insert(.objects) }
    if shown.textIDs != new.textIDs || !same(shown.texts, new.texts, by: same) {
      changes.insert(.texts)
    }
    if !same(shown.barcodes, new.barcodes, by: same) { changes.insert(.barcodes) }
    if !same(shown.primary, new.primary) { changes.insert(.primary) }
    if shown.isbn != new.isbn { changes.insert(.isbn) }
    if shown.guidance != new.guidance { changes.insert(.guidance) }
    if shown.message != new.message { changes.insert(.message) }
    if !new.events.isEmpty { changes.insert(.events) }
    if shown.distinctObjects != new.distinctObjects { changes.insert(.distinctObjects) }
    if shown.failures != new.failures { changes.insert(.failures) }
    return changes
  }

  private func same<Value>(
    _ old: [Value], _ new: [Value], by isSame: (Value, Value) -> Bool
  ) -> Bool {
    old.count == new.count && zip(old, new).allSatisfy(isSame)
  }

  private func same(_ old: FrameObject, _ new: FrameObject) -> Bool {
    old.id == new.id && old.isConfirmed == new.isConfirmed && old.lines == new.lines
      && same(old.outline, new.outline) && same(old.confidence, new.confidence)
  }

  private func same(_ old: TextLineRegion, _ new: TextLineRegion) -> Bool {
    old.text == new.text && same(old.box.outline, new.box.outline)
      && same(old.outline ?? old.box.outline, new.outline ?? new.box.outline)
      && same(old.confidence, new.confidence)
  }

  private func same(_ old: BarcodeRegion, _ new: BarcodeRegion) -> Bool {
    old.payload == new.payload && old.symbology == new.symbology
      && same(old.box.outline, new.box.outline) && same(old.confidence, new.confidence)
  }

  private func same(_ old: FrameFinding?, _ new: FrameFinding?) -> Bool {
    switch (old, new) {
    case (.object(let old), .object(let new)): same(old, new)
    case (.text(let old), .text(let new)): same(old, new)
    case (.barcode(let old), .barcode(let new)): same(old, new)
    case (nil, nil): true
    default: false
    }
  }

  private func same(_ old: Quadrilateral, _ new: Quadrilateral) -> Bool {
    zip(old.corners, new.corners).allSatisfy { old, new in
      abs(old.x - new.x) <= shift && abs(old.y - new.y) <= shift
    }
  }

  private func same(_ old: Float, _ new: Float) -> Bool {
    abs(Double(old) - Double(new)) <= confidence
  }
}
