import DetectionDecode
import Geometry
import NMS
import Stats
import YOLOXDecode

extension Benchmark {
  /// Stats: the numbers behind the outlier filters.
  static let statistics: [Benchmark] = [
    Benchmark(name: "stats/median-8400") { _ in
      let values = uniformValues(8400)
      return { median(of: values) ?? 0 }
    },
    Benchmark(name: "stats/deviation-8400", tolerance: 1e-12) { _ in
      let values = uniformValues(8400)
      return { standardDeviation(of: values) ?? 0 }
    },
    Benchmark(name: "stats/quantiles-8400", tolerance: 1e-12) { _ in
      let values = uniformValues(8400)
      return { try quantiles([0.05, 0.25, 0.5, 0.75, 0.95], of: values)?.reduce(0, +) ?? 0 }
    },
    Benchmark(name: "stats/percentiles-8400", tolerance: 1e-12) { _ in
      let values = uniformValues(8400)
      let probabilities = (0...100).map { Double($0) / 100 }
      return { try quantiles(probabilities, of: values)?.reduce(0, +) ?? 0 }
    },
    Benchmark(name: "stats/quantile-8400", tolerance: 1e-12) { _ in
      let values = uniformValues(8400)
      return { try quantile(0.95, of: values) ?? 0 }
    },
    Benchmark(name: "stats/mean-8400", tolerance: 1e-12) { _ in
      let values = uniformValues(8400)
      return { mean(of: values) ?? 0 }
    },
    Benchmark(name: "stats/moments-8400", tolerance: 1e-9) { _ in
      let values = uniformValues(8400)
      return {
        let moments = RunningMoments(of: values)
        return (moments.skewness ?? 0) + (moments.kurtosis ?? 0)
      }
    },
    Benchmark(name: "stats/outlier-band-8400") { _ in
      let values = uniformValues(8400)
      return {
        let band = OutlierBand(of: values, multiplier: 1)
        return values.reduce(0) { $0 + (band?.contains($1) == true ? 1 : 0) }
      }
    },
    Benchmark(name: "stats/histogram-8400x20", tolerance: 1e-12) { _ in
      let values = uniformValues(8400)
      let edges = (0...20).map { Double($0) / 20 }
      return {
        var histogram = Histogram(edges: edges)
        histogram?.add(values)
        return Double(histogram?.counts.enumerated().reduce(0) { $0 + $1.0 * $1.1 } ?? 0)
      }
    },
    Benchmark(name: "stats/density-8400-at-100", tolerance: 1e-9) { _ in
      let values = uniformValues(8400)
      return {
        let density = KernelDensity(of: values, bandwidth: 0.05)
        return (0..<100).reduce(0) { $0 + (density?.density(at: Double($1) / 100) ?? 0) }
      }
    },
    Benchmark(name: "stats/normal-cumulative-8400", tolerance: 1e-12) { _ in
      let values = uniformValues(8400).map { 8 * $0 - 4 }
      return { values.reduce(0) { $0 + StandardNormal.cumulative($1) } }
    },
    // Symmetric, so that the sum is of absolute values.
    Benchmark(name: "stats/normal-quantile-8400", tolerance: 1e-12) { _ in
      let values = uniformValues(8400)
      return { try values.reduce(0) { $0 + abs(try StandardNormal.quantile($1)) } }
    },
  ]

  private static func uniformValues(_ count: Int) -> [Double] {
    var input = SeededInput(seed: 1)
    return (0..<count).map { _ in input.uniform() }
  }

