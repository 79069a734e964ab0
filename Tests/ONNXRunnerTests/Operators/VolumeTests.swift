import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// A window over three dimensions, written out.
private struct Window {
  var kernel: [Int]
  var strides = [1, 1, 1]
  var dilations = [1, 1, 1]
  /// Three begins, then three ends.
  var pads = [0, 0, 0, 0, 0, 0]
  var group = 1

  var attributes: [String: AttributeValue] {
    [
      "kernel_shape": .ints(kernel), "strides": .ints(strides), "dilations": .ints(dilations),
      "pads": .ints(pads),
    ]
  }

  func output(_ input: [Int]) -> [Int] {
    (0..<3).map { (axis: Int) -> Int in
      let padded = input[axis] + pads[axis] + pads[axis + 3]
      let window = (kernel[axis] - 1) * dilations[axis] + 1
      return (padded - window) / strides[axis] + 1
    }
  }

  /// Calls `body` with each output place, tap and input place under it, in row-major numbers.
  func visit(
    _ input: [Int], _ output: [Int], _ body: (_ place: Int, _ tap: Int, _ source: Int) -> Void
  ) {
    let (depth, height, width) = (input[0], input[1], input[2])
    forEachPlace(of: output) { place, z, y, x in
      let (z0, y0) = (z * strides[0] - pads[0], y * strides[1] - pads[1])
      let x0 = x * strides[2] - pads[2]
      forEachPlace(of: kernel) { tap, tapZ, tapY, tapX in
        let z = z0 + tapZ * dilations[0]
        let y = y0 + tapY * dilations[1]
        let x = x0 + tapX * dilations[2]
        guard z >= 0, z < depth, y >= 0, y < height, x >= 0, x < width else { return }
        body(place, tap, (z * height + y) * width + x)
      }
    }
  }
}

/// Calls `body` with the number and the indices of each place of a volume, row by row.
private func forEachPlace(
  of shape: [Int], _ body: (_ number: Int, _ z: Int, _ y: Int, _ x: Int) -> Void
) {
  var number = 0
  for z in 0..<shape[0] {
    for y in 0..<shape[1] {
      for x in 0..<shape[2] {
        body(number, z, y, x)
        number += 1
      }
    }
  }
}

@Suite("Convolutions and poolings of volumes")
struct VolumeTests {
  private static let windows = [
    Window(kernel: [3, 3, 3], pads: [1, 1, 1, 1, 1, 1]),
    Window(kernel: [3, 3, 3], strides: [2, 2, 2], pads: [1, 1, 1, 1, 1, 1]),
    Window(kernel: [1, 1, 1]),
    Window(kernel: [1, 1, 1], strides: [2, 2, 2]),
    Window(kernel: [3, 5, 5], strides: [1, 2, 2], pads: [1, 2, 2, 1, 2, 2]),
    Window(kernel: [2, 4, 4], strides: [2, 4, 4]),
    Window(
      kernel: [2, 3, 1], strides: [1, 2, 3], dilations: [2, 1, 2], pads: [2, 0, 1, 0, 1, 2]),
    // Some slices of the result see no slice of the input.
    Window(kernel: [1, 2, 2], strides: [1, 1, 1], pads: [2, 1, 0, 3, 0, 1]),
  ]

  private static let shapes = [[5, 9, 8], [4, 7, 11]]

  /// The results on one, two and three threads, which must be the same to the last bit.
  private func result(
    _ operation: String, _ attributes: [String: AttributeValue], _ inputs: [Tensor],
    constants: Set<Int> = []
  ) throws -> (shape: [Int], values: [Float]) {
    let results = try [1, 2, 3].map {
      try run(
        operation, attributes: attributes, threads: $0, constants: constants, inputs)[0]
    }
    let values = try results.map { try $0.array(of: Float.self) }
    #expect(values[1].map(\.bitPattern) == values[0].map(\.bitPattern))
    #expect(values[2].map(\.bitPattern) == values[0].map(\.bitPattern))
    return (results[0].shape, values[0])
  }

  private func expectClose(_ got: [Float], _ expected: [Double], _ what: String) {
    #expect(firstDifference(got, expected, relative: 1e-5, absolute: 1e-4) == nil, "\(what)")
  }

