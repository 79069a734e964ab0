// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import CoreGraphics

public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1, upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}
nonisolated(unsafe) public let kCGImagePropertyOrientation = CFString("Orientation")
// A "file": "I", width, height, orientation, then BGRA.
public final class CGImageSource { let b: [UInt8]; init(_ b: [UInt8]) { self.b = b } }
public func CGImageSourceCreateWithData(_ d: CFData, _ o: CFDictionary?) -> CGImageSource? {
  d.bytes.first == 73 ? CGImageSource(d.bytes) : nil
}
public func CGImageSourceCreateImageAtIndex(_ s: CGImageSource, _ i: Int, _ o: CFDictionary?)
  -> CGImage?
{ CGImage(width: Int(s.b[1]), height: Int(s.b[2]), bgra: Array(s.b[4...])) }
public func CGImageSourceCopyPropertiesAtIndex(_ s: CGImageSource, _ i: Int, _ o: CFDictionary?)
  -> CFDictionary?
{
  let d = CFDictionary();
  if s.b[3] != 0 {
    d.d[UnsafeRawPointer(Unmanaged.passUnretained(kCGImagePropertyOrientation).toOpaque())] =
      CFNumber(Int32(s.b[3]))
  }; return d
}
