import ABTesting
import Foundation
import Stats
import TestSupport
import Testing

@testable import Telemetry

@Suite("Reports")
struct ReportTests {
  private func folder(_ events: [TelemetryEvent]) throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.write("events-00000001-1.jsonl", events.flatMap(\.line))
    return folder
  }

  private func report(
    _ events: [TelemetryEvent], labels: String? = nil
  ) throws -> TelemetryReport {
    let folder = try folder(events)
    return try TelemetryReport(
      of: TelemetryReader(folder: folder.url), labels: labels.map { try TelemetryLabels($0.utf8) })
  }

  @Test("Figures are those of the events, whatever their order")
  func figures() throws {
    var generator = SeededGenerator(seed: 30)
    let events = try (0..<777).map { _ in try TelemetryEvent.random(&generator) }
    let report = try report(events)
    #expect(report.summary.events == 777)
    #expect(report.first == events.map(\.time).min() && report.last == events.map(\.time).max())
    #expect(report.textShare == Double(events.count { $0.sawText }) / 777)
    #expect(report.barcodeShare == Double(events.count { $0.sawBarcode }) / 777)
    let cases: [(TelemetryReport.Distribution, (TelemetryEvent) -> Double)] = [
      (report.confidence, { $0.confidence }), (report.aspectRatio, { $0.aspectRatio }),
      (report.area, { $0.width * $0.height }),
    ]
    for (distribution, value) in cases {
      let values = events.map(value)
      #expect(
        distribution.quantiles
          == (try quantiles([0, 0.05, 0.25, 0.5, 0.75, 0.95, 1], of: values)))
      #expect(distribution.histogram.total == 777 && distribution.histogram.below == 0)
      let edges = distribution.histogram.edges
      for (index, count) in distribution.histogram.counts.enumerated() {
        let isLast = index == edges.count - 2
        let inside = values.count {
          $0 >= edges[index] && ($0 < edges[index + 1] || isLast && $0 == edges[index + 1])
        }
        #expect(count == inside)
      }
    }
    #expect(report.days.reduce(0) { $0 + $1.events } == 777)
    #expect(report.days.map(\.day) == report.days.map(\.day).sorted())
    #expect(report.patterns == nil)
  }

  @Test("Events are grouped by variant, those without one first")
  func variants() throws {
    var generator = SeededGenerator(seed: 33)
    let events = try (0..<500).map { _ in try TelemetryEvent.random(&generator) }
    let variants = try report(events.shuffled()).variants
    #expect(variants.map(\.name) == [nil, "control", "new-finder"])
    for variant in variants {
      let own = events.filter { $0.variant == variant.name }
      #expect(variant.events == own.count && !own.isEmpty)
      let mean = own.reduce(0) { $0 + $1.confidence } / Double(own.count)
      #expect(abs(variant.meanConfidence - mean) < 1e-12)
      #expect(variant.textShare == Double(own.count { $0.sawText }) / Double(own.count))
      #expect(variant.barcodeShare == Double(own.count { $0.sawBarcode }) / Double(own.count))
    }
    // A folder of an app that tries nothing has no groups.
    let plain = try report(
      (0..<20).map { try TelemetryEvent.numbered($0) }, labels: #"{"time":1000,"right":true}"#)
    #expect(plain.variants.isEmpty)
    #expect(plain.patterns?.groups(by: .variant).isEmpty == true)
  }

  @Test("Labels give a plan its figures of each variant")
  func measures() throws {
    let events = try (0..<400).map { number in
      try TelemetryEvent(
        time: Date(timeIntervalSince1970: Double(number)), confidence: 0.5, width: 0.1, height: 0.1,
        aspectRatio: 1, sawText: false, sawBarcode: false, variant: number < 200 ? "new" : "old")
    }
    var labels = events.enumerated().map { number, event in
      #"{"event":"\#(EventID(of: event))","right":\#(number % 10 != 0)}"#
    }
    labels += (0..<60).map { #"{"missed":\#($0),"variant":"new"}"# }
    let patterns = try #require(
      try report(events, labels: labels.joined(separator: "\n")).patterns)
    let groups = patterns.groups(by: .variant)
    #expect(groups.map(\.name) == ["new", "old"])
    let (new, old) = (groups[0].measures, groups[1].measures)
    #expect(new["precision"] == (try Proportion(successes: 180, trials: 200)))
    #expect(new["recall"] == (try Proportion(successes: 180, trials: 240)))
    #expect(groups.map(\.recallVerdict) == [.worse, .better])
    let plan = try RolloutPlan(stages: [
      .init(
        share: 0.5, minimumTrials: 100,
        gates: [.share(of: "precision", atLeast: 0.9), .noRegression(of: "recall")])
    ])
    let decision = try plan.decision(at: 0, change: new, control: old)
    #expect(decision.step == .rollBack && decision.gates.map(\.outcome) == [.passes, .fails])
  }

  @Test("Days are UTC's, from midnight to midnight")
  func days() throws {
    let midnight = 1_795_305_600.0
    let events = try [midnight - 0.001, midnight, midnight + 86_399.999, midnight + 86_400, 0].map {
      try TelemetryEvent(
        time: Date(timeIntervalSince1970: $0), confidence: 1, width: 1, height: 1, aspectRatio: 1,
        sawText: false, sawBarcode: false)
    }
    let days = try report(events).days
    #expect(days.map(\.day) == ["1970-01-01", "2026-11-21", "2026-11-22", "2026-11-23"])
    #expect(days.map(\.events) == [1, 1, 2, 1])
  }

  @Test("No events make a report without figures")
  func empty() throws {
    let report = try report([], labels: "")
    #expect(report.summary.events == 0 && report.first == nil && report.days.isEmpty)
    #expect(report.textShare == nil && report.confidence.quantiles.isEmpty)
    let patterns = try #require(report.patterns)
    #expect(patterns.all.precision == nil && patterns.all.recall == nil)
    for property in ErrorPatterns.Property.allCases {
      #expect(patterns.groups(by: property).isEmpty)
    }
  }

  // MARK: Labels

  @Test("Wrong and missed ones are counted in the groups they belong to")
  func patterns() throws {
    let events = try (0..<40).map { try TelemetryEvent.numbered(1000 + $0) }
    var labels = ""
    for (index, event) in events.prefix(30).enumerated() {
      labels += #"{"event":"\#(EventID(of: event))","right":\#(index % 3 != 0)}"# + "\n"
    }
    // The time of an event that has a label of its own, and of one that has none.
    labels += #"{"time":1000000,"right":true}"# + "\n\n"
    labels += #"{"time":1035000,"right":true}"# + "\r\n"
    labels += #"{"missed":1,"width":0.5,"height":0.5,"aspect":0.1,"text":true,"barcode":false}"#
    labels += "\n" + #"{"missed":2}"#
    let report = try report(events, labels: labels)
    let patterns = try #require(report.patterns)
    #expect(patterns.all.right == 21 && patterns.all.wrong == 10 && patterns.all.missed == 2)
    #expect(patterns.all.precision == 21.0 / 31 && patterns.all.recall == 21.0 / 23)
    for property in ErrorPatterns.Property.allCases {
      let groups = patterns.groups(by: property)
      // No event here has a variant.
      if property == .variant {
        #expect(groups.isEmpty)
        continue
      }
      #expect(groups.reduce(0) { $0 + $1.right } == 21, "\(property)")
      #expect(groups.reduce(0) { $0 + $1.wrong } == 10, "\(property)")
      #expect(groups.reduce(0) { $0 + $1.missed } == (property == .confidence ? 0 : 1))
    }
    let labelled = Array(events.prefix(30)) + [events[35]]
    let withText = patterns.groups(by: .text).first { $0.name == "yes" }
    #expect(withText.map { $0.right + $0.wrong } == labelled.count { $0.sawText })
    #expect(withText?.missed == 1)
    #expect(patterns.groups(by: .area).first { $0.missed == 1 }?.name == "0.2-0.35")
  }

  @Test("A group that is wrong more often than the others stands out, and luck does not")
  func standingOut() throws {
    var generator = SeededGenerator(seed: 31)
    var labels = ""
    let events = try (0..<2000).map { _ in try TelemetryEvent.random(&generator) }
    for event in events {
      let share = event.aspectRatio >= 3 && event.aspectRatio < 5 ? 0.5 : 0.9
      let isRight = generator.unit() < share
      labels += #"{"event":"\#(EventID(of: event))","right":\#(isRight)}"# + "\n"
      if generator.unit() < (event.sawBarcode ? 0.05 : 0.3) {
        labels += #"{"missed":5,"barcode":\#(event.sawBarcode)}"# + "\n"
      }
    }
    let patterns = try #require(try report(events, labels: labels).patterns)
    for group in patterns.groups(by: .aspectRatio) {
      #expect((group.precisionVerdict == .worse) == (group.name == "3-5"), "\(group)")
    }
    for group in patterns.groups(by: .text) {
      #expect(group.precisionVerdict == .noDifferenceShown)
    }
    for group in patterns.groups(by: .barcode) {
      #expect(group.recallVerdict == (group.name == "yes" ? .better : .worse))
    }
  }

  @Test(
    "Lines that are no labels",
    arguments: [
      ("x", 1, "not a JSON object"), ("[]", 1, "not a JSON object"), ("{}", 1, "0 of"),
      ("\n\n{\"event\":\"0\",\"right\":true}", 3, "16 hexadecimal"),
      ("{\"event\":\"0123456789abcdef\"}", 1, "no \"right\""),
      ("{\"event\":5,\"right\":true}", 1, "\"event\" is of the wrong type"),
      ("{\"time\":1,\"missed\":2,\"right\":true}", 1, "2 of"),
      ("{\"time\":1,\"right\":1}", 1, "\"right\" is of the wrong type"),
      ("{\"time\":1e300,\"right\":true}", 1, "not whole, or too large"),
      ("{\"missed\":1,\"width\":-1}", 1, "\"width\" is -1.0"),
      ("{\"missed\":1,\"variant\":\"a b\"}", 1, "not the name of a variant"),
      ("{\"time\":1,\"right\":true}\n{\"time\":1,\"right\":false}", 2, "contrary"),
      ("{\"missed\":1}\u{0}", 1, "not a JSON object"),
    ] as [(String, Int, String)])
  func badLabels(text: String, line: Int, message: String) throws {
    let error = #expect(throws: TelemetryError.self) { _ = try TelemetryLabels(text.utf8) }
    let description = error.map { "\($0)" } ?? ""
    #expect(description.hasPrefix("line \(line): "), "\(description)")
    #expect(description.contains(message), "\(description)")
  }

  @Test("Labels that are cut or changed anywhere are taken or refused, and crash nothing")
  func hostileLabels() throws {
    var generator = SeededGenerator(seed: 32)
    let whole = Array(
      """
      {"event":"4f1c09d2a6b7e385","right":true}
      {"time":1732272012345,"right":false}
      {"missed":1732272012345,"width":0.1,"height":0.6,"aspect":0.1,"text":true}
      """.utf8)
    var refused = 0
    for length in 0..<whole.count where (try? TelemetryLabels(whole.prefix(length))) == nil {
      refused += 1
    }
    for _ in 0..<2000 {
      var changed = whole
      changed[Int(generator.next() % UInt64(whole.count))] = UInt8(
        truncatingIfNeeded: generator.next())
      if (try? TelemetryLabels(changed)) == nil { refused += 1 }
    }
    #expect(refused > 1000)
  }
}
