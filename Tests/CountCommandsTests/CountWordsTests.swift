import CountReport
import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import Testing
import VisionProtocols

@testable import CountCommands

@Suite("Words of a count")
struct CountWordsTests {
  private static func result(
    _ count: Int, confidence: CountConfidence? = nil, clusters: [Int]? = nil,
    kindsAt: KindReadings? = nil, exemplars: [ExemplarFinding] = []
  ) -> CountingResult {
    let labels = (clusters ?? [count]).enumerated().flatMap { label, size in
      Array(repeating: label, count: size)
    }
    let detections = labels.enumerated().map { index, label in
      CountedDetection(
        detection: Detection(
          box: Box(x: Float(index) * 10, y: 0, width: 8, height: 8), score: 0.5, objectness: 0.5,
          classScore: 1, classID: 0), cluster: label, isMain: label == 0)
    }
    var sizes: [Int: Int] = [:]
    for label in labels { sizes[label, default: 0] += 1 }
    return CountingResult(
      count: count, mainCluster: count > 0 ? 0 : nil, clusterSizes: sizes, detections: detections,
      steps: [], seconds: CountingSeconds(), hint: nil,
      findings: AdaptiveFindings(
        typical: nil, tilesPerSide: 1, triedTilesPerSide: [1], silhouette: nil,
        exemplars: exemplars), confidence: confidence, kindsAt: kindsAt, width: 800, height: 600)
  }

  @Test(
    "A count is told with its interval, and without words of sureness",
    arguments: [
      (24, nil, "24 objects"), (1, nil, "1 object"),
      (24, CountConfidence(value: 0.8, least: 23, greatest: 26), "24 objects (23 to 26)"),
      (24, CountConfidence(value: 0.99, least: 24, greatest: 24), "24 objects"),
      (24, CountConfidence(value: 0.5, least: 24, greatest: 30), "24 objects (24 to 30)"),
      (1, CountConfidence(value: 0.1, least: 0, greatest: 9), "1 object (0 to 9)"),
      (0, nil, "no objects"),
      (0, CountConfidence(value: 0.1, least: 0, greatest: 4), "no objects (0 to 4)"),
    ])
  func headline(count: Int, confidence: CountConfidence?, text: String) {
    let summary = CountSummary(
      path: "p.jpg", result: Self.result(count, confidence: confidence), isVerbose: true)
    #expect(summary.line == "p.jpg: \(text)")
    #expect(summary.lines[0] == "p.jpg: \(text)")
    #expect(summary.lines[1].hasSuffix("800 x 600 pixels"))
    let all = summary.lines.joined(separator: "\n")
    for word in ["sure", "about"] { #expect(!all.contains(word), "\(all)") }
  }

  @Test("How likely the count is right is a number")
  func chance() {
    let wide = CountConfidence(value: 0.8234, least: 23, greatest: 26)
    #expect(
      CountWords.chance(wide) == "0.82 that the count is right to 5 %, 0.9 that it is 23 to 26")
    let narrow = CountConfidence(value: 1, least: 24, greatest: 24)
    #expect(
      CountWords.chance(narrow) == "over 0.99 that the count is right to 5 %, 0.9 that it is 24")
    let none = CountConfidence(value: 0, least: 3, greatest: 99)
    #expect(CountWords.chance(none).hasPrefix("under 0.01 that"))
    let lines = CountSummary(path: "p", result: Self.result(24, confidence: wide)).lines
    #expect(lines.contains { $0.contains("chance  0.82 that the count is right") })
  }

  @Test("The overlay's caption has the interval too")
  func caption() throws {
    let image = try Raster(width: 800, height: 600, channels: 3)
    func caption(_ confidence: CountConfidence?) -> String {
      CountOverlay(result: Self.result(24, confidence: confidence), image: image).overlay.caption
    }
    #expect(
      caption(CountConfidence(value: 0.8, least: 23, greatest: 26)) == "24 objects (23 to 26)")
    #expect(caption(nil) == "24 objects")
  }

  @Test("Two readings of kinds are both told")
  func kinds() throws {
    let readings = KindReadings(
      coarser: KindReading(labels: [0, 0, 0, 0, 0]), finer: KindReading(labels: [0, 0, 0, 1, 2]))
    let finer = CountSummary(
      path: "p", result: Self.result(3, clusters: [3, 1, 1], kindsAt: readings))
    #expect(
      finer.lines.contains { $0.hasSuffix("kinds   main kind: 3, kind 2: 1, kind 3: 1") },
      "\(finer.lines)")
    #expect(finer.lines.contains { $0.hasSuffix("or      1 kind: 5") }, "\(finer.lines)")
    let coarser = CountSummary(
      path: "p", result: Self.result(5, clusters: [5], kindsAt: readings))
    #expect(coarser.lines.contains { $0.hasSuffix("or      3 kinds: 3, 1, 1") })
    let json = finer.json.text
    #expect(json.contains("\"kindsAt\":{\"coarser\":[5],\"finer\":[3,1,1],\"ties\":[]}"))
    #expect(json.contains("\"number\":4,\"kindAt\":{\"coarser\":0,\"finer\":1}}"), "\(json)")
    _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let tied = KindReadings(
      coarser: readings.coarser, finer: readings.finer,
      ties: [KindReading(labels: [0, 0, 0, 1, 1])])
    let both = CountSummary(path: "p", result: Self.result(3, clusters: [3, 1, 1], kindsAt: tied))
    #expect(both.lines.contains { $0.hasSuffix("or      2 kinds: 3, 2") }, "\(both.lines)")
    #expect(both.json.text.contains("\"ties\":[[3,2]]}"), "\(both.json.text)")
    let one = CountSummary(path: "p", result: Self.result(5)).json.text
    #expect(!one.contains("kindsAt") && !one.contains("kindAt") && !one.contains("exemplars"))
  }

  @Test("Boxes that have no object are told, and all are in the JSON")
  func exemplars() {
    let drawn = Box(x: 10, y: 20, width: 30, height: 40)
    let taken = Box(x: 11, y: 21, width: 30, height: 41)
    let result = Self.result(
      5,
      exemplars: [
        ExemplarFinding(drawn: drawn, taken: taken, basis: .detection, isLike: true),
        ExemplarFinding(drawn: drawn, taken: drawn, basis: .drawing, isLike: true),
        ExemplarFinding(drawn: taken, taken: taken, basis: .drawing, isLike: false),
      ])
    let summary = CountSummary(path: "p", result: result)
    let text = summary.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(
      text.contains(
        "like the box 10,20,30,40 has no object that the detector sees; what looks like its pixels "
          + "was looked for, and the box counts only if something does"), "\(text)")
    #expect(
      text.contains(
        "unlike the box 11,21,30,41 has no object that the detector sees; what looks like its pixels "
          + "was left out"), "\(text)")
    #expect(text.components(separatedBy: "the box ").count == 3 + 1, "two notes: \(text)")
    #expect(
      summary.json.text.contains(
        "\"exemplars\":[{\"drawn\":[10,20,40,60],\"taken\":[11,21,41,62],\"basis\":\"detection\","
          + "\"like\":true},{\"drawn\":[10,20,40,60],\"taken\":[10,20,40,60],\"basis\":\"drawing\","
          + "\"like\":true},"))
  }
}
