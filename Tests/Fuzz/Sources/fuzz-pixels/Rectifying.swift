import FuzzSupport
import Geometry
import Raster
import Rectification

extension Target {
  /// What lies inside any four corners: an answer of the size that is asked for, or an error.
  static let rectification = Target(
    "rectification", seeds: { pictureSeeds.map { [0, 3, 3, 3, 3, 3, 3, 3, 3, 20, 20, 9] + $0 } }
  ) { bytes in
    var choices = Choices(bytes)
    let quad = choices.quadrilateral()
    let width = choices.wholeSetting(0...300)
    let height = choices.wholeSetting(0...300)
    let longest = choices.wholeSetting(1...300)
    let image = try choices.picture(largestSide: 64)
    // An answer may be as large as a raster can be, and a pixel may take 1,024 samples; such are not
    // for a fuzzer.
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    if overflow || count <= 1 << 16 || count > Raster.maximumSamples {
      for warp in [Raster.rectified, Raster.cubicallyWarped] {
        try unlessRefused {
          let answer = try warp(image)(quad, width, height)
          expect(answer.width == width && answer.height == height, "\(answer.width)")
          expect(answer.channels == image.channels, "\(answer.channels) channels")
        }
      }
    }
    if longest < 1 << 9 {
      for run in SpineTextRun.allCases {
        try unlessRefused {
          let answer = try image.textUpright(quad, running: run, maximumSide: longest)
          expect(max(answer.width, answer.height) <= longest, "\(answer.width), \(longest)")
        }
      }
    }
    try refusable(RectificationError.self) {
      let map = try Homography(from: quad, to: choices.quadrilateral())
      expect(map.elements.count == 9, "\(map)")
      _ = map.inverse?.apply(to: map.apply(to: quad.topLeft))
    }
  }

  private static func unlessRefused(_ body: () throws -> Void) throws {
    try refusable(RasterError.self) { try refusable(RectificationError.self, body) }
  }
}