  /// Geometry and NMS: boxes against boxes.
  static let boxes: [Benchmark] = [
    Benchmark(name: "geometry/iou-matrix-1000x1000", tolerance: 1e-4) { _ in
      let first = SeededInput.clusteredBoxes(count: 1000, side: 640, seed: 2).boxes
      let second = SeededInput.clusteredBoxes(count: 1000, side: 640, seed: 3).boxes
      return { Double(sum(iouMatrix(first, second).values)) }
    },
    Benchmark(name: "geometry/generalized-iou-1000x1000", tolerance: 1e-4) { _ in
      let first = SeededInput.clusteredBoxes(count: 1000, side: 640, seed: 2).boxes
      let second = SeededInput.clusteredBoxes(count: 1000, side: 640, seed: 3).boxes
      return {
        var sum = 0.0
        for box in first {
          for other in second { sum += Double(box.generalizedIoU(other)) }
        }
        return sum
      }
    },
    Benchmark(name: "geometry/clip-8400", tolerance: 1e-6) { _ in
      let boxes = SeededInput.clusteredBoxes(count: 8400, side: 1920, seed: 2).boxes
      return { boxes.reduce(0) { $0 + Double($1.clipped(toWidth: 1000, height: 900).area) } }
    },
    // Boxes on their corners, so that they are no axis-aligned ones.
    Benchmark(name: "geometry/quadrilateral-iou-100x100", tolerance: 1e-4) { _ in
      let first = diamonds(seed: 2)
      let second = diamonds(seed: 3)
      return {
        var sum = 0.0
        for one in first { for other in second { sum += one.iou(other) } }
        return sum
      }
    },
    suppression(count: 1000, side: 640),
    suppression(count: 8400, side: 1920),
    suppression(count: 100_000, side: 8000),
    Benchmark(name: "nms/classes-8400") { _ in
      let (boxes, scores) = SeededInput.clusteredBoxes(count: 8400, side: 1920, seed: 4)
      let classes = boxes.indices.map { $0 % 7 }
      return {
        let kept = try nonMaximumSuppression(
          boxes: boxes, scores: scores, classes: classes, iouThreshold: 0.65)
        return Double(kept.count)
      }
    },
    // Half of the boxes have a class of their own.
    Benchmark(name: "nms/many-classes-8400") { _ in
      let (boxes, scores) = SeededInput.clusteredBoxes(count: 8400, side: 1920, seed: 4)
      let classes = boxes.indices.map { $0 % 2 == 0 ? -$0 : 7 }
      return {
        let kept = try nonMaximumSuppression(
          boxes: boxes, scores: scores, classes: classes, iouThreshold: 0.65)
        return Double(kept.count)
      }
    },
    Benchmark(name: "nms/soft-1000") { _ in
      let (boxes, scores) = SeededInput.clusteredBoxes(count: 1000, side: 640, seed: 4)
      return {
        let selected = try softNonMaximumSuppression(
          boxes: boxes, scores: scores, decay: .gaussian(sigma: 0.5), minimumScore: 0.001)
        return Double(selected.count)
      }
    },
    Benchmark(name: "nms/fusion-3x1000", tolerance: 1e-4) { _ in
      let lists = [20, 21, 22].map { seed in
        let (boxes, scores) = SeededInput.clusteredBoxes(count: 1000, side: 640, seed: 4)
        var input = SeededInput(seed: UInt64(seed))
        return zip(boxes, scores).map { box, score in
          FusionCandidate(
            box: box.translated(dx: Float(input.uniform()), dy: Float(input.uniform())),
            score: score)
        }
      }
      return { try weightedBoxFusion(lists).reduce(0) { $0 + Double($1.score) } }
    },
  ]

  private static func diamonds(seed: UInt64) -> [Quadrilateral] {
    SeededInput.clusteredBoxes(count: 100, side: 320, seed: seed).boxes.map { box in
      let (x, y) = (box.center.x, box.center.y)
      return Quadrilateral(
        topLeft: Point(x: x, y: Double(box.minY)), topRight: Point(x: Double(box.maxX), y: y),
        bottomRight: Point(x: x, y: Double(box.maxY)), bottomLeft: Point(x: Double(box.minX), y: y))
    }
  }

  private static func suppression(count: Int, side: Double) -> Benchmark {
    suppression("clustered-\(count)") {
      SeededInput.clusteredBoxes(count: count, side: side, seed: 4)
    }
  }

