import TestSupport
import Testing

@testable import NearestNeighbors

@Suite("Half precision")
struct HalfPrecisionTests {
  struct Golden: Decodable {
    let singles, around, drawn: UInt32
    let drawnCount: Int
  }
  let golden: Golden

  init() throws {
    golden = try Folders.golden("nearest_neighbors/half.json")
  }

  @Test("all 65,536 halves are the numbers that NumPy makes of them")
  func values() {
    let singles = (UInt16.min...UInt16.max).map { HalfPrecision.value(of: $0) }
    #expect(checksum(singles.map { $0.isNaN ? 0 : $0 }) == golden.singles)
    for bits in UInt16.min...UInt16.max {
      let value = HalfPrecision.value(of: bits)
      #expect(value.isNaN == (bits & 0x7FFF > 0x7C00))
      if value.isFinite {
        #expect(HalfPrecision.finiteValue(of: bits).bitPattern == value.bitPattern)
      }
    }
  }

  @Test("every half survives the way to single precision and back")
  func roundTrip() {
    for bits in UInt16.min...UInt16.max {
      let value = HalfPrecision.value(of: bits)
      if value.isNaN {
        #expect(HalfPrecision.bits(of: value) & 0x7FFF > 0x7C00)
      } else {
        #expect(HalfPrecision.bits(of: value) == bits)
      }
    }
  }

  @Test("half-way between two halves and next to that, numbers round as NumPy's do")
  func rounding() {
    let middles = (UInt16.min...UInt16.max).filter { $0 & 0x7C00 != 0x7C00 }.map { bits in
      let magnitude = bits & 0x7FFF
      let upper = magnitude < 0x7BFF ? Double(HalfPrecision.value(of: magnitude + 1)) : 65536
      let middle = Float((Double(HalfPrecision.value(of: magnitude)) + upper) / 2)
      return bits & 0x8000 == 0 ? middle : -middle
    }
    let around = middles.map(\.nextDown) + middles + middles.map(\.nextUp)
    #expect(checksum(bytes(around.map { HalfPrecision.bits(of: $0) })) == golden.around)
  }

  @Test("a million drawn numbers round as NumPy's do")
  func drawn() {
    var generator = SeededGenerator(seed: 42)
    let values = (0..<1_000_000).map { _ in
      Float(bitPattern: UInt32(truncatingIfNeeded: generator.next() >> 32))
    }.filter { !$0.isNaN }
    #expect(values.count == golden.drawnCount)
    #expect(checksum(bytes(values.map { HalfPrecision.bits(of: $0) })) == golden.drawn)
  }

  private func bytes(_ values: [UInt16]) -> [UInt8] {
    values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}
