import Raster
import VisionProtocols

// `Raster` has all that a pipeline asks of an image; only the promises are missing. They are in a
// module of their own, because whoever fills the seams makes them, and an app may link several.
extension Raster: CroppableImage {}

extension Raster: FittableImage {
  /// The image fitted into a frame with Pillow's antialiased bicubic; see
  /// `Raster/fitted(width:height:method:)`.
  public func fitted(width: Int, height: Int) throws -> Raster {
    try fitted(width: width, height: height, method: .bicubic)
  }
}
