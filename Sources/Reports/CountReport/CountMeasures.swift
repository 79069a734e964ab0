import Counting
import Geometry
import VisionProtocols

/// The areas, ratios and scores of all that a count detected, and which of them it kept.
public struct CountMeasures: Hashable, Sendable {
  /// One of the three.
  public struct Measure: Hashable, Sendable {
    /// What the values are, such as "Area".
    public let title: String
    /// Their unit; empty for none.
    public let unit: String
    /// The values of what is in the result.
    public let kept: [Double]
    /// The values of what was dropped.
    public let dropped: [Double]
    /// What was kept, an infinite bound being none; nil if nothing was dropped by this value.
    public let band: ClosedRange<Double>?
    /// Where the band is from, a sentence.
    public let note: String
  }

  /// Box areas in pixels; where the usual size changes over the photo, as they would be at its
  /// centre.
  public let area: Measure
  /// Width over height.
  public let aspect: Measure
  /// The detector's scores.
  public let score: Measure

  /// The three, in that order.
  public var all: [Measure] { [area, aspect, score] }

  /// Measures what a traced count detected.
  public init(of count: TracedCount, configuration: CountingConfiguration) {
    let trace = count.trace
    let bands = KeptBands(of: trace, result: count.result, configuration: configuration)
    let kept = trace.detections.filter { $0.droppedBy == nil }.map(\.detection)
    let dropped = trace.detections.filter { $0.droppedBy != nil }.map(\.detection)
    func measure(
      _ title: String, unit: String = "", band: KeptBands.Band, value: (Detection) -> Double
    ) -> Measure {
      Measure(
        title: title, unit: unit, kept: kept.map(value), dropped: dropped.map(value),
        band: band.range, note: band.note)
    }
    area = measure("Area", unit: "px\u{00B2}", band: bands.area) {
      $0.box.exactArea / bands.magnification(at: $0.box.center)
    }
    aspect = measure("Width/height", band: bands.aspect) {
      Double($0.box.width) / Double($0.box.height)
    }
    score = measure("Score", band: bands.score) { Double($0.score) }
  }
}
