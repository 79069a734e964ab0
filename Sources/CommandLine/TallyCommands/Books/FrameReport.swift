import CommandKit
import Foundation
import FrameAnalysis
import Geometry
import ISBN
import Tracking

/// What objects of frames are.
enum FrameObjectKind: String, CaseIterable, Sendable {
  case spines, rectangles

  /// The word for one of them.
  var singular: String {
    switch self {
    case .spines: "spine"
    case .rectangles: "rectangle"
    }
  }
}

/// An analysed frame as a line for people and as JSON for machines.
struct FrameReport {
  let path: String
  let width: Int
  let height: Int
  let frame: AnalyzedFrame
  let kind: FrameObjectKind
  /// The ISBN seen so far.
  let preScanned: ISBN13?

  /// One object.
  var json: JSONText {
    .object(JSONText.members(ofImage: path, width: width, height: height) + advice + findings)
  }

  /// The time, and what to tell the person who holds the camera.
  private var advice: [(String, JSONText)] {
    [
      ("time", .seconds((frame.time - FrameTime.zero).seconds)),
      ("primary", .string(frame.primary?.name ?? "nothing")),
      ("guidance", .optional(frame.guidance) { .string($0.rawValue) }),
      ("message", .optional(frame.message) { .string($0.rawValue) }),
      ("shift", .optional(frame.shift) { .double($0) }),
      ("events", .array(frame.events.map { .string($0.rawValue) })),
      ("distinctObjects", .integer(frame.distinctObjects)),
    ]
  }

  /// What was seen, and which recognizers failed.
  private var findings: [(String, JSONText)] {
    let texts = zip(frame.texts, frame.textIDs).map { Self.json($0, id: $1) }
    return [
      ("objects", .array(frame.objects.map { Self.json($0) })),
      ("texts", .array(texts)),
      ("barcodes", .array(frame.barcodes.map { Self.json($0) })),
      ("isbn13", .optional(frame.isbn) { .string($0.description) }),
      ("preScannedISBN13", .optional(preScanned) { .string($0.description) }),
      ("failures", .array(frame.failures.map { Self.json($0) })),
    ]
  }

  private static func json(_ object: FrameObject) -> JSONText {
    .object([
      ("id", .integer(object.id)), ("box", json(object.box)), ("quad", json(object.outline)),
      ("confidence", .float(object.confidence)), ("confirmed", .bool(object.isConfirmed)),
      ("lines", .array(object.lines.map { .string($0) })),
    ])
  }

  private static func json(_ text: TextLineRegion, id: Int?) -> JSONText {
    .object([
      ("id", .optional(id) { .integer($0) }), ("box", json(text.box)),
      ("quad", .optional(text.outline) { json($0) }), ("text", .string(text.text)),
      ("confidence", .float(text.confidence)),
    ])
  }

  private static func json(_ barcode: BarcodeRegion) -> JSONText {
    .object([
      ("payload", .string(barcode.payload)), ("symbology", .string(barcode.symbology.rawValue)),
      ("box", json(barcode.box)), ("confidence", .float(barcode.confidence)),
      ("isbn13", .optional(barcode.isbn) { .string($0.description) }),
    ])
  }

  private static func json(_ failure: RecognizerFailure) -> JSONText {
    .object([
      ("recognizer", .string(failure.recognizer.rawValue)), ("reason", .string(failure.reason)),
    ])
  }

  private static func json(_ box: NormalizedBox) -> JSONText {
    .array([box.x, box.y, box.width, box.height].map { .double($0) })
  }

  private static func json(_ outline: Quadrilateral) -> JSONText {
    .array(outline.corners.map { .array([.double($0.x), .double($0.y)]) })
  }

  /// The time, what the frame shows, and the advice.
  var line: String {
    let time = NumberText.fixed((frame.time - FrameTime.zero).seconds, digits: 3)
    let ids = frame.objects.map { "\($0.id)" }.joined(separator: " ")
    var parts = [
      frame.objects.isEmpty
        ? "no \(kind.singular)"
        : "\(Sentence.count(frame.objects.count, kind.singular, kind.rawValue)) (\(ids))",
      "\(frame.distinctObjects) so far",
    ]
    if !frame.texts.isEmpty {
      parts.append(Sentence.count(frame.texts.count, "line of text", "lines of text"))
    }
    if !frame.barcodes.isEmpty {
      parts.append(Sentence.count(frame.barcodes.count, "barcode", "barcodes"))
    }
    if let isbn = frame.isbn { parts.append("ISBN \(isbn)") }
    if let guidance = frame.guidance { parts.append(guidance.sentence) }
    let name = PrintableText.of((path as NSString).lastPathComponent)
    return "\(time) s  \(name): \(parts.joined(separator: ", "))"
  }
}

extension FrameFinding {
  /// The kind's name.
  fileprivate var name: String {
    switch self {
    case .barcode: "barcode"
    case .object: "object"
    case .text: "text"
    }
  }
}

extension Guidance {
  /// The words for a person.
  fileprivate var sentence: String {
    switch self {
    case .spineDetected: "spine detected"
    case .moveCloser: "move closer"
    case .holdSteady: "hold steady"
    case .noBook: "no book"
    }
  }
}
