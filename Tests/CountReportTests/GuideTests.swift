import Counting
import Geometry
import TestSupport
import Testing
import VisionProtocols

@testable import CountReport

@Suite("Page of a count that was told what to count")
struct GuideTests {
  /// Six objects of two kinds, with what the adaptive method adds.
  private func count(
    exemplars: [ExemplarFinding] = [], guide: CountingGuide = CountingGuide(),
    confidence: CountConfidence? = nil, kindsAt: KindReadings? = nil, doubts: CountDoubts? = nil
  ) throws -> TracedCount {
    let plain = try Examples.count(6, kinds: 2)
    let result = plain.result
    return TracedCount(
      result: CountingResult(
        count: result.count, mainCluster: result.mainCluster, clusterSizes: result.clusterSizes,
        detections: result.detections, steps: result.steps, seconds: result.seconds, hint: nil,
        findings: AdaptiveFindings(
          typical: nil, tilesPerSide: 1, triedTilesPerSide: [1], silhouette: nil, doubts: doubts,
          exemplars: exemplars), confidence: confidence, kindsAt: kindsAt, width: result.width,
        height: result.height),
      trace: CountTrace(
        detections: plain.trace.detections, embedded: plain.trace.embedded,
        embeddings: plain.trace.embeddings, guide: guide))
  }

  private func read(_ count: TracedCount) throws -> PageReader {
    let reader = try #require(PageReader(try Examples.page(count, configuration: .adaptive)))
    #expect(Set(reader.ids).count == reader.ids.count)
    return reader
  }

  private let drawn = Box(x: 10, y: 12, width: 30, height: 32)

  @Test("The interval stands beside the count, and no word says that it is sure")
  func interval() throws {
    let sure = CountConfidence(value: 0.9, least: 3, greatest: 4)
    let reader = try read(try count(confidence: sure))
    #expect(reader.texts["span"]?.contains("(3 to 4)") == true)
    #expect(reader.texts["title"]?.hasPrefix("3 objects (3 to 4): ") == true)
    let words = reader.texts["p"] ?? ""
    #expect(words.contains("at most 5 % off with a probability of 90 %"))
    #expect(!words.contains("sure:") && !words.contains("is sure"))
    #expect(!(try read(try count()).ids.contains("interval")))
  }

  @Test("A person's count has no interval, for that is the machine's")
  func corrected() throws {
    let count = try count(confidence: CountConfidence(value: 0.9, least: 3, greatest: 4))
    let correction = CountCorrection(
      of: count.result, removed: [count.result.detections[0].detection.box])
    let page = try Examples.page(count, configuration: .adaptive, correction: correction)
    #expect(try #require(PageReader(page)).ids.contains("interval") == false)
  }

  @Test("Each drawn box has a line that says what it was taken for")
  func findings() throws {
    let taken = Box(x: 0, y: 0, width: 18, height: 18)
    let reader = try read(
      try count(exemplars: [
        ExemplarFinding(drawn: drawn, taken: taken, basis: .detection, isLike: true),
        ExemplarFinding(drawn: drawn, taken: drawn, basis: .drawing, isLike: true),
        ExemplarFinding(drawn: drawn, taken: drawn, basis: .drawing, isLike: false),
      ]))
    let lines = reader.texts["li"] ?? ""
    #expect(lines.contains("Box 1, to count: the detector sees an object there"))
    #expect(lines.contains("18 \u{00D7} 18 px was taken in place of the drawn one"))
    #expect(lines.contains("Box 2, to count: the detector sees no object there."))
    #expect(lines.contains("the drawn box itself does not count"))
    #expect(lines.contains("Box 3, to leave out: the detector sees no object there."))
    // One more is the sign beside the box to tick.
    #expect(reader.classes["exemplar"] == 4 && reader.classes["taken"] == 1)
    #expect(reader.classes["unlike"] == 1)
    #expect(reader.ids.contains("show-pointed"))
  }

  @Test("A region is drawn and said; without a guide there is neither")
  func region() throws {
    let region = try CountingRegion(of: Box(x: 5, y: 6, width: 100, height: 80))
    let guide = CountingGuide(like: [drawn], region: region)
    let page = try Examples.page(try count(guide: guide), configuration: .adaptive)
    #expect(page.contains("points=\"5,6 105,6 105,86 5,86\""))
    let reader = try #require(PageReader(page))
    #expect(reader.texts["li"]?.contains("whose centre lies in the outlined part") == true)
    #expect(reader.classes["exemplar"] == 2)
    let plain = try read(try count())
    #expect(plain.classes["region"] == nil && plain.classes["exemplar"] == nil)
    #expect(!plain.ids.contains("show-pointed"))
    #expect(plain.ids.contains("guide-list") && plain.ids.contains("guide-command"))
  }

  @Test("Two readings of kinds are both told, and every box knows its kind in each")
  func readings() throws {
    let coarser = KindReading(labels: [0, 0, 0, 0, 0, 0])
    let own = KindReading(labels: [0, 1, 0, 1, 0, 1])
    let page = try Examples.page(
      try count(kindsAt: KindReadings(coarser: coarser, finer: own)), configuration: .adaptive)
    let reader = try #require(PageReader(page))
    #expect(reader.texts["p"]?.contains("fewer kinds, 6 objects of one kind") == true)
    #expect(reader.texts["p"]?.contains("3 objects of the main kind and 3 of another") == true)
    #expect(page.components(separatedBy: "data-coarser=\"0\" data-finer=\"0\"").count == 4)
    #expect(page.components(separatedBy: "data-coarser=\"0\" data-finer=\"1\"").count == 4)
    // The finer one is the count's own.
    #expect(page.components(separatedBy: "type=\"radio\"").count == 3)
    let finer = KindReading(labels: [0, 1, 0, 1, 2, 3])
    let third = try Examples.page(
      try count(kindsAt: KindReadings(coarser: coarser, finer: finer)), configuration: .adaptive)
    #expect(third.components(separatedBy: "type=\"radio\"").count == 4)
    #expect(third.contains("as counted: 3 objects"))
  }

  @Test("Readings that are not of these objects are left out")
  func wrongReadings() throws {
    let short = KindReading(labels: [0])
    let reader = try read(try count(kindsAt: KindReadings(coarser: short, finer: short)))
    #expect(!reader.ids.contains("readings"))
  }

  @Test("The kind with most of the counted objects comes first, then the largest")
  func order() {
    let objects = (0..<7).map { index in
      CountedDetection(
        detection: Examples.detection(x: 0, y: 0), cluster: index, isMain: index < 2)
    }
    let order = KindsSwitch.Order(KindReading(labels: [1, 1, 0, 0, 0, 2, 0]), of: objects)
    #expect(order.places == [0, 0, 1, 1, 1, 2, 1] && order.sizes == [2, 4, 1])
  }
}
