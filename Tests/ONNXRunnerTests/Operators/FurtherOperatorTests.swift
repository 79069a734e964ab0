import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// What ONNX's tests leave out of the newer operators.
@Suite struct FurtherOperatorTests {
  /// Without offsets it is a convolution.
  @Test(arguments: [1, 2]) func deformableWithoutOffsets(group: Int) throws {
    let x = noise([2, 4, 17, 19], seed: 1)
    let w = noise([6, 4 / group, 3, 2], seed: 2)
    let bias = noise([6], seed: 3)
    let attributes: [String: AttributeValue] = [
      "group": .int(group), "pads": .ints([1, 0, 2, 1]), "strides": .ints([1, 2]),
      "dilations": .ints([2, 1]),
    ]
    let expected = try run("Conv", attributes: attributes, [x, w, bias])[0]
    let shape = [2, 2 * 6 * 2] + expected.shape[2...]
    let offsets = floats(shape, [Float](repeating: 0, count: shape.reduce(1, *)))
    let given = attributes.merging(["offset_group": .int(2)]) { $1 }
    for threads in [1, 3] {
      let result = try run(
        "DeformConv", attributes: given, threads: threads, [x, w, offsets, bias])[0]
      #expect(result.shape == expected.shape)
      #expect(largestError(try result.floats(), try expected.floats(), floor: 1) < 1e-5)
    }
    let wild = floats(
      shape, (0..<shape.reduce(1, *)).map { [.nan, .infinity, -1e30, 1e30][$0 % 4] })
    let outside = try run("DeformConv", attributes: given, [x, w, wild])[0]
    #expect(try outside.floats().allSatisfy { $0 == 0 })
  }

