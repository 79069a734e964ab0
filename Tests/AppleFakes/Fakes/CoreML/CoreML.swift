// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import CoreVideo

public protocol MLFeatureProvider {
  var featureNames: Set<String> { get }; func featureValue(for n: String) -> MLFeatureValue?
}
open class MLModel: NSObject {
  public let modelDescription: MLModelDescription;
  let body: (any MLFeatureProvider) throws -> [String: MLFeatureValue]
  public init(
    _ d: MLModelDescription,
    _ b: @escaping (any MLFeatureProvider) throws -> [String: MLFeatureValue]
  ) { modelDescription = d; body = b }
  public func prediction(from i: any MLFeatureProvider) throws -> any MLFeatureProvider {
    try MLDictionaryFeatureProvider(dictionary: body(i))
  }
}
open class MLModelDescription: NSObject {
  public var inputDescriptionsByName: [String: MLFeatureDescription] = [:];
  public var outputDescriptionsByName: [String: MLFeatureDescription] = [:];
  public var classLabels: [Any]?
}
public enum MLFeatureType: Int {
  case invalid = 0, int64, double, string, image, multiArray, dictionary, sequence
}
open class MLFeatureDescription: NSObject {
  public let name: String; public let type: MLFeatureType; public let isOptional: Bool;
  public var imageConstraint: MLImageConstraint?;
  public var multiArrayConstraint: MLMultiArrayConstraint?
  public init(
    _ n: String, _ t: MLFeatureType, optional: Bool = false, image: MLImageConstraint? = nil,
    array: MLMultiArrayConstraint? = nil
  ) {
    name = n; type = t; isOptional = optional; imageConstraint = image; multiArrayConstraint = array
  }
}
open class MLImageConstraint: NSObject {
  public let pixelsWide: Int; public let pixelsHigh: Int; public let pixelFormatType: OSType;
  public init(_ w: Int, _ h: Int, _ f: OSType) {
    pixelsWide = w; pixelsHigh = h; pixelFormatType = f
  }
}
public enum MLMultiArrayDataType: Int, Sendable {
  case double = 65600, float32 = 65568, float16 = 65552, int32 = 131104
}
open class MLMultiArrayConstraint: NSObject {
  public let shape: [NSNumber]; public let dataType: MLMultiArrayDataType;
  public init(_ s: [Int], _ t: MLMultiArrayDataType) {
    shape = s.map { NSNumber(value: $0) }; dataType = t
  }
}
open class MLMultiArray: NSObject {
  public let shape: [NSNumber]; public let strides: [NSNumber];
  public let dataType: MLMultiArrayDataType; public var bytes: [UInt8]
  public convenience init(shape: [NSNumber], dataType: MLMultiArrayDataType) throws {
    var s = 1; var st: [NSNumber] = [];
    for e in shape.reversed() { st.insert(NSNumber(value: s), at: 0); s *= e.intValue }
    self.init(shape, st, dataType, [UInt8](repeating: 0, count: s * (dataType.rawValue & 0xFF) / 8))
  }
  public init(_ s: [NSNumber], _ st: [NSNumber], _ t: MLMultiArrayDataType, _ b: [UInt8]) {
    shape = s; strides = st; dataType = t; bytes = b
  }
  public var dataPointer: UnsafeMutableRawPointer { fatalError() }
  public func withUnsafeBytes<R>(_ f: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try bytes.withUnsafeBytes(f)
  }
  public func withUnsafeMutableBytes<R>(_ f: (UnsafeMutableRawBufferPointer, [Int]) throws -> R)
    rethrows -> R
  { let st = strides.map(\.intValue); return try bytes.withUnsafeMutableBytes { try f($0, st) } }
}
open class MLFeatureValue: NSObject {
  public var multiArrayValue: MLMultiArray?; public var buffer: CVPixelBuffer?;
  public var double: Double?
  public convenience init(double v: Double) { self.init(); double = v };
  public convenience init(multiArray v: MLMultiArray) { self.init(); multiArrayValue = v };
  public convenience init(pixelBuffer v: CVPixelBuffer) { self.init(); buffer = v }
}
open class MLDictionaryFeatureProvider: NSObject, MLFeatureProvider {
  public let d: [String: MLFeatureValue]
  public init(dictionary: [String: Any]) throws {
    d = dictionary.mapValues { $0 as! MLFeatureValue }
  }
  public var featureNames: Set<String> { Set(d.keys) };
  public func featureValue(for n: String) -> MLFeatureValue? { d[n] }
}
