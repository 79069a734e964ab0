import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// What scikit-learn and SciPy answer, element by element and bit by bit.
@Suite struct ClusteringGoldenTests {
  static let linkages: [Linkage] = [.average, .complete, .single]

  struct LabelCase: Decodable {
    var recipe: Recipe
    var threshold: Double
    var labels: [String: [Int]]
    var count: Int?
    var countLabels: [Int]?
  }

  @Test func labelsEqualThoseOfScikitLearn() throws {
    let cases = try Folders.golden("Clustering/labels.json", as: [LabelCase].self)
    #expect(cases.count == 200)
    for (index, golden) in cases.enumerated() {
      let distances = try CondensedDistances(.cosine, between: golden.recipe.embeddings)
      for linkage in Self.linkages {
        let clustering = AgglomerativeClustering(
          linkage: linkage, cut: .distance(golden.threshold))
        let labels = try clustering.fit(distances).labels
        #expect(
          labels == golden.labels[linkage.rawValue],
          "case \(index), \(golden.recipe.kind), \(linkage)")
      }
      let clustering = AgglomerativeClustering(cut: .count(try #require(golden.count)))
      let assignment = try clustering.fit(distances)
      #expect(assignment.labels == golden.countLabels, "case \(index), \(golden.recipe.kind)")
      #expect(assignment.clusterCount == golden.count)
    }
  }

  @Test func theEntryForEmbeddingsGivesTheSameLabels() throws {
    let cases = try Folders.golden("Clustering/labels.json", as: [LabelCase].self)
    for golden in cases where golden.recipe.rows * golden.recipe.columns < 4000 {
      for linkage in Self.linkages {
        let clustering = AgglomerativeClustering(
          linkage: linkage, cut: .distance(golden.threshold))
        let embeddings = try golden.recipe.embeddings
        let expected = golden.labels[linkage.rawValue]
        #expect(try clustering.fit(embeddings).labels == expected)
        #expect(try clustering.fit(embeddings.converted(to: Double.self)).labels == expected)
      }
    }
  }

  @Test func labelsOfEuclideanDistancesEqualThoseOfScikitLearn() throws {
    let cases = try Folders.golden("Clustering/euclidean_labels.json", as: [LabelCase].self)
    #expect(cases.count == 20)
    for (index, golden) in cases.enumerated() {
      for linkage in Self.linkages {
        let clustering = AgglomerativeClustering(
          linkage: linkage, metric: .euclidean, cut: .distance(golden.threshold))
        #expect(
          try clustering.fit(golden.recipe.embeddings).labels == golden.labels[linkage.rawValue],
          "case \(index), \(golden.recipe.kind), \(linkage)")
      }
    }
  }

  struct TreeCase: Decodable {
    var recipe: Recipe
    var metric: DistanceMetric
    var matrices: [String: [Double]]
  }

  @Test func linkageMatricesEqualThoseOfSciPy() throws {
    let cases = try Folders.golden("Clustering/trees.json", as: [TreeCase].self)
    #expect(cases.count == 20)
    for (index, golden) in cases.enumerated() {
      for linkage in Self.linkages {
        let clustering = AgglomerativeClustering(
          linkage: linkage, metric: golden.metric, cut: .distance(0))
        let embeddings = try golden.recipe.embeddings
        let name = "case \(index), \(golden.recipe.kind), \(linkage)"
        // The last bits of these distances are the twin's alone.
        let isRounded = linkage == .average && golden.metric == .cosine
        if isRounded { try clustering.compareWithTwin(embeddings, name) }
        let found = try isRounded ? clustering.fitTwin(embeddings) : clustering.fit(embeddings)
        #expect(
          found.dendrogram.linkageMatrix.elements == golden.matrices[linkage.rawValue],
          "\(name)")
      }
    }
  }

  struct DistanceCase: Decodable {
    var recipe: Recipe
    var cosine: [Double]
    var euclidean: [Double]
  }

  @Test func distancesEqualThoseOfSciPy() throws {
    let cases = try Folders.golden("Clustering/distances.json", as: [DistanceCase].self)
    #expect(cases.count == 8)
    for golden in cases {
      let embeddings = try golden.recipe.embeddings
      #expect(try CondensedDistances(.cosine, between: embeddings).values == golden.cosine)
      #expect(try CondensedDistances(.euclidean, between: embeddings).values == golden.euclidean)
      let single = try CondensedDistances(cosineBetween: embeddings)
      for (value, exact) in zip(single.values, golden.cosine) {
        #expect(abs(Double(value) - exact) < 1e-6)
      }
    }
  }
}
