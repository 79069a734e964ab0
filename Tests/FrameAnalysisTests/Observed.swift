import FrameAnalysis
import Geometry
import TestSupport
import Tracking
import VisionProtocols

/// A frame of 1000 by 500 pixels, twice as wide as high, so that shares of width and height differ.
func frameSize() throws -> CoordinateSpace {
  try CoordinateSpace(width: 1000, height: 500)
}

func observed(
  _ milliseconds: Int64, texts: [TextLineRegion] = [], barcodes: [BarcodeRegion] = [],
  objects: [ObjectRegion] = []
) throws -> FrameObservations {
  FrameObservations(
    time: .milliseconds(milliseconds), frame: try frameSize(), texts: texts, barcodes: barcodes,
    objects: objects)
}

/// Level text off any book, of the given size.
func text(
  _ words: String = "SALE", x: Double = 0.2, y: Double = 0.4, width: Double = 0.25,
  height: Double = 0.2, confidence: Float = 0.9
) -> TextLineRegion {
  TextLineRegion(
    box: NormalizedBox(x: x, y: y, width: width, height: height), text: words,
    confidence: confidence)
}

/// A title that runs down a spine.
let title = text("The Histories", x: 0.4, y: 0.2, width: 0.02, height: 0.5)

func object(
  x: Double = 0.4, y: Double = 0.1, width: Double = 0.05, height: Double = 0.8,
  confidence: Float = 0.8
) -> ObjectRegion {
  ObjectRegion(
    box: NormalizedBox(x: x, y: y, width: width, height: height), confidence: confidence)
}

func barcode(
  _ payload: String = "9780306406157", _ symbology: BarcodeSymbology = .ean13,
  confidence: Float = 1, width: Double = 0.2
) -> BarcodeRegion {
  BarcodeRegion(
    box: NormalizedBox(x: 0.5, y: 0.5, width: width, height: 0.1), payload: payload,
    symbology: symbology, confidence: confidence)
}

/// What makes a session read each guidance.
enum Sight: Character {
  /// Nothing.
  case nothing = "-"
  /// A spine's title: spine detected.
  case spine = "s"
  /// A valid ISBN: spine detected.
  case isbn = "i"
  /// Text that is too small: move closer.
  case small = "c"
  /// Text that is large enough, and no spine's: hold steady.
  case large = "h"

  func observations(at milliseconds: Int64) throws -> FrameObservations {
    switch self {
    case .nothing: try observed(milliseconds)
    case .spine: try observed(milliseconds, texts: [title])
    case .isbn: try observed(milliseconds, barcodes: [barcode()])
    case .small: try observed(milliseconds, texts: [text(width: 0.1, height: 0.1)])
    case .large: try observed(milliseconds, texts: [text(width: 0.5, height: 0.5)])
    }
  }
}
