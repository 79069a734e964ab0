// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import FakeCoreFoundation

public final class CGImage {
  public let width: Int; public let height: Int; public let bgra: [UInt8]  // premultiplied, tight
  public init(width: Int, height: Int, bgra: [UInt8]) {
    self.width = width; self.height = height; self.bgra = bgra
  }
}
public final class CGColorSpace {
  public init?(name: CFString) {}; public static let sRGB = CFString("sRGB")
}
public enum CGImageAlphaInfo: UInt32 {
  case none = 0, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst,
    alphaOnly
}
public struct CGBitmapInfo: OptionSet {
  public let rawValue: UInt32; public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
}
public final class CGContext {
  public var data: UnsafeMutableRawPointer?; public let bytesPerRow: Int; let width: Int;
  let height: Int; let info: UInt32
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    precondition(data == nil && bitsPerComponent == 8 && bytesPerRow == 0)
    precondition(bitmapInfo & 0x7000 == 2 << 12 && [2, 6].contains(bitmapInfo & 31))
    self.width = width; self.height = height; info = bitmapInfo
    self.bytesPerRow = (width * 4 + 31) / 32 * 32 + 32
    self.data = UnsafeMutableRawPointer.allocate(
      byteCount: self.bytesPerRow * height, alignment: 64)
    self.data!.initializeMemory(as: UInt8.self, repeating: 0, count: self.bytesPerRow * height)
  }
  deinit {
    data!.initializeMemory(as: UInt8.self, repeating: 0xEE, count: bytesPerRow * height);
    data!.deallocate()
  }
  var fillColor: [Double] = [0, 0, 0, 1]
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    fillColor = [Double(blue), Double(green), Double(red), Double(alpha)]
  }
  public func fill(_ r: CGRect) {
    precondition(r.size.width == CGFloat(width)); let p = data!.assumingMemoryBound(to: UInt8.self)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<4 { p[y * bytesPerRow + 4 * x + c] = UInt8(255 * fillColor[c]) }
      }
    }
  }
  public func draw(_ i: CGImage, in r: CGRect, byTiling: Bool = false) {
    let p = data!.assumingMemoryBound(to: UInt8.self)
    for y in 0..<height {
      for x in 0..<width {
        let a = Int(i.bgra[(y * width + x) * 4 + 3]);
        for c in 0..<4 {
          let at = y * bytesPerRow + 4 * x + c
          p[at] = UInt8(
            min(255, Int(i.bgra[(y * width + x) * 4 + c]) + (255 - a) * Int(p[at]) / 255))
        }
      }
    }
  }
  public func makeImage() -> CGImage? {
    let p = data!.assumingMemoryBound(to: UInt8.self)
    return CGImage(
      width: width, height: height,
      bgra: (0..<height).flatMap { y in (0..<4 * width).map { p[y * bytesPerRow + $0] } })
  }
}
