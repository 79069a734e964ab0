import Geometry
import Raster

/// An image as the detector gets it: at most so large, at least so high, no strip.
struct TextPage {
  /// The image that regions are found in and cut out of.
  let image: Raster
  /// The size of the image it was made of.
  private let width: Int
  private let height: Int
  /// Rows added above.
  private let padding: Int
  /// Pixels of the original for one of `image`, across and down.
  private let scale: SIMD2<Float>

  /// Images lower than this get black above and below, and are first made this high, in pixels.
  private static let leastSide = 30
  /// Images whose ratio of width to height is above this get black bars above and below.
  private static let mostProportion = 8

  /// Prepares an image as RapidOCR does.
  ///
  /// - Throws: `RasterError` if it would become too large.
  init(_ original: Raster, maximumSide: Int) throws {
    var image = try original.converted(toChannels: 3)
    if max(image.width, image.height) > maximumSide {
      let ratio = Double(maximumSide) / Double(max(image.width, image.height))
      image = try image.resized(byThirtyTwos: ratio)
    }
    if min(image.width, image.height) < Self.leastSide {
      let ratio = Double(Self.leastSide) / Double(min(image.width, image.height))
      image = try image.resized(byThirtyTwos: ratio)
    }
    scale = SIMD2(
      Float(Double(original.width) / Double(image.width)),
      Float(Double(original.height) / Double(image.height)))
    width = original.width
    height = original.height

    // Compared in floating point, as a width of a little more than eight heights is one too.
    let isStrip = Double(image.width) / Double(image.height) > Double(Self.mostProportion)
    if image.height <= Self.leastSide || isStrip {
      let wanted = max(image.width / Self.mostProportion, Self.leastSide) * 2
      padding = abs(wanted - image.height) / 2
      let (rowLength, below) = (image.width * 3, image.height + padding)
      let samples = image.samples
      image = try Raster(width: image.width, height: image.height + 2 * padding, channels: 3) {
        [padding] target in
        target.initialize(repeating: 0)
        for row in padding..<below {
          let source = samples[(row - padding) * rowLength..<(row - padding + 1) * rowLength]
          _ = UnsafeMutableBufferPointer(rebasing: target[(row * rowLength)...])
            .update(fromContentsOf: source)
        }
      }
    } else {
      padding = 0
    }
    self.image = image
  }

  /// A shape in `image`, in pixels of the original and inside it.
  func original(_ shape: Quadrilateral) -> Quadrilateral {
    shape.mapCorners { corner in
      let x = Float(corner.x) * scale.x
      let y = (Float(corner.y) - Float(padding)) * scale.y
      return Point(
        x: Double(min(max(x, 0), Float(width))), y: Double(min(max(y, 0), Float(height))))
    }
  }
}

extension Raster {
  /// The image scaled by a ratio, both sides then rounded to multiples of 32, at least 32.
  func resized(byThirtyTwos ratio: Double) throws -> Raster {
    func side(_ side: Int) -> Int {
      let scaled = (Double(side) * ratio).rounded(.down)
      // Beyond what an image may be, `resized` says so.
      guard scaled < Double(Int32.max) else { return Int(Int32.max) }
      return max(Int((scaled / 32).rounded(.toNearestOrEven)) * 32, 32)
    }
    return try resized(width: side(width), height: side(height))
  }
}
