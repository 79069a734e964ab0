// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import FakeCoreFoundation

public typealias OSType = UInt32
public typealias CVReturn = Int32
public final class CVBuffer {
  public let format: OSType; public let width: Int; public let height: Int;
  public var matrix: CFString?
  public var planes: [(start: UnsafeMutableRawPointer, rows: Int, stride: Int)] = [];
  public var locks = 0; public var lockings = 0
  public init(format: OSType, width: Int, height: Int, planes: [(rows: Int, stride: Int)]) {
    self.format = format; self.width = width; self.height = height
    self.planes = planes.map {
      let p = UnsafeMutableRawPointer.allocate(byteCount: $0.rows * $0.stride, alignment: 64);
      p.initializeMemory(as: UInt8.self, repeating: 0, count: $0.rows * $0.stride);
      return (p, $0.rows, $0.stride)
    }
  }
  deinit { precondition(locks == 0); for p in planes { p.start.deallocate() } }
}
public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVBuffer
public enum CVAttachmentMode: UInt32 { case shouldNotPropagate = 0, shouldPropagate }
public struct CVPixelBufferLockFlags: OptionSet {
  public let rawValue: UInt64; public init(rawValue: UInt64) { self.rawValue = rawValue };
  public static let readOnly = Self(rawValue: 1)
}
public let kCVReturnSuccess: CVReturn = 0
public let kCVPixelFormatType_32BGRA: OSType = 0x42475241
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C303038
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x34323076
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x34323066
nonisolated(unsafe) public let kCVImageBufferYCbCrMatrixKey = CFString("CVImageBufferYCbCrMatrix")
nonisolated(unsafe) public let kCVImageBufferYCbCrMatrix_ITU_R_709_2 = CFString("ITU_R_709_2")
public func CVBufferCopyAttachment(
  _ b: CVBuffer, _ k: CFString, _ m: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? { b.matrix }
public func CVPixelBufferCreate(
  _ a: CFAllocator?, _ w: Int, _ h: Int, _ f: OSType, _ d: CFDictionary?,
  _ out: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  out.pointee = CVBuffer(
    format: f, width: w, height: h,
    planes: [(h, (w * (f == kCVPixelFormatType_32BGRA ? 4 : 1) + 63) / 64 * 64)]);
  return 0
}
@discardableResult public func CVPixelBufferLockBaseAddress(
  _ b: CVPixelBuffer, _ f: CVPixelBufferLockFlags
) -> CVReturn { b.locks += 1; b.lockings += 1; return 0 }
@discardableResult public func CVPixelBufferUnlockBaseAddress(
  _ b: CVPixelBuffer, _ f: CVPixelBufferLockFlags
) -> CVReturn { b.locks -= 1; return 0 }
public func CVPixelBufferGetWidth(_ b: CVPixelBuffer) -> Int { b.width }
public func CVPixelBufferGetHeight(_ b: CVPixelBuffer) -> Int { b.height }
public func CVPixelBufferGetPixelFormatType(_ b: CVPixelBuffer) -> OSType { b.format }
public func CVPixelBufferGetBaseAddress(_ b: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  precondition(b.locks > 0); return b.planes[0].start
}
public func CVPixelBufferGetBytesPerRow(_ b: CVPixelBuffer) -> Int { b.planes[0].stride }
public func CVPixelBufferGetBaseAddressOfPlane(_ b: CVPixelBuffer, _ i: Int)
  -> UnsafeMutableRawPointer?
{ precondition(b.locks > 0); return b.planes[i].start }
public func CVPixelBufferGetBytesPerRowOfPlane(_ b: CVPixelBuffer, _ i: Int) -> Int {
  b.planes[i].stride
}
public func CVPixelBufferGetHeightOfPlane(_ b: CVPixelBuffer, _ i: Int) -> Int { b.planes[i].rows }
