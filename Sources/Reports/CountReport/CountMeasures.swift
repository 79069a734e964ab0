import Counting
import Geometry
import VisionProtocols

/// The areas, ratios and scores of all detections of a count, kept and dropped.
public struct CountMeasures: Hashable, Sendable {
  /// One of the three measures.
  public struct Measure: Hashable, Sendable {
    /// The name of the values, such as "Area".
    public let title: String
    /// Their unit; empty if there is none.
    public let unit: String
    /// The values of the detections in the result.
    public let kept: [Double]
    /// The values of the dropped detections.
    public let dropped: [Double]
    /// The range of kept values; nil if nothing was dropped by this value.
    ///
    /// An infinite bound means no bound.
    public let band: ClosedRange<Double>?
    /// The origin of the band, in a sentence.
    public let note: String
  }

  /// Box areas in pixels; scaled to the photo's centre if the usual size changes over the photo.
  public let area: Measure
  /// Width over height.
  public let aspect: Measure
  /// The detector's scores.
  public let score: Measure

  /// The three measures, in that order.
  public var all: [Measure] { [area, aspect, score] }

  /// Measures the detections of a traced count.
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
