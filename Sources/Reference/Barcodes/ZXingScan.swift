import Geometry
import Raster
import VisionProtocols
import _ZXingShim

/// One pass of ZXing over a grey picture.
struct ZXingScan: Sendable {
  /// The kinds that are looked for.
  var symbologies: Set<BarcodeSymbology>
  /// Whether rows are read closely, and columns, and the picture reduced.
  var isThorough = true
  /// Whether pixels are distinguished by one histogram rather than by their surroundings.
  var usesGlobalHistogram = false

  /// The kinds that ZXing reads, and their bits.
  static let kinds: [(symbology: BarcodeSymbology, bit: Int)] = [
    (.aztec, TALLY_ZXING_AZTEC), (.codabar, TALLY_ZXING_CODABAR), (.code39, TALLY_ZXING_CODE39),
    (.code93, TALLY_ZXING_CODE93), (.code128, TALLY_ZXING_CODE128),
    (.dataBar, TALLY_ZXING_DATABAR), (.dataBarExpanded, TALLY_ZXING_DATABAR_EXPANDED),
    (.dataMatrix, TALLY_ZXING_DATA_MATRIX), (.ean8, TALLY_ZXING_EAN8),
    (.ean13, TALLY_ZXING_EAN13), (.itf, TALLY_ZXING_ITF), (.maxiCode, TALLY_ZXING_MAXICODE),
    (.pdf417, TALLY_ZXING_PDF417), (.qr, TALLY_ZXING_QR), (.upcA, TALLY_ZXING_UPCA),
    (.upcE, TALLY_ZXING_UPCE),
  ]

  /// What a pass found.
  struct Findings: Sendable {
    var read: [Sighting] = []
    /// The places of codes that were found and could not be read.
    var unread: [Quadrilateral] = []
  }

  /// The kinds of two dimensions.
  static let matrixKinds: Set<BarcodeSymbology> = [.aztec, .dataMatrix, .maxiCode, .pdf417, .qr]

  /// The codes of a picture of one channel.
  func findings(in grey: Raster) throws(BarcodeError) -> Findings {
    // Of bars, what was found and not read is more often nothing; and asking for it makes ZXing
    // give up more often.
    var bars = self
    bars.symbologies.subtract(Self.matrixKinds.union(Self.dataBarKinds))
    var dataBars = self
    dataBars.symbologies.formIntersection(Self.dataBarKinds)
    var dots = self
    dots.symbologies.formIntersection(Self.matrixKinds)
    var findings = try dots.pass(over: grey, answersUnread: true)
    findings.read += try bars.pass(over: grey, answersUnread: false).read
    findings.read += try dataBars.dataBars(in: grey)
    return findings
  }

  /// The codes of a picture; if it makes ZXing give up, those of the kinds that do not.
  private func pass(
    over grey: Raster, answersUnread: Bool
  ) throws(BarcodeError) -> Findings {
    if let whole = try findingsOfOnePass(over: grey, answersUnread: answersUnread) { return whole }
    return try passes(ofHalves: grey, answersUnread: answersUnread)
  }

  /// The codes of a picture; nil if ZXing gave up.
  ///
  /// - Parameters:
  ///   - grey: the picture.
  ///   - answersUnread: whether to return codes that were found and not read.
  ///   - isSingle: whether to stop after the first code.
  func findingsOfOnePass(
    over grey: Raster, answersUnread: Bool, isSingle: Bool = false
  ) throws(BarcodeError) -> Findings? {
    var options = tally_zxing_options()
    for (symbology, bit) in Self.kinds where symbologies.contains(symbology) {
      options.kinds |= UInt32(bit)
    }
    guard options.kinds != 0, let width = Int32(exactly: grey.width),
      let height = Int32(exactly: grey.height)
    else { return Findings() }
    options.binarizer = Int32(
      usesGlobalHistogram ? TALLY_ZXING_GLOBAL_HISTOGRAM : TALLY_ZXING_LOCAL_AVERAGE)
    options.thorough = isThorough ? 1 : 0
    options.unread = answersUnread ? 1 : 0
    options.single = isSingle ? 1 : 0
    var codes: OpaquePointer?
    let status = grey.samples.withUnsafeBufferPointer { samples in
      tally_zxing_read(
        samples.baseAddress, samples.count, width, height, grey.width, &options, &codes)
    }
    guard Int(status) != TALLY_ZXING_OUT_OF_MEMORY else { throw .outOfMemory }
    guard Int(status) == TALLY_ZXING_OK else { return nil }
    defer { tally_zxing_release(codes) }
    var findings = Findings()
    for index in 0..<tally_zxing_count(codes) {
      let code = tally_zxing_at(codes, index)
      let outline = Self.outline(of: code, in: grey)
      if code.is_read == 0 {
        findings.unread.append(outline)
      } else if let sighting = Self.sighting(of: code, outline: outline) {
        findings.read.append(sighting)
      }
    }
    return findings
  }

