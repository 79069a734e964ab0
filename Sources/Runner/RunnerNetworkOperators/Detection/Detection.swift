import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Operators of object detectors.
  package static let detection: [Operator] = [
    Operator(
      "NonMaxSuppression", versions: [10, 11], inputs: 2...5, types: ElementTypes([.float32]),
      attributes: ["center_point_box": .int], shape: .dependsOnData
    ) { node in
      NonMaxSuppression(usesCenters: try node.flag("center_point_box"))
    },
    Operator(
      "RoiAlign", versions: [10, 16, 22], inputs: 3...3, types: .real,
      attributes: [
        "coordinate_transformation_mode": .string, "mode": .string, "output_height": .int,
        "output_width": .int, "sampling_ratio": .int, "spatial_scale": .float,
      ],
      shape: .regions
    ) {
      node in
      try RoiAlign(node)
    },
  ]
}

extension ShapeRule {
  fileprivate static let regions = ShapeRule { query in
    let input = try query.input(0)
    guard input.shape.count == 4, let count = try query.shape(1).first else {
      throw ShapeQuery.Unknown()
    }
    let height = try query.info.int("output_height", default: 1)
    let width = try query.info.int("output_width", default: 1)
    return [ValueFact(input.type, [count, input.shape[1], height, width])]
  }
}

/// Greedy suppression of boxes that overlap a better one, by class.
private struct NonMaxSuppression: Kernel {
  let usesCenters: Bool

  private struct Box {
    let top, left, bottom, right: Float

    /// The corners and the area, as `rk_overlaps_f32` expects them.
    var numbers: [Float] { [top, left, bottom, right, (bottom - top) * (right - left)] }
  }

  /// The boxes kept so far, as `rk_overlaps_f32` expects them.
  private struct Kept {
    private var corners: [Float] = []
    private var stride = 0
    private(set) var count = 0

    /// Whether none of them overlaps `box` by more than `limit`.
    func admits(_ box: [Float], limit: Float) -> Bool {
      rk_overlaps_f32(corners, stride, count, box, limit) == 0
    }

    mutating func append(_ box: [Float]) {
      if count == stride {
        let wider = max(64, 2 * stride)
        var grown = [Float](repeating: 0, count: box.count * wider)
        for part in box.indices {
          for index in 0..<count { grown[part * wider + index] = corners[part * stride + index] }
        }
        (corners, stride) = (grown, wider)
      }
      for part in box.indices { corners[part * stride + count] = box[part] }
      count += 1
    }

    mutating func removeAll() {
      for index in corners.indices { corners[index] = 0 }
      count = 0
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let boxes = try context.input(0, of: inputs)
    let scores = try context.input(1, of: inputs)
    guard boxes.rank == 3, scores.rank == 3, boxes.shape[2] == 4,
      boxes.shape[0] == scores.shape[0], boxes.shape[1] == scores.shape[2],
      boxes.elementType == .float32, scores.elementType == .float32
    else {
      throw context.failure(
        "boxes \(boxes.elementType)\(boxes.shape) and scores \(scores.elementType)\(scores.shape), "
          + "expected float32[n, boxes, 4] and float32[n, classes, boxes]")
    }
    func number(_ index: Int) throws -> Float? {
      guard let tensor = context.optionalInput(index, of: inputs), tensor.count > 0 else {
        return nil
      }
      return try context.converted(tensor, to: .float32).array(of: Float.self)[0]
    }
    let most = Int(Int64(clampingValue: Double(try number(2) ?? 0)))
    let limit = try number(3) ?? 0
    let leastScore = try number(4)
    let count = boxes.shape[1]
    let allScores = scores.pointer(to: Float.self)
    var selected: [Int64] = []
    var kept = Kept()
    for image in 0..<boxes.shape[0] {
      let first = boxes.pointer(to: Float.self) + image * count * 4
      let all = (0..<count).map { box(first + $0 * 4).numbers }
      for category in 0..<scores.shape[1] {
        try context.checkCancellation()
        let score = allScores + (image * scores.shape[1] + category) * count
        let candidates = (0..<count).filter { index in
          leastScore.map { score[index] > $0 } ?? !score[index].isNaN
        }.sorted { score[$0] == score[$1] ? $0 < $1 : score[$0] > score[$1] }
        kept.removeAll()
        for candidate in candidates where kept.count < most {
          if kept.admits(all[candidate], limit: limit) {
            kept.append(all[candidate])
            selected += [Int64(image), Int64(category), Int64(candidate)]
          }
        }
      }
    }
    return [try Tensor(shape: [selected.count / 3, 3], selected)]
  }

