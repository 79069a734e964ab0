import Geometry
import Raster
import ReferenceModels
import Testing
import VisionProtocols

@Suite("Rasters as the images of pipelines")
struct RasterImageTests {
  /// As a pipeline sees it, which knows the protocol alone.
  private func smaller<Image: FittableImage>(_ image: Image, _ side: Int) throws -> Image {
    try image.fitted(width: side, height: side)
  }

  @Test("They are fitted as Raster fits them")
  func fitting() throws {
    let image = try Raster(
      width: 40, height: 20, channels: 3, samples: (0..<2400).map { UInt8($0 % 251) })
    #expect(try smaller(image, 10) == image.fitted(width: 10, height: 10, method: .bicubic))
    #expect(try smaller(image, 10).height == 5)
    #expect(try smaller(image, 100) == image)
    #expect(throws: RasterError.self) { try smaller(image, 0) }
  }

  @Test("Their light is measured")
  func light() async throws {
    let image = try Raster(width: 4, height: 4, channels: 3, fill: 51)
    #expect(try await RasterLightMeter().meanLuma(of: image) == 0.2)
  }
}
