import Geometry
import Raster

/// One EAN-13 that an ``EANScanner`` read.
public struct ScannedEAN: Hashable, Sendable {
  /// Thirteen digits, the check digit right; a UPC-A has a leading zero.
  public let digits: String
  /// The bars that were read, in pixels of the picture, origin at the top left.
  ///
  /// Its own top left is where the first digit begins; where strips were read only here and there,
  /// bars may go on above and below.
  public let outline: Quadrilateral
  /// How sure the reading is, 0...1; see ``EANScanner``.
  public let confidence: Double
  /// How many strips of the bars, none sharing a row with another, said the same: 1 or 2.
  ///
  /// Each was also
  /// read in two halves.
  public let strips: Int
}

/// Reads EAN-13 and UPC-A codes that are out of focus, tiny or badly lit, by painting them.
///
/// If bars run into each other, there are no edges left to measure. So the whole code is painted
/// instead. Every number has one row of bars. If this row is blurred and lit like the photo, it
/// either looks like the photo or it does not.
///
/// 1. Parts of the picture whose edges all run in one direction are found, in any direction.
/// 2. Each is cut into four strips across the bars. A strip is averaged along the bars, in the
///    direction that leaves them sharpest. This removes most of the noise and allows for
///    perspective.
/// 3. The search begins at the places on either side where white paper ends. It finds the twelve
///    digits with the least squared error from left to right, together with start, end, bend, blur
///    and light.
/// 4. A strip counts if four conditions hold. The painted row explains at least 94 % of its
///    variance. The next best number with a valid check digit leaves at least 1.35 times as much
///    unexplained. The blur is at most 2.2 modules. Each half of the strip gives the same number by
///    itself; the halves share no row.
///
/// **Confidence** is `1 - 1 / (m1^2 * m2^2)` of the margins of the strips that agree. A margin is
/// how many times as much the next best number leaves unexplained. Confidence is at least 0.45 for
/// a lone strip, and near 1 for a sharp code. A strip that contradicts two that agree halves it.
/// Lone strips that contradict each other give no code.
///
/// Complexity: O(pixels) for the picture, then some 20 to 150 ms for each of at most four regions.
public struct EANScanner: Sendable {
  /// Makes a scanner.
  public init() {}

  /// The most regions that are read: those of the strongest edges.
  private static let regionLimit = 4
  /// The longer side of the reduced picture in which regions are found is at least this, and less
  /// than twice.
  private static let searchSide = 480

  /// The codes of an upright picture of any number of channels, the most confident first, each
  /// once.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, within some 20 ms.
  public func codes(in image: Raster) throws -> [ScannedEAN] {
    let plane = try LuminancePlane(image)
    let factor = max(max(plane.width, plane.height) / Self.searchSide, 1)
    let regions = BarRegion.regions(
      in: plane.reduced(by: factor), scale: Double(factor), limit: Self.regionLimit)
    var codes: [ScannedEAN] = []
    for region in regions {
      try Task.checkCancellation()
      guard let code = try RegionReader(region: region, plane: plane).code(),
        !codes.contains(where: {
          $0.digits == code.digits && $0.outline.contains(code.outline.center)
        })
      else { continue }
      codes.append(code)
    }
    return codes.sorted { $0.confidence > $1.confidence }
  }
}
