#if canImport(Vision)
  import CoreVideo
  import Raster

  extension Raster {
    /// Makes an RGB image of a camera's frame.
    ///
    /// Formats are 32BGRA, and 420v and 420f in two planes (NV12). The latter are read by the
    /// matrix that the buffer names: BT.709, or BT.601 if it names another or none. The bytes are
    /// copied.
    ///
    /// - Parameter pixelBuffer: the frame, as it is stored; see ``CameraFrame`` to turn it upright.
    /// - Throws: ``AppleVisionError/pixelFormat(_:)``; ``AppleVisionError/image(reason:)`` if the
    ///   buffer cannot be read; `RasterError` if it is too large.
    /// - Complexity: O(width * height).
    public init(pixelBuffer: CVPixelBuffer) throws {
      guard CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly) == kCVReturnSuccess else {
        throw AppleVisionError.image(reason: "the pixel buffer cannot be locked")
      }
      defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
      let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
      switch format {
      case kCVPixelFormatType_32BGRA:
        guard let start = CVPixelBufferGetBaseAddress(pixelBuffer) else {
          throw AppleVisionError.image(reason: "the pixel buffer has no pixels")
        }
        let bytesPerRow = CVPixelBufferGetBytesPerRow(pixelBuffer)
        let height = CVPixelBufferGetHeight(pixelBuffer)
        try self.init(
          bgra: UnsafeRawBufferPointer(start: start, count: bytesPerRow * height),
          width: CVPixelBufferGetWidth(pixelBuffer), height: height, bytesPerRow: bytesPerRow)
      case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
        try self.init(planesOf: pixelBuffer, isFullRange: true)
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange:
        try self.init(planesOf: pixelBuffer, isFullRange: false)
      default:
        throw AppleVisionError.pixelFormat(fourLetters(format))
      }
    }

    /// The image of a locked buffer of two planes.
    private init(planesOf buffer: CVPixelBuffer, isFullRange: Bool) throws {
      try self.init(
        luma: Self.plane(0, of: buffer), chroma: Self.plane(1, of: buffer),
        width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
        lumaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 0),
        chromaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 1),
        encoding: YCbCrEncoding(isBT709: Self.namesBT709(buffer), isFullRange: isFullRange))
    }

    private static func plane(_ index: Int, of buffer: CVPixelBuffer) throws
      -> UnsafeRawBufferPointer
    {
      guard let start = CVPixelBufferGetBaseAddressOfPlane(buffer, index) else {
        throw AppleVisionError.image(reason: "the pixel buffer has no plane \(index)")
      }
      let count =
        CVPixelBufferGetBytesPerRowOfPlane(buffer, index)
        * CVPixelBufferGetHeightOfPlane(buffer, index)
      return UnsafeRawBufferPointer(start: start, count: count)
    }

    private static func namesBT709(_ buffer: CVPixelBuffer) -> Bool {
      guard let matrix = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) else {
        return false
      }
      return CFEqual(matrix, kCVImageBufferYCbCrMatrix_ITU_R_709_2)
    }
  }
#endif
