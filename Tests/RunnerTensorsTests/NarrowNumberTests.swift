import Testing

@testable import RunnerTensors

/// Numbers of 8 and 4 bits.
@Suite struct NarrowNumberTests {
  private static let types: [ElementType] = [
    .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1,
  ]

  /// Largest finite number, smallest one above 0, and how many codes are not numbers.
  private static let facts: [(ElementType, Float, Float, Int)] = [
    (.float8e4m3fn, 448, 0x1p-9, 2), (.float8e4m3fnuz, 240, 0x1p-10, 1),
    (.float8e5m2, 57344, 0x1p-16, 6), (.float8e5m2fnuz, 57344, 0x1p-17, 1),
    (.float8e8m0, 0x1p127, 0x1p-127, 1), (.float4e2m1, 6, 0.5, 0),
  ]

  @Test(arguments: facts) func ranges(
    type: ElementType, largest: Float, smallest: Float, notNumbers: Int
  ) throws {
    let numbers = try #require(NarrowFormat(type)).numbers
    #expect(numbers.count == (type == .float4e2m1 ? 16 : 256))
    #expect(numbers.filter(\.isFinite).max() == largest)
    #expect(numbers.filter { $0 > 0 }.min() == smallest)
    #expect(numbers.filter(\.isNaN).count == notNumbers)
    #expect(numbers.filter(\.isInfinite).count == (type == .float8e5m2 ? 2 : 0))
  }

  @Test(arguments: types) func codesComeBack(type: ElementType) throws {
    let format = try #require(NarrowFormat(type))
    for (code, number) in format.numbers.enumerated() where number.isFinite {
      #expect(format.code(of: number) == UInt8(code), "\(type) \(code)")
      #expect(format.code(of: number, saturates: false) == UInt8(code))
    }
  }

  /// Against a search through all numbers.
  @Test(arguments: types.filter { $0 != .float8e8m0 }) func roundsToTheNearest(type: ElementType)
    throws
  {
    let format = try #require(NarrowFormat(type))
    let known = format.numbers.enumerated().filter { $0.element.isFinite }
    let largest = known.map(\.element).max() ?? 0
    var values = known.map(\.element).filter { $0 >= 0 }.sorted()
    values += zip(values, values.dropFirst()).flatMap { low, high in
      let middle = (low + high) / 2
      return [middle, middle.nextUp, middle.nextDown, low + (high - low) / 3]
    }
    for value in values + values.map({ -$0 }) {
      let error = known.map { ($0.element - value).magnitude }.min() ?? 0
      let nearest = known.filter { ($0.element - value).magnitude == error }
      let result = format.code(of: value)
      #expect(nearest.contains { $0.element == format.numbers[Int(result)] }, "\(type) \(value)")
      // Of two that are as near the even one, unless it is a zero of either sign.
      if Set(nearest.map { $0.element.magnitude }).count == 2 { #expect(result % 2 == 0) }
    }
    for value in [largest * 2, .infinity] {
      #expect(format.numbers[Int(format.code(of: value))] == largest)
      #expect(format.numbers[Int(format.code(of: -value))] == -largest)
      let open = format.numbers[Int(format.code(of: value, saturates: false))]
      #expect(
        type == .float4e2m1 ? open == 6 : type == .float8e5m2 ? open == .infinity : open.isNaN)
    }
    #expect(type == .float4e2m1 || format.numbers[Int(format.code(of: .nan))].isNaN)
  }

  @Test func scales() throws {
    let format = try #require(NarrowFormat(.float8e8m0))
    func number(_ value: Float, _ rounding: NarrowFormat.ScaleRounding) -> Float {
      format.numbers[Int(format.code(of: value, rounding: rounding))]
    }
    #expect(number(1.1, .up) == 2 && number(1.1, .down) == 1 && number(1.1, .nearest) == 1)
    #expect(number(1.5, .nearest) == 2 && number(0x1.8p-127, .down) == 0x1p-127)
    #expect(number(0, .up) == 0x1p-127 && number(-1, .up).isNaN && number(.nan, .up).isNaN)
    #expect(number(.greatestFiniteMagnitude, .up) == 0x1p127)
    #expect(format.code(of: .infinity, saturates: false) == 255)
  }

  @Test func integersOfFourBits() throws {
    let tensor = try Tensor(shape: [6], [-9, -8, -1, 7, 8, 300] as [Int32])
    let signed = try tensor.converted(to: .int4)
    #expect(signed.byteCount == 6 && signed.elementType == .int4)
    #expect(try signed.converted(to: .int8).array(of: Int8.self) == [7, -8, -1, 7, -8, -4])
    let unsigned = try tensor.converted(to: .uint4)
    #expect(try unsigned.converted(to: .float32).array(of: Float.self) == [7, 8, 15, 7, 8, 12])
    let reals = try Tensor(shape: [4], [-2.7, .nan, 1e30, 3.9] as [Float])
    #expect(
      try reals.converted(to: .int4).converted(to: .int64).array(of: Int64.self) == [-2, 0, -1, 3])
    #expect(
      try signed.converted(to: .bool).array(of: Bool.self) == [Bool](repeating: true, count: 6))
  }

  /// Every type from every other: nothing traps, and codes stay within their bits.
  @Test func allPairs() throws {
    let numbers = try Tensor(shape: [6], [-300, -0.3, 0, 0.6, 5, 1e9] as [Double])
    let all = ElementType.allCases.filter { $0 != .string }
    for first in all {
      let tensor = try numbers.converted(to: first)
      for second in all {
        let result = try tensor.converted(to: second)
        #expect(result.count == 6 && result.byteCount == 6 * second.byteCount)
        if second.bitCount == 4 {
          result.withUnsafeBytes { bytes in
            #expect(bytes.allSatisfy { $0 < 16 || second == .int4 && $0 >= 248 })
          }
        }
      }
    }
  }
}
