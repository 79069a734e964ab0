import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

@Suite("Margins and samples")
struct SamplingTests {
  @Test("Every mode of padding, with cuts too", arguments: ["constant", "reflect", "edge", "wrap"])
  func padding(mode: String) throws {
    let shape = [3, 4, 6]
    let every: [[Int]] = [
      [0, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 3], [1, 2, 0, 0, 1, 0], [1, 1, 4, 2, 3, 5],
      [0, -1, 2, 0, 0, -3], [-1, 0, -2, -1, 0, 0], [0, 3, -5, 0, 0, 4], [0, 0, 5, 0, 0, -6],
    ]
    for pads in every {
      let padded = (0..<3).map { shape[$0] + pads[$0] + pads[$0 + 3] }
      func place(_ index: Int, _ axis: Int) -> Int? {
        let (at, extent) = (index - pads[axis], shape[axis])
        if at >= 0, at < extent { return at }
        switch mode {
        case "edge": return at < 0 ? 0 : extent - 1
        case "wrap": return (at % extent + extent) % extent
        case "reflect":
          var at = at
          while at < 0 || at >= extent { at = at < 0 ? -at : 2 * (extent - 1) - at }
          return at
        default: return nil
        }
      }
      var expected: [Float] = []
      for i in 0..<padded[0] {
        for j in 0..<padded[1] {
          for k in 0..<padded[2] {
            if let a = place(i, 0), let b = place(j, 1), let c = place(k, 2) {
              expected.append(Float((a * 4 + b) * 6 + c))
            } else {
              expected.append(99)
            }
          }
        }
      }
      let input = floats(shape, (0..<72).map(Float.init))
      for type in [ElementType.float32, .uint8, .float16, .int64] {
        for threads in [1, 2] {
          let output = try run(
            "Pad", attributes: ["mode": .string(mode)], threads: threads,
            [
              input.converted(to: type), ints([6], pads.map { Int64($0) }),
              mode == "constant" ? floats([], [99]).converted(to: type) : nil,
            ])[0]
          #expect(output.shape == padded && output.elementType == type)
          #expect(try output.floats() == expected, "\(pads)")
        }
      }
    }
  }

  @Test("Wide margins, which nobody notes beforehand")
  func wideMargins() throws {
    let values = (0..<10).map(Float.init)
    let output = try run(
      "Pad", attributes: ["mode": .string("reflect")],
      [floats([2, 5], values), ints([4], [0, 9000, 0, 7])])[0]
    let row = (0..<9012).map { index -> Float in
      let rest = ((index - 9000) % 8 + 8) % 8
      return Float(min(rest, 8 - rest))
    }
    #expect(try output.floats() == row + row.map { $0 + 5 })
  }

