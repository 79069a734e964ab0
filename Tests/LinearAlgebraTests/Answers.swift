import LinearAlgebra
import TestSupport
import Testing

/// What `Fixtures/generate/linear_algebra.py` writes.
struct Answers: Decodable {
  struct Values: Decodable {
    var rows: Int
    var columns: Int
    var elements: [Double]

    func matrix<Scalar: MatrixScalar>() throws -> Matrix<Scalar> {
      try Matrix<Double>(rowCount: rows, columnCount: columns, elements: elements).converted()
    }
  }
  struct Spectrum: Decodable {
    var matrix: Values
    var values: [Double]
  }
  struct System: Decodable {
    var matrix: Values
    var right: Values
    var solution: Values
    var rank: Int?
  }
  struct Components: Decodable {
    var rows: Values
    var mean: [Double]
    var components: Values
    var variance: [Double]
    var ratio: [Double]
    var projected: Values
  }
  struct Homography: Decodable {
    var from: [Double]
    var to: [Double]
    var homography: [Double]
  }
  struct Norms: Decodable {
    var values: [Double]
    var norms: [Double]
  }
  var eigen: [Spectrum]
  var singular: [Spectrum]
  var solve: [System]
  var leastSquares: [System]
  var components: [Components]
  var homographies: [Homography]
  var norms: [Norms]
}

/// Whether the values are those of `expected` within `tolerance`, relative to the largest.
func isClose<Scalar: MatrixScalar>(
  _ values: [Scalar], _ expected: [Double], _ tolerance: Scalar
) -> Bool {
  let scale = expected.reduce(1) { max($0, $1.magnitude) }
  return values.count == expected.count
    && zip(values, expected).allSatisfy { abs(Double($0) - $1) <= Double(tolerance) * scale }
}

func diagonal<Scalar: MatrixScalar>(_ values: [Scalar]) throws -> Matrix<Scalar> {
  var matrix = try Matrix<Scalar>(
    repeating: 0, rowCount: values.count, columnCount: values.count)
  for (index, value) in values.enumerated() { matrix[index, index] = value }
  return matrix
}

func expectOrthonormalRows<Scalar: MatrixScalar>(
  _ rows: Matrix<Scalar>, _ tolerance: Scalar
) throws {
  #expect(try rows.gramMatrix().distance(to: .identity(rows.rowCount)) < tolerance)
}

@Suite struct NormGoldenTests {
  @Test func normsEqualThoseOfNumPy() throws {
    let answers = try Folders.golden("LinearAlgebra/answers.json", as: Answers.self)
    for answer in answers.norms {
      let kinds: [VectorNorm] = [.l1, .l2, .infinity]
      #expect(isClose(kinds.map { answer.values.norm($0) }, answer.norms, 1e-14))
      let floats = answer.values.map { Float($0) }
      #expect(isClose(kinds.map { floats.norm($0) }, answer.norms, 1e-6))
    }
  }
}