  private func box(_ values: UnsafePointer<Float>) -> Box {
    if usesCenters {
      let (x, y, width, height) = (values[0], values[1], values[2] / 2, values[3] / 2)
      return Box(top: y - height, left: x - width, bottom: y + height, right: x + width)
    }
    return Box(
      top: min(values[0], values[2]), left: min(values[1], values[3]),
      bottom: max(values[0], values[2]), right: max(values[1], values[3]))
  }
}

/// Samples regions of feature maps on a grid of bins (He et al., "Mask R-CNN", 2017).
private struct RoiAlign: Kernel {
  private let isHalfPixel: Bool
  private let isMaximum: Bool
  private let height: Int
  private let width: Int
  private let samples: Int
  private let scale: Float

  init(_ node: NodeInfo) throws {
    // Before opset 16 there was no shift by half a pixel.
    let fallback = node.opset < 16 ? "output_half_pixel" : "half_pixel"
    isHalfPixel =
      try node.string("coordinate_transformation_mode", default: fallback) == "half_pixel"
    isMaximum = try node.string("mode", default: "avg") == "max"
    height = try node.int("output_height", default: 1)
    width = try node.int("output_width", default: 1)
    samples = try node.int("sampling_ratio", default: 0)
    scale = try node.float("spatial_scale", default: 1)
    guard height > 0, width > 0, samples >= 0, samples < 1 << 12 else {
      throw node.failure("an output of \(height) x \(width) with \(samples) samples")
    }
  }

  /// One sample: four pixels with their weights, none outside of the map.
  private struct Sample {
    var places = SIMD4<Int32>()
    var weights = SIMD4<Float>()
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let regions = try context.converted(context.input(1, of: inputs), to: .float32)
    let images = try context.input(2, of: inputs)
    guard input.rank == 4, input.elementType.isFloatingPoint, regions.rank == 2,
      regions.shape[1] == 4, images.count == regions.shape[0]
    else {
      throw context.failure(
        "input \(input.shape), regions \(regions.shape), \(images.count) batch indices")
    }
    let batch = try context.indices(images, below: input.shape[0])
    let (channels, rows, columns) = (input.shape[1], input.shape[2], input.shape[3])
    guard rows > 0, columns > 0, rows * columns <= Int(Int32.max) else {
      throw context.failure("feature maps of \(rows) x \(columns)")
    }
    let value = try context.converted(input, to: .float32)
    let output = try context.allocate(.float32, [batch.count, channels, height, width])
    let to = output.mutablePointer(to: Float.self)
    // Many regions are better read by pixel, all channels at once, than by channel.
    let places = batch.count * height * width
    if !isMaximum, channels >= 8, places >= rows * columns {
      try averageByPixel(value, regions, batch, into: to, in: context)
    } else {
      try poolByChannel(value, regions, batch, into: to, in: context)
    }
    return [try context.converted(output, to: input.elementType)]
  }

  /// The means of all regions, each pixel read once for all channels.
  private func averageByPixel(
    _ value: Tensor, _ regions: Tensor, _ batch: [Int], into to: UnsafeMutablePointer<Float>,
    in context: KernelContext
  ) throws {
    let (channels, rows, columns) = (value.shape[1], value.shape[2], value.shape[3])
    let pixels = try context.transposed(value, [0, 2, 3, 1])
    let scratch = height * width * channels
    let (map, corners) = (pixels.pointer(to: Float.self), regions.pointer(to: Float.self))
    // Few at a time, as their samples take memory.
    let most = (1...4).contains(samples) ? 64 : 1
    for start in stride(from: 0, to: batch.count, by: most) {
      try context.checkCancellation()
      let some = try (start..<min(start + most, batch.count)).map {
        flattened(try bins(corners + $0 * 4, rows, columns, in: context))
      }
      try context.parallel(some.count, scratch: scratch) { item, memory in
        let number = start + item
        for (bin, samples) in some[item].enumerated() {
          rk_weighted_rows_f32(
            map + batch[number] * rows * columns * channels, channels, samples.places,
            samples.weights, samples.places.count, memory + bin * channels, channels)
        }
        vk_transpose_f32(
          memory, to + number * scratch, height * width, channels, channels, height * width)
      }
    }
    withExtendedLifetime((pixels, regions)) {}
  }

