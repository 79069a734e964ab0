import Raster
import VisionProtocols
import _RasterSeams

/// Measures the light of a raster: the mean of all its pixels.
public struct RasterLightMeter: LightMeter {
  /// Makes a meter.
  public init() {}

  /// The mean luma, from 0 for a black image to 1 for a white one.
  public func meanLuma(of image: Raster) async throws -> Double { image.meanLuma }
}