  /// NMS: boxes that a grid of one size of cell, or looking at all pairs, does badly on.
  static let hostileBoxes: [Benchmark] = [
    suppression("identical-100000") { hostile { _, _ in Box(x: 5, y: 5, width: 60, height: 40) } },
    suppression("without-area-100000") {
      hostile { input, _ in
        Box(
          x: Float(input.uniform() * 8000), y: Float(input.uniform() * 8000), width: 0, height: 9)
      }
    },
    // Long and thin or all but square, from one corner to anywhere in the other half.
    suppression("huge-100000") {
      hostile { input, _ in
        Box(
          minX: Float(input.uniform() * 4000), minY: Float(input.uniform() * 4000),
          maxX: Float(4000 + input.uniform() * 4000), maxY: Float(4000 + input.uniform() * 4000))
      }
    },
    suppression("one-over-all-100000") {
      hostile { input, index in
        index == 0
          ? Box(minX: 0, minY: 0, maxX: 8000, maxY: 8000)
          : Box(
            x: Float(input.uniform() * 7990), y: Float(input.uniform() * 7990), width: 9, height: 9)
      }
    },
    // Thirteen octaves of each side.
    suppression("all-sizes-100000", of: octaves),
    suppression("all-sizes-100000-at-0.05", threshold: 0.05, of: octaves),
    suppression("all-sizes-100000-smaller", measure: .intersectionOverSmaller, of: octaves),
    // A large box over every small one: large boxes do not cover each other.
    suppression("two-sizes-100000", of: twoSizes),
    suppression("two-sizes-100000-at-0.05", threshold: 0.05, of: twoSizes),
    suppression("two-sizes-100000-smaller", measure: .intersectionOverSmaller, of: twoSizes),
    // Thin boxes across and thin boxes down.
    suppression("crosses-100000") {
      hostile { input, index in
        let (x, y) = (Float(input.uniform() * 8000), Float(input.uniform() * 8000))
        return index % 2 == 0
          ? Box(x: 0, y: y, width: 8000, height: 2) : Box(x: x, y: 0, width: 2, height: 8000)
      }
    },
  ]

  private static func octaves() -> (boxes: [Box], scores: [Float]) {
    hostile { input, _ in
      let (x, y) = (Float(input.uniform() * 8000), Float(input.uniform() * 8000))
      let width = Float(sign: .plus, exponent: input.below(13), significand: 1)
      let height = Float(sign: .plus, exponent: input.below(13), significand: 1)
      return Box(x: x, y: y, width: width, height: height)
    }
  }

  private static func twoSizes() -> (boxes: [Box], scores: [Float]) {
    hostile { input, index in
      let (x, y) = (Float(input.uniform() * 8000), Float(input.uniform() * 8000))
      // Tiny, or as large as leaves a thousand of them apart.
      let side: Float = index % 2 == 0 ? 4 : 250
      return Box(x: x, y: y, width: side, height: side)
    }
  }

  /// A hundred thousand boxes, and scores in no order.
  private static func hostile(
    _ box: (inout SeededInput, Int) -> Box
  ) -> (boxes: [Box], scores: [Float]) {
    var input = SeededInput(seed: 17)
    let boxes = (0..<100_000).map { box(&input, $0) }
    return (boxes, boxes.map { _ in Float(input.uniform()) })
  }

  private static func suppression(
    _ name: String, threshold: Double = 0.65, measure: OverlapMeasure = .intersectionOverUnion,
    of input: @escaping @Sendable () -> (boxes: [Box], scores: [Float])
  ) -> Benchmark {
    Benchmark(name: "nms/\(name)") { _ in
      let (boxes, scores) = input()
      return {
        let kept = try nonMaximumSuppression(
          boxes: boxes, scores: scores, iouThreshold: threshold, measure: measure)
        return Double(kept.count)
      }
    }
  }

  /// YOLOXDecode: from a head's output to candidates; and what reading the output once takes, which
  /// is the least that looking at every number could.
  static let decoding: [Benchmark] = [
    decoding("decode/yolox-8400x85", minimumScore: 0.001),
    // What a detector asks for that shows its boxes: nearly nothing passes.
    decoding("decode/yolox-8400x85-at-0.5", minimumScore: 0.5),
    decoding("decode/yolox-8400x85-decoded", minimumScore: 0.001, selfDecoded: true),
    Benchmark(name: "decode/read-8400x85", tolerance: 1e-4) { _ in
      let output = SeededInput.headOutput(candidates: 8400, classes: 80, seed: 5)
      return { Double(sum(output)) }
    },
  ]

