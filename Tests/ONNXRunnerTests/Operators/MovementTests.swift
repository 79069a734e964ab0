import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Movement against index arithmetic written out.
@Suite("Movement operators")
struct MovementTests {
  /// The coordinates of element `index` of a tensor of `shape`.
  private func coordinates(_ index: Int, _ shape: [Int]) -> [Int] {
    var rest = index
    return shape.reversed().map { extent in
      defer { rest /= extent }
      return rest % extent
    }.reversed()
  }

  private func offset(_ coordinates: [Int], _ shape: [Int]) -> Int {
    zip(coordinates, shape).reduce(0) { $0 * $1.1 + $1.0 }
  }

  @Test("Transposition in any order, for elements of every size")
  func transpose() throws {
    var generator = SeededGenerator(seed: 5)
    for round in 0..<60 {
      let rank = Int.random(in: 0...5, using: &generator)
      let shape = (0..<rank).map { _ in Int.random(in: 1...(round < 40 ? 5 : 20), using: &generator)
      }
      let order = Array(0..<rank).shuffled(using: &generator)
      let count = shape.reduce(1, *)
      let result = order.map { shape[$0] }
      let expected = (0..<count).map { index in
        let place = coordinates(index, result)
        var source = [Int](repeating: 0, count: rank)
        for (dimension, from) in order.enumerated() { source[from] = place[dimension] }
        return offset(source, shape)
      }
      let attributes = ["perm": AttributeValue.ints(order)]
      func check<Scalar: TensorScalar & Equatable>(_ make: (Int) -> Scalar) throws {
        let input = try Tensor(shape: shape, (0..<count).map(make))
        let output = try run("Transpose", attributes: attributes, [input])[0]
        #expect(output.shape == result)
        #expect(try output.array(of: Scalar.self) == expected.map(make), "\(shape) \(order)")
      }
      try check { Int64($0) }
      try check { Float($0) }
      try check { UInt8(truncatingIfNeeded: $0) }
      try check { UInt16(truncatingIfNeeded: $0) }
    }
  }

  @Test("Slices with any start, end and step are ONNX Runtime's")
  func slice() throws {
    let shape = [5, 7]
    let input = ints(shape, (0..<35).map { $0 })
    for step in [-9, -3, -2, -1, 1, 2, 3, 9] {
      for start in [-100, -6, -5, -1, 0, 2, 4, 5, 100] {
        for end in [Int.min, -6, -3, 0, 1, 4, 5, 9, Int.max] {
          var rows: [Int] = []
          // As Python's, but that backwards the first row is where a start before it is, and that the
          // greatest number is no end.
          func clamp(_ value: Int, _ limits: ClosedRange<Int>) -> Int {
            let counted = value < 0 ? value &+ 5 : value
            return min(max(counted, limits.lowerBound), limits.upperBound)
          }
          var row = clamp(start, step > 0 ? 0...5 : 0...4)
          let last =
            step > 0 ? clamp(end, 0...5) : end == .max ? -1 : clamp(end, -1...4)
          while step > 0 ? row < last : row > last {
            rows.append(row)
            row += step
          }
          let output = try run(
            "Slice",
            [
              input, ints([1], [Int64(start)]), ints([1], [Int64(end)]), ints([1], [-2]),
              ints([1], [Int64(step)]),
            ])[0]
          #expect(output.shape == [rows.count, 7], "\(start):\(end):\(step)")
          let expected = rows.flatMap { row in (0..<7).map { Int64(row * 7 + $0) } }
          #expect(try output.array(of: Int64.self) == expected, "\(start):\(end):\(step)")
        }
      }
    }
  }

  @Test("Splitting and concatenating gives back the whole")
  func splitAndConcat() throws {
    let input = noise([3, 7, 4], seed: 1)
    for axis in -3..<3 {
      let extent = input.shape[axis < 0 ? axis + 3 : axis]
      let attributes = ["axis": AttributeValue.int(axis)]
      let sizes = [1, 0, extent - 2, 1].map { Int64($0) }
      let parts = try run(
        "Split", attributes: attributes, outputs: 4, [input, ints([4], sizes)])
      let whole = try run("Concat", attributes: attributes, parts.map { $0 })[0]
      #expect(whole.shape == input.shape)
      #expect(try whole.array(of: Float.self) == input.array(of: Float.self))
    }
  }

  @Test("Indices out of range are errors that name the node")
  func indicesOutOfRange() {
    let data = floats([2, 3], [1, 2, 3, 4, 5, 6])
    for index in [Int64(2), -3, .max, .min] {
      #expect(
        throws: ModelError.invalidNode(
          node: "n", operation: "Gather",
          reason: "index \(index) is out of range for extent 2")
      ) { try run("Gather", [data, ints([1], [index])]) }
      #expect(throws: ModelError.self) {
        try run("GatherElements", [data, ints([1, 1], [index])])
      }
      #expect(throws: ModelError.self) { try run("GatherND", [data, ints([1, 1], [index])]) }
    }
  }

  @Test("Ranges that never begin or never end")
  func endlessRanges() throws {
    func range(_ start: Float, _ limit: Float, _ delta: Float) throws -> [Float] {
      try run("Range", [floats([], [start]), floats([], [limit]), floats([], [delta])])[0]
        .array(of: Float.self)
    }
    #expect(try range(0, 1, 0.25) == [0, 0.25, 0.5, 0.75])
    #expect(try range(0, -.infinity, 1).isEmpty)
    #expect(try range(0, -1, 0).isEmpty)
    #expect(throws: ModelError.self) { try range(0, .infinity, 1) }
    #expect(throws: ModelError.self) { try range(0, 1, 0) }
    #expect(throws: ModelError.self) { try range(0, .nan, 1) }
  }

  @Test("A result larger than the limit is refused before it is made")
  func memoryLimit() {
    let one = floats([1], [1])
    for shape in [[Int64(1) << 40], [1 << 20, 1 << 20, 1 << 20, 1 << 20], [.max, .max]] {
      let wanted = ints([shape.count], shape)
      #expect(throws: ModelError.self) { try run("Expand", [one, wanted]) }
      #expect(throws: ModelError.self) { try run("ConstantOfShape", [wanted]) }
    }
    #expect(throws: ModelError.self) { try run("Tile", [one, ints([1], [.max])]) }
    #expect(throws: ModelError.self) {
      try run("Range", [ints([], [0]), ints([], [.max]), ints([], [1])])
    }
    #expect(throws: ModelError.self) {
      try run("Range", [ints([], [.min]), ints([], [.max]), ints([], [1])])
    }
  }
}
