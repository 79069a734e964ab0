import LinearAlgebra
import TestSupport
import Testing
import _VectorKernels

@testable import Clustering

extension AgglomerativeClustering {
  /// The twin: every distance in double precision, summed as SciPy sums, and nothing passed over.
  func fitTwin(_ rows: Matrix<Float>) throws -> ClusterAssignment {
    try fit(CondensedDistances(metric, between: rows))
  }

  /// Labels and merges are the twin's, distances to 1e-12.
  func compareWithTwin(_ rows: Matrix<Float>, _ note: String) throws {
    let (found, truth) = (try fit(rows), try fitTwin(rows))
    #expect(found.labels == truth.labels, "\(note)")
    #expect(found.dendrogram.merges.count == truth.dendrogram.merges.count, "\(note)")
    let isSame = zip(found.dendrogram.merges, truth.dendrogram.merges).allSatisfy {
      abs($0.distance - $1.distance) < 1e-12
        && ($0.left, $0.right, $0.size) == ($1.left, $1.right, $1.size)
    }
    #expect(isSame, "\(note)")
  }
}

/// What rows look like.
enum Shape: CaseIterable {
  case apart, overlapping, unstructured, tied, duplicated

  func rows(
    _ count: Int, _ width: Int, _ generator: inout SeededGenerator
  ) throws -> Matrix<Float> {
    let groups = 1 + count / 6
    let centers = (0..<groups * width).map { _ in 2 * generator.unit() - 1 }
    var elements: [Float] = []
    for row in 0..<count {
      if self == .duplicated, row >= (count + 1) / 2 {
        elements += elements[(row / 2) * width..<(row / 2 + 1) * width]
        continue
      }
      let share = self == .overlapping ? generator.unit() / 2 : 0
      for column in 0..<width {
        let noise = 2 * generator.unit() - 1
        let center = centers[row % groups * width + column]
        let next = centers[(row + 1) % groups * width + column]
        // Few different values, so that many distances are equal but for rounding.
        let tied = (2 * noise).rounded() + (column == row % width ? 1 : 0.25)
        let between = (1 - share) * center + share * next + 0.4 * noise
        elements.append(Float(self == .unstructured ? noise : self == .tied ? tied : between))
      }
    }
    return try Matrix(rowCount: count, columnCount: width, elements: elements)
  }
}

/// What is computed, against the twin.
@Suite("Clustering against its twin")
struct TwinTests {
  @Test("Random rows of five shapes", arguments: Shape.allCases)
  func shapes(shape: Shape) throws {
    var generator = SeededGenerator(seed: 4)
    for round in 0..<400 {
      let (count, width) = (2 + round * 13 % 97, [3, 8, 24, 65][round % 4])
      let rows = try shape.rows(count, width, &generator)
      for cut in [DendrogramCut.distance(0.05 + Double(round % 10) / 20), .count(1 + count / 3)] {
        try AgglomerativeClustering(cut: cut).compareWithTwin(
          rows, "\(shape), \(count) x \(width), \(cut)")
      }
    }
    for count in [199, 200, 333] {
      let rows = try shape.rows(count, 20, &generator)
      try AgglomerativeClustering(cut: .distance(0.2)).compareWithTwin(rows, "\(shape), \(count)")
    }
  }

  @Test("Many numbers of rows, every width to 70, at every level of the processor")
  func sizes() throws {
    defer { _ = vk_force_level(-1) }
    let clustering = AgglomerativeClustering(cut: .distance(0.2))
    for level in 0...Int(vk_best_level()) {
      _ = vk_force_level(Int32(level))
      var generator = SeededGenerator(seed: 5)
      for count in Array(2...40) + [63, 64, 65, 199] {
        let width = 2 + count * 7 % 69
        let rows = try Shape.apart.rows(count, width, &generator)
        try clustering.compareWithTwin(rows, "level \(level), \(count) x \(width)")
      }
      for width in 2...70 {
        let rows = try Shape.overlapping.rows(12, width, &generator)
        try clustering.compareWithTwin(rows, "level \(level), 12 x \(width)")
      }
    }
  }

  @Test("Where distances are nearly equal, double precision decides")
  func doubt() throws {
    var generator = SeededGenerator(seed: 6)
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
      try AgglomerativeClustering(cut: .distance([0.1, 0.2, 0.3][round % 3]))
        .compareWithTwin(rows, "round \(round)")
      #expect(try !AverageCosine(rows, memoryLimit: .max).tree(cutAt: nil).hasTies)
    }
  }

  @Test("A merge at the cut is on the side on which double precision has it")
  func cuts() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<100 {
      let rows = try Shape.apart.rows(20, 48, &generator)
      let truth = try AgglomerativeClustering(cut: .count(1)).fitTwin(rows).dendrogram
      let distance = truth.merges[round % 19].distance
      for shift in [-1e-9, 1e-9, -1e-7, 1e-7, 0] {
        try AgglomerativeClustering(cut: .distance(distance + shift))
          .compareWithTwin(rows, "round \(round), \(shift)")
      }
    }
  }

  @Test("Ties are seen where there are, and nowhere else")
  func ties() throws {
    var generator = SeededGenerator(seed: 8)
    for count in [4, 8, 30, 250] {
      for shape in Shape.allCases where shape != .tied {
        let rows = try shape.rows(count, 24, &generator)
        let found = try AverageCosine(rows, memoryLimit: .max).tree(cutAt: 0.2)
        #expect(found.hasTies == (shape == .duplicated), "\(shape), \(count)")
      }
    }
  }

  @Test("Rows of every length that has a direction give the same, others their error")
  func lengths() throws {
    var generator = SeededGenerator(seed: 9)
    let plain = try Shape.apart.rows(30, 33, &generator)
    let truth = try AgglomerativeClustering(cut: .distance(0.2)).fit(plain)
    func fit(changing row: Int, _ change: (Float) -> Float) throws -> [Int] {
      var elements = Array(plain.elements)
      for index in row * 33..<(row + 1) * 33 { elements[index] = change(elements[index]) }
      return try AgglomerativeClustering(cut: .distance(0.2))
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
}
