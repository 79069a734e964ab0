import Testing
import _ZXingShim

@Suite("The shim around ZXing")
struct ZXingShimTests {
  private func status(
    size: Int, _ width: Int32, _ height: Int32, stride: Int, kinds: Int = TALLY_ZXING_QR
  ) -> Int {
    var options = tally_zxing_options()
    options.kinds = UInt32(kinds)
    var codes: OpaquePointer?
    let pixels = [UInt8](repeating: 128, count: size)
    let status = tally_zxing_read(pixels, size, width, height, stride, &options, &codes)
    #expect((codes != nil) == (Int(status) == TALLY_ZXING_OK))
    tally_zxing_release(codes)
    return Int(status)
  }

  @Test("A size, a stride and bytes that don't go together are refused")
  func sizes() {
    #expect(status(size: 64, 8, 8, stride: 8) == TALLY_ZXING_OK)
    #expect(status(size: 8 * 10 - 2, 8, 8, stride: 10) == TALLY_ZXING_OK)
    for (size, width, height, stride) in [
      (63, 8, 8, 8), (64, 8, 8, 7), (64, 0, 8, 8), (64, 8, 0, 8), (64, -8, 8, 8), (64, 8, -8, 8),
      (64, 8, 9, 8), (77, 8, 8, 10), (64, .max, .max, .max), (64, 8, .max, 1 << 20),
      (64, 1, 2, -1),
    ] as [(Int, Int32, Int32, Int)] {
      #expect(
        status(size: size, width, height, stride: stride) == TALLY_ZXING_BAD_PICTURE,
        "\(size) \(width) \(height) \(stride)")
    }
  }

  @Test("No kinds find nothing, and null is refused")
  func nothing() {
    #expect(status(size: 64, 8, 8, stride: 8, kinds: 0) == TALLY_ZXING_OK)
    var options = tally_zxing_options()
    var codes: OpaquePointer?
    #expect(Int(tally_zxing_read(nil, 0, 8, 8, 8, &options, &codes)) == TALLY_ZXING_BAD_PICTURE)
    #expect(Int(tally_zxing_read([1], 1, 1, 1, 1, nil, &codes)) == TALLY_ZXING_BAD_PICTURE)
    #expect(Int(tally_zxing_read([1], 1, 1, 1, 1, &options, nil)) == TALLY_ZXING_BAD_PICTURE)
    #expect(tally_zxing_count(nil) == 0 && tally_zxing_at(nil, 3).byte_count == 0)
    tally_zxing_release(nil)
  }
}
