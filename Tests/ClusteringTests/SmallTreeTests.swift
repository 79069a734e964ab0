import LinearAlgebra
import TestSupport
import Testing
import _VectorKernels

@testable import Clustering

/// The way of few rows, against distances in double precision.
@Suite("Few rows")
struct SmallTreeTests {
  /// Rows around a few directions; the smaller the spread, the more distances are nearly equal.
  private static func rows(
    _ count: Int, _ width: Int, groups: Int, spread: Double, _ generator: inout SeededGenerator
  ) throws -> Matrix<Float> {
    let centers = (0..<groups * width).map { _ in 2 * generator.unit() - 1 }
    return try Matrix(
      rowCount: count, columnCount: width,
      elements: (0..<count * width).map { index in
        let center = centers[index / width % groups * width + index % width]
        return Float(2 * center + spread * (2 * generator.unit() - 1))
      })
  }

  /// Both trees, and both labellings at a cut, are the same; distances to single precision.
  private func compare(_ rows: Matrix<Float>, cut: Double, _ note: String) throws {
    var clustering = AgglomerativeClustering(cut: .distance(cut))
    let truth = try clustering.fit(rows)
    clustering.arithmetic = .fast
    let found = try clustering.fit(rows)
    #expect(found.labels == truth.labels, "\(note)")
    for (merge, expected) in zip(found.dendrogram.merges, truth.dendrogram.merges) {
      #expect(abs(merge.distance - expected.distance) < 1e-6, "\(note)")
      #expect(
        [merge.left, merge.right, merge.size] == [expected.left, expected.right, expected.size],
        "\(note)")
    }
  }

  @Test("Many numbers of rows, every width to 70, at every level of the processor")
  func sizes() throws {
    defer { _ = vk_force_level(-1) }
    for level in 0...Int(vk_best_level()) {
      _ = vk_force_level(Int32(level))
      var generator = SeededGenerator(seed: 5)
      for count in Array(2...40) + [63, 64, 65, 199] {
        let width = 2 + count * 7 % 69
        let rows = try Self.rows(count, width, groups: 1 + count / 6, spread: 0.7, &generator)
        #expect(
          SmallTree.dendrogram(of: rows, cutAt: nil, memoryLimit: .max) != nil, "\(count)")
        try compare(rows, cut: 0.1, "level \(level), \(count) x \(width)")
      }
      for width in 2...70 {
        let rows = try Self.rows(12, width, groups: 3, spread: 0.7, &generator)
        try compare(rows, cut: 0.2, "level \(level), 12 x \(width)")
      }
    }
  }

  @Test("Where distances are nearly equal, double precision decides")
  func doubt() throws {
    var generator = SeededGenerator(seed: 6)
    var small = 0
    for round in 0..<300 {
      // All pairs of a group are as far apart as any other, but for about 1e-7.
      let count = 6 + round % 30
      let width = 40
      var values = [Float](repeating: 0, count: count * width)
      for row in 0..<count {
        values[row * width] = 1
        values[row * width + 1 + row] = 0.5
        for column in 0..<width {
          values[row * width + column] += Float(4e-7 * (2 * generator.unit() - 1))
        }
      }
      let rows = try Matrix<Float>(rowCount: count, columnCount: width, elements: values)
      if SmallTree.dendrogram(of: rows, cutAt: 0.2, memoryLimit: .max) != nil { small += 1 }
      try compare(rows, cut: [0.1, 0.2, 0.3][round % 3], "round \(round)")
    }
    #expect(small == 300)
  }

  @Test("A merge at the cut is on the side on which double precision has it")
  func cuts() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<100 {
      let rows = try Self.rows(20, 48, groups: 4, spread: 0.8, &generator)
      let truth = try AgglomerativeClustering(cut: .count(1)).fit(rows).dendrogram
      let distance = truth.merges[round % 19].distance
      for shift in [-1e-9, 1e-9, -1e-7, 1e-7] {
        try compare(rows, cut: distance + shift, "round \(round), \(shift)")
      }
    }
  }

  @Test("Rows that are equal are left to the order of rows")
  func ties() throws {
    var generator = SeededGenerator(seed: 8)
    for count in [2, 3, 8, 30] {
      let once = try Self.rows(count, 24, groups: 3, spread: 0.7, &generator)
      let elements = Array(once.elements) + Array(once.elements) + Array(once.elements)
      let rows = try Matrix(rowCount: 3 * count, columnCount: 24, elements: elements)
      #expect(SmallTree.dendrogram(of: rows, cutAt: 0.2, memoryLimit: .max) == nil)
      // Which of equal merges comes first numbers the labels: as the engine has it that knows all distances.
      var clustering = AgglomerativeClustering(cut: .distance(0.2), arithmetic: .fast)
      let found = try clustering.fit(rows)
      clustering.method = .storedDistances
      #expect(try clustering.fit(rows) == found)
    }
  }

  @Test("Rows of every length that has a direction give the same, others their error")
  func lengths() throws {
    var generator = SeededGenerator(seed: 9)
    let plain = try Self.rows(30, 33, groups: 5, spread: 0.6, &generator)
    let truth = try AgglomerativeClustering(cut: .distance(0.2), arithmetic: .fast).fit(plain)
    func fit(changing row: Int, _ change: (Float) -> Float) throws -> [Int] {
      var elements = Array(plain.elements)
      for index in row * 33..<(row + 1) * 33 { elements[index] = change(elements[index]) }
      return try AgglomerativeClustering(cut: .distance(0.2), arithmetic: .fast)
        .fit(Matrix(rowCount: 30, columnCount: 33, elements: elements)).labels
    }
    for scale in [1e-30, 1e-18, 1e-12, 1e10, 1e18, 1e30] as [Float] {
      #expect(try fit(changing: 7) { $0 * scale } == truth.labels, "\(scale)")
    }
    #expect(throws: ClusteringError.zeroRow(index: 7)) { try fit(changing: 7) { _ in 0 } }
    for value in [Float.nan, .infinity, -.infinity] {
      #expect(throws: ClusteringError.nonFiniteRow(index: 7)) {
        try fit(changing: 7) { _ in value }
      }
    }
  }

  @Test("It keeps to the limit of memory, and to few rows")
  func limits() throws {
    var generator = SeededGenerator(seed: 10)
    let rows = try Self.rows(20, 8, groups: 3, spread: 0.7, &generator)
    #expect(SmallTree.dendrogram(of: rows, cutAt: nil, memoryLimit: 20 * 32 * 4) != nil)
    #expect(SmallTree.dendrogram(of: rows, cutAt: nil, memoryLimit: 20 * 32 * 4 - 1) == nil)
    let many = try Self.rows(200, 8, groups: 3, spread: 0.7, &generator)
    #expect(SmallTree.dendrogram(of: many, cutAt: nil, memoryLimit: .max) == nil)
    for (count, width) in [(0, 8), (1, 8), (3, 0)] {
      let few = try Matrix<Float>(
        rowCount: count, columnCount: width, elements: [Float](repeating: 1, count: count * width))
      #expect(SmallTree.dendrogram(of: few, cutAt: nil, memoryLimit: .max) == nil)
    }
  }
}
