import Foundation
import FuzzSupport
import NearestNeighbors

@testable import SimilarityIndex

extension Target {
  /// The files of an index, whose checksums are put right, unless the first byte says not to.
  ///
  /// An index that opens is read in all ways, searched with and without its graph, written to and
  /// compacted; one that does not is saved from. What was committed is there afterwards.
  static let index = Target(
    "index",
    seeds: {
      try [VectorPrecision.float32, .float16, .int8].enumerated().map { index, precision in
        let folder = Scratch.path("seed.index")
        let writer = try SimilarityWriter(
          creating: folder, dimension: 3, metric: VectorMetric.allCases[index],
          precision: precision, options: SimilarityOptions(exactLimit: 2))
        let ids = (0..<6).map { _ in UUID() }
        for (index, id) in ids.enumerated() {
          try writer.add(
            id: id, vector: [1, Float(index), -0.5], payload: ["", "a,\"b\"", "=1"][index % 3])
        }
        try writer.remove(id: ids[1])
        _ = try writer.commit()
        try writer.remove(id: ids[4])
        _ = try writer.commit()
        writer.close()
        return try IndexBytes(folder: folder).input
      }
    }
  ) { bytes in
    guard var index = IndexBytes(input: bytes) else { return }
    if bytes[0] & 1 == 0 { index.repair() }
    let folder = try Scratch.emptyFolder("index")
    try index.write(to: folder)
    try refusable(SimilarityIndexError.self) {
      let saved = Scratch.path("saved.index")
      let salvage = try SimilaritySalvage(of: folder, into: saved)
      let reader = try SimilarityReader(folder: saved)
      expect(reader.count == salvage.saved, "\(salvage), and \(reader.count) are there")
      try reader.verify()
    }
    try refusable(SimilarityIndexError.self) { try read(folder) }
    try refusable(SimilarityIndexError.self) { try change(folder) }
  }

  private static func read(_ folder: URL) throws {
    for options in [SimilarityOptions.exact, SimilarityOptions(exactLimit: 0, searchBreadth: 4)] {
      let reader = try SimilarityReader(folder: folder, options: options)
      _ = reader.statistics
      var count = 0
      var query = [Float](repeating: 0, count: reader.layout.dimension)
      query[0] = 1
      reader.forEachEntry { entry in
        count += 1
        _ = try? entry.text()
        if let vector = try? entry.vector(), vector.allSatisfy(\.isFinite) { query = vector }
      }
      expect(count == reader.count, "\(reader.count) entries, and \(count) are seen")
      try refusable(SimilarityIndexError.self) {
        let matches = try reader.search(query, k: 3)
        expect(matches.count <= 3, "\(matches.count) of 3")
      }
      try refusable(SimilarityIndexError.self) {
        _ = try reader.search(query, k: .max) { $0.payloadByteCount > 0 }
      }
      for format in SimilarityExport.Format.allCases {
        try refusable(SimilarityIndexError.self) {
          try SimilarityExport(reader).write(format) { _ in }
        }
      }
      try reader.verify()
    }
  }

  private static func change(_ folder: URL) throws {
    let writer = try SimilarityWriter(
      opening: folder, options: SimilarityOptions(exactLimit: 1, searchBreadth: 4))
    defer { writer.close() }
    let before = try SimilarityReader(folder: folder)
    let count = before.count
    var first: UUID?
    before.forEachEntry { if first == nil { first = $0.id } }
    let id = UUID()
    var vector = [Float](repeating: 0, count: writer.layout.dimension)
    vector[0] = 1
    try writer.add(id: id, vector: vector, payload: "new")
    if let first { _ = try writer.remove(id: first) }
    _ = try writer.commit()
    let after = try SimilarityReader(folder: folder)
    expect(
      after.count == count + (first == nil ? 1 : 0), "\(count) entries became \(after.count)")
    expect(try after.entry(id) != nil, "what was committed is not there")
    try writer.compact()
    let compacted = try SimilarityReader(folder: folder)
    expect(compacted.count == after.count, "\(after.count) entries became \(compacted.count)")
  }
}
