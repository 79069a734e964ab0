#if canImport(Vision)
  import CoreGraphics
  import Geometry
  import Raster

  extension Raster {
    /// Makes an RGB image of an image of Core Graphics.
    ///
    /// Colours are converted to sRGB. What is transparent shows white.
    ///
    /// - Parameters:
    ///   - cgImage: the image, with any pixels and colours.
    ///   - orientation: how it is to be turned to stand upright.
    /// - Throws: `RasterError` if it is too large; ``AppleVisionError/image(reason:)`` if Core
    ///   Graphics has no memory for it.
    /// - Complexity: O(width * height).
    public init(cgImage: CGImage, orientation: Orientation = .upright) throws {
      let (width, height) = (cgImage.width, cgImage.height)
      let context = try Self.context(width: width, height: height, hasAlpha: false)
      let area = CGRect(x: 0, y: 0, width: width, height: height)
      context.setFillColor(red: 1, green: 1, blue: 1, alpha: 1)
      context.fill(area)
      context.draw(cgImage, in: area)
      guard let pixels = context.data else {
        throw AppleVisionError.image(reason: "a context of Core Graphics has no pixels")
      }
      let bytes = UnsafeRawBufferPointer(start: pixels, count: context.bytesPerRow * height)
      // The context frees its pixels when it goes.
      self = try withExtendedLifetime(context) {
        try Raster(bgra: bytes, width: width, height: height, bytesPerRow: context.bytesPerRow)
          .oriented(orientation)
      }
    }

    /// The image for Core Graphics, in sRGB; grey becomes three channels, and alpha is kept.
    ///
    /// - Throws: ``AppleVisionError/image(reason:)`` if Core Graphics has no memory for it;
    ///   `RasterError` if it would be too large with four channels.
    /// - Complexity: O(width * height).
    public func cgImage() throws -> CGImage {
      let hasAlpha = channels.isMultiple(of: 2)
      let context = try Self.context(width: width, height: height, hasAlpha: hasAlpha)
      guard let pixels = context.data,
        writeBGRA(
          to: UnsafeMutableRawBufferPointer(start: pixels, count: context.bytesPerRow * height),
          bytesPerRow: context.bytesPerRow, isPremultiplied: true),
        let image = context.makeImage()
      else {
        throw AppleVisionError.image(reason: "Core Graphics makes no image of these pixels")
      }
      return image
    }

    /// A context whose memory is rows of blue, green, red and alpha, from the top.
    private static func context(width: Int, height: Int, hasAlpha: Bool) throws -> CGContext {
      let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
      guard !overflow, pixels <= maximumSamples / 4 else {
        throw RasterError.tooLarge(width: width, height: height, channels: 4)
      }
      let alpha: CGImageAlphaInfo = hasAlpha ? .premultipliedFirst : .noneSkipFirst
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
          space: space,
          bitmapInfo: alpha.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)
      else {
        throw AppleVisionError.image(
          reason: "Core Graphics makes no context of \(width) x \(height) pixels")
      }
      return context
    }
  }
#endif
