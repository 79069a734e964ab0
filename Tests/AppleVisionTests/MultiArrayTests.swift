import TestSupport
import Testing

@testable import AppleVision

@Suite("Numbers of Core ML's arrays")
struct MultiArrayTests {
  private struct ArrayCase: Decodable {
    let shape: [Int]
    let strides: [Int]
    let type: Int
    let seed: Int
    let bytes: Int
    let count: Int
    let crc: UInt32
  }

  private struct Halves: Decodable {
    let every: UInt32
    let rounded: UInt32
    let values: Int
  }

  @Test("Arrays of every type, with gaps and turned, are read as NumPy reads them")
  func arrays() throws {
    let cases = try Folders.golden("AppleVision/arrays.json", as: [ArrayCase].self)
    #expect(cases.count == 55)
    for golden in cases {
      let element = try #require(MultiArrayLayout.Element(rawValue: golden.type))
      let layout = try #require(
        MultiArrayLayout(shape: golden.shape, strides: golden.strides, element: element))
      #expect(layout.byteCount == golden.bytes)
      #expect(layout.count == golden.count)
      let raw = seededBytes(golden.bytes, seed: golden.seed)
      let values = try #require(raw.withUnsafeBytes { layout.values(in: $0) })
      #expect(
        checksum(bytes(bits(values))) == golden.crc,
        "\(golden.shape) with strides \(golden.strides) of \(element)")
    }
  }

  @Test("An array that reaches beyond its memory is not read")
  func tooFewBytes() throws {
    let layout = try #require(
      MultiArrayLayout(shape: [2, 3], strides: [4, 1], element: .float32))
    #expect(layout.byteCount == 28)
    let raw = [UInt8](repeating: 0, count: 28)
    #expect(raw.withUnsafeBytes { layout.values(in: $0) } != nil)
    #expect(raw.dropLast().withUnsafeBytes { layout.values(in: $0) } == nil)
  }

  @Test("Impossible layouts are refused, and none of them traps")
  func impossible() {
    #expect(MultiArrayLayout(shape: [2], strides: [1, 1], element: .float32) == nil)
    #expect(MultiArrayLayout(shape: [-1], strides: [1], element: .float32) == nil)
    #expect(MultiArrayLayout(shape: [2], strides: [-1], element: .float32) == nil)
    #expect(MultiArrayLayout(shape: [.max, 2], strides: [0, 0], element: .float16) == nil)
    #expect(MultiArrayLayout(shape: [2], strides: [.max], element: .float16) == nil)
    #expect(MultiArrayLayout(shape: [3], strides: [.max], element: .float16) == nil)
    #expect(MultiArrayLayout(shape: [.max, .max], element: .float16) == nil)
    #expect(MultiArrayLayout(shape: [.max, 0], element: .float16)?.count == 0)
    #expect(MultiArrayLayout.Element(rawValue: 0x10021) == nil)
  }

  @Test("Strides of an array without gaps are the products of the extents behind")
  func contiguous() {
    #expect(MultiArrayLayout(shape: [1, 3, 4, 5], element: .float32)?.strides == [60, 20, 5, 1])
    #expect(MultiArrayLayout(shape: [], element: .float32)?.strides == [])
  }

  @Test("All numbers of half precision are NumPy's")
  func halves() throws {
    let golden = try Folders.golden("AppleVision/halves.json", as: Halves.self)
    let every = (0..<65536).map { halfPrecision(UInt16($0)) }
    #expect(checksum(bytes(bits(every))) == golden.every)
  }

  @Test("Numbers are rounded to half precision as NumPy rounds them, also half way between two")
  func rounding() throws {
    let golden = try Folders.golden("AppleVision/halves.json", as: Halves.self)
    var generator = SeededGenerator(seed: 7)
    var values = (0..<20000).map { _ in Float(bitPattern: UInt32(generator.next() >> 32)) }
    // The negative ones from the least, then the others; both zeros are there.
    let finite =
      (0..<0x7C00).reversed().map { halfPrecision(UInt16($0) | 0x8000) }
      + (0..<0x7C00).map { halfPrecision(UInt16($0)) }
    let between = zip(finite, finite.dropFirst()).map { Float((Double($0) + Double($1)) / 2) }
    values += between
    values += between.map(\.nextUp)
    values += between.map(\.nextDown)
    values += [65504, 65519.99, 65520, -65520, 1e9, .infinity, -.infinity]
    values += [0x1p-25, 0x1p-26, -0.0, 0.0]
    #expect(values.count == golden.values)
    let codes = values.map { $0.isNaN ? 0x7E00 : halfPrecisionBits($0) }
    #expect(checksum(bytes(codes)) == golden.rounded)
    #expect(halfPrecision(halfPrecisionBits(.nan)).isNaN)
  }

  @Test("What is written as an input is read back", arguments: [0x10010, 0x10020, 0x10040])
  func written(type: Int) throws {
    let element = try #require(MultiArrayLayout.Element(rawValue: type))
    let values: [Float] = [0, -1.5, 0.25, 2048, 0x1p-14, -0x1p-24]
    let layout = try #require(MultiArrayLayout(shape: [2, 3], element: element))
    var raw = [UInt8](repeating: 0xFF, count: layout.byteCount)
    #expect(raw.withUnsafeMutableBytes { MultiArrayLayout.write(values, as: element, to: $0) })
    #expect(raw.withUnsafeBytes { layout.values(in: $0) } == values)
    raw.removeLast()
    #expect(!raw.withUnsafeMutableBytes { MultiArrayLayout.write(values, as: element, to: $0) })
  }

  @Test("Integers are not written")
  func integers() {
    var raw = [UInt8](repeating: 0, count: 8)
    #expect(!raw.withUnsafeMutableBytes { MultiArrayLayout.write([1], as: .int32, to: $0) })
  }
}
