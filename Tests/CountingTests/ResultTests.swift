import Counting
import Foundation
import Geometry
import TestSupport
import Testing
import VisionProtocols

@Suite("Counting result")
struct ResultTests {
  private func result(_ members: [(side: Float, score: Float, isMain: Bool)]) -> CountingResult {
    CountingResult(
      count: members.filter(\.isMain).count, mainCluster: 0, clusterSizes: [0: members.count],
      detections: members.map {
        CountedDetection(
          detection: detection(Box(x: 0, y: 0, width: $0.side, height: 1), score: $0.score),
          cluster: $0.isMain ? 0 : 1, isMain: $0.isMain)
      },
      steps: [], seconds: CountingSeconds(), hint: nil, width: 9, height: 9)
  }

  @Test("the best of the main cluster represents it")
  func representative() {
    let best = result([(5, 0.4, true), (6, 0.8, true), (7, 0.9, false), (8, 0.2, true)])
    #expect(best.representative?.detection.box.width == 6)
  }

  @Test("of equal scores the one nearest to the median area, then the first")
  func representativeTies() {
    let odd = result([
      (2, 0.8, true), (9, 0.8, true), (5, 0.8, true), (6, 0.1, true), (7, 0.8, true),
    ])
    #expect(odd.representative?.detection.box.width == 5)
    let even = result([(2, 0.8, true), (4, 0.8, true), (100, 0.8, false)])
    #expect(even.representative?.detection.box.width == 2)
    #expect(result([(2, 0.8, false)]).representative == nil)
  }

  @Test("a result is written and read again")
  func codable() async throws {
    let counter = ObjectCounter(
      detector: SceneDetector(), embedder: SceneEmbedder(), configuration: .standard)
    let result = try await counter.count(in: .row([0, 1, 1]))
    let data = try JSONEncoder().encode(result)
    #expect(try JSONDecoder().decode(CountingResult.self, from: data) == result)
  }

  @Test("Each stage has a text of its own, and a key for its translation")
  func stageTexts() {
    let stages = CountingStage.allCases
    #expect(stages.map(\.textKey) == stages.map { "counting.\($0.rawValue)" })
    #expect(CountingStage.detecting.englishText == "Finding objects")
    #expect(Set(stages.map(\.englishText)).count == stages.count)
  }
}
