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
    suppression(count: 1000, side: 640),
    suppression(count: 8400, side: 1920),
    suppression(count: 100_000, side: 8000),
  ]

  private static func suppression(count: Int, side: Double) -> Benchmark {
    Benchmark(name: "nms/clustered-\(count)") { _ in
      let (boxes, scores) = SeededInput.clusteredBoxes(count: count, side: side, seed: 4)
      return {
        let kept = try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: 0.65)
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