  @Test(
    "Convolution is the sum over all taps, in groups too",
    arguments: [(1, 6, 10), (2, 6, 10), (6, 6, 12), (4, 4, 4)])
  func convolution(group: Int, inputs: Int, outputs: Int) throws {
    for window in Self.windows {
      for shape in Self.shapes {
        let each = inputs / group
        let x = noise([2, inputs] + shape, seed: 1)
        let w = noise([outputs, each] + window.kernel, seed: 2)
        let b = noise([outputs], seed: 3)
        let (a, f, c) = try (
          x.array(of: Float.self), w.array(of: Float.self), b.array(of: Float.self)
        )
        let output = window.output(shape)
        let pixels = output.reduce(1, *)
        let size = shape.reduce(1, *)
        let taps = window.kernel.reduce(1, *)
        var expected = [Double](repeating: 0, count: 2 * outputs * pixels)
        for item in 0..<2 * outputs {
          let channel = item % outputs
          let first = item / outputs * inputs + channel / (outputs / group) * each
          for place in 0..<pixels { expected[item * pixels + place] = Double(c[channel]) }
          window.visit(shape, output) { place, tap, source in
            for depth in 0..<each {
              let weight = f[(channel * each + depth) * taps + tap]
              let value = a[(first + depth) * size + source]
              expected[item * pixels + place] += Double(weight) * Double(value)
            }
          }
        }
        let attributes = window.attributes.merging(["group": .int(group)]) { $1 }
        let got = try result("Conv", attributes, [x, w, b])
        #expect(got.shape == [2, outputs] + output)
        expectClose(got.values, expected, "\(window)")
      }
    }
  }

  @Test("Convolution of volumes too large to be multiplied at once", arguments: [1, 3])
  func largeConvolution(stride: Int) throws {
    let window = Window(
      kernel: [3, 3, 3], strides: [stride, 1, 1], pads: [1, 1, 0, 1, 1, 2])
    let shape = [7, 13, 21]
    let x = noise([1, 40] + shape, seed: 4)
    let w = noise([70, 40, 3, 3, 3], seed: 5)
    let (a, f) = try (x.array(of: Float.self), w.array(of: Float.self))
    let output = window.output(shape)
    let pixels = output.reduce(1, *)
    let got = try result("Conv", window.attributes, [x, w])
    #expect(got.shape == [1, 70] + output)
    for channel in [0, 11, 69] {
      var expected = [Double](repeating: 0, count: pixels)
      window.visit(shape, output) { place, tap, source in
        for depth in 0..<40 {
          let weight = f[(channel * 40 + depth) * 27 + tap]
          expected[place] += Double(weight) * Double(a[depth * 1911 + source])
        }
      }
      expectClose(
        Array(got.values[channel * pixels..<(channel + 1) * pixels]), expected, "\(channel)")
    }
  }