  /// The means or maxima of all regions, channel after channel.
  private func poolByChannel(
    _ value: Tensor, _ regions: Tensor, _ batch: [Int], into to: UnsafeMutablePointer<Float>,
    in context: KernelContext
  ) throws {
    let (channels, rows, columns) = (value.shape[1], value.shape[2], value.shape[3])
    let from = value.pointer(to: Float.self)
    for (number, image) in batch.enumerated() {
      try context.checkCancellation()
      let bins = try bins(
        regions.pointer(to: Float.self) + number * 4, rows, columns, in: context)
      context.parallel(channels) { range in
        for channel in range {
          let plane = from + (image * channels + channel) * rows * columns
          let target = to + (number * channels + channel) * height * width
          for (bin, samples) in bins.enumerated() { target[bin] = pooled(samples, plane) }
        }
      }
    }
  }

  private func pooled(_ samples: [Sample], _ plane: UnsafePointer<Float>) -> Float {
    var sum: Float = 0
    var most = -Float.infinity
    for sample in samples {
      for corner in 0..<4 {
        let part = plane[Int(sample.places[corner])] * sample.weights[corner]
        sum += part
        most = max(most, part)
      }
    }
    if isMaximum { return samples.isEmpty ? 0 : most }
    return samples.isEmpty ? 0 : sum / Float(samples.count)
  }

  /// For each bin the pixels that it is a sum of, and their shares of it.
  private func flattened(
    _ bins: [[Sample]]
  ) -> [(places: [Int32], weights: [Float])] {
    bins.map { samples in
      let share = 1 / Float(max(samples.count, 1))
      var (places, weights): ([Int32], [Float]) = ([], [])
      for sample in samples {
        for corner in 0..<4 where sample.weights[corner] != 0 {
          places.append(sample.places[corner])
          weights.append(sample.weights[corner] * share)
        }
      }
      return (places, weights)
    }
  }

  /// The samples of each bin of a region, with their places.
  private func bins(
    _ region: UnsafePointer<Float>, _ rows: Int, _ columns: Int, in context: KernelContext
  ) throws -> [[Sample]] {
    let shift: Float = isHalfPixel ? 0.5 : 0
    let left = region[0] * scale - shift
    let top = region[1] * scale - shift
    var regionWidth = region[2] * scale - shift - left
    var regionHeight = region[3] * scale - shift - top
    if !isHalfPixel {
      regionWidth = max(regionWidth, 1)
      regionHeight = max(regionHeight, 1)
    }
    let stepX = regionWidth / Float(width)
    let stepY = regionHeight / Float(height)
    guard [left, top, stepX, stepY].allSatisfy({ abs($0) < 1e6 }) else {
      throw context.failure("a region reaches from \(left), \(top) over \(stepX), \(stepY) a bin")
    }
    let countX = samples > 0 ? samples : max(0, Int(stepX.rounded(.up)))
    let countY = samples > 0 ? samples : max(0, Int(stepY.rounded(.up)))
    guard countX * countY <= 1 << 24 else {
      throw context.failure("a region takes \(countX) x \(countY) samples a bin")
    }
    var bins: [[Sample]] = []
    for binY in 0..<height {
      for binX in 0..<width {
        var samples: [Sample] = []
        samples.reserveCapacity(countX * countY)
        for sampleY in 0..<countY {
          let y = top + (Float(binY) + (Float(sampleY) + 0.5) / Float(countY)) * stepY
          for sampleX in 0..<countX {
            let x = left + (Float(binX) + (Float(sampleX) + 0.5) / Float(countX)) * stepX
            samples.append(sample(x, y, rows, columns))
          }
        }
        bins.append(samples)
      }
    }
    return bins
  }

  private func sample(_ x: Float, _ y: Float, _ rows: Int, _ columns: Int) -> Sample {
    guard y >= -1, y <= Float(rows), x >= -1, x <= Float(columns) else { return Sample() }
    func neighbours(_ position: Float, _ extent: Int) -> (Int, Int, Float) {
      let inside = max(position, 0)
      let first = min(Int(inside), extent - 1)
      if first == extent - 1 { return (first, first, 0) }
      return (first, first + 1, inside - Float(first))
    }
    let (y0, y1, fractionY) = neighbours(y, rows)
    let (x0, x1, fractionX) = neighbours(x, columns)
    return Sample(
      places: SIMD4(
        Int32(y0 * columns + x0), Int32(y0 * columns + x1), Int32(y1 * columns + x0),
        Int32(y1 * columns + x1)),
      weights: SIMD4(
        (1 - fractionY) * (1 - fractionX), (1 - fractionY) * fractionX,
        fractionY * (1 - fractionX), fractionY * fractionX))
  }
}