  /// Statistics of the input itself, and what is kept of them.
  @Test func batchNormalizationInTraining() throws {
    let x = noise([3, 2, 5], seed: 4)
    let ones = floats([2], [1, 1])
    let kept = floats([2], [4, -2])
    let results = try run(
      "BatchNormalization", opset: 15,
      attributes: ["training_mode": .int(1), "momentum": .float(0.75), "epsilon": .float(0)],
      outputs: 3, threads: 3, [x, ones, floats([2], [0, 10]), kept, kept])
    let (values, result) = (try x.floats(), try results[0].floats())
    for channel in 0..<2 {
      let places = (0..<30).filter { $0 / 5 % 2 == channel }
      let mean = places.map { values[$0] }.reduce(0, +) / 15
      let variance = places.map { (values[$0] - mean) * (values[$0] - mean) }.reduce(0, +) / 15
      for place in places {
        let expected = (values[place] - mean) / variance.squareRoot() + Float(10 * channel)
        #expect(abs(result[place] - expected) < 1e-5)
      }
      let before = try kept.floats()[channel]
      #expect(abs(try results[1].floats()[channel] - (0.75 * before + 0.25 * mean)) < 1e-6)
      #expect(abs(try results[2].floats()[channel] - (0.75 * before + 0.25 * variance)) < 1e-6)
    }
    #expect(throws: ModelError.self) {
      try run("BatchNormalization", opset: 9, outputs: 5, [x, ones, ones, ones, ones])
    }
  }

  /// Standardised weights are computed once, when the model is loaded (NFNet and BiT have them).
  @Test func standardisedWeightsAreFolded() throws {
    var model = SmallModel(opset: 17)
    model.weights = [
      ("w", [1, 3, 2], [1, 2, 3, 5, -1, 0]), ("one", [3], [1, 1, 1]), ("zero", [3], [0, 0, 0]),
      ("v", [3, 2, 1, 1], [1, 1, 1, 1, 1, 1]),
    ]
    model.nodes = [
      .init(
        operation: "BatchNormalization", inputs: ["w", "one", "zero", "zero", "one"],
        outputs: ["n"], int: ["training_mode": 1]),
      .init(operation: "Flatten", inputs: ["n"], outputs: ["f"], int: ["axis": 2]),
      .init(operation: "Conv", inputs: ["x", "v"], outputs: ["c"]),
      .init(operation: "ReduceSum", inputs: ["f"], outputs: ["s"], int: ["keepdims": 0]),
      .init(operation: "Add", inputs: ["c", "s"], outputs: ["y"]),
    ]
    let session = try InferenceSession(data: model.data)
    let x = try Seeded.tensor(seed: 1, shape: [1, 2, 4, 4])
    #expect(try session.run(["x": x])["y"]?.shape == [1, 3, 4, 4])
    #expect(
      try session.planDescription(for: ["x": x]).steps.allSatisfy {
        $0.operation != "BatchNormalization"
      })
  }

  @Test func termsInTexts() throws {
    let words = ["b", "a", "b", "c", "a", "d"]
    let attributes: [String: AttributeValue] = [
      "min_gram_length": .int(1), "max_gram_length": .int(2), "max_skip_count": .int(1),
      "ngram_counts": .ints([0, 2]), "ngram_indexes": .ints([2, 0, 1]),
      "pool_strings": .strings(["a", "b", "b", "c"]), "weights": .floats([0.5, 2, 10]),
    ]
    for (mode, expected) in [("TF", [2, 1, 2]), ("IDF", [2, 10, 0.5]), ("TFIDF", [4, 10, 1])] {
      let given = attributes.merging(["mode": .string(mode)]) { $1 }
      let result = try run(
        "TfIdfVectorizer", attributes: given, [Tensor(shape: [6], strings: words)])[0]
      #expect(try result.floats() == expected.map { Float($0) }, "\(mode)")
    }
    // Runs that no pool of this size holds.
    for counts in [[0, 3], [1, 2], [0], [0, 5], []] {
      let wrong = attributes.merging(["ngram_counts": .ints(counts)]) { $1 }
      #expect(throws: ModelError.self) {
        try run("TfIdfVectorizer", attributes: wrong, [Tensor(shape: [6], strings: words)])
      }
    }
  }

  @Test func wholeMatches() throws {
    let texts = ["ab", "abb", "a", "xab", "ab\n", ""]
    func matches(_ pattern: String) throws -> [Bool] {
      try run(
        "RegexFullMatch", attributes: ["pattern": .string(pattern)],
        [Tensor(shape: [6], strings: texts)])[0].array(of: Bool.self)
    }
    #expect(try matches("ab+") == [true, true, false, false, false, false])
    #expect(try matches("a|ab") == [true, false, true, false, false, false])
    #expect(try matches("") == [false, false, false, false, false, true])
    #expect(throws: ModelError.self) { try matches("(") }
  }

  /// Four bits in files: two of a byte, the lower ones first, and an odd number of them.
  @Test func narrowWeights() throws {
    for (type, codes, expected) in [
      (22, [0x1F, 0x08], [-1, 1, -8]), (21, [0x1F, 0x08], [15, 1, 8]),
      (23, [0x2F, 0x0B], [-6, 1, -1.5]), (17, [0x38, 0xB8, 0x7E], [1, -1, 448]),
    ] as [(Int, [UInt8], [Float])] {
      for missing in [0, 1] {
        var writer = MessageWriter()
        writer.int(1, 10)
        writer.message(7) { graph in
          graph.message(1) { node in
            node.string(1, "w")
            node.string(2, "c")
            node.string(4, "Cast")
            node.message(5) { attribute in
              attribute.string(1, "to")
              attribute.int(3, 1)
              attribute.int(20, 2)
            }
          }
          graph.message(1) { node in
            node.string(1, "x")
            node.string(1, "c")
            node.string(2, "y")
            node.string(4, "Add")
          }
          graph.message(5) { tensor in
            tensor.int(1, 3)
            tensor.int(2, type)
            tensor.string(8, "w")
            tensor.bytes(9, .init(codes.dropLast(missing)))
          }
          graph.message(11) { value in
            value.string(1, "x")
            value.message(2) { $0.message(1) { $0.int(1, 1) } }
          }
          graph.message(12) { $0.string(1, "y") }
        }
        writer.message(8) { $0.int(2, 21) }
        guard missing == 0 else {
          #expect(throws: ModelError.self) { try InferenceSession(data: writer.data) }
          continue
        }
        let session = try InferenceSession(data: writer.data)
        let y = try session.run(["x": floats([1], [0])])["y"]
        #expect(try y?.floats() == expected)
      }
    }
  }
}
