import Testing
import VisionProtocols

@testable import Counting

@Suite("Kinds that a person means")
struct GuidedKindsTests {
  private let rows = [[1, 0], [0.8, 0.6], [0, 1], [0.6, 0.8]] as [[Float]]

  private func isMeant(_ guided: GuidedKinds, labels: [Int]) throws -> [Bool] {
    try guided.isMeant(
      EmbeddingMatrix(values: rows.flatMap(\.self), dimension: 2), labels: labels)
  }

  @Test("The kind of what was drawn is meant, and no other")
  func kind() throws {
    #expect(
      try isMeant(GuidedKinds(like: [0]), labels: [0, 0, 1, 1]) == [true, true, false, false])
  }

  @Test("If nothing else is of the kind of what was drawn, what is like it is meant")
  func alone() throws {
    #expect(
      try isMeant(GuidedKinds(like: [0]), labels: [0, 1, 1, 1]) == [true, true, false, true])
    #expect(
      try isMeant(GuidedKinds(like: [0], leastLikeness: 0.9), labels: [0, 1, 1, 1])
        == [true, false, false, false])
    #expect(
      try isMeant(GuidedKinds(like: [0], unlike: [2]), labels: [0, 1, 2, 1])
        == [true, true, false, false])
  }
}
