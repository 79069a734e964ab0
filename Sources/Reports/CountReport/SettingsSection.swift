import Counting
import Foundation

/// The settings of a count, as a table and as JSON that repeats the count.
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
    let common = CountingField.ofAll.filter { $0.option != nil }.map(row)
    return common + (configuration.adaptive != nil ? CountingField.ofAdaptive.map(row) : bands)
  }

  private var bands: [(String, String)] {
    let aspect =
      switch configuration.aspect {
      case .off: "off"
      case .sigma(let sigma): "\(Number.short(sigma)) standard deviations"
      case .range(let low, let high): "\(Number.short(low)) to \(Number.short(high))"
      }
    return CountingField.ofBands.map(row) + [
      ("Width/height", aspect),
      ("Overlapping boxes, choose by", configuration.mergeFirst == .main ? "main kind" : "score"),
    ]
  }

  private func row(_ field: CountingField) -> (String, String) {
    let text =
      switch field.value {
      case .number(let place, _): Number.short(configuration[keyPath: place])
      case .switchable(let place, _): configuration[keyPath: place].map(Number.short) ?? "off"
      case .whole(let place, _): "\(configuration[keyPath: place])"
      case .flag(let place): configuration[keyPath: place] ? "count" : "do not count"
      }
    return (field.title, field.unit.isEmpty ? text : "\(text) \(field.unit)")
  }
}
