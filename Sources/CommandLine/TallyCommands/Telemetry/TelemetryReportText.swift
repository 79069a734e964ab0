import ABTesting
import CommandKit
import Foundation
import Stats
import Telemetry

/// A report of telemetry, as tables for people and as JSON for machines.
struct TelemetryReportText {
  let report: TelemetryReport

  private var distributions: [(key: String, name: String, value: TelemetryReport.Distribution)] {
    [
      ("confidence", "confidence", report.confidence),
      ("aspectRatio", "aspect ratio", report.aspectRatio), ("area", "area", report.area),
    ]
  }

  // MARK: Text

  func lines() -> [String] {
    let summary = report.summary
    var lines = [
      "\(Sentence.count(summary.events, "event", "events")) in "
        + Sentence.count(summary.files, "file", "files")
        + (summary.damagedLines == 0
          ? ""
          : ", and \(Sentence.count(summary.damagedLines, "damaged line", "damaged lines")) "
            + "passed over")
    ]
    if let first = report.first, let last = report.last {
      var text = ReportText()
      text.add("from", Self.text(first))
      text.add("to", Self.text(last))
      text.add("with text", Self.share(report.textShare))
      text.add("with a barcode", Self.share(report.barcodeShare))
      lines += text.lines + [""] + dayTable()
      if !report.variants.isEmpty { lines += [""] + variantTable() }
      lines += [""] + quantileTable()
      for distribution in distributions {
        lines += [""] + Self.histogram(distribution.value.histogram, named: distribution.name)
      }
    }
    if let patterns = report.patterns { lines += [""] + patternTable(patterns) }
    return lines
  }

  private func dayTable() -> [String] {
    var table = TextTable([("day", .left), ("events", .right)])
    for day in report.days { table.add([day.day, "\(day.events)"]) }
    return table.lines
  }

  private func variantTable() -> [String] {
    var table = TextTable([
      ("variant", .left), ("events", .right), ("mean confidence", .right), ("with text", .right),
      ("with a barcode", .right),
    ])
    for variant in report.variants {
      table.add([
        variant.name ?? "-", "\(variant.events)", Self.share(variant.meanConfidence),
        Self.share(variant.textShare), Self.share(variant.barcodeShare),
      ])
    }
    return table.lines
  }

  private func quantileTable() -> [String] {
    var table = TextTable(
      [("quantile", .left)]
        + TelemetryReport.probabilities.map { (NumberText.of($0), .right) })
    for distribution in distributions {
      table.add([distribution.name] + distribution.value.quantiles.map(Self.number))
    }
    return table.lines
  }

  private static func histogram(_ histogram: Histogram, named name: String) -> [String] {
    var table = TextTable([(name, .left), ("events", .right), ("share", .right), ("", .left)])
    let total = Double(max(histogram.total, 1))
    func add(_ bin: String, _ count: Int) {
      let share = Double(count) / total
      table.add(
        [
          bin, "\(count)", NumberText.fixed(share, digits: 3),
          String(repeating: "#", count: Int((share * 40).rounded())),
        ])
    }
    for (index, count) in histogram.counts.enumerated() {
      let (low, high) = (histogram.edges[index], histogram.edges[index + 1])
      add("\(NumberText.of(low))-\(NumberText.of(high))", count)
    }
    if histogram.above > 0, let last = histogram.edges.last {
      add("above \(NumberText.of(last))", histogram.above)
    }
    return table.lines
  }

  private func patternTable(_ patterns: ErrorPatterns) -> [String] {
    var table = TextTable([
      ("labelled", .left), ("", .left), ("right", .right), ("wrong", .right), ("missed", .right),
      ("precision", .right), ("recall", .right), ("stands out", .left),
    ])
    func add(_ property: String, _ group: ErrorPatterns.Group, _ note: String) {
      table.add([
        property, group.name, "\(group.right)", "\(group.wrong)", "\(group.missed)",
        Self.share(group.precision),
        // What was missed has no confidence, so that its groups have no recall.
        property == ErrorPatterns.Property.confidence.rawValue ? "-" : Self.share(group.recall),
        note,
      ])
    }
    add("all", patterns.all, "")
    for property in ErrorPatterns.Property.allCases {
      for group in patterns.groups(by: property) {
        var notes: [String] = []
        if let word = Self.word(group.precisionVerdict) {
          notes.append("\(word) right")
        }
        if let word = Self.word(group.recallVerdict) {
          notes.append("\(word) found")
        }
        add(property.rawValue, group, notes.joined(separator: ", "))
      }
    }
    return table.lines
  }

