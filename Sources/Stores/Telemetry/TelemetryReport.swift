import Foundation
import Stats

/// What the events of a folder have in common.
public struct TelemetryReport: Sendable {
  /// A property whose values have a distribution.
  public struct Distribution: Hashable, Sendable {
    /// The quantiles at ``TelemetryReport/probabilities``; empty without events.
    public let quantiles: [Double]
    /// How many values lie in which bin.
    public let histogram: Histogram

    /// Values on their way to a distribution.
    struct Values {
      var all: [Double] = []
      var histogram: Histogram

      init(_ histogram: Histogram) { self.histogram = histogram }

      mutating func add(_ value: Double) {
        all.append(value)
        histogram.add(value)
      }
    }

    init(of values: Values) throws {
      quantiles = try Stats.quantiles(TelemetryReport.probabilities, of: values.all) ?? []
      histogram = values.histogram
    }
  }

  /// What the events of one variant have in common.
  public struct Variant: Hashable, Sendable {
    /// The variant's name; nil for the events without one.
    public let name: String?
    /// How many events it has.
    public fileprivate(set) var events = 0
    // Whole units, so that the order of the events does not matter.
    fileprivate var confidenceUnits = 0
    fileprivate var withText = 0
    fileprivate var withBarcode = 0

    /// The mean confidence, 0...1.
    public var meanConfidence: Double {
      Double(confidenceUnits) / TelemetryEvent.unitsPerOne / Double(events)
    }
    /// The share of events in whose frame text was seen, 0...1.
    public var textShare: Double { Double(withText) / Double(events) }
    /// The share of events in whose frame a barcode was seen, 0...1.
    public var barcodeShare: Double { Double(withBarcode) / Double(events) }

    fileprivate init(name: String?) { self.name = name }

    fileprivate mutating func add(_ event: TelemetryEvent) {
      events += 1
      confidenceUnits += Int(event.confidenceUnits)
      if event.sawText { withText += 1 }
      if event.sawBarcode { withBarcode += 1 }
    }
  }

  /// What was read.
  public let summary: TelemetryReader.Summary
  /// The time of the earliest event.
  public let first: Date?
  /// The time of the latest event.
  public let last: Date?
  /// How many events there are of each day, UTC, as `2026-11-22`, in order.
  public let days: [(day: String, events: Int)]
  /// The share of events in whose frame text was seen, 0...1; nil without events.
  public let textShare: Double?
  /// The share of events in whose frame a barcode was seen, 0...1; nil without events.
  public let barcodeShare: Double?
  /// How sure the finder was.
  public let confidence: Distribution
  /// Widths over heights.
  public let aspectRatio: Distribution
  /// Shares of the frame's area.
  public let area: Distribution
  /// The events by variant, those without one first; empty if none has a variant.
  public let variants: [Variant]
  /// The results of labels; nil if there are no labels.
  public let patterns: ErrorPatterns?

  /// The probabilities of the quantiles.
  public static let probabilities = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]

  /// Reads all events of a folder.
  ///
  /// - Parameters:
  ///   - reader: the folder's reader.
  ///   - labels: what people said of the events; nil for no labels.
  /// - Complexity: O(*n* log *n*) time and 24 bytes of memory an event; the limits of a log bound
  ///   it.
  /// - Throws: ``TelemetryError`` as ``TelemetryReader/forEachEvent(_:)``.
  public init(of reader: TelemetryReader, labels: TelemetryLabels? = nil) throws {
    var confidences = Distribution.Values(ReportBins.confidence)
    var aspects = Distribution.Values(ReportBins.aspectRatio)
    var areas = Distribution.Values(ReportBins.area)
    var perDay: [Int64: Int] = [:]
    var (withText, withBarcode) = (0, 0)
    var range: ClosedRange<Int64>?
    var variants: [String?: Variant] = [:]
    var patterns = labels.map { ErrorPatterns(missed: $0.missed) }
    let summary = try reader.forEachEvent { event, id in
      confidences.add(event.confidence)
      aspects.add(event.aspectRatio)
      areas.add(event.area)
      perDay[event.milliseconds / 86_400_000, default: 0] += 1
      if event.sawText { withText += 1 }
      if event.sawBarcode { withBarcode += 1 }
      variants[event.variant, default: Variant(name: event.variant)].add(event)
      let time = event.milliseconds
      range = min(range?.lowerBound ?? time, time)...max(range?.upperBound ?? time, time)
      if let right = labels?.isRight(event, id: id) { patterns?.add(event, isRight: right) }
    }
    self.summary = summary
    func date(_ milliseconds: Int64) -> Date {
      Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    first = (range?.lowerBound).map(date)
    last = (range?.upperBound).map(date)
    days = perDay.sorted { $0.key < $1.key }.map { day, events in
      (date(day * 86_400_000).formatted(.iso8601.year().month().day()), events)
    }
    let events = Double(summary.events)
    textShare = events > 0 ? Double(withText) / events : nil
    barcodeShare = events > 0 ? Double(withBarcode) / events : nil
    confidence = try Distribution(of: confidences)
    aspectRatio = try Distribution(of: aspects)
    area = try Distribution(of: areas)
    let isTried = variants.keys.contains { $0 != nil }
    self.variants =
      isTried ? variants.values.sorted { ($0.name ?? "") < ($1.name ?? "") } : []
    self.patterns = patterns
  }
}
