import Foundation
import SimilarityIndex
import Telemetry

extension Benchmark {
  /// What it takes to keep things in files, and to find them there: events of telemetry, and vectors.
  static let stores: [Benchmark] = [
    // What a second at 30 events a second costs, a thousand times: all in batches of 30.
    recording("telemetry/record-30-a-batch", events: 30_000, batch: 30),
    recording("telemetry/record-256-a-batch", events: 30_000, batch: 256),
    recording("telemetry/record-1000000", events: 1_000_000, batch: 30, isLarge: true),
    Benchmark(name: "telemetry/read", items: 60_000) { _ in
      let folder = ScratchFolder()
      try record(60_000, batch: 256, into: folder.url)
      return {
        let reader = TelemetryReader(folder: folder.url)
        var sum = 0.0
        try reader.forEachEvent { event, _ in sum += event.confidence }
        return sum
      }
    },
    Benchmark(name: "telemetry/report", items: 60_000) { _ in
      let folder = ScratchFolder()
      try record(60_000, batch: 256, into: folder.url)
      return {
        Double(try TelemetryReport(of: TelemetryReader(folder: folder.url)).summary.events)
      }
    },
    Benchmark(name: "index/add-10000x128", items: 10_000) { _ in
      let entries = IndexedEntries(10_000, dimension: 128)
      return {
        let folder = ScratchFolder()
        return Double(try entries.index(in: folder.url).count)
      }
    },
    Benchmark(name: "index/add-100000x128", items: 100_000, isLarge: true) { _ in
      let entries = IndexedEntries(100_000, dimension: 128)
      return {
        let folder = ScratchFolder()
        return Double(try entries.index(in: folder.url).count)
      }
    },
    Benchmark(name: "index/open-100000x128") { _ in
      let folder = ScratchFolder()
      _ = try IndexedEntries(100_000, dimension: 128).index(in: folder.url)
      return { Double(try SimilarityReader(folder: folder.url, options: .exact).count) }
    },
    Benchmark(name: "index/search-100000x128") { _ in
      let folder = ScratchFolder()
      let entries = IndexedEntries(100_000, dimension: 128)
      _ = try entries.index(in: folder.url)
      let reader = try SimilarityReader(folder: folder.url, options: .exact)
      return {
        try reader.search(Array(entries.values.prefix(128)), k: 10)
          .reduce(0) { $0 + Double($1.distance) }
      }
    },
  ]

  /// Opens a log, records, and closes it, in a folder that begins empty.
  private static func recording(
    _ name: String, events: Int, batch: Int, isLarge: Bool = false
  ) -> Benchmark {
    Benchmark(name: name, items: events, isLarge: isLarge) { _ in
      {
        let folder = ScratchFolder()
        return Double(try record(events, batch: batch, into: folder.url))
      }
    }
  }

  @discardableResult
  private static func record(_ events: Int, batch: Int, into folder: URL) throws -> Int {
    var input = SeededInput(seed: 14)
    let log = try TelemetryLog(folder: folder)
    for number in 1...events {
      log.record(
        try TelemetryEvent(
          time: Date(timeIntervalSince1970: 1_790_000_000 + Double(number) / 30),
          confidence: input.uniform(), width: input.uniform(), height: input.uniform(),
          aspectRatio: 4 * input.uniform(), sawText: number % 2 == 0, sawBarcode: number % 3 == 0))
      if number % batch == 0 { try log.flushAndWait() }
    }
    try log.flushAndWait()
    return log.status.written
  }
}

/// Vectors with ids and short payloads.
private struct IndexedEntries {
  let dimension: Int
  let ids: [UUID]
  let values: [Float]

  init(_ count: Int, dimension: Int) {
    var input = SeededInput(seed: 41)
    self.dimension = dimension
    ids = (0..<count).map { _ in UUID() }
    values = (0..<(count * dimension)).map { _ in Float(input.uniform()) - 0.5 }
  }

  /// Writes them all in one commit, without a graph.
  func index(in folder: URL) throws -> SimilarityWriter {
    let writer = try SimilarityWriter(creating: folder, dimension: dimension, options: .exact)
    try writer.add(
      ids: ids, values: values, payloads: ids.indices.map { Data("entry \($0)".utf8) })
    try writer.commit()
    return writer
  }
}

/// A folder that is removed with the value.
private final class ScratchFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("tally-benchmark-\(UUID().uuidString)")

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
