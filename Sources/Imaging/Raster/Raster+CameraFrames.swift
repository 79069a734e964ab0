extension Raster {
  /// Makes an RGB image of pixels in the order blue, green, red, alpha, as cameras give them.
  ///
  /// ```swift
  /// CVPixelBufferLockBaseAddress(frame, .readOnly)
  /// defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
  /// let bytesPerRow = CVPixelBufferGetBytesPerRow(frame)
  /// let height = CVPixelBufferGetHeight(frame)
  /// let image = try Raster(
  ///   bgra: UnsafeRawBufferPointer(
  ///     start: CVPixelBufferGetBaseAddress(frame), count: bytesPerRow * height),
  ///   width: CVPixelBufferGetWidth(frame), height: height, bytesPerRow: bytesPerRow)
  /// ```
  ///
  /// Alpha is dropped. The bytes are copied, so the buffer may go afterwards.
  ///
  /// - Parameters:
  ///   - bytes: the rows from the top; the last one may end with its pixels.
  ///   - width: the width in pixels, at least 1.
  ///   - height: the height in pixels, at least 1.
  ///   - bytesPerRow: from the start of a row to that of the next, at least four times the width.
  /// - Throws: ``RasterError`` if a side is below 1, the image has more than ``maximumSamples``, the
  ///   rows are shorter than their pixels, or there are fewer bytes than rows.
  /// - Complexity: O(width * height).
  public init(
    bgra bytes: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int
  ) throws(RasterError) {
    let count = try Self.boundedSampleCount(width: width, height: height, channels: 3)
    try Self.checkPlane(
      "BGRA", bytes, rowBytes: 4 * width, rows: height, bytesPerRow: bytesPerRow)
    let samples = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      var to = 0
      for row in 0..<height {
        var from = row * bytesPerRow
        for _ in 0..<width {
          target[to] = bytes[from + 2]
          target[to + 1] = bytes[from + 1]
          target[to + 2] = bytes[from]
          from += 4
          to += 3
        }
      }
      initialized = count
    }
    self.init(width: width, height: height, channels: 3, checked: samples)
  }

  /// Makes an RGB image of a video frame in two planes, luma and chroma at half the size (NV12).
  ///
  /// It is the usual form of camera frames, `kCVPixelFormatType_420YpCbCr8BiPlanarFullRange` or
  /// `...VideoRange` on Apple's systems.
  ///
  /// Four pixels share a pair of chroma values, as in OpenCV's `COLOR_YUV2RGB_NV12`; nothing is
  /// interpolated. Colours are the standard's to the nearest whole number, and clamped to 0...255.
  /// OpenCV's differ by at most 1, except that it takes luma below black for black. If a side is odd, its last chroma values are those of one column
  /// or row of pixels. The bytes are copied, so the buffers may go afterwards.
  ///
  /// - Parameters:
  ///   - luma: one byte a pixel, rows from the top; the last one may end with its pixels.
  ///   - chroma: two bytes, Cb and Cr, for each square of four pixels, rows from the top.
  ///   - width: the width in pixels, at least 1.
  ///   - height: the height in pixels, at least 1.
  ///   - lumaBytesPerRow: from the start of a row of luma to that of the next, at least the width.
  ///   - chromaBytesPerRow: the same of chroma, at least the width, rounded up to an even number.
  ///   - encoding: how the values stand for colours.
  /// - Throws: ``RasterError`` as ``init(bgra:width:height:bytesPerRow:)`` does, of each plane.
  /// - Complexity: O(width * height).
  public init(
    luma: UnsafeRawBufferPointer, chroma: UnsafeRawBufferPointer, width: Int, height: Int,
    lumaBytesPerRow: Int, chromaBytesPerRow: Int, encoding: YCbCrEncoding
  ) throws(RasterError) {
    let count = try Self.boundedSampleCount(width: width, height: height, channels: 3)
    try Self.checkPlane(
      "luma", luma, rowBytes: width, rows: height, bytesPerRow: lumaBytesPerRow)
    try Self.checkPlane(
      "chroma", chroma, rowBytes: width + width % 2, rows: (height + 1) / 2,
      bytesPerRow: chromaBytesPerRow)
    let tables = YCbCrTables(encoding)
    let samples = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      var to = 0
      for row in 0..<height {
        let lumaRow = UnsafeRawBufferPointer(
          rebasing: luma[(row * lumaBytesPerRow)...].prefix(width))
        let chromaRow = UnsafeRawBufferPointer(
          rebasing: chroma[(row / 2 * chromaBytesPerRow)...].prefix(width + width % 2))
        tables.convert(
          lumaRow, chromaRow, to: UnsafeMutableBufferPointer(rebasing: target[to..<to + 3 * width]))
        to += 3 * width
      }
      initialized = count
    }
    self.init(width: width, height: height, channels: 3, checked: samples)
  }

  /// Checks that a plane has all of its rows.
  private static func checkPlane(
    _ name: String, _ bytes: UnsafeRawBufferPointer, rowBytes: Int, rows: Int, bytesPerRow: Int
  ) throws(RasterError) {
    guard bytesPerRow >= rowBytes else {
      throw .bytesPerRow(bytesPerRow, minimum: rowBytes, plane: name)
    }
    let (before, overflow) = bytesPerRow.multipliedReportingOverflow(by: rows - 1)
    let (needed, overflow2) = before.addingReportingOverflow(rowBytes)
    guard !overflow, !overflow2, bytes.count >= needed else {
      throw .byteCount(bytes.count, minimum: overflow || overflow2 ? .max : needed, plane: name)
    }
  }
}

extension YCbCrTables {
  /// Writes the colours of one row of pixels.
  fileprivate func convert(
    _ lumaRow: UnsafeRawBufferPointer, _ chromaRow: UnsafeRawBufferPointer,
    to target: UnsafeMutableBufferPointer<UInt8>
  ) {
    // Tables are read by pointers, because no byte and no sum of entries leaves them.
    entries.withUnsafeBufferPointer { entries in
      samples.withUnsafeBufferPointer { samples in
        func sample(_ sum: Int32) -> UInt8 { samples[Int(sum &>> Self.shift)] }
        func write(_ column: Int, _ red: Int32, _ green: Int32, _ blue: Int32) {
          let y = entries[Int(lumaRow[column])]
          target[3 &* column] = sample(y &+ red)
          target[3 &* column &+ 1] = sample(y &+ green)
          target[3 &* column &+ 2] = sample(y &+ blue)
        }
        let count = lumaRow.count
        var column = 0
        while column < count {
          let cb = Int(chromaRow[column])
          let cr = Int(chromaRow[column &+ 1])
          let red = entries[Self.redOfCr &+ cr]
          let green = entries[Self.greenOfCb &+ cb] &+ entries[Self.greenOfCr &+ cr]
          let blue = entries[Self.blueOfCb &+ cb]
          write(column, red, green, blue)
          if column &+ 1 < count { write(column &+ 1, red, green, blue) }
          column &+= 2
        }
      }
    }
  }
}
