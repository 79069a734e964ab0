// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFIndex = Int
public final class CFAllocator {}
public final class CFString { public let s: String; public init(_ s: String) { self.s = s } }
public final class CFData { public let bytes: [UInt8]; init(_ b: [UInt8]) { bytes = b } }
public final class CFDictionary {
  public var d: [UnsafeRawPointer: AnyObject] = [:]; public init() {}
}
public final class CFNumber { public let v: Int32; public init(_ v: Int32) { self.v = v } }
public enum CFNumberType: Int { case sInt32Type = 3 }
public func CFEqual(_ a: CFTypeRef!, _ b: CFTypeRef!) -> Bool {
  a === b || (a as? CFString)?.s == (b as? CFString)?.s && a is CFString
}
public func CFDataCreate(_ a: CFAllocator!, _ p: UnsafePointer<UInt8>!, _ n: Int) -> CFData! {
  CFData(Array(UnsafeBufferPointer(start: p, count: n)))
}
public func CFDictionaryGetValue(_ d: CFDictionary!, _ k: UnsafeRawPointer!) -> UnsafeRawPointer! {
  d.d[k].map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
}
@discardableResult public func CFNumberGetValue(
  _ n: CFNumber!, _ t: CFNumberType, _ p: UnsafeMutableRawPointer!
) -> Bool { p.storeBytes(of: n.v, as: Int32.self); return true }
