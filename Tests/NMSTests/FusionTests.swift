import Geometry
import NMS
import TestSupport
import Testing

@Suite struct FusionTests {
  struct Golden: Decodable {
    struct Fused: Decodable {
      let classID: Int
      let score: Double
      let box: [Double]
      let members: [[Int]]
    }
    let weights: [Double]
    let threshold: Double
    let minimum: Float
    let fused: [Fused]
  }

  private func lists() -> [[FusionCandidate]] {
    [5, 6, 7].map { seed in
      let count = 40 * (seed - 2)
      let boxes = clustered(seed: 500, count: count, clusters: 30, ties: false).boxes
      let scores = clustered(seed: seed, count: count, clusters: 30, ties: false).scores
      return (20 * (seed - 5)..<count).map {
        FusionCandidate(box: boxes[$0], score: scores[$0], classID: $0 % 30 % 4)
      }
    }
  }

  /// Python keeps boxes in double precision, here they are rounded to `Float` after every member.
  @Test func equalsThePaper() throws {
    for golden in try Folders.golden("NMS/fusion.json", as: [Golden].self) {
      let fused = try weightedBoxFusion(
        lists(), weights: golden.weights, iouThreshold: golden.threshold,
        minimumScore: golden.minimum)
      #expect(fused.count == golden.fused.count)
      for (mine, theirs) in zip(fused, golden.fused) {
        #expect(mine.classID == theirs.classID)
        #expect(mine.members.map { [$0.list, $0.index] } == theirs.members)
        #expect(abs(Double(mine.score) - theirs.score) < 1e-6)
        let corners = [mine.box.minX, mine.box.minY, mine.box.maxX, mine.box.maxY]
        for (a, b) in zip(corners, theirs.box) { #expect(abs(Double(a) - b) < 1e-3) }
      }
    }
  }

  @Test func threeDetectorsAgreeingAreSure() throws {
    let box = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let moved = box.translated(dx: 1, dy: 0)
    let all = try weightedBoxFusion([
      [.init(box: box, score: 0.75)], [.init(box: moved, score: 0.25)],
      [.init(box: box, score: 0.5)],
    ])
    #expect(all.count == 1)
    #expect(all[0].score == 0.5)
    #expect(abs(all[0].box.minX - 0.25 / 1.5) < 1e-6)
    let alone = try weightedBoxFusion([[.init(box: box, score: 0.75)], [], []])
    #expect(alone.map(\.score) == [0.25])
  }

  @Test func everyCandidateIsAMemberOnce() throws {
    let lists = lists()
    let fused = try weightedBoxFusion(lists)
    let members = fused.flatMap(\.members)
    #expect(members.count == lists.map(\.count).reduce(0, +))
    #expect(Set(members).count == members.count)
    #expect(zip(fused, fused.dropFirst()).allSatisfy { $0.score >= $1.score })
    for one in fused {
      let hull = one.members.map { lists[$0.list][$0.index].box }
        .reduce(one.box) { $0.union($1) }
      #expect(hull.union(one.box).iou(hull) > 0.9999)
      #expect(one.members.allSatisfy { lists[$0.list][$0.index].classID == one.classID })
    }
  }

  @Test func otherClassesStayApart() throws {
    let box = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let fused = try weightedBoxFusion([
      [.init(box: box, score: 0.5, classID: 1)], [.init(box: box, score: 0.5, classID: 2)],
    ])
    #expect(fused.map(\.classID) == [1, 2])
  }

  @Test func withoutScoreTheFirstBoxStands() throws {
    let box = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let fused = try weightedBoxFusion(
      [[.init(box: box, score: 0)], [.init(box: box.translated(dx: 1, dy: 1), score: 0)]])
    #expect(fused.map(\.box) == [box] && fused.map(\.score) == [0])
  }

  @Test func wrongInputIsRefused() throws {
    let good = FusionCandidate(box: Box(minX: 0, minY: 0, maxX: 1, maxY: 1), score: 1)
    let endless = FusionCandidate(box: Box(minX: 0, minY: 0, maxX: .infinity, maxY: 1), score: 1)
    let negative = FusionCandidate(box: good.box, score: -1)
    for bad in [endless, negative] {
      #expect(throws: SuppressionError.invalidCandidate(list: 1, index: 2)) {
        try weightedBoxFusion([[good], [good, good, bad]])
      }
    }
    #expect(throws: SuppressionError.countMismatch(what: "weights", expected: 1, got: 2)) {
      try weightedBoxFusion([[good]], weights: [1, 1])
    }
    for weights in [[0.0], [-1], [.nan], [.infinity]] {
      #expect(throws: SuppressionError.self) {
        try weightedBoxFusion([[good]], weights: weights)
      }
    }
    #expect(throws: SuppressionError.self) { try weightedBoxFusion([[good]], iouThreshold: 2) }
    #expect(try weightedBoxFusion([]).isEmpty)
    #expect(try weightedBoxFusion([[], []]).isEmpty)
  }
}
