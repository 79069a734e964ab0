import TestSupport
import Testing

@testable import RunnerTensors

@Suite struct TensorTests {
  @Test func shapeAndElements() throws {
    let tensor = try Tensor(shape: [2, 3], [1, 2, 3, 4, 5, 6] as [Float])
    #expect(tensor.count == 6 && tensor.rank == 2 && tensor.byteCount == 24)
    #expect(try tensor.array(of: Float.self) == [1, 2, 3, 4, 5, 6])
    #expect(try tensor.reshaped(to: [3, 2]).shape == [3, 2])
    #expect(Tensor(scalar: Int64(5)).shape == [])
    #expect(try Tensor(shape: [0, 3], [Float]()).count == 0)
  }

  @Test func wrongUse() throws {
    let tensor = try Tensor(shape: [2], [1, 2] as [Float])
    #expect(throws: ModelError.self) { try tensor.array(of: Int32.self) }
    #expect(throws: ModelError.self) { try tensor.reshaped(to: [3]) }
    #expect(throws: ModelError.self) { try tensor.strings() }
    #expect(throws: ModelError.self) { try tensor.converted(to: .string) }
    #expect(throws: ModelError.self) { try Tensor(shape: [3], [1, 2] as [Float]) }
    #expect(throws: ModelError.self) { try Tensor(shape: [-1, -2], [1, 2] as [Float]) }
    #expect(throws: ModelError.self) { try Tensor(shape: [1 << 40, 1 << 40], [Float]()) }
    #expect(throws: ModelError.self) { try Tensor(shape: [.max, .max, 0], [Float]()) }
    #expect(throws: ModelError.self) { try Tensor(shape: [2], strings: ["a"]) }
  }

  @Test func conversionSaturates() throws {
    let values: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 2.9, -2.9, 300]
    let tensor = try Tensor(shape: [8], values)
    #expect(
      try tensor.converted(to: .int8).array(of: Int8.self)
        == [0, 127, -128, 127, -128, 2, -2, 127])
    #expect(
      try tensor.converted(to: .uint64).array(of: UInt64.self)
        == [0, .max, 0, .max, 0, 2, 0, 300])
    #expect(
      try tensor.converted(to: .int64).array(of: Int64.self)
        == [0, .max, .min, .max, .min, 2, -2, 300])
    #expect(
      try Tensor(shape: [2], [300, -1] as [Int32]).converted(to: .uint8).array(of: UInt8.self)
        == [44, 255])
  }

  /// What packs weights asks for them once, and nothing is kept; who asks for an address has it kept.
  @Test(arguments: [1, 2047, 5000])
  func convertsOnDemand(count: Int) throws {
    let values = (0..<count).map { Float($0) / 8 - 40 }
    let half = try Tensor(shape: [count], values).converted(to: .float16)
    let expected = try half.converted(to: .float32).array(of: Float.self)
    let wide = try half.convertedOnDemand(to: .float32)
    #expect(wide.shape == [count] && wide.elementType == .float32)
    #expect(wide.storage.isInMemory == (count * 4 < 4096))
    #expect(try wide.readyForOneUse().array(of: Float.self) == expected)
    #expect(wide.storage.isInMemory == (count * 4 < 4096))
    #expect(try wide.array(of: Float.self) == expected)
    #expect(try half.convertedOnDemand(to: .float16).storage === half.storage)
    #expect(throws: ModelError.self) { try half.convertedOnDemand(to: .string) }
  }

  @Test func halvesRoundTrip() {
    for bits in UInt16.min ... .max {
      let half = Half(bits: bits)
      let float = half.float
      if float.isNaN {
        #expect(Half(float).float.isNaN)
      } else {
        #expect(Half(float).bits == bits)
      }
    }
  }

  @Test func halvesRoundToNearestEven() {
    // The middle between two neighbours goes to the even one, what is beyond it to the nearer one.
    for bits: UInt16 in 0..<0x7BFF {
      let low = Half(bits: bits).float
      let high = Half(bits: bits + 1).float
      let middle = (low + high) / 2
      #expect(Half(middle).bits == (bits % 2 == 0 ? bits : bits + 1))
      #expect(Half(middle.nextUp).bits == bits + 1)
      #expect(Half(middle.nextDown).bits == bits)
    }
    #expect(Half(65519.99).bits == 0x7BFF)
    #expect(Half(65520).bits == 0x7C00)
    #expect(Half(-.infinity).bits == 0xFC00)
    #expect(Half(1e-30).bits == 0)
    #expect(BFloat16(1.00390625).bits == 0x3F80)
    #expect(BFloat16(1.01171875).bits == 0x3F82)
    #expect(BFloat16(.nan).float.isNaN)
  }
}
