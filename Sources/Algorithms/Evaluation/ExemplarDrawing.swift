import Geometry

/// Chooses and draws boxes around known objects, like a person who marks exemplars.
///
/// The boxes depend only on the seed, so that an evaluation can be repeated.
public struct ExemplarDrawing: Sendable {
  /// The ratio between the sides of a badly drawn box and its object.
  public static let scales = 0.6...1.6
  /// The greatest error of a badly drawn box's centre along each axis, as a share of the object's
  /// side.
  public static let shift = 0.4

  private var state: UInt64

  /// Makes a drawing from a seed.
  ///
  /// - Parameters:
  ///   - seed: the number on which all boxes depend.
  ///   - name: the name of the photo, so that not all photos have the same errors.
  public init(seed: UInt64, name: String = "") {
    // FNV-1a (Fowler, Noll and Vo), which is the same on every run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = seed &* 0x9E37_79B9_7F4A_7C15 ^ hash
  }

  /// The indices of `count` typical boxes, evenly spread over the order of their area.
  ///
  /// One box is that of median area (the larger of the two in the middle); three have about a
  /// sixth, a half and five sixths of the boxes below them. If there are no more boxes than that,
  /// all are returned.
  ///
  /// - Complexity: O(n log n).
  public static func typical(_ count: Int, of boxes: [Box]) -> [Int] {
    let order = boxes.indices.sorted {
      let (first, second) = (boxes[$0].exactArea, boxes[$1].exactArea)
      return first != second ? first < second : $0 < $1
    }
    guard count > 0 else { return [] }
    guard count < order.count else { return order }
    return (0..<count).map { order[(2 * $0 + 1) * order.count / (2 * count)] }
  }

  /// A box as a person draws it in a hurry.
  ///
  /// Both sides are scaled by one factor of ``scales``, and each coordinate of the centre is off by
  /// up to ``shift`` of the side.
  public mutating func badly(_ box: Box) -> Box {
    let (least, greatest) = (Self.scales.lowerBound, Self.scales.upperBound)
    let scale = Float(least + unit() * (greatest - least))
    let dx = Float((2 * unit() - 1) * Self.shift) * box.width
    let dy = Float((2 * unit() - 1) * Self.shift) * box.height
    return Box(
      centerX: Float(box.center.x) + dx, centerY: Float(box.center.y) + dy,
      width: scale * box.width, height: scale * box.height)
  }

  /// A box of the same size that lies inside the photo and overlaps none of `objects`.
  ///
  /// - Returns: nil if no place was found in 2,000 tries; each tenth try is for a box whose sides
  ///   are a quarter smaller.
  public mutating func nowhere(
    like box: Box, objects: [Box], width: Int, height: Int
  ) -> Box? {
    var (side, other) = (Double(box.width), Double(box.height))
    for attempt in 1...2000 {
      let room = (Double(width) - side, Double(height) - other)
      if room.0 >= 0, room.1 >= 0, side > 0, other > 0 {
        let place = Box(
          x: Float(unit() * room.0), y: Float(unit() * room.1), width: Float(side),
          height: Float(other))
        if objects.allSatisfy({ place.exactIoU($0) == 0 }) { return place }
      }
      if attempt.isMultiple(of: 200) { (side, other) = (side * 0.75, other * 0.75) }
    }
    return nil
  }

  /// A random number in 0..<1 (SplitMix64; Steele, Lea and Flood, 2014).
  private mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}
