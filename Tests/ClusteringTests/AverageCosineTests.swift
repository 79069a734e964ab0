import Foundation
import LinearAlgebra
import TestSupport
import Testing

@testable import Clustering

/// Average linkage of cosine distances: parts that are apart, means in place of distances, threads.
@Suite("Average linkage of cosine distances")
struct AverageCosineTests {
  /// Rows around directions, `spread` times as long as these in every value at most.
  private static func embeddings(
    rows: Int, columns: Int, groups: Int, spread: Double, seed: UInt64
  ) throws -> Matrix<Float> {
    var generator = SeededGenerator(seed: seed)
    let centers = (0..<groups * columns).map { _ in 2 * generator.unit() - 1 }
    return try Matrix(
      rowCount: rows, columnCount: columns,
      elements: (0..<rows * columns).map { index in
        let (row, column) = (index / columns, index % columns)
        let center = centers[row * 7919 % groups * columns + column]
        return Float(3 * (center + spread * (2 * generator.unit() - 1)))
      })
  }

  static let shapes: [(rows: Int, columns: Int, groups: Int, spread: Double)] = [
    (1, 8, 1, 0.3), (2, 8, 2, 0.3), (50, 512, 3, 0.4), (199, 32, 10, 0.3), (200, 64, 10, 0.3),
    (400, 128, 20, 0.4), (600, 256, 150, 0.4), (600, 256, 149, 0.05), (500, 3, 25, 0.2),
    (500, 16, 10, 0.5), (700, 64, 1, 0.5), (700, 64, 700, 0.5), (800, 512, 40, 0.45),
    (800, 96, 30, 0.6),
  ]
  .filter { shape in
    #if DEBUG
      // The twin takes minutes there.
      shape.rows <= 400 && shape.columns <= 128
    #else
      true
    #endif
  }

  /// With room for all distances and for none.
  static let memoryLimits = [2 << 30, 0]

  @Test("Labels and trees are the twin's", arguments: shapes.indices)
  func parts(shape: Int) throws {
    let shape = Self.shapes[shape]
    let rows = try Self.embeddings(
      rows: shape.rows, columns: shape.columns, groups: shape.groups, spread: shape.spread,
      seed: UInt64(shape.rows + shape.columns))
    let cuts = [0.1, 0.2, 0.35, 0.9].map(DendrogramCut.distance) + [.count(min(7, shape.rows))]
    for cut in cuts {
      for memoryLimit in Self.memoryLimits {
        try AgglomerativeClustering(cut: cut, memoryLimit: memoryLimit).compareWithTwin(
          rows, "\(cut), \(memoryLimit)")
      }
    }
  }

