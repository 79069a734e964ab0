import CoreML
import Dispatch
import Geometry
import Raster
import Testing
import Vision
import VisionProtocols

@testable import AppleVision

private struct Broken: Error {}

/// They share what Vision answers, so they run one after the other.
@Suite("Requests of Vision", .serialized, .timeLimit(.minutes(15)))
struct RequestTests {
  private let image: Raster

  init() throws {
    image = try Raster(width: 8, height: 4, channels: 3, samples: (0..<96).map { UInt8($0) })
  }

  /// Lets Vision answer all requests of a kind so, until the next call.
  private func answering<Request: VNRequest>(_ answer: @escaping (Request) throws -> Void) {
    VNImageRequestHandler.onPerform = { request, _ in
      guard let request = request as? Request else { throw Broken() }
      try answer(request)
    }
  }

  @Test("Lines of text have their best reading, and lines without one are left out")
  func text() async throws {
    answering { (request: VNRecognizeTextRequest) in
      #expect(request.recognitionLevel == .fast)
      #expect(request.recognitionLanguages == ["de-DE"])
      #expect(!request.usesLanguageCorrection)
      #expect(request.minimumTextHeight == 0.125)
      let line = observation(VNRecognizedTextObservation())
      line.candidates = [VNRecognizedText("Hallo", 0.5), VNRecognizedText("Hello", 0.25)]
      request.results = [line, VNRecognizedTextObservation()]
    }
    let recognizer = VisionTextRecognizer<Raster>(
      languages: ["de-DE"], level: .fast, correctsLanguage: false, minimumTextHeight: 0.125)
    #expect(
      try await recognizer.texts(in: image) == [
        RecognizedText(outline: observedOutline, text: "Hallo", confidence: 0.5)
      ])
  }

  @Test("Text on objects: Vision looks at the box around each, and answers in shares of it")
  func textOnObjects() async throws {
    nonisolated(unsafe) var regions: [CGRect] = []
    answering { (request: VNRecognizeTextRequest) in
      regions.append(request.regionOfInterest)
      let line = observation(VNRecognizedTextObservation())
      line.candidates = [VNRecognizedText("Emma", 0.5)]
      request.results = [line]
    }
    // Of 8 x 4 pixels: the right half, a box half outside, and one that is outside.
    let outlines = [
      Box(x: 4, y: 0, width: 4, height: 4), Box(x: -2, y: 2, width: 4, height: 2),
      Box(x: 9, y: 0, width: 2, height: 2),
    ].map { Quadrilateral($0) }
    let lines = try await VisionTextRecognizer<Raster>().texts(on: outlines, of: image)
    #expect(
      regions == [
        CGRect(x: 0.5, y: 0, width: 0.5, height: 1), CGRect(x: 0, y: 0, width: 0.25, height: 0.5),
      ])
    #expect(
      lines.map(\.outline) == [
        observedOutline.mapCorners { Point(x: 4 + $0.x / 2, y: $0.y) },
        observedOutline.mapCorners { Point(x: $0.x / 4, y: 2 + $0.y / 2) },
      ])
    // A line of the box that does not lie on the outline itself.
    let corner = Quadrilateral(
      topLeft: Point(x: 0, y: 0), topRight: Point(x: 8, y: 0), bottomRight: Point(x: 0.1, y: 0.1),
      bottomLeft: Point(x: 0, y: 4))
    #expect(try await VisionTextRecognizer<Raster>().texts(on: [corner], of: image).isEmpty)
  }

  @Test("Only kinds that the system knows are asked for, and only those wanted are answered")
  func barcodes() async throws {
    answering { (request: VNDetectBarcodesRequest) in
      #expect(request.symbologies.map(\.rawValue) == ["VNBarcodeSymbologyEAN13"])
      let book = observation(VNBarcodeObservation())
      book.symbology = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyEAN13")
      book.payloadStringValue = "9780306406157"
      book.supplementalPayloadString = "51299"
      let upcA = VNBarcodeObservation()
      upcA.symbology = book.symbology
      upcA.payloadStringValue = "0036000291452"
      request.results = [book, upcA]
    }
    let reader = VisionBarcodeReader<Raster>(symbologies: [.ean13, .aztec])
    #expect(
      try await reader.barcodes(in: image) == [
        RecognizedBarcode(
          payload: "9780306406157", symbology: .ean13, outline: observedOutline, addOn: "51299")
      ])
  }

  @Test("Vision is not asked for kinds that it does not know")
  func unknownKinds() async throws {
    answering { (_: VNDetectBarcodesRequest) in Issue.record("it was asked") }
    #expect(try await VisionBarcodeReader(symbologies: [.maxiCode]).barcodes(in: image) == [])
  }

  @Test("Kinds that this system does not know yet are not found, which is not an error")
  func newerKinds() async throws {
    answering { (request: VNDetectBarcodesRequest) in
      #expect(!request.symbologies.isEmpty)
      let book = observation(VNBarcodeObservation())
      book.symbology = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyEAN13")
      book.payloadStringValue = "9780306406157"
      request.results = [book]
    }
    #expect(try await VisionBarcodeReader(symbologies: [.aztec]).barcodes(in: image) == [])
  }

  @Test("Rectangles are found by settings inside of Vision's ranges")
  func rectangles() async throws {
    answering { (request: VNDetectRectanglesRequest) in
      #expect(request.minimumAspectRatio == 0)
      #expect(request.maximumAspectRatio == 1)
      #expect(request.quadratureTolerance == 45)
      #expect(request.minimumSize == 0)
      #expect(request.maximumObservations == 0)
      let rectangle = observation(VNRectangleObservation())
      rectangle.confidence = 0.25
      request.results = [rectangle]
    }
    let detector = VisionRectangleDetector<Raster>(
      aspectRatios: -1...7, angleTolerance: 99, minimumSize: .nan, maximumCount: -3)
    #expect(
      try await detector.outlines(in: image) == [
        DetectedOutline(outline: observedOutline, confidence: 0.25)
      ])
  }

  @Test("Feature prints become rows of length 1, and one of another length is an error")
  func prints() async throws {
    answering { (request: VNGenerateImageFeaturePrintRequest) in
      #expect(request.imageCropAndScaleOption == .scaleFill)
      request.results = [VNFeaturePrintObservation([3, 4])]
    }
    let embedder = try VisionFeaturePrintEmbedder<Raster>()
    #expect(embedder.dimension == 2)
    #expect(try await embedder.embeddings(of: [image, image]).values == [0.6, 0.8, 0.6, 0.8])
    #expect(try await embedder.embeddings(of: []).count == 0)
    answering { (request: VNGenerateImageFeaturePrintRequest) in
      request.results = [VNFeaturePrintObservation([3, 4, 5])]
    }
    await #expect(throws: AppleVisionError.self) { try await embedder.embeddings(of: [image]) }
    answering { (_: VNGenerateImageFeaturePrintRequest) in }
    #expect(throws: AppleVisionError.self) { try VisionFeaturePrintEmbedder<Raster>() }
  }

  private func detectorModel(labels: [String]?) -> MLModel {
    let description = MLModelDescription()
    description.classLabels = labels
    description.inputDescriptionsByName = [
      "image": MLFeatureDescription(
        "image", .image, image: MLImageConstraint(4, 4, kCVPixelFormatType_32BGRA)),
      "confidenceThreshold": MLFeatureDescription("confidenceThreshold", .double, optional: true),
    ]
    return MLModel(description) { _ in [:] }
  }

  @Test("Objects have boxes in pixels, indices of labels, and at least the minimum as score")
  func objects() async throws {
    answering { (request: VNCoreMLRequest) in
      #expect(request.imageCropAndScaleOption == .scaleFill)
      let threshold = request.model.featureProvider?.featureValue(for: "confidenceThreshold")
      #expect(threshold?.double == 0.25)
      request.results = [object("pear", confidence: 0.5), object("apple", confidence: 0.125)]
    }
    let detector = try CoreMLObjectDetector<Raster>(
      model: detectorModel(labels: ["apple", "pear"]))
    #expect(detector.labels == ["apple", "pear"])
    #expect(detector.scale(imageWidth: 8, imageHeight: 4) == 0.5)
    #expect(
      try await detector.detections(in: image, minimumConfidence: 0.25) == [
        Detection(
          box: Box(minX: 2, minY: 1, maxX: 6, maxY: 3), score: 0.5, objectness: 0.5, classScore: 1,
          classID: 1)
      ])
  }

  @Test("A model without labels, with others, or of another job is an error")
  func wrongModels() async throws {
    #expect(throws: AppleVisionError.self) {
      try CoreMLObjectDetector<Raster>(model: detectorModel(labels: nil))
    }
    let detector = try CoreMLObjectDetector<Raster>(
      model: detectorModel(labels: nil), labels: ["plum"])
    answering { (request: VNCoreMLRequest) in request.results = [object("pear", confidence: 1)] }
    await #expect(throws: AppleVisionError.unknownLabel("pear", labels: ["plum"])) {
      try await detector.detections(in: image, minimumConfidence: 0)
    }
    answering { (request: VNCoreMLRequest) in request.results = [VNClassificationObservation()] }
    await #expect(throws: AppleVisionError.self) {
      try await detector.detections(in: image, minimumConfidence: 0)
    }
  }

  @Test("An error of Vision names the request")
  func errors() async {
    answering { (_: VNRecognizeTextRequest) in throw Broken() }
    do {
      _ = try await VisionTextRecognizer().texts(in: image)
      Issue.record("there was no error")
    } catch {
      #expect("\(error)".hasPrefix("Vision's request for text failed: "))
    }
  }

  @Test("A cancelled task cancels its request")
  func cancelled() async {
    nonisolated(unsafe) var seen: VNRequest?
    let hasBegun = DispatchSemaphore(value: 0)
    answering { (request: VNRecognizeTextRequest) in
      seen = request
      hasBegun.signal()
      request.cancellation.wait()
      throw Broken()
    }
    let task = Task { [image] in try await VisionTextRecognizer().texts(in: image) }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        hasBegun.wait()
        continuation.resume()
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(seen?.isCancelled == true)
  }
}
