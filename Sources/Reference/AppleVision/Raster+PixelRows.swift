import Raster

extension Raster {
  /// Writes pixels in the order blue, green, red, alpha, as Core Graphics and Core ML take them.
  ///
  /// Grey is copied to three channels. Alpha is 255 if there is none.
  ///
  /// - Parameters:
  ///   - bytes: the memory, with all rows.
  ///   - bytesPerRow: from the start of a row to that of the next, at least four times the width.
  ///   - isPremultiplied: whether colours are multiplied by alpha, rounded to nearest, as contexts
  ///     of Core Graphics have them.
  /// - Returns: false if the memory is too small; then nothing is written.
  /// - Complexity: O(width * height).
  func writeBGRA(
    to bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int, isPremultiplied: Bool = false
  ) -> Bool {
    guard hasRoom(in: bytes.count, bytesPerRow: bytesPerRow, rowBytes: 4 * width) else {
      return false
    }
    let hasColor = channels >= 3
    let hasAlpha = channels.isMultiple(of: 2)
    let multiplies = isPremultiplied && hasAlpha
    samples.withUnsafeBufferPointer { samples in
      var from = 0
      for row in 0..<height {
        var to = row * bytesPerRow
        for _ in 0..<width {
          var red = samples[from]
          var green = hasColor ? samples[from + 1] : red
          var blue = hasColor ? samples[from + 2] : red
          let alpha = hasAlpha ? samples[from + channels - 1] : 255
          if multiplies {
            red = product(red, alpha)
            green = product(green, alpha)
            blue = product(blue, alpha)
          }
          bytes[to] = blue
          bytes[to + 1] = green
          bytes[to + 2] = red
          bytes[to + 3] = alpha
          from += channels
          to += 4
        }
      }
    }
    return true
  }

  /// Writes the pixels of a grey image, a byte each.
  ///
  /// - Parameters:
  ///   - bytes: the memory, with all rows.
  ///   - bytesPerRow: from the start of a row to that of the next, at least the width.
  /// - Returns: false if the memory is too small or the image is not grey; then nothing is written.
  /// - Complexity: O(width * height).
  func writeGrey(to bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) -> Bool {
    guard channels == 1, hasRoom(in: bytes.count, bytesPerRow: bytesPerRow, rowBytes: width) else {
      return false
    }
    samples.withUnsafeBytes { samples in
      for row in 0..<height {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(row * bytesPerRow)...]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: samples[(row * width)...].prefix(width)))
      }
    }
    return true
  }

  private func hasRoom(in byteCount: Int, bytesPerRow: Int, rowBytes: Int) -> Bool {
    guard bytesPerRow >= rowBytes else { return false }
    let (before, overflow) = bytesPerRow.multipliedReportingOverflow(by: height - 1)
    let (needed, overflow2) = before.addingReportingOverflow(rowBytes)
    return !overflow && !overflow2 && byteCount >= needed
  }
}

/// A colour times alpha, rounded to nearest.
@inline(__always)
private func product(_ color: UInt8, _ alpha: UInt8) -> UInt8 {
  let product = UInt32(color) * UInt32(alpha) + 128
  return UInt8(truncatingIfNeeded: ((product >> 8) + product) >> 8)
}
