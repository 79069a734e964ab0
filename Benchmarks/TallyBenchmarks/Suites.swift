import Clustering
import Geometry
import ISBN
import LinearAlgebra
import NMS
import Raster
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
      return { Double(iouMatrix(first, second).values.reduce(0, +)) }
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

  /// YOLOXDecode: from a head's output to candidates.
  static let decoding: [Benchmark] = [
    Benchmark(name: "decode/yolox-8400x85", tolerance: 1e-5) { _ in
      let head = try YOLOXHead(inputWidth: 640, inputHeight: 640, classCount: 80)
      let output = SeededInput.headOutput(candidates: 8400, classes: 80, seed: 5)
      return {
        let candidates = try head.candidates(in: output, minimumScore: 0.001)
        return candidates.reduce(0.0) { $0 + Double($1.score) + Double($1.box.minX) }
      }
    }
  ]

  /// Clustering: distances and labels.
  static let clustering: [Benchmark] = [
    Benchmark(name: "distances/cosine-1000x512", tolerance: 1e-5) { settings in
      let embeddings = try SeededInput.embeddings(count: 1000, dimension: 512, seed: 6)
      BLASThreads.set(settings.threads)
      return {
        try CondensedDistances(cosineBetween: embeddings).values.reduce(0) { $0 + Double($1) }
      }
    },
    Benchmark(name: "distances/cosine-10000x512-fast", tolerance: 1e-4, isLarge: true) {
      settings in
      let embeddings = try SeededInput.embeddings(count: 10_000, dimension: 512, seed: 6)
      BLASThreads.set(settings.threads)
      return { Double(try CondensedDistances(cosineBetween: embeddings).values[12_345]) }
    },
    agglomeration(count: 50), agglomeration(count: 1000), agglomeration(count: 5000),
    agglomeration(count: 10_000, isLarge: true),
    agglomeration(count: 50, arithmetic: .fast), agglomeration(count: 1000, arithmetic: .fast),
    agglomeration(count: 5000, arithmetic: .fast),
    agglomeration(count: 10_000, arithmetic: .fast, isLarge: true),
    agglomeration(count: 20_000, arithmetic: .fast, isLarge: true),
  ]

  private static func agglomeration(
    count: Int, arithmetic: DistanceArithmetic = .reference, isLarge: Bool = false
  ) -> Benchmark {
    let suffix = arithmetic == .reference ? "" : "-\(arithmetic)"
    return Benchmark(
      name: "cluster/average-cosine-\(count)x512\(suffix)", isLarge: isLarge
    ) { settings in
      let embeddings = try SeededInput.embeddings(count: count, dimension: 512, seed: 7)
      let clustering = AgglomerativeClustering(cut: .distance(0.2), arithmetic: arithmetic)
      BLASThreads.set(settings.threads)
      return { Double(try clustering.fit(embeddings).clusterCount) }
    }
  }

  /// Raster: the resizes that precede a network.
  static let images: [Benchmark] = [
    resize("raster/bilinear-1920x1080-640x360", .bilinear, from: (1920, 1080), to: (640, 360)),
    resize("raster/bilinear-3840x2160-640x360", .bilinear, from: (3840, 2160), to: (640, 360)),
    resize("raster/bicubic-512x512-224x224", .bicubic, from: (512, 512), to: (224, 224)),
    resize("raster/bicubic-64x64-224x224", .bicubic, from: (64, 64), to: (224, 224)),
    Benchmark(name: "raster/letterbox-1920x1080-640x640") { _ in
      let image = try SeededInput.image(width: 1920, height: 1080, channels: 3, seed: 8)
      return { sum(try image.letterboxed(width: 640, height: 640).samples) }
    },
    Benchmark(name: "raster/clip-tensor-96x80", tolerance: 1e-4) { _ in
      let image = try SeededInput.image(width: 96, height: 80, channels: 3, seed: 9)
      return { try CropPreprocessing.clip.tensor(of: image).reduce(0) { $0 + Double(abs($1)) } }
    },
  ]

  private static func resize(
    _ name: String, _ method: Resampling, from: (Int, Int), to: (Int, Int)
  ) -> Benchmark {
    Benchmark(name: name) { _ in
      let image = try SeededInput.image(width: from.0, height: from.1, channels: 3, seed: 8)
      return { sum(try image.resized(width: to.0, height: to.1, method: method).samples) }
    }
  }

  private static func sum(_ samples: [UInt8]) -> Double {
    var sum: UInt64 = 0
    for sample in samples { sum &+= UInt64(sample) }
    return Double(sum)
  }

  /// ISBN: ten thousand codes a run, and a text.
  static let books: [Benchmark] = [
    Benchmark(name: "isbn/validate", items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, flaw: 3, seed: 10)
      return { Double(codes.reduce(0) { ISBN13.isValid($1) ? $0 + 1 : $0 }) }
    },
    Benchmark(name: "isbn/convert-to-10", items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, seed: 11)
      return {
        try codes.reduce(0.0) { $0 + Double(try ISBN10(ISBN13($1)).description.utf8.count) }
      }
    },
    // The peers' range tables are older: some hyphens stand elsewhere, as many as they are.
    Benchmark(name: "isbn/hyphenate", tolerance: 0.05, items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, seed: 12)
      return {
        try codes.reduce(0.0) { $0 + Double(try ISBN13($1).hyphenated?.utf8.count ?? 0) }
      }
    },
    Benchmark(name: "isbn/extract", items: 200) { _ in
      let text = SeededInput.text(isbns: 200, seed: 13)
      let extractor = ISBNExtractor()
      return { Double(extractor.matches(in: text).count) }
    },
  ]
}
