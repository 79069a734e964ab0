import Clustering
import Foundation
import LinearAlgebra
import TestSupport
import Testing

/// Labels and trees of a thousand seeded inputs, by digests: see `Fixtures/generate/dendrograms.py`.
struct ThousandCase: Decodable {
  /// Of the labels of all things, by input.
  var labels: [UInt32]
  /// Of every merge's clusters and size, by input.
  var merges: [UInt32]
  /// All heights, one input after the other.
  var heights: Data

  /// Compares all that `linkage` makes, and gives how many inputs and heights there were.
  func check(_ linkage: Linkage) throws -> (inputs: Int, heights: Int) {
    let heights = heights.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { place in
        Float(
          bitPattern: UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      }
    }
    var place = 0
    for index in labels.indices {
      let recipe = Recipe.numbered(index)
      let isEuclidean = index % 2 == 1 || linkage.rawValue == "ward"
      let clustering = AgglomerativeClustering(
        linkage: linkage, metric: isEuclidean ? .euclidean : .cosine,
        cut: .count(1 + index * 11 % recipe.rows))
      let assignment = try clustering.fit(recipe.embeddings)
      let name: Comment = "\(linkage), input \(index), \(recipe.kind)"
      #expect(digest(assignment.labels) == labels[index], name)
      let matrix = assignment.dendrogram.linkageMatrix
      let merges = (0..<matrix.rowCount).flatMap { row in
        [0, 1, 3].map { Int(matrix[row, $0]) }
      }
      #expect(digest(merges) == self.merges[index], name)
      try #require(place + matrix.rowCount <= heights.count, name)
      let far = (0..<matrix.rowCount).filter { row in
        let height = Double(heights[place + row])
        // A cosine distance of nearly 0 has no digits to compare but those of 1.
        return abs(matrix[row, 2] - height) > 1e-5 * max(height, isEuclidean ? 0 : 1e-8)
      }
      #expect(far == [], name)
      place += matrix.rowCount
    }
    #expect(place == heights.count)
    return (labels.count, heights.count)
  }
}

@Suite struct ThousandTests {
  @Test("labels and trees of 1,000 seeded inputs are scikit-learn's and SciPy's")
  func single() throws {
    let cases = try Folders.golden("Clustering/thousand.json", as: [String: ThousandCase].self)
    #expect(cases.count == 3)
    for (name, golden) in cases {
      let (inputs, heights) = try golden.check(#require(Linkage(rawValue: name)))
      #expect(inputs == 1000)
      #expect(heights == 11_988)
    }
  }
}
