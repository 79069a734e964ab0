import Foundation
import Stats
import _PlotParts

/// A histogram of detections: counted ones on the axis, dropped ones above them, and the kept band.
struct HistogramPlot {
  /// The name of the values, such as "Area".
  let title: String
  /// Their unit, with the space before it; empty if there is none.
  let unit: String
  /// The values of the detections in the result.
  let kept: [Double]
  /// The values of the dropped detections.
  let dropped: [Double]
  /// The range of kept values; nil if nothing was dropped by this value.
  ///
  /// An infinite bound means no bound.
  let band: ClosedRange<Double>?
  /// The origin of the band, in a sentence.
  let note: String
  /// A word for ids that is unique to this plot.
  let id: String

  private static let bins = 24
  private static let (width, height) = (360.0, 210.0)
  private static let area = (left: 40.0, top: 12.0, width: 308.0, height: 150.0)

  /// The figure: drawing, caption, table.
  var figure: Markup {
    guard
      let histogram = SplitHistogram(kept: kept, dropped: dropped, binCount: Self.bins)
    else {
      return .element(
        "figure", ["class": "plot"],
        [
          .element("figcaption", [:], [.element("h3", [:], title)]),
          .element("p", [:], "There is no value above 0 to draw."),
        ])
    }
    let scale = histogram.scale.stretched(to: Self.area.width)
    let (keptBins, allBins) = (histogram.kept, histogram.all)
    let most = max(allBins.counts.max() ?? 0, 1)
    return .element(
      "figure", ["class": "plot"],
      [
        .element(
          "figcaption", ["id": "\(id)-title"],
          [.element("h3", [:], title), .element("p", ["class": "note"], caption)]),
        .element(
          "svg",
          [
            "viewBox": "0 0 \(Number.place(Self.width)) \(Number.place(Self.height))",
            "role": "img", "aria-labelledby": "\(id)-title",
          ],
          [
            hatch, bandMarkup(scale), gridMarkup(most: most),
            barsMarkup(kept: keptBins, all: allBins, most: most), edgesMarkup(scale),
            axisMarkup(scale),
          ]),
        legend, table(kept: keptBins, all: allBins),
      ])
  }

  private var caption: String {
    guard let band else { return note }
    let (low, high) = (band.lowerBound, band.upperBound)
    let range =
      switch (low > 0 && low.isFinite, high.isFinite) {
      case (true, true): "Kept: \(Number.short(low)) to \(Number.short(high))\(unit). "
      case (true, false): "Kept: at least \(Number.short(low))\(unit). "
      case (false, true): "Kept: up to \(Number.short(high))\(unit). "
      case (false, false): ""
      }
    return range + note
  }

  // MARK: Drawing

  private var hatch: Markup {
    .element(
      "pattern",
      [
        "id": "\(id)-hatch", "width": "5", "height": "5", "patternUnits": "userSpaceOnUse",
        "patternTransform": "rotate(45)",
      ],
      [
        .element("rect", ["class": "hatch-ground", "width": "5", "height": "5"]),
        .element("rect", ["class": "hatch-line", "width": "2", "height": "5"]),
      ])
  }

  private func bandMarkup(_ scale: LogScale) -> Markup {
    guard let (from, to) = scale.span(of: band) else { return .none }
    return .element(
      "rect",
      [
        "class": "band", "x": Number.place(Self.area.left + from),
        "y": Number.place(Self.area.top), "width": Number.place(to - from),
        "height": Number.place(Self.area.height),
      ])
  }

  /// The ends of the band, unless they are beyond the axis.
  private func edgesMarkup(_ scale: LogScale) -> Markup {
    .all(
      scale.ends(of: band).map { place in
        let x = Number.place(Self.area.left + place)
        return .element(
          "line",
          [
            "class": "edge", "x1": x, "x2": x, "y1": Number.place(Self.area.top - 4),
            "y2": Number.place(Self.area.top + Self.area.height),
          ])
      })
  }