  /// The codes of a picture that made ZXing give up: one kind's reader did, and the others' are
  /// still asked.
  private func passes(
    ofHalves grey: Raster, answersUnread: Bool
  ) throws(BarcodeError) -> Findings {
    let wanted = Self.kinds.map(\.symbology).filter(symbologies.contains)
    guard wanted.count > 1 else {
      guard isThorough else { return Findings() }
      // A quick scan gives up less often.
      var scan = self
      scan.isThorough = false
      return try scan.pass(over: grey, answersUnread: answersUnread)
    }
    var findings = Findings()
    for half in [wanted.prefix(wanted.count / 2), wanted.suffix(wanted.count - wanted.count / 2)] {
      var scan = self
      scan.symbologies = Set(half)
      let own = try scan.pass(over: grey, answersUnread: answersUnread)
      findings.read += own.read
      findings.unread += own.unread
    }
    return findings
  }

  private static func sighting(
    of code: tally_zxing_code, outline: Quadrilateral
  ) -> Sighting? {
    guard let symbology = kinds.first(where: { UInt32($0.bit) == code.kind })?.symbology,
      code.byte_count > 0
    else { return nil }
    let bytes = Array(UnsafeBufferPointer(start: code.bytes, count: code.byte_count))
    var payload = String(
      decoding: UnsafeBufferPointer(start: code.text, count: code.text_count), as: UTF8.self)
    var addOn: String?
    if symbology == .dataBar, payload.utf8.count == 14 {
      // ZXing leaves out the application identifier, which is always this one.
      payload = "01" + payload
    }
    // ZXing puts the digits of an add-on behind those of the code.
    if let length = digits(of: symbology) {
      let text = payload.utf8.filter { (0x30...0x39).contains($0) }
      guard text.count >= length else { return nil }
      payload = String(decoding: text.prefix(length), as: UTF8.self)
      if [2, 5].contains(text.count - length) {
        addOn = String(decoding: text.dropFirst(length), as: UTF8.self)
      }
    }
    return Sighting(
      reader: .zxing, kind: .code(symbology), payload: payload,
      bytes: bytes, addOn: addOn, outline: outline, lines: max(Int(code.lines), 1))
  }

  /// How many digits an EAN or UPC has.
  private static func digits(of symbology: BarcodeSymbology) -> Int? {
    switch symbology {
    case .ean13: 13
    case .upcA: 12
    case .ean8, .upcE: 8
    default: nil
    }
  }

  /// The corners in order.
  ///
  /// If only one line of a code was read, the outline is one pixel high. ZXing reads a MaxiCode
  /// only if it fills the picture, and then gives no place: the outline is the picture's.
  private static func outline(of code: tally_zxing_code, in grey: Raster) -> Quadrilateral {
    let c = code.corners
    let corners = [(c.0, c.1), (c.2, c.3), (c.4, c.5), (c.6, c.7)].map {
      Point(x: Double($0.0) + 0.5, y: Double($0.1) + 0.5)
    }
    let outline = Quadrilateral(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    if outline.signedArea > 1 { return outline }
    // A code that is seen from behind goes round against the clock.
    if outline.signedArea < -1 {
      return Quadrilateral(
        topLeft: corners[1], topRight: corners[0], bottomRight: corners[3], bottomLeft: corners[2])
    }
    let length = corners[0].distance(to: corners[1])
    guard length > 0 else {
      return Quadrilateral(
        Box(minX: 0, minY: 0, maxX: Float(grey.width), maxY: Float(grey.height)))
    }
    let across = (
      x: -(corners[1].y - corners[0].y) / length / 2, y: (corners[1].x - corners[0].x) / length / 2
    )
    return Quadrilateral(
      topLeft: corners[0].translated(dx: -across.x, dy: -across.y),
      topRight: corners[1].translated(dx: -across.x, dy: -across.y),
      bottomRight: corners[1].translated(dx: across.x, dy: across.y),
      bottomLeft: corners[0].translated(dx: across.x, dy: across.y))
  }
}
