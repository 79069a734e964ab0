import Raster
import TestSupport
import Testing

@Suite("Resizing without rounding") struct UnroundedResizeTests {
  /// The definition, in double precision: PyTorch's `interpolate` of a float image.
  @Test func isTheDefinition() throws {
    var random = SeededGenerator(seed: 3)
    let (width, height) = (13, 7)
    let image = try Raster(
      width: width, height: height, channels: 3,
      samples: (0..<width * height * 3).map { _ in UInt8(random.unit() * 256) })
    let rule = PixelNormalization(
      divisor: 255, mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225])
    for (newWidth, newHeight) in [(5, 3), (26, 14), (13, 7), (1, 1), (40, 2)] {
      let planes = try image.unroundedPlanes(
        width: newWidth, height: newHeight, order: .bgr, normalization: rule)
      #expect(planes.count == 3 * newWidth * newHeight)
      func taps(_ place: Int, _ old: Int, _ new: Int) -> (Int, Int, Double) {
        let at = max((Double(place) + 0.5) * Double(old) / Double(new) - 0.5, 0)
        let first = min(Int(at), old - 1)
        return (first, min(first + 1, old - 1), at - Double(first))
      }
      for (index, value) in planes.enumerated() {
        let (plane, rest) = index.quotientAndRemainder(dividingBy: newWidth * newHeight)
        let (x0, x1, fx) = taps(rest % newWidth, width, newWidth)
        let (y0, y1, fy) = taps(rest / newWidth, height, newHeight)
        func sample(_ x: Int, _ y: Int) -> Double { Double(image[x: x, y: y, channel: 2 - plane]) }
        let sum =
          (sample(x0, y0) * (1 - fx) + sample(x1, y0) * fx) * (1 - fy)
          + (sample(x0, y1) * (1 - fx) + sample(x1, y1) * fx) * fy
        let expected =
          (sum / 255 - Double(rule.mean[plane])) / Double(rule.deviation[plane])
        #expect(abs(Double(value) - expected) < 2e-5)
      }
    }
  }

  @Test func refusesSizesAndRulesThatCannotBe() throws {
    let image = try Raster(width: 2, height: 2, channels: 1, samples: [0, 1, 2, 3])
    #expect(throws: RasterError.self) { try image.unroundedPlanes(width: 0, height: 4) }
    #expect(throws: RasterError.self) {
      try image.unroundedPlanes(width: 1 << 30, height: 1 << 30)
    }
    #expect(throws: RasterError.self) {
      try image.unroundedPlanes(
        width: 2, height: 2, normalization: PixelNormalization(divisor: 0))
    }
    #expect(try image.unroundedPlanes(width: 2, height: 2) == [0, 1, 2, 3])
  }
}
