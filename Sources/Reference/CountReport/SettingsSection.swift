import Counting
import Foundation

/// The settings of a count, as a table and as the JSON that counts the same way again.
struct SettingsSection {
  let configuration: CountingConfiguration

  /// The section.
  func markup() throws -> Markup {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let json = try encoder.encode(configuration)
    return .element(
      "section", ["aria-labelledby": "settings-title"],
      [
        .element("h2", ["id": "settings-title"], "Settings"),
        DataTable(
          caption: configuration.adaptive == nil
            ? "The settings of this count, which keeps what lies in bands"
            : "The settings of this count, which finds out from the photo what is usual",
          head: ["setting", "value"],
          rows: rows.map { [.text($0.0), .text($0.1)] }
        ).markup,
        .element(
          "details", [:],
          [
            .element("summary", [:], "As a configuration file"),
            .element(
              "pre",
              ["tabindex": "0", "role": "region", "aria-label": "Configuration as JSON"],
              String(decoding: json, as: UTF8.self).split(separator: "\n").flatMap {
                [Markup.text(String($0)), .element("br")]
              }),
          ]),
      ])
  }

  private var rows: [(String, String)] {
    let common = [
      ("Least score of a detection", Number.short(configuration.confidence)),
      ("Greatest overlap of two detections (IoU)", Number.short(configuration.nmsIoU)),
    ]
    return common + (configuration.adaptive.map(Self.rows) ?? bands)
  }

  private static func rows(_ settings: AdaptiveConfiguration) -> [(String, String)] {
    [
      ("Most tiles a side", "\(settings.tilesPerSide)"),
      ("Side of an object that suits the detector", Number.short(settings.targetSide) + " px"),
      ("Share in a larger box that makes a part", number(settings.partShare)),
      ("Factor from the usual side", number(settings.sizeFactor)),
      ("Factor from the usual width/height", number(settings.aspectFactor)),
      ("Gain that makes a perspective believed", number(settings.perspectiveGain)),
      ("Objects cut by the frame", settings.keepsCutObjects ? "count" : "do not count"),
      ("Greatest share within another", number(settings.containment)),
      ("Least share of the median score", number(settings.scoreShare)),
      ("The same for objects of other sizes", number(settings.otherSizes)),
      ("Least silhouette of more than one kind", number(settings.leastSilhouette)),
      ("Least cosine distance between kinds", Number.short(settings.leastKindDistance)),
    ]
  }

  private var bands: [(String, String)] {
    let aspect =
      switch configuration.aspect {
      case .off: "off"
      case .sigma(let sigma): "\(Number.short(sigma)) standard deviations"
      case .range(let low, let high): "\(Number.short(low)) to \(Number.short(high))"
      }
    return [
      ("Area, standard deviations from the median", Self.number(configuration.sizeSigma)),
      ("Width/height", aspect),
      ("Area of crops, standard deviations", Self.number(configuration.areaSigma)),
      ("Least mean cosine of one kind", Number.short(configuration.similarity)),
      ("Greatest overlap of two that count (IoU)", Number.short(configuration.mergeIoU)),
      ("Of two that overlap, first", configuration.mergeFirst == .main ? "main kind" : "score"),
    ]
  }

  private static func number(_ value: Double?) -> String { value.map(Number.short) ?? "off" }
}