  private func gridMarkup(most: Int) -> Markup {
    let steps = most == 1 ? [0, 1] : most < 4 ? Array(0...most) : [0, most / 2, most]
    return .all(
      steps.map { count in
        let y = Self.area.top + Self.area.height * (1 - Double(count) / Double(most))
        return .all([
          .element(
            "line",
            [
              "class": "grid", "x1": Number.place(Self.area.left),
              "x2": Number.place(Self.area.left + Self.area.width), "y1": Number.place(y),
              "y2": Number.place(y),
            ]),
          .element(
            "text",
            [
              "x": Number.place(Self.area.left - 5), "y": Number.place(y + 4),
              "text-anchor": "end",
            ], Number.text(Double(count))),
        ])
      })
  }

  private func barsMarkup(kept: Histogram, all: Histogram, most: Int) -> Markup {
    let width = Self.area.width / Double(Self.bins)
    let perCount = Self.area.height / Double(most)
    let bottom = Self.area.top + Self.area.height
    return .all(
      all.counts.indices.map { bin in
        let (inCount, whole) = (kept.counts[bin], all.counts[bin])
        func bar(_ kind: String, from: Int, to: Int, fill: String? = nil) -> Markup {
          guard to > from else { return .none }
          return .element(
            "rect",
            [
              "class": kind, "fill": fill,
              "x": Number.place(Self.area.left + Double(bin) * width + 0.5),
              "y": Number.place(bottom - Double(to) * perCount),
              "width": Number.place(width - 1),
              "height": Number.place(Double(to - from) * perCount),
            ])
        }
        return .all([
          bar("bar", from: 0, to: inCount),
          bar("rest", from: inCount, to: whole, fill: "url(#\(id)-hatch)"),
        ])
      })
  }

  private func axisMarkup(_ scale: LogScale) -> Markup {
    let bottom = Self.area.top + Self.area.height
    let line = Markup.element(
      "line",
      [
        "class": "axis", "x1": Number.place(Self.area.left),
        "x2": Number.place(Self.area.left + Self.area.width), "y1": Number.place(bottom),
        "y2": Number.place(bottom),
      ])
    let ticks = scale.ticks(apart: 60).compactMap { value -> Markup? in
      scale.place(of: value).map { place in
        // The outermost numbers stay inside the drawing; a digit is about 7 wide.
        let half = 4 * Double(Number.short(value).count)
        let x = min(max(Self.area.left + place, half), Self.width - half)
        return .element(
          "text",
          ["x": Number.place(x), "y": Number.place(bottom + 17), "text-anchor": "middle"],
          Number.short(value))
      }
    }
    let name = Markup.element(
      "text",
      [
        "x": Number.place(Self.area.left + Self.area.width / 2),
        "y": Number.place(Self.height - 10), "text-anchor": "middle", "class": "name",
      ], title.lowercased() + (unit.isEmpty ? "" : " in\(unit)") + ", logarithmic")
    return .all([line] + ticks + [name])
  }

  // MARK: Words

  private var legend: Markup {
    .element(
      "p", ["class": "legend"],
      [
        Self.swatch("bar", fill: nil), .text(" in the result: \(kept.count) "),
        Self.swatch("rest", fill: "url(#\(id)-hatch)"), .text(" dropped: \(dropped.count)"),
      ])
  }

  private static func swatch(_ kind: String, fill: String?) -> Markup {
    .element(
      "svg", ["class": "swatch", "viewBox": "0 0 14 14", "aria-hidden": "true"],
      [
        .element(
          "rect",
          ["class": kind, "fill": fill, "x": "1", "y": "1", "width": "12", "height": "12"])
      ])
  }

  private func table(kept: Histogram, all: Histogram) -> Markup {
    let rows = all.counts.indices.filter { all.counts[$0] > 0 }.map { bin in
      [
        Number.short(all.edges[bin]), Number.short(all.edges[bin + 1]),
        Number.text(Double(kept.counts[bin])),
        Number.text(Double(all.counts[bin] - kept.counts[bin])),
      ]
    }
    return DataTable(
      caption: "\(title)\(unit.isEmpty ? "" : " in\(unit)"): how many boxes have which value",
      head: ["from", "to", "in the result", "dropped"], rows: rows.map { $0.map { .text($0) } }
    ).folded(summary: "The same as a table")
  }
}
