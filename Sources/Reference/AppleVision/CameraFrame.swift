#if canImport(Vision)
  import CoreVideo
  import Geometry
  import ImageIO
  import Raster
  import Vision
  import VisionProtocols

  /// A frame of a camera, without a copy of its pixels.
  ///
  /// ```swift
  /// guard let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
  /// let frame = CameraFrame(buffer, orientation: .rotate90Clockwise)    // a phone held upright
  /// ```
  ///
  /// Vision turns the frame while it looks at it, so that all places are in the upright frame.
  /// Leave the orientation of `FrameScanner.analysis(of:at:orientation:)` out.
  ///
  /// A camera has few buffers and stops if all of them are kept. Let `analyses(onDrop:analyze:)` of
  /// `FrameAnalysis` drop the frames that are late.
  public struct CameraFrame: VisionImage, @unchecked Sendable {
    // Unchecked: a camera does not write a buffer that it has given away, and neither does this
    // module.

    /// The pixels as the camera stores them: 32BGRA, 420v or 420f.
    public let pixelBuffer: CVPixelBuffer
    /// How the stored pixels are to be turned to stand upright.
    public let orientation: Orientation

    /// Makes a frame of a buffer that nobody writes to from now on.
    ///
    /// - Parameters:
    ///   - pixelBuffer: the pixels.
    ///   - orientation: how they are to be turned to stand upright.
    public init(_ pixelBuffer: CVPixelBuffer, orientation: Orientation = .upright) {
      self.pixelBuffer = pixelBuffer
      self.orientation = orientation
    }

    /// Width in pixels of the upright frame.
    public var width: Int {
      orientation.swapsSides
        ? CVPixelBufferGetHeight(pixelBuffer) : CVPixelBufferGetWidth(pixelBuffer)
    }

    /// Height in pixels of the upright frame.
    public var height: Int {
      orientation.swapsSides
        ? CVPixelBufferGetWidth(pixelBuffer) : CVPixelBufferGetHeight(pixelBuffer)
    }

    /// A handler that turns the frame.
    public func requestHandler() throws -> VNImageRequestHandler {
      VNImageRequestHandler(
        cvPixelBuffer: pixelBuffer, orientation: CGImagePropertyOrientation(orientation),
        options: [:])
    }

    /// The upright pixels, copied.
    ///
    /// - Throws: as `Raster.init(pixelBuffer:)`.
    public func raster() throws -> Raster {
      try Raster(pixelBuffer: pixelBuffer).oriented(orientation)
    }
  }
#endif