  @Test("An empty dimension has nothing to repeat, and a number no margin")
  func emptyPadding() throws {
    #expect(throws: ModelError.self) {
      try run("Pad", attributes: ["mode": .string("edge")], [floats([0], []), ints([2], [1, 0])])
    }
    let filled = try run("Pad", [floats([0, 2], []), ints([4], [1, 0, 0, 0])])[0]
    #expect(try filled.shape == [1, 2] && filled.floats() == [0, 0])
    #expect(try run("Pad", [floats([], [3]), ints([0], [])])[0].floats() == [3])
  }

  @Test("Samples between four pixels are those of the general method")
  func samples() throws {
    // A volume of one slice that is read in its middle goes by the general method.
    let image = noise([2, 3, 5, 7], seed: 1)
    var grid = noise(2 * 40 * 9 * 2, seed: 2, in: -1.6...1.6)
    // Pixels themselves, edges, far away and nowhere.
    grid.replaceSubrange(0..<12, with: [-1, -1, 1, 1, 0, 0, 50, -50, .nan, 0.3, .infinity, 0.2])
    let deep = stride(from: 0, to: grid.count, by: 2).flatMap {
      [grid[$0], grid[$0 + 1], Float(0)]
    }
    for padding in ["zeros", "border", "reflection"] {
      for aligns in [0, 1] {
        let attributes: [String: AttributeValue] = [
          "padding_mode": .string(padding), "align_corners": .int(aligns),
          "mode": .string("linear"),
        ]
        let volume = try run(
          "GridSample", opset: 20, attributes: attributes,
          [image.viewed(as: [2, 3, 1, 5, 7]), floats([2, 1, 40, 9, 3], deep)])[0]
        for threads in [1, 3] {
          let plane = try run(
            "GridSample", opset: 20, attributes: attributes, threads: threads,
            [image, floats([2, 40, 9, 2], grid)])[0]
          #expect(plane.shape == [2, 3, 40, 9])
          let expected = try volume.floats().map(Double.init)
          #expect(
            firstDifference(try plane.floats(), expected, relative: 1e-5, absolute: 1e-5) == nil,
            "\(padding) \(aligns)")
        }
      }
    }
  }

  /// ONNX Runtime and PyTorch move pixels to the border and leave the place, and so its weights, alone.
  @Test("Cubics beyond the border take the border's pixels")
  func cubicBorder() throws {
    let row: [Float] = [1, -2, 4, 3]
    let places: [Float] = [-1.6, -0.9, 0.1, 1.2, 1.45]
    let output = try run(
      "GridSample", opset: 20,
      attributes: ["mode": .string("cubic"), "padding_mode": .string("border")],
      [floats([1, 1, 1, 4], row), floats([1, 1, 5, 2], places.flatMap { [$0, 0] })])[0]
    let expected = places.map { place -> Double in
      let x = ((Double(place) + 1) * 4 - 1) / 2
      let floor = x.rounded(.down)
      return (-1...2).reduce(0) { sum, step in
        let d = abs(x - floor - Double(step))
        let weight =
          d <= 1 ? (1.25 * d - 2.25) * d * d + 1 : ((-0.75 * d + 3.75) * d - 6) * d + 3
        return sum + weight * Double(row[min(max(Int(floor) + step, 0), 3)])
      }
    }
    #expect(
      firstDifference(try output.floats(), expected, relative: 1e-5, absolute: 1e-5) == nil)
  }

  @Test("What lies outside counts as 0 even if what is there is not a number")
  func samplesBesideNaN() throws {
    let image = floats([1, 1, 2, 2], [.nan, .nan, .nan, .nan])
    let output = try run("GridSample", [image, floats([1, 1, 1, 2], [5, 5])])[0]
    #expect(try output.floats() == [0])
  }

  @Test("Linear resampling is separable, whichever dimension comes first")
  func resampling() throws {
    let input = noise([2, 3, 6, 5], seed: 3)
    let values = try input.array(of: Float.self)
    for (height, width) in [(12, 15), (3, 11), (13, 2), (4, 3), (6, 9), (1, 1)] {
      let output = try run(
        "Resize", attributes: ["mode": .string("linear")],
        [input, nil, nil, ints([4], [2, 3, Int64(height), Int64(width)])])[0]
      func taps(_ place: Int, _ extent: Int, _ size: Int) -> [(Int, Double)] {
        let x = (Double(place) + 0.5) * Double(extent) / Double(size) - 0.5
        let low = Int(x.rounded(.down))
        let share = x - Double(low)
        return [(low, 1 - share), (low + 1, share)].map {
          (min(max($0.0, 0), extent - 1), $0.1)
        }
      }
      var expected: [Double] = []
      for plane in 0..<6 {
        for (row, column) in (0..<height).flatMap({ r in (0..<width).map { (r, $0) } }) {
          var sum = 0.0
          for (y, first) in taps(row, 6, height) {
            for (x, second) in taps(column, 5, width) {
              sum += first * second * Double(values[(plane * 6 + y) * 5 + x])
            }
          }
          expected.append(sum)
        }
      }
      #expect(
        firstDifference(try output.floats(), expected, relative: 1e-5, absolute: 1e-5) == nil,
        "\(height) x \(width)")
    }
  }
}
