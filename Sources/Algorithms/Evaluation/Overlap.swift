import Geometry

// Overlaps in double precision, as COCO's tools compute them. In `Float`, an overlap on a threshold
// could fall on the other side, and the area of a large box overflows.

extension Box {
  /// Width times height; 0 if a side is negative.
  var exactArea: Double {
    let width = Double(maxX) - Double(minX)
    let height = Double(maxY) - Double(minY)
    return width > 0 && height > 0 ? width * height : 0
  }

  /// The area that both boxes share.
  private func exactIntersection(_ other: Box) -> Double {
    let width = Double(min(maxX, other.maxX)) - Double(max(minX, other.minX))
    let height = Double(min(maxY, other.maxY)) - Double(max(minY, other.minY))
    return width > 0 && height > 0 ? width * height : 0
  }

  /// Intersection over union, 0...1; 0 if nothing is shared.
  func exactIoU(_ other: Box) -> Double {
    let shared = exactIntersection(other)
    return shared > 0 ? shared / (exactArea + other.exactArea - shared) : 0
  }

  /// The share of the box inside another, 0...1.
  func shareInside(_ other: Box) -> Double {
    let shared = exactIntersection(other)
    return shared > 0 ? shared / exactArea : 0
  }
}

extension TrueBox {
  /// The overlap with a prediction: intersection over union, or over the prediction alone for a
  /// crowd.
  func overlap(with prediction: Box) -> Double {
    isCrowd ? prediction.shareInside(box) : prediction.exactIoU(box)
  }
}
