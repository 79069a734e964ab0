import Foundation
import NearestNeighbors
import TestSupport
import Testing

@testable import SimilarityIndex

/// A folder of a test's own, removed with the value.
final class ScratchFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("tally-index-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Where an index may be made.
  var index: URL { url.appendingPathComponent("index") }

  func file(_ name: String) -> URL { index.appendingPathComponent(name) }

  func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: file(name))) }

  func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: file(name)) }

  /// Changes bytes of a file in place.
  func patch(_ name: String, _ bytes: [Int: UInt8]) throws {
    let handle = try FileHandle(forUpdating: file(name))
    for (offset, byte) in bytes {
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: Data([byte]))
    }
    try handle.close()
  }

  /// The names of the files of the index, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: index.path).sorted()
  }
}

/// Vectors and payloads that a test keeps beside an index.
struct Sample {
  let ids: [UUID]
  let vectors: [[Float]]
  let payloads: [Data]

  var values: [Float] { vectors.flatMap { $0 } }

  /// Values from -1 to 1, from a seed; payloads "item 0" and so on.
  init(_ count: Int, dimension: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    ids = (0..<count).map { _ in generator.uuid() }
    vectors = (0..<count).map { _ in
      (0..<dimension).map { _ in 2 * generator.unitFloat() - 1 }
    }
    payloads = (0..<count).map { Data("item \($0)".utf8) }
  }
}

/// The places of the vectors nearest to a query, by the definition of the metric in double precision.
func nearest(_ vectors: [[Float]], to query: [Float], k: Int, by metric: VectorMetric) -> [Int] {
  func product(_ one: [Float], _ other: [Float]) -> Double {
    zip(one, other).reduce(0) { $0 + Double($1.0) * Double($1.1) }
  }
  let distances = vectors.map { vector -> Double in
    switch metric {
    case .cosine:
      1 - product(vector, query) / (product(vector, vector) * product(query, query)).squareRoot()
    case .innerProduct: -product(vector, query)
    case .squaredEuclidean:
      zip(vector, query).reduce(0) {
        $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1))
      }
    }
  }
  return Array(
    vectors.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.prefix(k))
}

extension SimilarityReader {
  /// All entries by their ids.
  func all() throws -> [UUID: (vector: [Float], payload: Data)] {
    var found: [UUID: (vector: [Float], payload: Data)] = [:]
    try forEachEntry { entry in
      #expect(found[entry.id] == nil)
      found[entry.id] = (try entry.vector(), try entry.payload())
    }
    #expect(found.count == count)
    return found
  }
}

/// The program that writes an index in a process of its own.
enum Writer {
  /// Starts it.
  static func start(
    _ index: URL, commits: Int, exactLimit: Int = 50_000, diskBytes: Int? = nil
  ) throws -> ChildProcess {
    try ChildProcess(
      "SimilarityIndexWriter",
      [index.path, "\(commits)", "\(exactLimit)"] + (diskBytes.map { ["\($0)"] } ?? []))
  }

  /// Checks that an index holds what the script says of its last commit, and answers that.
  @discardableResult
  static func check(_ index: URL, _ script: inout IndexScript) throws -> Int {
    let reader = try SimilarityReader(folder: index)
    try reader.verify()
    let commit = Int(reader.commit)
    if script.commit > commit { script = IndexScript() }
    script.advance(to: commit)
    let found = try reader.all()
    #expect(Set(found.keys) == Set(script.entries.keys), "commit \(commit)")
    let layout = reader.layout
    for (id, entry) in script.entries {
      let row = try layout.encoded(entry.vector)
      let vector = row.withUnsafeBytes { layout.decode($0.baseAddress!) }
      #expect(found[id]?.vector == vector, "commit \(commit)")
      #expect(found[id]?.payload == Data(entry.payload.utf8), "commit \(commit)")
    }
    return commit
  }
}
