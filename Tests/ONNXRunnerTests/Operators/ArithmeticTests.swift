import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerTensors

@Suite("Arithmetic operators")
struct ArithmeticTests {
  @Test("Broadcasting is NumPy's, in every type and on any number of threads")
  func broadcasting() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<80 {
      let rank = Int.random(in: 0...4, using: &generator)
      let shape = (0..<rank).map { _ in Int.random(in: 1...4, using: &generator) }
      func cut() -> [Int] {
        let cut = shape.map { Bool.random(using: &generator) ? $0 : 1 }
        return Array(cut.dropFirst(Int.random(in: 0...rank, using: &generator)))
      }
      let (a, b) = (cut(), cut())
      let result = try #require(Shapes.broadcast([a, b]))
      let x = (0..<a.reduce(1, *)).map { Float($0 + 1) }
      let y = (0..<b.reduce(1, *)).map { Float($0 * 2 + 3) }
      let expected = (0..<result.reduce(1, *)).map { index -> Float in
        func place(_ shape: [Int]) -> Int {
          var rest = index
          var offset = 0
          var stride = 1
          for (dimension, extent) in result.enumerated().reversed() {
            let own = dimension - (result.count - shape.count)
            if own >= 0 {
              offset += (shape[own] == 1 ? 0 : rest % extent) * stride
              stride *= shape[own]
            }
            rest /= extent
          }
          return offset
        }
        return x[place(a)] - y[place(b)]
      }
      for type in [ElementType.float32, .float64, .float16, .int32, .int64] {
        let inputs = try [floats(a, x), floats(b, y)].map { try $0.converted(to: type) }
        for threads in [1, 2] {
          let output = try run("Sub", threads: threads, inputs)[0]
          #expect(output.shape == result && output.elementType == type)
          #expect(
            try output.converted(to: .float32).array(of: Float.self) == expected, "\(a) \(b)")
        }
      }
    }
  }

  @Test("Comparisons broadcast, in every type, and nothing compares with NaN")
  func comparisons() throws {
    let relations: [(String, (Float, Float) -> Bool)] = [
      ("Equal", { $0 == $1 }), ("Greater", { $0 > $1 }), ("GreaterOrEqual", { $0 >= $1 }),
      ("Less", { $0 < $1 }), ("LessOrEqual", { $0 <= $1 }),
    ]
    for (a, b) in [([70], [70]), ([3, 40], []), ([], [5, 7]), ([4, 1], [3]), ([1], [1])]
      as [([Int], [Int])]
    {
      let shape = try #require(Shapes.broadcast([a, b]))
      func values(_ shape: [Int], _ factor: Int) -> [Float] {
        (0..<shape.reduce(1, *)).map { Float($0 * factor % 5) }
      }
      var (x, y) = (values(a, 3), values(b, 2))
      for type in [ElementType.float32, .float64, .int32, .uint8] {
        if type == .float32, x.count > 2 { x[1] = .nan }
        let indices = 0..<shape.reduce(1, *)
        let columns = shape.last ?? 1
        let pairs = indices.map { index -> (Float, Float) in
          func place(_ own: [Int]) -> Int {
            own == shape
              ? index : own == [4, 1] ? index / columns : own == [3] ? index % columns : 0
          }
          return (x[place(a)], y[place(b)])
        }
        let inputs = try [floats(a, x), floats(b, y)].map { try $0.converted(to: type) }
        for (name, relation) in relations {
          for threads in [1, 2] {
            let output = try run(name, threads: threads, inputs)[0]
            #expect(output.shape == shape && output.elementType == .bool)
            #expect(
              try output.array(of: Bool.self) == pairs.map { relation($0.0, $0.1) }, "\(name)")
          }
        }
        (x, y) = (values(a, 3), values(b, 2))
      }
    }
  }

  @Test("Large tensors are split over threads without a difference")
  func largeBroadcasts() throws {
    for (a, b) in [([64, 1000], [1000]), ([64, 1000], [64, 1]), ([50, 7, 300], [7, 1])] {
      let x = noise(a, seed: 1)
      let y = noise(b, seed: 2)
      let one = try run("Mul", threads: 1, [x, y])[0].array(of: Float.self)
      let two = try run("Mul", threads: 2, [x, y])[0].array(of: Float.self)
      #expect(one == two)
      let last = try x.array(of: Float.self).last ?? 0
      #expect(try one.last == last * (y.array(of: Float.self).last ?? 0))
    }
  }

  @Test("Integers wrap and never trap")
  func integerLimits() throws {
    func result(_ operation: String, _ a: Int64, _ b: Int64) throws -> Int64 {
      try run(operation, [ints([], [a]), ints([], [b])])[0].array(of: Int64.self)[0]
    }
    #expect(try result("Add", .max, 1) == .min)
    #expect(try result("Mul", .max, 2) == -2)
    #expect(try result("Div", 5, 0) == 0)
    #expect(try result("Div", .min, -1) == .min)
    #expect(try result("Div", -7, 2) == -3)
    #expect(try result("Mod", -7, 3) == 2)
    #expect(try result("Mod", 7, -3) == -2)
    #expect(try result("Mod", 7, 0) == 0)
    #expect(try result("Mod", .min, -1) == 0)
    #expect(try result("Pow", 3, 4) == 81)
    #expect(try result("Pow", 2, 64) == 0)
    #expect(try result("Pow", 2, -1) == 0)
    #expect(try run("Neg", [ints([], [.min])])[0].array(of: Int64.self) == [.min])
    #expect(try run("Abs", [ints([], [.min])])[0].array(of: Int64.self) == [.min])
    let bytes = try run("Sub", [tensor([2], [UInt8(3), 5]), tensor([], [UInt8(4)])])[0]
    #expect(try bytes.array(of: UInt8.self) == [255, 1])
  }

  @Test("What does not broadcast, or mixes types, is an error")
  func mismatches() {
    #expect(
      throws: ModelError.invalidNode(
        node: "n", operation: "Add", reason: "shapes [2] and [3] do not broadcast")
    ) { try run("Add", [floats([2], [1, 2]), floats([3], [1, 2, 3])]) }
    #expect(
      throws: ModelError.invalidNode(
        node: "n", operation: "Add", reason: "inputs of types float32 and int64")
    ) { try run("Add", [floats([1], [1]), ints([1], [1])]) }
    #expect(throws: ModelError.self) { try run("Sqrt", [ints([1], [4])]) }
    #expect(throws: ModelError.self) { try run("Add", [floats([1], [1]), nil]) }
  }

  @Test("Reductions over any axes agree with sums written out")
  func reductions() throws {
    let input = noise([3, 4, 5], seed: 3)
    let values = try input.array(of: Float.self)
    for mask in 0..<8 {
      let axes = (0..<3).filter { mask >> $0 & 1 == 1 }
      var sums: [Int: Double] = [:]
      for (index, value) in values.enumerated() {
        let place = [index / 20, index / 5 % 4, index % 5]
        let key = (0..<3).reduce(0) { axes.contains($1) ? $0 : $0 * 10 + place[$1] }
        sums[key, default: 0] += Double(value)
      }
      let output = try run(
        "ReduceSum", attributes: ["keepdims": .int(0), "noop_with_empty_axes": .int(1)],
        [input, ints([axes.count], axes.map { Int64($0) })])[0]
      #expect(output.shape == (0..<3).filter { !axes.contains($0) }.map { input.shape[$0] })
      let expected =
        axes.isEmpty ? values.map(Double.init) : sums.sorted { $0.key < $1.key }.map(\.value)
      #expect(
        firstDifference(
          try output.array(of: Float.self), expected, relative: 1e-5, absolute: 1e-5) == nil,
        "axes \(axes)")
    }
  }
}
