import Counting
import Geometry
import TestSupport
import Testing
import VisionProtocols

/// What the Python reference answers, stage by stage, for drawn boxes and embeddings.
private struct StageGoldens: Decodable {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Steps: Decodable {
      let size: [Int]
      let aspect: [Int]
      let crop: [Int]
      let area: [Int]
      let labels: [Int]
      let merged: [Int]
    }
    let boxes: [[Float]]
    let scores: [Float]
    let embeddings: [[Float]]
    let sizeSigma: Double
    let aspectSigma: Double
    let aspectRange: [Double]?
    let areaSigma: Double
    let similarity: Double
    let mergeFirst: MergePriority
    let steps: Steps
    let mainCluster: Int?
    let count: Int
    var testDescription: String { "\(boxes.count) boxes" }
  }
  let width: Int
  let height: Int
  let cases: [Case]
}

@Suite("Stages against the Python reference")
struct StageGoldenTests {
  @Test("every stage lets the same items through")
  func stages() async throws {
    let goldens = try Folders.golden("Counting/stages.json", as: StageGoldens.self)
    #expect(goldens.cases.count == 40)
    for item in goldens.cases {
      // The class says which of the drawn boxes a detection is.
      let all = item.boxes.indices.map { index in
        let edges = item.boxes[index]
        return Detection(
          box: Box(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3]),
          score: item.scores[index], objectness: item.scores[index], classScore: 1, classID: index)
      }
      let sized = SizeFilter(sigma: item.sizeSigma).filter(all)
      #expect(sized.items.map(\.classID) == item.steps.size)
      let rule: AspectRule =
        if let range = item.aspectRange {
          .range(minimum: range[0], maximum: range[1])
        } else {
          .sigma(item.aspectSigma)
        }
      let shaped = AspectFilter(rule: rule).filter(sized.items)
      #expect(shaped.items.map(\.classID) == item.steps.aspect)
      let filled = CropStage(areaSigma: nil)
        .crops(of: shaped.items, width: goldens.width, height: goldens.height)
      #expect(filled.items.map(\.detection.classID) == item.steps.crop)
      let crops = CropStage(areaSigma: item.areaSigma)
        .crops(of: shaped.items, width: goldens.width, height: goldens.height)
      #expect(crops.items.map(\.detection.classID) == item.steps.area)

      let embeddings = try EmbeddingMatrix(
        values: item.steps.area.flatMap { item.embeddings[$0] }, dimension: 8)
      let labels = try await ClusteringStage(similarity: item.similarity)
        .labels(of: embeddings, with: AverageLinkageClusterer())
      #expect(labels.items == item.steps.labels)
      let merged = try MergeStage(priority: item.mergeFirst).merged(
        zip(crops.items, labels.items).map {
          ClusteredDetection(detection: $0.detection, cluster: $1)
        }, main: ClusterSizes(labels: labels.items).main)
      #expect(merged.items.map(\.detection.classID) == item.steps.merged)
      let sizes = ClusterSizes(labels: merged.items.map(\.cluster))
      #expect(sizes.main == item.mainCluster && sizes.count == item.count)
    }
  }
}
