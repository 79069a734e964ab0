import Geometry
import Testing
import VisionProtocols

@testable import Counting

@Suite("Views of a photo")
struct ViewSearchTests {
  /// Four things of 100 x 60 in a row, whole or cut in two.
  private func view(
    tilesPerSide: Int, halves: Bool, score: Float, shift: Float = 0, others: [Detection] = []
  ) throws -> PhotoView {
    let things = (0..<4).flatMap { thing -> [Detection] in
      let left = 50 + 150 * Float(thing) + shift
      let boxes =
        halves
        ? [
          Box(minX: left, minY: 100, maxX: left + 50, maxY: 160),
          Box(minX: left + 50, minY: 100, maxX: left + 100, maxY: 160),
        ] : [Box(minX: left, minY: 100, maxX: left + 100, maxY: 160)]
      return boxes.map { detection($0, score: score) }
    }
    let detections = things + others
    return try PhotoView(
      StageOutput(items: detections, itemsIn: detections.count, itemsOut: detections.count),
      tilesPerSide: tilesPerSide,
      exemplars: try Exemplars(CountingGuide(), width: 700, height: 700),
      settings: AdaptiveConfiguration(), width: 700,
      height: 300)
  }

  @Test("What was seen whole does not lose against its halves")
  func halves() throws {
    let whole = try view(tilesPerSide: 1, halves: false, score: 0.6)
    let halved = try view(tilesPerSide: 2, halves: true, score: 0.7)
    #expect(whole.kept.count == 4 && halved.kept.count == 8)
    let search = ViewSearch(scales: [1, 1.6], targetSide: 80, partShare: 0.7)
    #expect(search.worth(of: halved) > search.worth(of: whole))
    #expect(search.worth(of: halved, after: whole) < search.worth(of: whole))
    // Each half counts for as much less as the whole was sure.
    let expected = 0.4 * 0.4 * search.worth(of: halved)
    #expect(abs(search.worth(of: halved, after: whole) - expected) < 1e-6)
  }

  @Test("Nothing is doubted beside a whole, without one, or where that is off")
  func others() throws {
    let whole = try view(tilesPerSide: 1, halves: false, score: 0.6)
    let halved = try view(tilesPerSide: 2, halves: true, score: 0.7)
    let again = try view(tilesPerSide: 2, halves: false, score: 0.7)
    let beside = try view(tilesPerSide: 2, halves: true, score: 0.7, shift: 75)
    let search = ViewSearch(scales: [1, 1.6], targetSide: 80, partShare: 0.7)
    #expect(search.worth(of: halved, after: nil) == search.worth(of: halved))
    #expect(search.worth(of: again, after: whole) == search.worth(of: again))
    #expect(search.worth(of: beside, after: whole) > 0.5 * search.worth(of: beside))
    let off = ViewSearch(scales: [1, 1.6], targetSide: 80, partShare: nil)
    #expect(off.worth(of: halved, after: whole) == search.worth(of: halved))
  }

  @Test("A whole thing need not be of the usual size")
  func unusual() throws {
    let crumbs = (0..<12).map { crumb in
      let left = 20 + 50 * Float(crumb)
      return detection(Box(minX: left, minY: 20, maxX: left + 20, maxY: 32), score: 0.9)
    }
    let whole = try view(tilesPerSide: 1, halves: false, score: 0.6, others: crumbs)
    #expect(try #require(whole.typical).side < 20)
    let halved = try view(tilesPerSide: 2, halves: true, score: 0.7)
    let search = ViewSearch(scales: [1, 1.6], targetSide: 80, partShare: 0.7)
    let expected = 0.4 * 0.4 * search.worth(of: halved)
    #expect(abs(search.worth(of: halved, after: whole) - expected) < 1e-6)
  }

  @Test("Things too small to be told apart are no wholes")
  func small() throws {
    let whole = try view(tilesPerSide: 1, halves: false, score: 0.6)
    let halved = try view(tilesPerSide: 2, halves: true, score: 0.7)
    // 77 pixels of the photo are 39 of the detector's.
    let search = ViewSearch(scales: [0.5, 0.8], targetSide: 80, partShare: 0.7)
    #expect(search.worth(of: halved, after: whole) == search.worth(of: halved))
  }
}