  /// How many against the other groups, where that is shown.
  private static func word(_ verdict: Verdict) -> String? {
    switch verdict {
    case .better: "more"
    case .worse: "fewer"
    case .noDifferenceShown, .tooFew: nil
    }
  }

  private static func text(_ time: Date) -> String { time.formatted(.iso8601) }

  private static func share(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 3) } ?? "-"
  }

  private static func number(_ value: Double) -> String { NumberText.fixed(value, digits: 4) }

  // MARK: JSON

  func json() -> JSONText {
    let summary = report.summary
    var members: [(String, JSONText)] = [
      ("events", .integer(summary.events)), ("files", .integer(summary.files)),
      ("bytes", .integer(summary.bytes)), ("damagedLines", .integer(summary.damagedLines)),
      ("first", .optional(report.first, Self.milliseconds)),
      ("last", .optional(report.last, Self.milliseconds)),
      ("days", .object(report.days.map { ($0.day, .integer($0.events)) })),
      ("textShare", .optional(report.textShare) { .double($0) }),
      ("barcodeShare", .optional(report.barcodeShare) { .double($0) }),
      ("variants", .array(report.variants.map(Self.json))),
    ]
    members += distributions.map { ($0.key, Self.json(of: $0.value)) }
    if let patterns = report.patterns { members.append(("labels", Self.json(of: patterns))) }
    return .object(members)
  }

  /// A time as events have it.
  private static func milliseconds(_ time: Date) -> JSONText {
    .integer(Int((time.timeIntervalSince1970 * 1000).rounded()))
  }

  private static func json(of variant: TelemetryReport.Variant) -> JSONText {
    .object([
      ("variant", .optional(variant.name) { .string($0) }), ("events", .integer(variant.events)),
      ("meanConfidence", .double(variant.meanConfidence)),
      ("textShare", .double(variant.textShare)), ("barcodeShare", .double(variant.barcodeShare)),
    ])
  }

  private static func json(of distribution: TelemetryReport.Distribution) -> JSONText {
    let histogram = distribution.histogram
    return .object([
      (
        "quantiles",
        .object(
          zip(TelemetryReport.probabilities, distribution.quantiles).map {
            (NumberText.of($0), .double($1))
          })
      ),
      ("edges", .array(histogram.edges.map { .double($0) })),
      ("counts", .array(histogram.counts.map { .integer($0) })),
      ("above", .integer(histogram.above)),
    ])
  }

  private static func json(of patterns: ErrorPatterns) -> JSONText {
    let groups = ErrorPatterns.Property.allCases.map { property -> (String, JSONText) in
      let groups = patterns.groups(by: property)
      // What was missed has no confidence, so that its groups have no recall.
      let hasRecall = property != .confidence
      return (
        property.rawValue, JSONText.array(groups.map { json(of: $0, hasRecall: hasRecall) })
      )
    }
    return .object([("all", json(of: patterns.all, hasRecall: true))] + groups)
  }

  private static func json(of group: ErrorPatterns.Group, hasRecall: Bool) -> JSONText {
    .object([
      ("group", .string(group.name)), ("right", .integer(group.right)),
      ("wrong", .integer(group.wrong)), ("missed", .integer(group.missed)),
      ("precision", .optional(group.precision) { .double($0) }),
      ("recall", .optional(hasRecall ? group.recall : nil) { .double($0) }),
      ("precisionVerdict", .string(group.precisionVerdict.rawValue)),
      ("recallVerdict", .string(group.recallVerdict.rawValue)),
    ])
  }
}
