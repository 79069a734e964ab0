import Counting
import Geometry
import Stats
import VisionProtocols

/// The areas, ratios and scores that a count kept, computed from the detections after each step.
struct KeptBands {
  /// A band and its description in a sentence.
  struct Band: Hashable {
    /// The kept values; nil if nothing was dropped by the value.
    ///
    /// An infinite bound means no bound.
    var range: ClosedRange<Double>?
    /// The origin of the band.
    var note: String
  }

  /// The band of box areas, in pixels.
  let area: Band
  /// The band of width over height.
  let aspect: Band
  /// The band of scores.
  let score: Band
  /// The typical object and the photo's size, if the usual size changes over the photo.
  private var perspective: (typical: TypicalObject, width: Int, height: Int)?

  /// The ratio between an area at `point` and that of the same object at the photo's centre.
  func magnification(at point: Point) -> Double {
    guard let (typical, width, height) = perspective else { return 1 }
    let ratio = typical.side(at: point, width: width, height: height) / typical.side
    return ratio.isNormal ? ratio * ratio : 1
  }

  init(of trace: CountTrace, result: CountingResult, configuration: CountingConfiguration) {
    if let adaptive = configuration.adaptive {
      if let typical = result.findings?.typical, Self.slants(typical) {
        perspective = (typical, result.width, result.height)
      }
      area = Self.area(adaptive, typical: result.findings?.typical)
      aspect = Self.aspect(
        adaptive, typical: result.findings?.typical, liesAnyWay: trace.guide.hasExemplars)
      score = Self.score(
        adaptive, least: configuration.confidence, before: trace.left(after: .contained))
    } else {
      area = Self.area(configuration, trace: trace)
      aspect = Self.aspect(configuration.aspect, of: trace.left(after: .size))
      score = Band(
        range: Self.range(configuration.confidence, .infinity),
        note: "The detector's least score.")
    }
  }

  private static func range(_ low: Double, _ high: Double) -> ClosedRange<Double>? {
    low <= high ? low...high : nil
  }

  // MARK: The adaptive method

  private static func slants(_ typical: TypicalObject) -> Bool {
    typical.slopeDown != 0 || typical.slopeAcross != 0
  }

  private static func area(_ settings: AdaptiveConfiguration, typical: TypicalObject?) -> Band {
    guard let factor = settings.sizeFactor, let typical else {
      return Band(range: nil, note: "Every size passes.")
    }
    let side = typical.side
    return Band(
      range: range(side * side / (factor * factor), side * side * factor * factor),
      note: "Sides within a factor of \(Number.short(factor)) of the usual "
        + "\(Number.short(side)) px"
        + (slants(typical) ? ", areas being as they would be at the photo's centre" : "")
        + ". Boxes cut by the photo's edge may be smaller, and boxes of another size are kept if "
        + "their score is high.")
  }

  private static func aspect(
    _ settings: AdaptiveConfiguration, typical: TypicalObject?, liesAnyWay: Bool
  ) -> Band {
    guard let factor = settings.aspectFactor, let typical else {
      return Band(range: nil, note: "Every shape passes.")
    }
    let ratio = typical.aspect
    let long = max(ratio, 1 / ratio)
    return Band(
      range: liesAnyWay
        ? range(1 / (long * factor), long * factor) : range(ratio / factor, ratio * factor),
      note: "Within a factor of \(Number.short(factor)) of the usual \(Number.short(ratio))"
        + (liesAnyWay ? ", lying or standing." : "."))
  }

  private static func score(
    _ settings: AdaptiveConfiguration, least: Double, before: [Detection]
  ) -> Band {
    guard let share = settings.scoreShare,
      let median = ScoreCutStage.weightedMedian(of: before.map { Double($0.score) })
    else {
      return Band(range: range(least, .infinity), note: "The detector's least score.")
    }
    return Band(
      range: range(max(share * median, least), .infinity),
      note: "\(Number.short(share)) times the weighted median score of the usual boxes, "
        + "\(Number.short(median)).")
  }

  // MARK: Bands

  private static func area(_ settings: CountingConfiguration, trace: CountTrace) -> Band {
    let bands = [
      (settings.sizeSigma, trace.left(after: .detected)),
      (settings.areaSigma, trace.left(after: .aspect)),
    ].compactMap { sigma, detections -> OutlierBand? in
      guard let sigma, detections.count >= 3 else { return nil }
      return OutlierBand(of: detections.map(\.box.exactArea), multiplier: sigma)
    }
    guard let first = bands.first else {
      return Band(range: nil, note: "Every size passes.")
    }
    let low = bands.dropFirst().reduce(first.lowerBound) { max($0, $1.lowerBound) }
    let high = bands.dropFirst().reduce(first.upperBound) { min($0, $1.upperBound) }
    return Band(
      range: range(low, high),
      note: "What is within "
        + bands.map { "\(Number.short($0.multiplier)) standard deviations of the median" }
        .joined(separator: ", then ") + ".")
  }

  private static func aspect(_ rule: AspectRule, of detections: [Detection]) -> Band {
    switch rule {
    case .off: return Band(range: nil, note: "Every shape passes.")
    case .range(let minimum, let maximum):
      return Band(range: range(minimum, maximum), note: "A fixed range.")
    case .sigma(let sigma):
      let ratios = detections.filter { $0.box.height > 0 }.map { (detection: Detection) -> Double in
        Double(detection.box.width) / Double(detection.box.height)
      }
      guard ratios.count > 2, let band = OutlierBand(of: ratios, multiplier: sigma) else {
        return Band(range: nil, note: "Two boxes or fewer pass unchanged.")
      }
      return Band(
        range: range(band.lowerBound, band.upperBound),
        note: "What is within \(Number.short(sigma)) standard deviations of the median.")
    }
  }
}
