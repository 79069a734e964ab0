import CZBar
import Geometry
import Raster
import VisionProtocols

/// One pass of ZBar over a grey picture.
enum ZBarScan {
  /// Not DataBar, of which ZBar prints what it doubts on standard error.
  private static let kinds: [(type: zbar_symbol_type_t, kind: Sighting.Kind)] = [
    (ZBAR_EAN13, .code(.ean13)), (ZBAR_EAN8, .code(.ean8)), (ZBAR_UPCA, .code(.upcA)),
    (ZBAR_UPCE, .code(.upcE)), (ZBAR_EAN2, .addOn), (ZBAR_EAN5, .addOn), (ZBAR_QRCODE, .code(.qr)),
    (ZBAR_CODE128, .code(.code128)), (ZBAR_CODE39, .code(.code39)), (ZBAR_I25, .code(.itf)),
    (ZBAR_CODE93, .code(.code93)), (ZBAR_CODABAR, .code(.codabar)),
  ]

  /// The symbols of a picture of one channel.
  ///
  /// A scanner is made for every pass: ZBar's is not to be shared between threads.
  static func symbols(
    in grey: Raster, of symbologies: Set<BarcodeSymbology>
  ) throws(BarcodeError) -> [Sighting] {
    let wanted = kinds.filter { isWanted($0.kind, among: symbologies) }
    guard wanted.contains(where: { $0.kind != .addOn }) else { return [] }
    guard let scanner = zbar_image_scanner_create() else { throw .outOfMemory }
    defer { zbar_image_scanner_destroy(scanner) }
    guard let image = zbar_image_create() else { throw .outOfMemory }
    defer { zbar_image_destroy(image) }
    zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    for (type, _) in wanted { zbar_image_scanner_set_config(scanner, type, ZBAR_CFG_ENABLE, 1) }
    zbar_image_set_format(image, 0x3030_3859)  // The four letters Y800, the first lowest.
    zbar_image_set_size(image, UInt32(grey.width), UInt32(grey.height))
    return grey.samples.withUnsafeBufferPointer { samples in
      // ZBar only reads them, and only until the data are set again below.
      zbar_image_set_data(image, samples.baseAddress, UInt(samples.count), nil)
      defer { zbar_image_set_data(image, nil, 0, nil) }
      guard zbar_scan_image(scanner, image) > 0 else { return [] }
      var symbols: [Sighting] = []
      var next = zbar_image_first_symbol(image)
      while let symbol = next {
        if let found = Self.symbol(symbol) { symbols.append(found) }
        next = zbar_symbol_next(symbol)
      }
      return symbols
    }
  }

  /// Add-ons are looked for with the kinds that have them.
  private static func isWanted(
    _ kind: Sighting.Kind, among symbologies: Set<BarcodeSymbology>
  ) -> Bool {
    switch kind {
    case .code(let symbology): symbologies.contains(symbology)
    case .addOn: !symbologies.isDisjoint(with: [.ean13, .upcA, .upcE])
    }
  }

  private static func symbol(_ symbol: OpaquePointer) -> Sighting? {
    let type = zbar_symbol_get_type(symbol)
    guard let kind = kinds.first(where: { $0.type == type })?.kind,
      let data = zbar_symbol_get_data(symbol)
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(symbol)))
    let points = (0..<zbar_symbol_get_loc_size(symbol)).map { index in
      Point(
        x: Double(zbar_symbol_get_loc_x(symbol, index)) + 0.5,
        y: Double(zbar_symbol_get_loc_y(symbol, index)) + 0.5)
    }
    let outline: Quadrilateral?
    if type == ZBAR_QRCODE {
      // ZBar goes around the corners against the clock.
      outline =
        points.count == 4
        ? Quadrilateral(
          topLeft: points[0], topRight: points[3], bottomRight: points[2], bottomLeft: points[1])
        : nil
    } else {
      outline = ScanLinePoints(points).outline(orientation: zbar_symbol_get_orientation(symbol))
    }
    return outline.map {
      Sighting(
        reader: .zbar, kind: kind, payload: String(decoding: bytes, as: UTF8.self),
        bytes: Array(bytes), addOn: nil, outline: $0, lines: Int(zbar_symbol_get_quality(symbol)))
    }
  }
}

/// The points at which scan lines met the ends (and the middle) of a code of bars.
struct ScanLinePoints {
  private let points: [Point]

  init(_ points: [Point]) {
    self.points = points
  }

  /// The code's outline: straight lines through its two ends, from the first scan line to the last.
  func outline(orientation: zbar_orientation_t) -> Quadrilateral? {
    guard !points.isEmpty else { return nil }
    // For codes that run downward, x and y are exchanged.
    let isUpright = orientation == ZBAR_ORIENT_RIGHT || orientation == ZBAR_ORIENT_LEFT
    let places = isUpright ? points.map { Point(x: $0.y, y: $0.x) } : points
    let xs = places.map(\.x)
    let ys = places.map(\.y)
    let (low, high) = (xs.reduce(.infinity, min), xs.reduce(-.infinity, max))
    let top = ys.reduce(.infinity, min) - 0.5
    let bottom = ys.reduce(-.infinity, max) + 0.5
    let left = Self.line(through: places.filter { $0.x < low + 0.25 * (high - low) }, else: low)
    let right = Self.line(through: places.filter { $0.x > high - 0.25 * (high - low) }, else: high)
    var corners = [
      Point(x: left(top), y: top), Point(x: right(top), y: top),
      Point(x: right(bottom), y: bottom), Point(x: left(bottom), y: bottom),
    ]
    if isUpright { corners = corners.map { Point(x: $0.y, y: $0.x) } }
    // From the start of reading, clockwise around the code from its upper corner.
    let order =
      switch orientation {
      case ZBAR_ORIENT_DOWN: [2, 3, 0, 1]
      case ZBAR_ORIENT_RIGHT: [3, 2, 1, 0]
      case ZBAR_ORIENT_LEFT: [1, 0, 3, 2]
      default: [0, 1, 2, 3]
      }
    return Quadrilateral(
      topLeft: corners[order[0]], topRight: corners[order[1]], bottomRight: corners[order[2]],
      bottomLeft: corners[order[3]])
  }

  /// The line x = a + b y of least squares; upright if the points' rows do not determine it.
  private static func line(through points: [Point], else fallback: Double) -> (Double) -> Double {
    guard !points.isEmpty else { return { _ in fallback } }
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + $1.x } / count
    let y = points.reduce(0) { $0 + $1.y } / count
    let square = points.reduce(0) { $0 + ($1.y - y) * ($1.y - y) }
    let product = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
    // Two rows apart say little of a slope: their ends are off by a pixel either way.
    let slope = square > 50 ? min(max(product / square, -1), 1) : 0
    return { x + slope * ($0 - y) }
  }
}
