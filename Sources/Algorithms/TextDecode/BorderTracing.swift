/// A point of a map's pixel grid.
struct GridPoint: Hashable {
  var x: Int32
  var y: Int32
}

/// The borders of the connected regions of a mask, and of the holes in them.
///
/// Regions are 8-connected. A border's corners are kept, pixels on straight runs between them are
/// not. Borders come in the order in which OpenCV's `findContours` lists them (`RETR_LIST`): the
/// one met first from the top left is the last.
///
/// Source: Suzuki and Abe, "Topological structural analysis of digitized binary images by border
/// following", 1985, algorithm 1 without the hierarchy.
struct BorderTracing {
  /// Corners of all borders that were kept, border after border.
  private var points: [GridPoint] = []
  /// Where each border begins in `points`.
  private var starts: [Int] = []

  /// The eight neighbours, clockwise on a screen from the right one.
  private static let directions: [(dx: Int32, dy: Int32)] = [
    (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1),
  ]

  /// What marks a traced pixel; negative where the border leaves an empty pixel to its right.
  private static let traced: Int8 = 2

  /// Traces all borders of a mask.
  ///
  /// - Complexity: O(pixels + length of the borders).
  init(of mask: consuming TextMask) {
    let (width, height, stride) = (mask.width, mask.height, mask.rowStride)
    let steps = Self.directions.map { Int($0.dy) * stride + Int($0.dx) }
    mask.pixels.withUnsafeMutableBufferPointer { pixels in
      steps.withUnsafeBufferPointer { steps in
        for y in 1...height {
          var place = y * stride + 1
          let end = place + width
          var before: Int8 = 0
          // One past the row's end, where the margin ends a region.
          while place <= end {
            let pixel = pixels[place]
            if pixel == before {
              place &+= 1
              continue
            }
            if before == 0, pixel == 1 {
              follow(pixels, steps, from: place, stride: stride, isHole: false)
            } else if pixel == 0, before > 0 {
              follow(pixels, steps, from: place &- 1, stride: stride, isHole: true)
            }
            before = pixels[place]
            place &+= 1
          }
        }
      }
    }
  }

  /// Follows one border from its first pixel in reading order.
  private mutating func follow(
    _ pixels: UnsafeMutableBufferPointer<Int8>, _ steps: UnsafeBufferPointer<Int>, from start: Int,
    stride: Int, isHole: Bool
  ) {
    starts.append(points.count)
    // The empty pixel from which the region was entered, to the left of an outer border.
    let entry = isHole ? 0 : 4
    var direction = entry
    var last = -1
    // Clockwise from there to the last pixel of the border.
    for turn in 1..<8 {
      let candidate = (entry + turn) & 7
      if pixels[start + steps[candidate]] != 0 {
        last = start + steps[candidate]
        direction = candidate
        break
      }
    }
    guard last >= 0 else {
      pixels[start] = -Self.traced
      append(start, stride)
      return
    }
    var place = start
    // The direction from which the present pixel was reached.
    var arrival = -1
    while true {
      // Counterclockwise from the pixel before to the next one.
      var candidate = direction
      var passesRight = false
      repeat {
        candidate = (candidate &- 1) & 7
        if pixels[place &+ steps[candidate]] != 0 { break }
        if candidate == 0 { passesRight = true }
      } while true
      if passesRight {
        pixels[place] = -Self.traced
      } else if pixels[place] == 1 {
        pixels[place] = Self.traced
      }
      if candidate != arrival { append(place, stride) }
      let next = place &+ steps[candidate]
      if next == start, place == last { break }
      place = next
      arrival = candidate
      direction = (candidate &+ 4) & 7
    }
  }

  private mutating func append(_ place: Int, _ stride: Int) {
    points.append(
      GridPoint(
        x: Int32(truncatingIfNeeded: place % stride - 1),
        y: Int32(truncatingIfNeeded: place / stride - 1)))
  }

  /// How many borders there are.
  var count: Int { starts.count }

  /// The corners of the border at a place of the list, the one met last first.
  subscript(index: Int) -> ArraySlice<GridPoint> {
    let place = starts.count - 1 - index
    let end = place + 1 < starts.count ? starts[place + 1] : points.count
    return points[starts[place]..<end]
  }
}
