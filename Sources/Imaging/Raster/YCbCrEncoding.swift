/// How the luma and chroma of a video frame stand for colours: the matrix and the range.
///
/// A camera frame of iOS in full range (`420f`) is ``bt601FullRange`` or ``bt709FullRange``, one in
/// video range (`420v`) ``bt601VideoRange`` or ``bt709VideoRange``. The frame says which matrix it
/// has (`kCVImageBufferYCbCrMatrixKey`).
///
/// Sources: ITU-R BT.601-7 and BT.709-6; for the full range, the JPEG File Interchange Format 1.02.
public enum YCbCrEncoding: String, Hashable, Sendable, Codable, CaseIterable {
  /// The matrix of BT.601, with luma and chroma 0...255, as in JPEG files.
  case bt601FullRange
  /// The matrix of BT.601, with luma 16...235 and chroma 16...240.
  case bt601VideoRange
  /// The matrix of BT.709, with luma and chroma 0...255.
  case bt709FullRange
  /// The matrix of BT.709, with luma 16...235 and chroma 16...240.
  case bt709VideoRange
}

/// What each value of luma and chroma adds to red, green and blue, in fixed point.
struct YCbCrTables {
  /// The bits behind the point: sums of three stay in 32 bits, and are exact to 2^-20.
  static let shift: Int32 = 21
  /// What is added to every colour, so that none is negative: they are -290 to 547 without it.
  static let offset = 384

  /// The first of the 256 entries of each table; that of luma begins at 0.
  static let redOfCr = 256
  static let greenOfCb = 512
  static let greenOfCr = 768
  static let blueOfCb = 1024

  /// The tables, one after the other.
  let entries: [Int32]
  /// The sample of each sum of entries.
  ///
  /// To look it up takes no branch. A processor would guess branches wrong in a colourful picture.
  let samples = (0..<1024).map { UInt8(clamping: $0 - Self.offset) }

  init(_ encoding: YCbCrEncoding) {
    let (red, blue) =
      switch encoding {
      case .bt601FullRange, .bt601VideoRange: (0.299, 0.114)
      case .bt709FullRange, .bt709VideoRange: (0.2126, 0.0722)
      }
    let (black, lumaScale, chromaScale) =
      switch encoding {
      case .bt601FullRange, .bt709FullRange: (0.0, 1.0, 1.0)
      case .bt601VideoRange, .bt709VideoRange: (16.0, 255.0 / 219, 255.0 / 224)
      }
    let green = 1 - red - blue
    func table(_ zero: Double, _ factor: Double, plus offset: Double = 0) -> [Int32] {
      (0..<256).map { value in
        let exact = (Double(value) - zero) * factor + offset
        return Int32((exact * Double(1 << Self.shift)).rounded())
      }
    }
    // The half is for rounding.
    entries =
      table(black, lumaScale, plus: Double(Self.offset) + 0.5)
      + table(128, 2 * (1 - red) * chromaScale)
      + table(128, -2 * blue * (1 - blue) / green * chromaScale)
      + table(128, -2 * red * (1 - red) / green * chromaScale)
      + table(128, 2 * (1 - blue) * chromaScale)
  }
}
