import LinearAlgebra
import TestSupport
import Testing

@Suite struct VectorTests {
  @Test func dotProducts() throws {
    let floats: [Float] = [1, 2, 3]
    let others: [Float] = [4, 5, 6]
    #expect(try floats.dot(others) == 32)
    let slice: ArraySlice<Double> = [1, 2, 3][1...]
    let reversed: ReversedCollection<[Double]> = [4, 5].reversed()
    #expect(try slice.dot(reversed) == 22)
    #expect(try [Float]().dot([Float]()) == 0)
    #expect(try [Double.nan].dot([Double(1)]).isNaN)
  }

  @Test func norms() {
    #expect([Float(3), -4].norm() == 5)
    #expect([Float(3), -4].norm(.l1) == 7)
    #expect([Float(3), -4].norm(.infinity) == 4)
    for kind in VectorNorm.allCases {
      #expect([Double]().norm(kind) == 0)
      #expect([0.0, -0.0].norm(kind) == 0)
      #expect([1, Double.nan, .infinity].norm(kind).isNaN)
      #expect([1, -Double.infinity].norm(kind) == .infinity)
    }
  }

  @Test func normsNeitherOverflowNorUnderflow() {
    let large = [Double](repeating: 1e300, count: 4)
    #expect(abs(large.norm() / 2e300 - 1) < 1e-15)
    let small = [Double](repeating: .leastNonzeroMagnitude, count: 4)
    #expect(small.norm() == 2 * Double.leastNonzeroMagnitude)
    #expect([Float.greatestFiniteMagnitude].norm() == .greatestFiniteMagnitude)
    #expect([Float.leastNonzeroMagnitude].norm() == .leastNonzeroMagnitude)
    #expect([Float](repeating: .greatestFiniteMagnitude, count: 2).norm() == .infinity)
  }
}
