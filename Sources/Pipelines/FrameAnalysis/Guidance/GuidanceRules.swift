import Geometry

/// What one frame by itself says, before frames are compared with each other.
///
/// The rules in order; the first that applies counts:
///
/// 1. A barcode with a valid ISBN, or text that reads like a spine: *spine detected*.
/// 2. Text that covers less than the least share of the frame: *move closer*.
/// 3. Boxes that moved more than the most allowed: *hold steady*.
/// 4. Text: *hold steady*, as it is large enough and only has to be read.
/// 5. Objects: *move closer* where the surest is surer than the limit, otherwise *hold steady*.
/// 6. *No book*.
///
/// Shares are compared with a slack of 10^-9, so that rounding does not decide what lies on a limit.
struct GuidanceRules {
  let configuration: FrameConfiguration
  let frame: CoordinateSpace

  private static let slack = 1e-9

  func reading(
    texts: [TextRegion], barcodes: [BarcodeRegion], objects: [FrameObject], shift: Double?
  ) -> Guidance {
    let books = SpineTextRule.Books(objects.map(\.outline), in: frame)
    if barcodes.contains(where: { $0.isbn != nil })
      || texts.contains(where: { configuration.spineText.accepts($0, on: books) })
    {
      return .spineDetected
    }
    let minimumCoverage = configuration.minimumTextCoverage - Self.slack
    if !texts.isEmpty, coverage(of: texts.map(\.box)) < minimumCoverage { return .moveCloser }
    if let shift, shift > configuration.maximumShift + Self.slack { return .holdSteady }
    if !texts.isEmpty { return .holdSteady }
    guard let surest = objects.map(\.confidence).max() else { return .noBook }
    return surest > Float(configuration.sureObjectConfidence) ? .moveCloser : .holdSteady
  }
}

/// The share of the frame that boxes cover together; where they overlap it counts once.
///
/// O(*n*²) for *n* boxes.
func coverage(of boxes: [NormalizedBox]) -> Double {
  let clipped: [ClippedBox] = boxes.map { ClippedBox($0) }.filter {
    $0.left < $0.right && $0.bottom < $0.top
  }
  .sorted { $0.bottom < $1.bottom }
  // Strips between neighbouring edges, in each of which the covered length is the same all along.
  let edges: [Double] = clipped.flatMap { [$0.left, $0.right] }.sorted()
  var area = 0.0
  for (left, right) in zip(edges, edges.dropFirst()) where left < right {
    var covered = 0.0
    var reached = 0.0
    for box in clipped where box.left <= left && box.right >= right {
      covered += max(0, box.top - max(box.bottom, reached))
      reached = max(reached, box.top)
    }
    area += (right - left) * covered
  }
  return area
}

/// The sides of a box inside the frame.
private struct ClippedBox {
  let left, right, bottom, top: Double

  init(_ box: NormalizedBox) {
    left = max(0, box.x)
    right = min(1, box.x + box.width)
    bottom = max(0, box.y)
    top = min(1, box.y + box.height)
  }
}
