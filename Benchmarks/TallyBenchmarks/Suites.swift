import Clustering
import LinearAlgebra
import Raster

extension Benchmark {
  /// Clustering: distances and labels.
  static let clustering: [Benchmark] =
    [
      Benchmark(name: "distances/cosine-1000x512", tolerance: 1e-5) { settings in
        let embeddings = try SeededInput.embeddings(count: 1000, dimension: 512, seed: 6)
        BLASThreads.set(settings.threads)
        return {
          try CondensedDistances(cosineBetween: embeddings).values.reduce(0) { $0 + Double($1) }
        }
      },
      Benchmark(name: "distances/cosine-10000x512", tolerance: 1e-4, isLarge: true) {
        settings in
        let embeddings = try SeededInput.embeddings(count: 10_000, dimension: 512, seed: 6)
        BLASThreads.set(settings.threads)
        return { Double(try CondensedDistances(cosineBetween: embeddings).values[12_345]) }
      },
    ]
    + SeededInput.EmbeddingShape.allCases.flatMap { shape in
      ([50, 200, 1000, 5000, 10_000] + (shape == .apart ? [20_000] : []))
        .map { agglomeration(count: $0, shape) }
    }

  private static func agglomeration(
    count: Int, _ shape: SeededInput.EmbeddingShape
  ) -> Benchmark {
    Benchmark(name: "cluster/average-cosine-\(count)x512-\(shape)", isLarge: count >= 10_000) {
      settings in
      let embeddings = try SeededInput.embeddings(
        count: count, dimension: 512, seed: 7, shape: shape)
      let clustering = AgglomerativeClustering(cut: .distance(0.2))
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
    Benchmark(name: "raster/nv12-1920x1080") { _ in
      let luma = try SeededInput.image(width: 1920, height: 1080, channels: 1, seed: 10)
      let chroma = try SeededInput.image(width: 960, height: 540, channels: 2, seed: 11)
      return {
        let image = try luma.samples.withUnsafeBytes { luma in
          try chroma.samples.withUnsafeBytes { chroma in
            try Raster(
              luma: luma, chroma: chroma, width: 1920, height: 1080, lumaBytesPerRow: 1920,
              chromaBytesPerRow: 1920, encoding: .bt601VideoRange)
          }
        }
        return Double(image.samples.count)
      }
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
}
