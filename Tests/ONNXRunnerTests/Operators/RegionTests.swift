import TestSupport
import Testing

@testable import RunnerGraph
@testable import RunnerTensors

/// Regions, boxes and slices in numbers that take the faster ways.
@Suite struct RegionTests {
  /// Ten regions together are read by pixel, one alone by channel.
  @Test(arguments: [0, 2]) func regionsTogetherAndAlone(samples: Int) throws {
    let channels = 21
    let image = noise([2, channels, 12, 13], seed: 1)
    let corners = noise(40, seed: 2)
    let regions = (0..<10).flatMap { index -> [Float] in
      let (x, y) = (corners[4 * index] * 8 + 3, corners[4 * index + 1] * 8 + 3)
      return [
        x, y, x + 2 + 6 * abs(corners[4 * index + 2]), y + 1 + 9 * abs(corners[4 * index + 3]),
      ]
    }
    let attributes: [String: AttributeValue] = [
      "output_height": .int(7), "output_width": .int(5), "sampling_ratio": .int(samples),
      "spatial_scale": .float(0.9),
    ]
    for threads in [1, 3] {
      let all = try run(
        "RoiAlign", attributes: attributes, threads: threads,
        [image, floats([10, 4], regions), ints([10], (0..<10).map { Int64($0 % 2) })])[0]
      let values = try all.array(of: Float.self)
      #expect(all.shape == [10, channels, 7, 5])
      for index in 0..<10 {
        let alone = try run(
          "RoiAlign", attributes: attributes,
          [
            image, floats([1, 4], Array(regions[4 * index..<4 * index + 4])),
            ints([1], [Int64(index % 2)]),
          ])[0]
        let size = channels * 35
        let error = largestError(
          Array(values[index * size..<(index + 1) * size]), try alone.array(of: Float.self),
          floor: 1)
        #expect(error < 1e-5)
      }
    }
  }

  @Test(arguments: [0, 1], ["none", "add", "max"]) func slicesScattered(
    axis: Int, reduction: String
  ) throws {
    let shape = [4, 5, 6, 3]
    var index = shape
    index[axis] = 3
    let data = noise(shape, seed: 1)
    let updates = noise(index, seed: 2)
    let length = shape[(axis + 1)...].reduce(1, *)
    let outer = shape[..<axis].reduce(1, *)
    // One is negative, and one place is written twice.
    let slices = (0..<outer * 3).map { Int64([2, -1, $0 / 3 % 2 == 0 ? 2 : 0][$0 % 3]) }
    let positions = slices.flatMap { [Int64](repeating: $0, count: length) }
    var expected = try data.array(of: Float.self)
    let given = try updates.array(of: Float.self)
    for item in 0..<positions.count {
      let slice = item / length
      let extent = shape[axis]
      let row = (Int(positions[item]) + extent) % extent
      let place = (slice / 3 * extent + row) * length + item % length
      switch reduction {
      case "add": expected[place] += given[item]
      case "max": expected[place] = max(expected[place], given[item])
      default: expected[place] = given[item]
      }
    }
    let found = try run(
      "ScatterElements", attributes: ["axis": .int(axis), "reduction": .string(reduction)],
      [data, ints(index, positions), updates])[0]
    #expect(try found.array(of: Float.self) == expected)
    // An index that differs within a slice, and one that is too large.
    var mixed = positions
    mixed[1] = 1
    let other = try run(
      "ScatterElements", attributes: ["axis": .int(axis)], [data, ints(index, mixed), updates])[0]
    #expect(try other.array(of: Float.self) != expected)
    mixed = positions.map { $0 == 2 ? 9 : $0 }
    #expect(throws: ModelError.self) {
      try run(
        "ScatterElements", attributes: ["axis": .int(axis)], [data, ints(index, mixed), updates])
    }
  }

  @Test(arguments: ["ReduceMax", "ReduceMin"]) func extremesOfRows(operation: String) throws {
    let input = noise([3, 7, 37], seed: 4)
    var values = try input.array(of: Float.self)
    values[7 * 37 + 5] = .nan
    values[40] = .infinity
    let found = try run(
      operation, opset: 13, attributes: ["axes": .ints([1])], [floats([3, 7, 37], values)])[0]
      .array(of: Float.self)
    for outer in 0..<3 {
      for inner in 0..<37 {
        let column = (0..<7).map { values[(outer * 7 + $0) * 37 + inner] }
        let result = found[outer * 37 + inner]
        if column.contains(where: \.isNaN) {
          #expect(result.isNaN)
        } else {
          #expect(result == (operation == "ReduceMax" ? column.max() : column.min()))
        }
      }
    }
  }

  @Test func manyBoxesAreSuppressed() throws {
    let count = 300
    let numbers = noise(4 * count, seed: 7)
    let boxes = (0..<count).flatMap { index -> [Float] in
      let (y, x) = (numbers[4 * index] * 3, numbers[4 * index + 1] * 3)
      return [y, x, y + abs(numbers[4 * index + 2]), x + abs(numbers[4 * index + 3])]
    }
    let scores = noise(2 * count, seed: 8)
    var expected: [Int64] = []
    for category in 0..<2 {
      var kept: [Int] = []
      let own = Array(scores[category * count..<(category + 1) * count])
      for candidate in (0..<count).sorted(by: { own[$0] > own[$1] }) where kept.count < 100 {
        let b = Array(boxes[4 * candidate..<4 * candidate + 4])
        let overlaps = kept.contains { index in
          let a = Array(boxes[4 * index..<4 * index + 4])
          let height = min(a[2], b[2]) - max(a[0], b[0])
          let width = min(a[3], b[3]) - max(a[1], b[1])
          guard height > 0, width > 0 else { return false }
          let areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
          return height * width / (areas - height * width) > 0.3
        }
        guard !overlaps else { continue }
        kept.append(candidate)
        expected += [0, Int64(category), Int64(candidate)]
      }
    }
    let found = try run(
      "NonMaxSuppression",
      [
        floats([1, count, 4], boxes), floats([1, 2, count], scores), ints([1], [100]),
        floats([1], [0.3]),
      ])[0]
    #expect(try found.array(of: Int64.self) == expected)
    #expect(expected.count > 100)
  }
}
