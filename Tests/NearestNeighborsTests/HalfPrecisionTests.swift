import Testing

@testable import NearestNeighbors

@Suite("Half precision")
struct HalfPrecisionTests {
  @Test("every half that is a number survives the way to single precision and back")
  func roundTrip() {
    for bits in UInt16.min...UInt16.max {
      let value = HalfPrecision.value(of: bits)
      if value.isNaN {
        #expect(bits & 0x7FFF > 0x7C00)
      } else {
        #expect(HalfPrecision.bits(of: value) == bits)
      }
    }
  }
}
