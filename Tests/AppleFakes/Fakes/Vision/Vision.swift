// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import CoreML
@_exported import ImageIO

public struct VNImageOption: Hashable {}
public final class VNImageRequestHandler: NSObject {
  public let image: CGImage?; public let buffer: CVPixelBuffer?;
  public let orientation: CGImagePropertyOrientation
  nonisolated(unsafe) public static var onPerform:
    (VNRequest, VNImageRequestHandler) throws -> Void = { _, _ in }
  public init(cgImage i: CGImage, options: [VNImageOption: Any] = [:]) {
    image = i; buffer = nil; orientation = .up
  }
  public init(
    cvPixelBuffer b: CVPixelBuffer, orientation o: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) { image = nil; buffer = b; orientation = o }
  public func perform(_ r: [VNRequest]) throws { for x in r { try Self.onPerform(x, self) } }
}
open class VNRequest: NSObject {
  public override init() {}; public let cancellation = DispatchSemaphore(value: 0);
  public var isCancelled = false; open func cancel() { isCancelled = true; cancellation.signal() }
}
open class VNImageBasedRequest: VNRequest {
  public var regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
}
public enum VNImageCropAndScaleOption: UInt { case centerCrop = 0, scaleFit, scaleFill }
public enum VNRequestTextRecognitionLevel: Int { case accurate = 0, fast }
public final class VNRecognizeTextRequest: VNImageBasedRequest {
  public var recognitionLanguages: [String] = [];
  public var recognitionLevel = VNRequestTextRecognitionLevel.accurate;
  public var usesLanguageCorrection = false; public var minimumTextHeight: Float = 0;
  public var results: [VNRecognizedTextObservation]?
}
public struct VNBarcodeSymbology: Hashable {
  public var rawValue: String; public init(rawValue: String) { self.rawValue = rawValue }
}
public final class VNDetectBarcodesRequest: VNImageBasedRequest {
  private static let all = ["QR", "EAN13"].map {
    VNBarcodeSymbology(rawValue: "VNBarcodeSymbology" + $0)
  }
  public var symbologies = VNDetectBarcodesRequest.all;
  public func supportedSymbologies() throws -> [VNBarcodeSymbology] { Self.all }
  public var results: [VNBarcodeObservation]?
}
public final class VNDetectRectanglesRequest: VNImageBasedRequest {
  public var minimumAspectRatio: Float = 0; public var maximumAspectRatio: Float = 0;
  public var quadratureTolerance: Float = 0; public var minimumSize: Float = 0;
  public var minimumConfidence: Float = 0; public var maximumObservations = 1;
  public var results: [VNRectangleObservation]?
}
public final class VNGenerateImageFeaturePrintRequest: VNImageBasedRequest {
  public var imageCropAndScaleOption = VNImageCropAndScaleOption.centerCrop;
  public var results: [VNFeaturePrintObservation]?
}
public final class VNCoreMLModel: NSObject {
  public let model: MLModel; public init(for m: MLModel) throws { model = m };
  public var featureProvider: (any MLFeatureProvider)?
}
public final class VNCoreMLRequest: VNImageBasedRequest {
  public let model: VNCoreMLModel; public init(model: VNCoreMLModel) { self.model = model };
  public var imageCropAndScaleOption = VNImageCropAndScaleOption.centerCrop;
  public var results: [VNObservation]?
}
open class VNObservation: NSObject { public var confidence: Float = 1 }
open class VNDetectedObjectObservation: VNObservation { public var boundingBox = CGRect() }
public final class VNClassificationObservation: VNObservation { public var identifier = "" }
public final class VNRecognizedObjectObservation: VNDetectedObjectObservation {
  public var labels: [VNClassificationObservation] = []
}
open class VNRectangleObservation: VNDetectedObjectObservation {
  public var topLeft = CGPoint(); public var topRight = CGPoint();
  public var bottomLeft = CGPoint(); public var bottomRight = CGPoint()
}
public final class VNRecognizedText: NSObject {
  public let string: String; public let confidence: Float;
  public init(_ string: String, _ confidence: Float) {
    self.string = string; self.confidence = confidence
  }
}
public final class VNRecognizedTextObservation: VNRectangleObservation {
  public var candidates: [VNRecognizedText] = [];
  public func topCandidates(_ count: Int) -> [VNRecognizedText] { Array(candidates.prefix(count)) }
}
public final class VNBarcodeObservation: VNRectangleObservation {
  public var symbology = VNBarcodeSymbology(rawValue: ""); public var payloadStringValue: String?;
  public var payloadData: Data?; public var supplementalPayloadString: String?
}
public enum VNElementType: UInt { case unknown = 0, float, double }
public final class VNFeaturePrintObservation: VNObservation {
  public let data: Data; public let elementCount: Int; public let elementType = VNElementType.float;
  public init(_ values: [Float]) {
    data = values.withUnsafeBytes { Data($0) }; elementCount = values.count
  }
}
