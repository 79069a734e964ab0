#if canImport(Vision)
  import Raster
  import Vision
  import VisionProtocols
  import _RasterSeams

  /// An image that Vision and Core ML can look at: a `Raster`, or a ``CameraFrame``.
  ///
  /// Detectors and recognizers of this module are generic over it. A type of your own may conform:
  ///
  /// ```swift
  /// struct Photo: VisionImage, @unchecked Sendable {    // nobody changes a CGImage
  ///   let cgImage: CGImage
  ///   var width: Int { cgImage.width }
  ///   var height: Int { cgImage.height }
  ///   func requestHandler() -> VNImageRequestHandler { VNImageRequestHandler(cgImage: cgImage) }
  ///   func raster() throws -> Raster { try Raster(cgImage: cgImage) }
  /// }
  /// ```
  public protocol VisionImage: SizedImage {
    /// What performs requests of Vision on this image; it answers places in the upright image.
    func requestHandler() throws -> VNImageRequestHandler

    /// The upright pixels.
    func raster() throws -> Raster
  }

  extension Raster: VisionImage {
    /// A handler for a copy of the pixels.
    ///
    /// - Throws: ``AppleVisionError/image(reason:)``.
    public func requestHandler() throws -> VNImageRequestHandler {
      VNImageRequestHandler(cgImage: try cgImage(), options: [:])
    }

    /// The image itself.
    public func raster() throws -> Raster { self }
  }
#endif
