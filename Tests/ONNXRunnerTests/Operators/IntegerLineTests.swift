import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Convolutions of 8-bit numbers along a line.
@Suite("Integer convolutions of one dimension")
struct IntegerLineTests {
  private struct Line {
    var batch = 1
    var inputs: Int
    var outputs: Int
    var length: Int
    var kernel: Int
    var stride = 1
    var dilation = 1
    var pads = [0, 0]
    var group = 1

    var attributes: [String: AttributeValue] {
      [
        "kernel_shape": .ints([kernel]), "strides": .ints([stride]),
        "dilations": .ints([dilation]), "pads": .ints(pads), "group": .int(group),
      ]
    }

    var output: Int {
      (length + pads[0] + pads[1] - (kernel - 1) * dilation - 1) / stride + 1
    }

    func sums(_ x: [Int], _ zero: Int, _ w: [Int]) -> [Int32] {
      var result: [Int32] = []
      let each = inputs / group
      for item in 0..<batch * outputs {
        let channel = item % outputs
        let first = item / outputs * inputs + channel / (outputs / group) * each
        for place in 0..<output {
          var sum = 0
          for depth in 0..<each {
            for tap in 0..<kernel {
              let at = place * stride - pads[0] + tap * dilation
              guard (0..<length).contains(at) else { continue }
              sum +=
                (x[(first + depth) * length + at] - zero)
                * w[(channel * each + depth) * kernel + tap]
            }
          }
          result.append(Int32(sum))
        }
      }
      return result
    }
  }

  private static let lines = [
    Line(inputs: 5, outputs: 7, length: 30, kernel: 3, pads: [1, 1]),
    Line(inputs: 20, outputs: 33, length: 301, kernel: 3, stride: 2, pads: [1, 0]),
    Line(batch: 2, inputs: 16, outputs: 16, length: 700, kernel: 1),
    Line(
      batch: 3, inputs: 8, outputs: 4, length: 64, kernel: 4, stride: 3, dilation: 2, pads: [2, 5]),
    Line(inputs: 6, outputs: 6, length: 50, kernel: 5, pads: [2, 2], group: 6),
    Line(inputs: 6, outputs: 9, length: 50, kernel: 3, pads: [1, 1], group: 3),
    // One long row, in pieces of which the last is shorter.
    Line(inputs: 4, outputs: 3, length: 1000, kernel: 9, stride: 2, pads: [100, 3]),
  ]

  @Test("Sums are exact, with weights known at load or not", arguments: 0..<7)
  func sums(index: Int) throws {
    let line = Self.lines[index]
    var generator = SeededGenerator(seed: UInt64(index))
    let count = line.batch * line.inputs * line.length
    let x = (0..<count).map { _ in Int.random(in: 0...255, using: &generator) }
    let w = (0..<line.outputs * line.inputs / line.group * line.kernel).map { _ in
      Int.random(in: -128...127, using: &generator)
    }
    let inputs = [
      tensor([line.batch, line.inputs, line.length], x.map { UInt8($0) }),
      tensor([line.outputs, line.inputs / line.group, line.kernel], w.map { Int8($0) }),
      tensor([], [UInt8(113)]),
    ]
    let expected = line.sums(x, 113, w)
    for threads in [1, 3] {
      for constants in [Set<Int>(), [1]] {
        let sums = try run(
          "ConvInteger", attributes: line.attributes, threads: threads, constants: constants,
          inputs)[0]
        #expect(sums.shape == [line.batch, line.outputs, line.output])
        #expect(try sums.array(of: Int32.self) == expected)
      }
    }
    // Scales of powers of two, so that every step is exact.
    let bias = (0..<line.outputs).map { Int32($0 * 100 - 300) }
    let requantized = try run(
      "QLinearConv", attributes: line.attributes,
      [
        inputs[0], tensor([], [Float(0.5)]), inputs[2], inputs[1], tensor([], [Float(0.25)]),
        tensor([], [Int8(0)]), tensor([], [Float(256)]), tensor([], [UInt8(128)]),
        tensor([line.outputs], bias),
      ])[0]
    let bytes = expected.enumerated().map { place, sum -> UInt8 in
      let total = Float(sum + bias[place / line.output % line.outputs]) / 2048
      return UInt8(min(max(total.rounded(.toNearestOrEven) + 128, 0), 255))
    }
    #expect(requantized.shape == [line.batch, line.outputs, line.output])
    #expect(try requantized.array(of: UInt8.self) == bytes)
  }

  @Test("Attributes for a plane do not fit a line")
  func attributesOfPlanes() {
    let inputs = [
      tensor([1, 1, 8], [UInt8](repeating: 1, count: 8)), tensor([1, 1, 3], [Int8(1), 1, 1]),
    ]
    for (name, values) in [
      ("pads", [1, 1, 1, 1]), ("strides", [1, 1]), ("dilations", [1, 1]), ("kernel_shape", [1, 3]),
    ] {
      #expect(throws: ModelError.self) {
        try run("ConvInteger", attributes: [name: .ints(values)], inputs)
      }
    }
  }
}
