import Geometry

/// The guidance of a single frame, before frames are compared with each other.
///
/// The first rule that applies counts:
///
/// 1. A barcode with a valid ISBN, or text of a spine: *spine detected*.
/// 2. Text that covers less than the least share of the frame: *move closer*.
/// 3. Boxes that moved more than the most allowed: *hold steady*.
/// 4. Text: *hold steady*, as it is large enough and only has to be read.
/// 5. Objects: *move closer* if one has a confidence above the limit, otherwise *hold steady*.
/// 6. *No book*.
///
/// Shares are compared with a tolerance of 10^-9, so that rounding does not decide at a limit.
struct GuidanceRules {
  let configuration: FrameConfiguration
  let frame: CoordinateSpace

  private static let slack = 1e-9

  func reading(
    texts: [TextLineRegion], barcodes: [BarcodeRegion], objects: [FrameObject], shift: Double?
  ) -> Guidance {
    let books = SpineTextRule.Books(objects.map(\.outline), in: frame)
    if barcodes.contains(where: { $0.isbn != nil })
      || texts.contains(where: { configuration.spineText.accepts($0, on: books) })
    {
      return .spineDetected
    }
    let minimumCoverage = configuration.minimumTextCoverage - Self.slack
    if !texts.isEmpty, NormalizedBox.coverage(of: texts.map(\.box)) < minimumCoverage {
      return .moveCloser
    }
    if let shift, shift > configuration.maximumShift + Self.slack { return .holdSteady }
    if !texts.isEmpty { return .holdSteady }
    guard let surest = objects.map(\.confidence).max() else { return .noBook }
    return surest > Float(configuration.sureObjectConfidence) ? .moveCloser : .holdSteady
  }
}