  /// DetectionDecode: the heads of the other families, on outputs of their usual sizes.
  static let heads: [Benchmark] = [
    table("decode/yolov8-84x8400", rows: 8400, columns: 84, minimumScore: 0.9995) {
      try .yolov8(classCount: 80)
    },
    table("decode/yolov5-25200x85", rows: 25_200, columns: 85, minimumScore: 0.25) {
      try .yolov5(classCount: 80)
    },
    table("decode/end-to-end-300x6", rows: 300, columns: 6, minimumScore: 0.25) {
      try .endToEnd()
    },
    queries("decode/rt-detr-300x80", .sigmoid, classes: 80, minimumScore: 0.87),
    queries("decode/detr-100x92", .softmax, queries: 100, classes: 92, minimumScore: 0.03),
  ]

  private static func table(
    _ name: String, rows: Int, columns: Int, minimumScore: Float,
    _ layout: @escaping @Sendable () throws -> CandidateTable
  ) -> Benchmark {
    Benchmark(name: name, tolerance: 1e-5) { _ in
      let layout = try layout()
      let values = SeededInput.headOutput(candidates: rows, classes: columns - 5, seed: 6)
      let output = try HeadOutput(
        shape: layout.isTransposed ? [1, columns, rows] : [1, rows, columns],
        values: layout.isTransposed
          ? (0..<values.count).map { values[$0 % rows * columns + $0 / rows] } : values)
      return {
        let candidates = try layout.candidates(in: output, minimumScore: minimumScore)
        return candidates.reduce(0.0) { $0 + Double($1.score) + Double($1.box.minX) }
      }
    }
  }

  private static func queries(
    _ name: String, _ activation: QueryHead.Activation, queries: Int = 300, classes: Int,
    minimumScore: Float
  ) -> Benchmark {
    Benchmark(name: name, tolerance: 1e-5) { _ in
      let values = SeededInput.headOutput(candidates: queries, classes: classes - 1, seed: 7)
      var logits: [Float] = []
      var boxes: [Float] = []
      for query in 0..<queries {
        let row = values[query * (classes + 4)..<(query + 1) * (classes + 4)]
        boxes += row.prefix(4)
        logits += row.dropFirst(4).map { $0 * 2 }
      }
      let head = QueryHead(activation)
      let logitOutput = try HeadOutput(shape: [1, queries, classes], values: logits)
      let boxOutput = try HeadOutput(shape: [1, queries, 4], values: boxes)
      return {
        let candidates = try head.candidates(
          logits: logitOutput, boxes: boxOutput, minimumScore: minimumScore)
        return candidates.reduce(0.0) { $0 + Double($1.score) + Double($1.box.minX) }
      }
    }
  }

  private static func decoding(
    _ name: String, minimumScore: Float, selfDecoded: Bool = false
  ) -> Benchmark {
    Benchmark(name: name, tolerance: 1e-5) { _ in
      let head = try YOLOXHead(
        inputWidth: 640, inputHeight: 640, classCount: 80, selfDecoded: selfDecoded)
      let output = SeededInput.headOutput(candidates: 8400, classes: 80, seed: 5)
      return {
        let candidates = try head.candidates(in: output, minimumScore: minimumScore)
        return candidates.reduce(0.0) { $0 + Double($1.score) + Double($1.box.minX) }
      }
    }
  }

  /// The sum of numbers, sixteen at a time.
  private static func sum(_ values: [Float]) -> Float {
    values.withUnsafeBytes { bytes in
      var sums = SIMD16<Float>(repeating: 0)
      let step = MemoryLayout<SIMD16<Float>>.size
      let whole = bytes.count / step * step
      for offset in stride(from: 0, to: whole, by: step) {
        sums += bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
      }
      return sums.sum() + values[(whole / 4)...].reduce(0, +)
    }
  }
}
