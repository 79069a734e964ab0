import Raster
import VisionProtocols

// `Raster` has all that a pipeline asks of an image; only the promise is missing.
extension Raster: CroppableImage {}

extension Raster: FittableImage {
  /// The image fitted into a frame with Pillow's antialiased bicubic; see
  /// `Raster/fitted(width:height:method:)`.
  public func fitted(width: Int, height: Int) throws -> Raster {
    try fitted(width: width, height: height, method: .bicubic)
  }
}

/// Measures the light of a raster: the mean of all its pixels.
public struct RasterLightMeter: LightMeter {
  /// Makes a meter.
  public init() {}

  /// The mean luma, from 0 for a black image to 1 for a white one.
  public func meanLuma(of image: Raster) async throws -> Double { image.meanLuma }
}
