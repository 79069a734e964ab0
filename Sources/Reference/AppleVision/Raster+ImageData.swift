#if canImport(Vision)
  import CoreGraphics
  import Foundation
  import Geometry
  import ImageIO
  import Raster

  extension Raster {
    /// Makes an RGB image of the bytes of an image file, such as a photo from a picker.
    ///
    /// It reads what the system reads: JPEG, HEIC, PNG and others. The image is turned upright as
    /// the file says. It is the first one if the file has several.
    ///
    /// - Parameter imageData: the bytes of the file.
    /// - Throws: ``AppleVisionError/image(reason:)`` if it is not an image; otherwise as
    ///   ``init(cgImage:orientation:)``.
    public init(imageData: Data) throws {
      let bytes = imageData.withUnsafeBytes { bytes in
        CFDataCreate(nil, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
      }
      guard let bytes, let source = CGImageSourceCreateWithData(bytes, nil),
        let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
      else { throw AppleVisionError.image(reason: "\(imageData.count) bytes are not an image") }
      var orientation: Int32 = 1
      if let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil),
        let number = CFDictionaryGetValue(
          properties, Unmanaged.passUnretained(kCGImagePropertyOrientation).toOpaque())
      {
        let value = Unmanaged<CFNumber>.fromOpaque(number).takeUnretainedValue()
        CFNumberGetValue(value, .sInt32Type, &orientation)
      }
      try self.init(
        cgImage: image, orientation: Orientation(rawValue: Int(orientation)) ?? .upright)
    }
  }
#endif