  /// Compares the kernels on blocks, for known weights, with the others.
  private func expectSameInBlocks(
    _ shape: [Int], outputs: Int, _ window: Window, hasBias: Bool
  ) throws {
    let x = noise(shape, seed: 14)
    let w = noise([outputs, shape[1]] + window.kernel, seed: 15)
    let inputs = [x, w] + (hasBias ? [noise([outputs], seed: 16)] : [])
    let known = try result("Conv", window.attributes, inputs, constants: [1, 2])
    let plain = try run("Conv", attributes: window.attributes, inputs)[0]
    let expected = try plain.floats()
    let scale = expected.map(abs).max() ?? 0
    #expect(known.shape == plain.shape)
    #expect(
      firstDifference(
        known.values, expected.map(Double.init), relative: 0, absolute: 2e-5 * Double(scale))
        == nil,
      "\(window)")
  }

  @Test("Known weights go into blocks of channels", arguments: [(16, 16), (30, 45), (35, 70)])
  func blocks(inputs: Int, outputs: Int) throws {
    let dilated = Window(
      kernel: [2, 3, 3], strides: [2, 1, 1], dilations: [1, 3, 2], pads: [1, 4, 1, 0, 2, 2])
    let sparse = Window(kernel: [3, 3, 3], dilations: [2, 1, 1], pads: [2, 1, 1, 2, 1, 1])
    let slanted = Window(kernel: [3, 3, 3], strides: [2, 1, 1], pads: [0, 2, 1, 2, 0, 1])
    for window in Self.windows + [dilated, sparse, slanted] {
      for shape in Self.shapes + [[3, 30, 17]] {
        try expectSameInBlocks([2, inputs] + shape, outputs: outputs, window, hasBias: inputs < 35)
      }
    }
  }

  @Test("Volumes and weights that are too much at once")
  func largeBlocks() throws {
    let window = Window(kernel: [3, 3, 3], pads: [1, 1, 1, 1, 1, 1])
    // Several turns over the slices.
    try expectSameInBlocks([1, 64, 14, 96, 90], outputs: 16, window, hasBias: true)
    // Transformed weights pair by pair.
    try expectSameInBlocks([1, 128, 4, 9, 8], outputs: 330, window, hasBias: true)
  }

  @Test("Padding much wider than the volume needs no memory for all of it")
  func widePadding() throws {
    let x = noise([1, 16, 2, 3, 3], seed: 17)
    let w = noise([16, 16, 1, 2, 2], seed: 18)
    let far = 1 << 20
    let output = try run(
      "Conv",
      attributes: [
        "strides": .ints([1, far, far]), "pads": .ints([0, far, far, 0, far, far]),
      ], memoryLimit: 1 << 22, constants: [1], [x, w])[0]
    #expect(output.shape == [1, 16, 2, 3, 3] || output.shape == [1, 16, 2, 2, 2])
  }

  @Test("A transposed convolution spreads each value over its window")
  func transposedConvolution() throws {
    for (group, inputs, outputs) in [(1, 6, 5), (2, 6, 10), (1, 32, 20)] {
      for window in [
        Window(kernel: [2, 2, 2], strides: [2, 2, 2]),
        Window(kernel: [3, 3, 3], strides: [2, 1, 2], pads: [1, 1, 1, 1, 1, 0]),
        Window(
          kernel: [2, 3, 2], strides: [1, 2, 3], dilations: [2, 1, 2], pads: [0, 1, 0, 1, 0, 2]),
      ] {
        // With 32 channels, the products go through the cache in several turns.
        let shape = inputs == 32 ? [9, 20, 31] : [3, 4, 5]
        let each = outputs / group
        let x = noise([2, inputs] + shape, seed: 6)
        let w = noise([inputs, each] + window.kernel, seed: 7)
        let b = noise([outputs], seed: 8)
        let (a, f, c) = try (
          x.array(of: Float.self), w.array(of: Float.self), b.array(of: Float.self)
        )
        // The window slides over the output.
        let output = (0..<3).map { axis -> Int in
          let reach = (window.kernel[axis] - 1) * window.dilations[axis] + 1
          let full = (shape[axis] - 1) * window.strides[axis] + reach
          return full - window.pads[axis] - window.pads[axis + 3]
        }
        let size = shape.reduce(1, *)
        let pixels = output.reduce(1, *)
        let taps = window.kernel.reduce(1, *)
        let attributes = window.attributes.merging(["group": .int(group)]) { $1 }
        let got = try result("ConvTranspose", attributes, [x, w, b])
        #expect(got.shape == [2, outputs] + output)
        for item in 0..<2 * outputs where inputs < 32 || item % 13 == 0 {
          let channel = item % outputs
          let first = channel / each * (inputs / group)
          var expected = [Double](repeating: Double(c[channel]), count: pixels)
          window.visit(output, shape) { place, tap, target in
            for depth in first..<first + inputs / group {
              let weight = f[(depth * each + channel % each) * taps + tap]
              let value = a[(item / outputs * inputs + depth) * size + place]
              expected[target] += Double(weight) * Double(value)
            }
          }
          expectClose(
            Array(got.values[item * pixels..<(item + 1) * pixels]), expected, "\(window) \(item)")
        }
      }
    }
  }

  @Test("A transposed convolution of large planes, in turns")
  func transposedPlanes() throws {
    let x = noise([1, 3, 90, 70], seed: 9)
    let w = noise([3, 11, 4, 4], seed: 10)
    let plane = try result(
      "ConvTranspose", ["strides": .ints([2, 2]), "pads": .ints([1, 1, 1, 1])], [x, w])
    let volume = try result(
      "ConvTranspose", ["strides": .ints([1, 2, 2]), "pads": .ints([0, 1, 1, 0, 1, 1])],
      [x.viewed(as: [1, 3, 1, 90, 70]), w.viewed(as: [3, 11, 1, 4, 4])])
    #expect(plane.values == volume.values)
    let (a, f) = try (x.array(of: Float.self), w.array(of: Float.self))
    for (channel, row, column) in [(0, 0, 0), (10, 179, 139), (5, 90, 71), (7, 33, 2)] {
      var sum = 0.0
      for (inputRow, inputColumn) in (0..<90).flatMap({ r in (0..<70).map { (r, $0) } }) {
        let (tapY, tapX) = (row + 1 - 2 * inputRow, column + 1 - 2 * inputColumn)
        guard (0..<4).contains(tapY), (0..<4).contains(tapX) else { continue }
        for depth in 0..<3 {
          let weight = f[((depth * 11 + channel) * 4 + tapY) * 4 + tapX]
          sum += Double(weight) * Double(a[(depth * 90 + inputRow) * 70 + inputColumn])
        }
      }
      #expect(
        isClose(
          plane.values[(channel * 180 + row) * 140 + column], sum, relative: 0, absolute: 1e-5))
    }
  }

  @Test("Poolings take the greatest and the mean of what is under the window")
  func pooling() throws {
    for window in Self.windows where window.pads.max() ?? 0 < 3 {
      for shape in Self.shapes {
        let x = noise([2, 3] + shape, seed: 11)
        let a = try x.array(of: Float.self)
        let output = window.output(shape)
        let pixels = output.reduce(1, *)
        let size = shape.reduce(1, *)
        var most = [Float](repeating: -.infinity, count: 6 * pixels)
        var sums = [Double](repeating: 0, count: 6 * pixels)
        var counts = [Double](repeating: 0, count: 6 * pixels)
        for plane in 0..<6 {
          window.visit(shape, output) { place, _, source in
            let index = plane * pixels + place
            most[index] = max(most[index], a[plane * size + source])
            sums[index] += Double(a[plane * size + source])
            counts[index] += 1
          }
        }
        let greatest = try result("MaxPool", window.attributes, [x])
        #expect(greatest.shape == [2, 3] + output)
        #expect(greatest.values == most, "\(window)")
        let means = try result("AveragePool", window.attributes, [x])
        expectClose(means.values, zip(sums, counts).map { $1 > 0 ? $0 / $1 : 0 }, "\(window)")
        let padded = try result(
          "AveragePool", window.attributes.merging(["count_include_pad": .int(1)]) { $1 }, [x])
        let taps = Double(window.kernel.reduce(1, *))
        expectClose(padded.values, sums.map { $0 / taps }, "\(window)")
      }
    }
  }

  @Test("Rounded up, the last windows count what lies on the padded input")
  func roundedUp() throws {
    let ones = floats([1, 1, 5, 4, 4], [Float](repeating: 1, count: 80))
    let attributes: [String: AttributeValue] = [
      "kernel_shape": .ints([3, 3, 3]), "strides": .ints([2, 2, 2]), "ceil_mode": .int(1),
      "pads": .ints([1, 0, 0, 1, 0, 0]),
    ]
    let means = try result("AveragePool", attributes, [ones])
    #expect(means.shape == [1, 1, 3, 2, 2])
    #expect(means.values == [Float](repeating: 1, count: 12))
    let padded = try result(
      "AveragePool", attributes.merging(["count_include_pad": .int(1)]) { $1 }, [ones])
    let outer = Float(2) / 3
    #expect(padded.values == [outer, outer, outer, outer, 1, 1, 1, 1, outer, outer, outer, outer])
  }

  @Test("NaN is the greatest of a volume, and nothing of one beside it")
  func notANumber() throws {
    var values = [Float](repeating: 0, count: 64)
    values[21] = .nan
    let got = try result(
      "MaxPool", ["kernel_shape": .ints([2, 2, 2]), "strides": .ints([2, 2, 2])],
      [floats([1, 1, 4, 4, 4], values)])
    #expect(got.values.map(\.isNaN) == [true] + [Bool](repeating: false, count: 7))
  }

  @Test("Padding for the same size is that of a plane, in all three dimensions")
  func automaticPadding() throws {
    for (name, pads) in [("SAME_UPPER", [0, 0, 1, 1, 1, 1]), ("SAME_LOWER", [1, 1, 1, 0, 0, 1])] {
      let x = noise([1, 2, 4, 6, 5], seed: 12)
      let w = noise([3, 2, 2, 2, 3], seed: 13)
      let strides = AttributeValue.ints([1, 1, 1])
      let own = try result("Conv", ["auto_pad": .string(name), "strides": strides], [x, w])
      let given = try result("Conv", ["pads": .ints(pads), "strides": strides], [x, w])
      #expect(own.shape == [1, 3, 4, 6, 5] && own.values == given.values)
    }
  }
}