  @Test("Parts hold every row once, and no pair of two parts is nearer than the distance")
  func proof() throws {
    var split = 0
    for seed in 0..<40 {
      let groups = 5 + seed * 3
      let rows = try Self.embeddings(
        rows: 400, columns: [24, 64, 256][seed % 3], groups: groups,
        spread: [0.2, 0.35, 0.5][seed / 3 % 3], seed: UInt64(seed)
      ).unitRows()
      let distance = [0.1, 0.2, 0.3][seed / 9 % 3]
      let found = rows.elements.withUnsafeBufferPointer {
        SeparateParts(
          rows: $0.baseAddress!, count: 400, width: rows.columnCount, distance: distance)
      }
      guard let found else { continue }
      split += 1
      #expect(found.parts.flatMap { $0 }.sorted() == Array(0..<400))
      let distances = try CondensedDistances<Double>(.cosine, between: rows)
      for (index, part) in found.parts.enumerated() {
        for other in found.parts[..<index] {
          #expect(
            part.allSatisfy { row in other.allSatisfy { distances[row, $0] >= distance } })
        }
      }
    }
    #expect(split > 15)
  }

  @Test("Tight groups about as far apart as the distance are not proved apart by rounding")
  func tightGroups() throws {
    // Pairs of groups in planes of their own. A group is so tight that the cosine of its radius rounds
    // to 1, and the last of one may be nearer than the distance to the first of the other.
    var split = 0
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let distance = [0.1, 0.3, 0.5][seed % 3]
      let angle = acos(1 - distance)
      let spread = [1e-4, 3e-4, 6e-4, 1e-3][seed / 3 % 4]
      let (pairs, size, columns) = (20, 10, 40)
      var elements: [Float] = []
      for pair in 0..<pairs {
        let gap = angle + Double.random(in: -0.2...1.2, using: &generator) * spread
        for turn in [0, gap] {
          for _ in 0..<size {
            let own = turn + Double.random(in: -1...1, using: &generator) * spread
            var row = [Float](repeating: 0, count: columns)
            row[2 * pair] = Float(cos(own))
            row[2 * pair + 1] = Float(sin(own))
            elements += row
          }
        }
      }
      let rows = try Matrix(
        rowCount: 2 * pairs * size, columnCount: columns, elements: elements
      ).unitRows()
      let found = rows.elements.withUnsafeBufferPointer {
        SeparateParts(
          rows: $0.baseAddress!, count: rows.rowCount, width: columns, distance: distance)
      }
      guard let parts = found?.parts else { continue }
      split += 1
      let distances = try CondensedDistances<Double>(.cosine, between: rows)
      for (index, part) in parts.enumerated() {
        for other in parts[..<index] {
          #expect(
            part.allSatisfy { row in other.allSatisfy { distances[row, $0] >= distance } })
        }
      }
    }
    #expect(split > 40)
  }

  @Test("A chain of neighbours hangs together however long it is")
  func chain() throws {
    // Each row is 0.1 from the next, in a plane: parts end where there is a gap.
    let step = 0.451
    let rows = try Matrix<Float>(
      rowCount: 300, columnCount: 3,
      elements: (0..<300).flatMap { index -> [Float] in
        let turn = Double(index % 100) * step / 100
        let axis = index / 100
        var row: [Float] = [0, 0, 0]
        row[axis] = Float(1 - turn * turn / 2)
        // Not the same three times, and none as far from the next as another.
        row[(axis + 1) % 3] = Float(turn * (0.3 + 0.01 * Double(axis) + 0.0001 * Double(index % 7)))
        return row
      })
    for threshold in [0.01, 0.05, 0.2] {
      try AgglomerativeClustering(cut: .distance(threshold)).compareWithTwin(rows, "\(threshold)")
    }
  }

  @Test("Equal rows end in one cluster, whatever the way")
  func duplicates() throws {
    let distinct = try Self.embeddings(rows: 40, columns: 64, groups: 40, spread: 0, seed: 3)
    let rows = try Matrix<Float>(
      rowCount: 400, columnCount: 64,
      elements: (0..<400).flatMap { Array(distinct[row: $0 * 31 % 40]) })
    for memoryLimit in Self.memoryLimits {
      let clustering = AgglomerativeClustering(cut: .distance(0.2), memoryLimit: memoryLimit)
      let found = try clustering.fit(rows)
      #expect(found.clusterCount == 40)
      // 31 and 40 have no divisor in common: every fortieth row is the same.
      for row in 40..<400 { #expect(found.labels[row] == found.labels[row % 40]) }
    }
  }

  @Test("The answer does not depend on the number of threads", arguments: [1, 2, 5])
  func threads(count: Int) throws {
    let rows = try Self.embeddings(rows: 900, columns: 200, groups: 30, spread: 0.5, seed: 8)
    let before = BLASThreads.count
    defer { BLASThreads.set(before) }
    for memoryLimit in Self.memoryLimits {
      let clustering = AgglomerativeClustering(cut: .distance(0.25), memoryLimit: memoryLimit)
      BLASThreads.set(1)
      let alone = try clustering.fit(rows)
      BLASThreads.set(count)
      #expect(try clustering.fit(rows) == alone)
    }
  }

  @Test("Rows too large or too small for their squares are clustered all the same")
  func extremes() throws {
    let base = try Self.embeddings(rows: 60, columns: 20, groups: 5, spread: 0.2, seed: 11)
    let scaled = try Matrix<Float>(
      rowCount: 60, columnCount: 20,
      elements: base.elements.enumerated().map {
        $1 * [1e-25, 1, 1e25][$0 / 20 % 3]
      })
    let clustering = AgglomerativeClustering(cut: .distance(0.2))
    #expect(try clustering.fit(scaled).labels == clustering.fit(base).labels)
  }
}
