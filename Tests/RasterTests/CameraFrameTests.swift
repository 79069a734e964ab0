import Raster
import TestSupport
import Testing

// P40: pixels of cameras, with rows of any length, become images.

private struct CameraFrameCase: Decodable {
  let seed: Int
  let width: Int
  let height: Int
  let bgra: UInt32
  let nv12: [String: UInt32]
}

/// A plane of seeded bytes whose rows have `padding` more bytes, except the last.
private struct Plane {
  var bytes: [UInt8] = []
  let bytesPerRow: Int

  init(seed: Int, rowBytes: Int, rows: Int, padding: Int) {
    self.init(rowBytes: rowBytes, rows: rows, padding: padding) { _, _ in 0 }
    var generator = SeededGenerator(seed: UInt64(seed))
    for row in 0..<rows {
      for column in 0..<rowBytes {
        bytes[row * bytesPerRow + column] = UInt8(generator.next() >> 56)
      }
    }
  }

  init(rowBytes: Int, rows: Int, padding: Int, value: (_ row: Int, _ column: Int) -> UInt8) {
    bytesPerRow = rowBytes + padding
    for row in 0..<rows {
      bytes += (0..<rowBytes).map { value(row, $0) }
      if row < rows - 1 { bytes += [UInt8](repeating: 0xA5, count: padding) }
    }
  }
}

@Suite("Frames of cameras")
struct CameraFrameTests {
  private func bgra(
    _ bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int
  ) throws -> Raster {
    try bytes.withUnsafeBytes {
      try Raster(bgra: $0, width: width, height: height, bytesPerRow: bytesPerRow)
    }
  }

  private func nv12(
    _ luma: Plane, _ chroma: Plane, width: Int, height: Int,
    encoding: YCbCrEncoding = .bt601FullRange
  ) throws -> Raster {
    try luma.bytes.withUnsafeBytes { lumaBytes in
      try chroma.bytes.withUnsafeBytes { chromaBytes in
        try Raster(
          luma: lumaBytes, chroma: chromaBytes, width: width, height: height,
          lumaBytesPerRow: luma.bytesPerRow, chromaBytesPerRow: chroma.bytesPerRow,
          encoding: encoding)
      }
    }
  }

  @Test("BGRA is what OpenCV makes of it, with or without bytes between the rows")
  func blueFirst() throws {
    for golden in try Folders.golden("Raster/camera_frames.json", as: [CameraFrameCase].self) {
      for padding in [0, 3, 64] {
        let plane = Plane(
          seed: golden.seed, rowBytes: 4 * golden.width, rows: golden.height, padding: padding)
        let image = try bgra(
          plane.bytes, width: golden.width, height: golden.height, bytesPerRow: plane.bytesPerRow)
        #expect(image.channels == 3 && image.width == golden.width)
        #expect(checksum(image.samples) == golden.bgra, "\(golden.width) x \(golden.height)")
      }
    }
  }

  @Test(
    "NV12 has the colours of the standards, of all chroma values too",
    arguments: YCbCrEncoding.allCases)
  func twoPlanes(encoding: YCbCrEncoding) throws {
    let cases = try Folders.golden("Raster/camera_frames.json", as: [CameraFrameCase].self)
    #expect(cases.count == 9)
    for golden in cases {
      let (columns, rows) = ((golden.width + 1) / 2, (golden.height + 1) / 2)
      for padding in [0, 10] {
        let luma = Plane(
          seed: 100 + golden.seed, rowBytes: golden.width, rows: golden.height, padding: padding)
        let chroma =
          golden.width == 512
          ? Plane(rowBytes: 512, rows: 256, padding: padding) { row, column in
            UInt8(column % 2 == 0 ? row : column / 2)
          } : Plane(seed: 200 + golden.seed, rowBytes: 2 * columns, rows: rows, padding: padding)
        let image = try nv12(
          luma, chroma, width: golden.width, height: golden.height, encoding: encoding)
        #expect(
          checksum(image.samples) == golden.nv12[encoding.rawValue],
          "\(golden.width) x \(golden.height)")
      }
    }
  }

  @Test("White, black and the primaries are what they are called")
  func knownColors() throws {
    // BT.601 in video range: white, black, red, green, blue of the colour bars.
    let bars: [([UInt8], [UInt8])] = [
      ([235, 128, 128], [255, 255, 255]), ([16, 128, 128], [0, 0, 0]),
      ([81, 90, 240], [254, 0, 0]),
      ([145, 54, 34], [0, 255, 1]), ([41, 240, 110], [0, 0, 255]),
    ]
    for (ycbcr, rgb) in bars {
      let image = try nv12(
        Plane(rowBytes: 1, rows: 1, padding: 0) { _, _ in ycbcr[0] },
        Plane(rowBytes: 2, rows: 1, padding: 0) { _, column in ycbcr[1 + column] },
        width: 1, height: 1, encoding: .bt601VideoRange)
      #expect(image.samples == rgb)
    }
  }

  @Test("Rows that are too short and planes with too few bytes are errors that say how many")
  func shortBuffers() throws {
    #expect(throws: RasterError.bytesPerRow(39, minimum: 40, plane: "BGRA")) {
      try bgra([UInt8](repeating: 0, count: 4000), width: 10, height: 2, bytesPerRow: 39)
    }
    #expect(throws: RasterError.byteCount(103, minimum: 104, plane: "BGRA")) {
      try bgra([UInt8](repeating: 0, count: 103), width: 10, height: 2, bytesPerRow: 64)
    }
    let luma = Plane(rowBytes: 5, rows: 3, padding: 0) { _, _ in 0 }
    let chroma = Plane(rowBytes: 6, rows: 2, padding: 0) { _, _ in 0 }
    #expect(try nv12(luma, chroma, width: 5, height: 3).width == 5)
    #expect(throws: RasterError.byteCount(15, minimum: 20, plane: "luma")) {
      try nv12(luma, chroma, width: 5, height: 4)
    }
    #expect(throws: RasterError.byteCount(12, minimum: 18, plane: "chroma")) {
      try nv12(
        Plane(rowBytes: 5, rows: 5, padding: 0) { _, _ in 0 }, chroma, width: 5, height: 5)
    }
    #expect(throws: RasterError.bytesPerRow(5, minimum: 6, plane: "chroma")) {
      try nv12(
        luma, Plane(rowBytes: 5, rows: 2, padding: 0) { _, _ in 0 }, width: 5, height: 3)
    }
  }

  @Test("Sides and rows of any number are an error, not a trap")
  func hostile() throws {
    let bytes = [UInt8](repeating: 0, count: 64)
    for width in [0, -1, Int.min, Int.max, 1 << 40] {
      for height in [0, 1, -1, Int.max] {
        #expect(throws: RasterError.self) {
          try bgra(bytes, width: width, height: height, bytesPerRow: 16)
        }
      }
    }
    for bytesPerRow in [0, -1, Int.min, Int.max, Int.max / 2] {
      #expect(throws: RasterError.self) {
        try bgra(bytes, width: 2, height: 4, bytesPerRow: bytesPerRow)
      }
    }
    #expect(throws: RasterError.byteCount(0, minimum: 4, plane: "BGRA")) {
      try Raster(
        bgra: UnsafeRawBufferPointer(start: nil, count: 0), width: 1, height: 1, bytesPerRow: 4)
    }
    // A single row has no next one.
    #expect(try bgra(bytes, width: 2, height: 1, bytesPerRow: .max).samples == [0, 0, 0, 0, 0, 0])
  }
}
