import Raster

extension YCbCrEncoding {
  /// The encoding with a matrix and a range.
  init(isBT709: Bool, isFullRange: Bool) {
    self =
      switch (isBT709, isFullRange) {
      case (true, true): .bt709FullRange
      case (true, false): .bt709VideoRange
      case (false, true): .bt601FullRange
      case (false, false): .bt601VideoRange
      }
  }
}

/// A code of four letters as text; as a number if a byte is not a visible character of ASCII.
func fourLetters(_ code: UInt32) -> String {
  let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
  guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return String(code) }
  return String(decoding: bytes, as: UTF8.self)
}
