import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

@Suite("TopK and NonZero")
struct SelectingTests {
  /// The order of ONNX: by value, then by place; NaN is the greatest.
  private func order(_ values: [Float], isLargest: Bool) -> [Int] {
    values.indices.sorted { a, b in
      let (x, y) = (values[a], values[b])
      if x.isNaN || y.isNaN {
        if x.isNaN, y.isNaN { return a < b }
        return x.isNaN == isLargest
      }
      if x == y { return a < b }
      return isLargest ? x > y : x < y
    }
  }

  @Test("The first of a line, among equal ones, zeros and NaN", arguments: [true, false])
  func first(isLargest: Bool) throws {
    var generator = SeededGenerator(seed: 1)
    for count in [1, 2, 17, 129, 1000, 4096] {
      for kind in 0..<5 {
        let values = (0..<count).map { index -> Float in
          switch kind {
          case 0: return Float.random(in: -3...3, using: &generator)
          case 1: return Float(Int.random(in: -3...3, using: &generator))
          case 2: return Float(isLargest ? index : -index)
          case 3:
            return Bool.random(using: &generator)
              ? .nan : Float(Int.random(in: -1...1, using: &generator))
          default:
            return [0, -0.0, .infinity, -.infinity][Int.random(in: 0...3, using: &generator)]
          }
        }
        let expected = order(values, isLargest: isLargest)
        for k in Set([0, 1, 2, 5, count / 2, count - 1, count]) where k >= 0 && k <= count {
          let results = try run(
            "TopK", attributes: ["largest": .int(isLargest ? 1 : 0)], outputs: 2,
            [floats([count], values), ints([1], [Int64(k)])])
          #expect(
            try results[1].array(of: Int64.self) == expected.prefix(k).map { Int64($0) },
            "\(k) of \(count), kind \(kind)")
          #expect(
            try results[0].array(of: Float.self).map(\.bitPattern)
              == expected.prefix(k).map { values[$0].bitPattern })
        }
      }
    }
  }

  @Test("Lines along any axis, on any number of threads")
  func lines() throws {
    let shape = [30, 50, 7]
    let input = noise(shape, seed: 2)
    let values = try input.array(of: Float.self)
    for axis in 0..<3 {
      let stride = shape[(axis + 1)...].reduce(1, *)
      var known: [Int64]?
      for threads in [1, 4] {
        let results = try run(
          "TopK", attributes: ["axis": .int(axis)], outputs: 2, threads: threads,
          [input, ints([1], [3])])
        let places = try results[1].array(of: Int64.self)
        #expect(results[0].shape[axis] == 3)
        for line in 0..<values.count / shape[axis] {
          let (outer, inner) = line.quotientAndRemainder(dividingBy: stride)
          let own = (0..<shape[axis]).map { values[(outer * shape[axis] + $0) * stride + inner] }
          let expected = order(own, isLargest: true)
          for rank in 0..<3 {
            #expect(places[(outer * 3 + rank) * stride + inner] == Int64(expected[rank]))
          }
        }
        if let known { #expect(places == known) } else { known = places }
      }
    }
  }

  @Test("The coordinates of what is not zero")
  func nonZero() throws {
    for shape in [[], [1], [300], [5, 70], [3, 4, 5], [200, 400], [0], [3, 0], [0, 3]] as [[Int]] {
      let count = shape.reduce(1, *)
      var generator = SeededGenerator(seed: UInt64(count))
      let values = (0..<count).map { _ in Float(Int.random(in: 0...2, using: &generator) / 2) }
      let found = values.indices.filter { values[$0] != 0 }
      var expected: [Int64] = []
      for axis in shape.indices {
        let stride = shape[(axis + 1)...].reduce(1, *)
        expected += found.map { Int64($0 / stride % shape[axis]) }
      }
      for threads in [1, 3] {
        let result = try run("NonZero", threads: threads, [floats(shape, values)])[0]
        #expect(result.shape == [shape.count, found.count])
        #expect(try result.array(of: Int64.self) == expected)
      }
    }
  }
}
