import ABTesting
import Stats

/// The groups of events with many errors, and of objects with many misses.
///
/// Labelled events and missed objects are sorted into groups by each of their properties. A group
/// stands out if its precision (share of right events) or recall (share of found objects) differs
/// significantly from that of all other groups of the property together. The test is the
/// two-proportion test at a significance of 5 %, divided by the number of the property's groups
/// (Bonferroni). So one in twenty irrelevant properties shows a group that stands out.
public struct ErrorPatterns: Sendable {
  /// Events and objects that are alike in one property.
  public struct Group: Hashable, Sendable {
    /// Which values of the property, such as `0.5-0.6`, `above 10` or `yes`.
    public let name: String
    /// How many events were right.
    public fileprivate(set) var right = 0
    /// How many events were wrong: false positives.
    public fileprivate(set) var wrong = 0
    /// How many objects were missed: false negatives.
    public fileprivate(set) var missed = 0
    /// Precision against the other groups.
    public fileprivate(set) var precisionVerdict = Verdict.tooFew
    /// Recall against the other groups.
    public fileprivate(set) var recallVerdict = Verdict.tooFew

    /// The share of events that were right, 0...1; nil without any.
    public var precision: Double? { Self.share(right, wrong) }
    /// The share of objects that were found, 0...1; nil without any.
    public var recall: Double? { Self.share(right, missed) }

    /// Precision and recall as counts, by the names `precision` and `recall`.
    ///
    /// They are what a `RolloutPlan` takes of a variant.
    public var measures: [String: Proportion] {
      var measures: [String: Proportion] = [:]
      for (name, failures) in [("precision", wrong), ("recall", missed)] {
        // Counts are proportions.
        measures[name] = try? Proportion(successes: right, trials: right + failures)
      }
      return measures
    }

    fileprivate init(name: String) { self.name = name }

    fileprivate mutating func add(_ other: Group) {
      right += other.right
      wrong += other.wrong
      missed += other.missed
    }

    private static func share(_ part: Int, _ rest: Int) -> Double? {
      part + rest > 0 ? Double(part) / Double(part + rest) : nil
    }
  }

  /// What groups are made by.
  public enum Property: String, Hashable, Sendable, CaseIterable {
    /// How sure the finder was; missed objects have none and are in no group.
    case confidence
    /// Width over height.
    case aspectRatio = "aspect ratio"
    /// The share of the frame's area.
    case area
    /// Whether text was in the frame.
    case text
    /// Whether a barcode was in the frame.
    case barcode
    /// The variant of an experiment; `-` for none.
    case variant
  }

  /// All events and objects together.
  public private(set) var all = Group(name: "all")
  private var groups: [Property: [Group]]
  private var variants: [String: Group] = [:]

  /// The groups of a property that anything is in, in order of its values.
  public func groups(by property: Property) -> [Group] {
    let all = property == .variant ? variantGroups : groups[property] ?? []
    let used = all.filter { $0.right + $0.wrong + $0.missed > 0 }
    let total = used.reduce(into: Group(name: "all")) { $0.add($1) }
    return used.map { group in
      var group = group
      let significance = 0.05 / Double(max(used.count, 1))
      group.precisionVerdict = Self.verdict(of: group, in: total, significance, by: \.wrong)
      if property != .confidence {
        group.recallVerdict = Self.verdict(of: group, in: total, significance, by: \.missed)
      }
      return group
    }
  }

  /// By name; none if nothing has a variant.
  private var variantGroups: [Group] {
    variants.keys.contains { $0 != Self.noVariant }
      ? variants.values.sorted { $0.name < $1.name } : []
  }

  /// No name of a variant begins so.
  private static let noVariant = "-"

  private static func verdict(
    of group: Group, in total: Group, _ significance: Double, by failures: KeyPath<Group, Int>
  ) -> Verdict {
    let (right, failed) = (group.right, group[keyPath: failures])
    let rest = (right: total.right - right, failed: total[keyPath: failures] - failed)
    // Counts are proportions, and the significance lies between 0 and 1.
    let verdict = try? Verdict(
      Proportion(successes: right, trials: right + failed),
      against: Proportion(successes: rest.right, trials: rest.right + rest.failed),
      significance: significance)
    return verdict ?? .tooFew
  }

  // MARK: Collecting

  init(missed: [TelemetryLabels.Missed]) {
    groups = [
      .confidence: Self.groups(of: ReportBins.confidence),
      .aspectRatio: Self.groups(of: ReportBins.aspectRatio),
      .area: Self.groups(of: ReportBins.area),
      .text: [Group(name: "no"), Group(name: "yes")],
      .barcode: [Group(name: "no"), Group(name: "yes")],
    ]
    for object in missed {
      all.missed += 1
      count(object.aspectRatio, .aspectRatio, ReportBins.aspectRatio, \.missed)
      if let width = object.width, let height = object.height {
        count(width * height, .area, ReportBins.area, \.missed)
      }
      count(object.hasText, .text, \.missed)
      count(object.hasBarcode, .barcode, \.missed)
      if let variant = object.variant { count(variant: variant, \.missed) }
    }
  }

  mutating func add(_ event: TelemetryEvent, isRight: Bool) {
    let kind: WritableKeyPath<Group, Int> = isRight ? \.right : \.wrong
    all[keyPath: kind] += 1
    count(event.confidence, .confidence, ReportBins.confidence, kind)
    count(event.aspectRatio, .aspectRatio, ReportBins.aspectRatio, kind)
    count(event.area, .area, ReportBins.area, kind)
    count(event.sawText, .text, kind)
    count(event.sawBarcode, .barcode, kind)
    count(variant: event.variant ?? Self.noVariant, kind)
  }

  private mutating func count(variant: String, _ kind: WritableKeyPath<Group, Int>) {
    variants[variant, default: Group(name: variant)][keyPath: kind] += 1
  }

  private mutating func count(
    _ value: Double?, _ property: Property, _ bins: Histogram, _ kind: WritableKeyPath<Group, Int>
  ) {
    guard let value else { return }
    // Values above the last edge have their own group; no value is below the first.
    groups[property]?[bins.bin(of: value) ?? bins.counts.count][keyPath: kind] += 1
  }

  private mutating func count(
    _ value: Bool?, _ property: Property, _ kind: WritableKeyPath<Group, Int>
  ) {
    guard let value else { return }
    groups[property]?[value ? 1 : 0][keyPath: kind] += 1
  }

  private static func groups(of bins: Histogram) -> [Group] {
    let edges = bins.edges.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
    return zip(edges, edges.dropFirst()).map { Group(name: "\($0)-\($1)") }
      + [Group(name: "above \(edges.last ?? "")")]
  }
}
