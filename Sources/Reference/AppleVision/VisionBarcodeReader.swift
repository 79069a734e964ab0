#if canImport(Vision)
  import Geometry
  import Vision
  import VisionProtocols

  /// Reads barcodes with Vision.
  ///
  /// ```swift
  /// let codes = try await VisionBarcodeReader(symbologies: [.ean13, .qr]).barcodes(in: image)
  /// ```
  ///
  /// All variants of Code 39 are `BarcodeSymbology.code39`, and Code 93i is Code 93. An EAN-13 with
  /// a leading zero is a UPC-A, as in `Barcodes`. Interleaved 2 of 5 with fourteen digits and the
  /// right check digit is ITF-14. Kinds without a constant have the names `DataBar Limited`,
  /// `MicroPDF417`, `Micro QR` and `MSI Plessey`; others have Vision's name without
  /// `VNBarcodeSymbology`.
  ///
  /// A code that does not hold text has its bytes as Latin-1 and as `rawBytes`. Systems before iOS
  /// 17 and macOS 14 do not answer these bytes, so such a code is left out there. These systems do
  /// not answer the digits beside an EAN or UPC either.
  public struct VisionBarcodeReader<Image: VisionImage>: BarcodeReader {
    /// The kinds to read; nil for all that Vision knows.
    public let symbologies: Set<BarcodeSymbology>?

    private let queue = BlockingQueue(label: "tally.vision.barcodes")

    /// Makes a reader.
    ///
    /// - Parameter symbologies: the kinds to read; nil for all that Vision knows. Fewer take less
    ///   time. Kinds that Vision does not know are never found.
    public init(symbologies: Set<BarcodeSymbology>? = nil) {
      self.symbologies = symbologies
    }

    /// Every barcode that Vision reads.
    ///
    /// - Throws: ``AppleVisionError``; `CancellationError` if the task is cancelled, which cancels
    ///   the request; what the image throws.
    public func barcodes(in image: Image) async throws -> [RecognizedBarcode] {
      if let symbologies, VisionSymbologies.visionNames(for: symbologies).isEmpty { return [] }
      return try await queue.answer("barcodes", for: image, make: request) { request, space in
        (request.results ?? []).compactMap { code in barcode(code, in: space) }
      }
    }

    private func request() throws -> VNDetectBarcodesRequest {
      let request = VNDetectBarcodesRequest()
      if let symbologies {
        // A kind that this system does not know would be an error.
        let supported = Set(try request.supportedSymbologies().map(\.rawValue))
        let names = VisionSymbologies.visionNames(for: symbologies).filter(supported.contains)
        // Without any, the request would be an error; all that it finds then is left out.
        if !names.isEmpty { request.symbologies = names.map { VNBarcodeSymbology(rawValue: $0) } }
      }
      return request
    }

    private func barcode(
      _ code: VNBarcodeObservation, in space: CoordinateSpace
    ) -> RecognizedBarcode? {
      var bytes: [UInt8]?
      var addOn: String?
      if #available(macOS 14, iOS 17, *) {
        bytes = code.payloadData.map { Array($0) }
        addOn = code.supplementalPayloadString
      }
      let barcode = VisionSymbologies.barcode(
        ofVision: code.symbology.rawValue, text: code.payloadStringValue, bytes: bytes,
        addOn: addOn, outline: space.quadrilateral(of: code), confidence: code.confidence)
      guard let barcode, symbologies?.contains(barcode.symbology) != false else { return nil }
      return barcode
    }
  }
#endif
