import CCairo
import Foundation
import Geometry
import Stats
import _PlotParts

/// A histogram of values: kept ones as solid bars, and dropped ones hatched above them.
///
/// The band of kept values is shaded between two lines. The axis is logarithmic, because areas,
/// ratios and scores spread by factors. Values without a place on it (0, negative, infinite, NaN)
/// are in no bar, and a line below states their number.
public struct HistogramPlot: Hashable, Sendable {
  /// The title.
  public var title: String
  /// The name of the values with their unit, written along the axis.
  public var axisName: String
  /// The counted objects, in the plural, written along the bars.
  public var countName = "boxes"
  /// The values that were kept.
  public var kept: [Double]
  /// The values that were dropped.
  public var dropped: [Double]
  /// The range of values that pass; nil for no band.
  ///
  /// An infinite bound means no bound.
  public var band: ClosedRange<Double>?
  /// A sentence below the title, such as the origin of the band; empty for none.
  public var note: String
  /// The number of bars.
  public var binCount: Int

  /// Makes a plot.
  public init(
    title: String, axisName: String, kept: [Double], dropped: [Double] = [],
    band: ClosedRange<Double>? = nil, note: String = "", binCount: Int = 24
  ) {
    (self.title, self.axisName, self.kept, self.dropped) = (title, axisName, kept, dropped)
    (self.band, self.note, self.binCount) = (band, note, binCount)
  }

  /// The plot on a white page.
  public func page(width: Int = 800, height: Int = 360) -> Page {
    Self.page(of: [self], width: width, height: height)
  }

  /// Several plots on one white page, one below the other, each `height` high.
  public static func page(
    of plots: [HistogramPlot], width: Int = 800, height: Int = 360
  ) -> Page {
    let total = height.multipliedReportingOverflow(by: max(plots.count, 1))
    return Page(width: width, height: total.overflow ? .max : total.partialValue) { canvas in
      PlotStyle.begin(canvas, width: Double(width), height: Double(total.partialValue))
      for (place, plot) in plots.enumerated() {
        HistogramDrawing(
          plot, width: Double(width), top: Double(height * place), height: Double(height),
          canvas: canvas
        ).draw()
      }
    }
  }
}

/// The layout of a histogram on its page.
private struct HistogramDrawing {
  private let plot: HistogramPlot
  private let canvas: Canvas
  private let histogram: SplitHistogram?
  private let fontSize: Double
  /// The lines under the title.
  private let notes: [String]
  private let left: Double
  private let top: Double
  private let bottom: Double
  private let width: Double
  /// The area of the bars.
  private let area: Frame
  private let scale: LogScale?
  /// The count at the top of the area.
  private let most: Int

  private static let barColor = KindStyle(rank: 1).color

  init(_ plot: HistogramPlot, width: Double, top: Double, height: Double, canvas: Canvas) {
    self.plot = plot
    self.canvas = canvas
    (self.top, self.width, bottom) = (top, width, top + height)
    // On a narrow page, the width limits the size of letters.
    fontSize = min(PlotStyle.fontSize(forHeight: height * 1.15), max(width / 30, 4))
    histogram = SplitHistogram(
      kept: plot.kept, dropped: plot.dropped, binCount: min(max(plot.binCount, 1), 512))
    let tallest = histogram?.all.counts.max() ?? 0
    most = max(tallest, 1)
    let widest = PlotStyle.wholeTicks(to: most).last.map { canvas.metrics(of: "\($0)").width } ?? 0
    left = widest * fontSize + 3.4 * fontSize
    var sentences = plot.note.isEmpty ? [] : [plot.note]
    if let leftOut = histogram?.leftOut, leftOut > 0 {
      sentences.append(
        PlotStyle.count(leftOut, "value without a place here is", "values without a place here are")
          + " left out.")
    }
    let lines = canvas.lines(
      of: sentences.joined(separator: " "), width: max(width - left - fontSize, 1), size: fontSize)
    // A page with little room gets only bars.
    notes = Double(lines.count) * 1.35 * fontSize < height / 4 ? lines : []
    let above = (2.2 + 1.35 * Double(notes.count) + 2.2) * fontSize
    area = Frame(
      x: left, y: top + above, width: max(width - left - 1.5 * fontSize, 1),
      height: max(height - above - 4.2 * fontSize, 1))
    scale = histogram?.scale.stretched(to: area.width)
  }

  func draw() {
    canvas.setColor(.ink)
    canvas.write(plot.title, x: left, baseline: top + 1.7 * fontSize, size: 1.15 * fontSize)
    for (line, text) in notes.enumerated() {
      canvas.write(
        text, x: left, baseline: top + (3.2 + 1.35 * Double(line)) * fontSize, size: fontSize)
    }
    guard let histogram, let scale else {
      canvas.write(
        "There is no value above 0 to draw.", x: area.x,
        baseline: area.y + area.height / 2, size: fontSize)
      return
    }
    drawLegend(histogram)
    drawBand(scale)
    drawGrid()
    drawBars(histogram)
    drawBandEdges(scale)
    drawAxis(scale)
  }

  private func y(_ count: Double) -> Double {
    area.y + area.height * (1 - count / (1.06 * Double(most)))
  }

  private func drawLegend(_ histogram: SplitHistogram) {
    let baseline = area.y - 0.9 * fontSize
    var x = area.x
    let side = 0.85 * fontSize
    func entry(_ text: String, _ fill: (Frame) -> Void) {
      guard x + 1.3 * fontSize + canvas.metrics(of: text).width * fontSize <= width else { return }
      fill(Frame(x: x, y: baseline - side, width: side, height: side))
      canvas.setColor(.ink)
      x += 1.3 * fontSize
      canvas.write(text, x: x, baseline: baseline, size: fontSize)
      x += canvas.metrics(of: text).width * fontSize + 1.8 * fontSize
    }
    entry("in the result: \(plot.kept.count)") { frame in
      canvas.setColor(Self.barColor)
      canvas.fill(frame)
    }
    entry("dropped: \(plot.dropped.count)") { hatch($0) }
    guard let band = plot.band else { return }
    let (low, high) = (band.lowerBound, band.upperBound)
    let words: String? =
      switch (low > 0 && low.isFinite, high.isFinite) {
      case (true, true): "kept: \(PlotStyle.short(low)) to \(PlotStyle.short(high))"
      case (true, false): "kept: \(PlotStyle.short(low)) and more"
      case (false, true): "kept: up to \(PlotStyle.short(high))"
      case (false, false): nil
      }
    guard let words else { return }
    entry(words) { frame in
      canvas.setColor(PlotStyle.band)
      canvas.fill(frame)
      canvas.setColor(.ink)
      canvas.addLine([Point(x: frame.x, y: frame.y), Point(x: frame.x, y: frame.y + side)])
      canvas.addLine([
        Point(x: frame.x + side, y: frame.y), Point(x: frame.x + side, y: frame.y + side),
      ])
      canvas.strokeLines(width: fontSize / 10)
    }
  }

  private func drawBand(_ scale: LogScale) {
    guard let (from, to) = scale.span(of: plot.band) else { return }
    canvas.setColor(PlotStyle.band)
    canvas.fill(Frame(x: area.x + from, y: area.y, width: to - from, height: area.height))
  }

  /// Draws the ends of the band, unless they are beyond the axis.
  private func drawBandEdges(_ scale: LogScale) {
    if plot.band == nil { return }
    for place in scale.ends(of: plot.band) {
      canvas.addLine([
        Point(x: area.x + place, y: area.y), Point(x: area.x + place, y: area.y + area.height),
      ])
    }
    canvas.setColor(.ink)
    canvas.strokeLines(width: fontSize / 10)
  }

  private func drawGrid() {
    let digit = canvas.metrics(of: "0")
    let ticks = PlotStyle.wholeTicks(to: most)
    let isCrowded = area.height / Double(max(ticks.count - 1, 1)) < 1.3 * fontSize
    for tick in isCrowded ? [0] : ticks {
      let level = y(Double(tick))
      canvas.setColor(PlotStyle.pale)
      canvas.addLine([Point(x: area.x, y: level), Point(x: area.x + area.width, y: level)])
      canvas.strokeLines(width: fontSize / 16)
      canvas.setColor(.ink)
      canvas.write(
        "\(tick)", x: area.x - 0.6 * fontSize,
        baseline: level + (digit.ascent - digit.descent) / 2 * fontSize * 0.75, size: fontSize,
        alignment: .right)
    }
    let name = plot.countName
    let length = canvas.metrics(of: name).width * fontSize
    guard length <= area.height else { return }
    canvas.write(
      name, x: 1.1 * fontSize, baseline: area.y + (area.height + length) / 2, size: fontSize,
      isUpward: true)
  }

  private func drawBars(_ histogram: SplitHistogram) {
    let step = area.width / Double(histogram.all.counts.count)
    let gap = min(step / 8, fontSize / 8)
    for (bin, whole) in histogram.all.counts.enumerated() {
      let inResult = histogram.kept.counts[bin]
      let x = area.x + Double(bin) * step + gap
      func bar(from: Int, to: Int) -> Frame {
        Frame(
          x: x, y: y(Double(to)), width: step - 2 * gap, height: y(Double(from)) - y(Double(to)))
      }
      if inResult > 0 {
        canvas.setColor(Self.barColor)
        canvas.fill(bar(from: 0, to: inResult))
      }
      if whole > inResult { hatch(bar(from: inResult, to: whole)) }
    }
  }

  /// Fills a frame with slanted lines, a sign that does not depend on colour.
  private func hatch(_ frame: Frame) {
    guard frame.width > 0, frame.height > 0 else { return }
    canvas.setColor(.white)
    canvas.fill(frame)
    cairo_save(canvas.context)
    cairo_rectangle(canvas.context, frame.x, frame.y, frame.width, frame.height)
    cairo_clip(canvas.context)
    let step = fontSize / 1.7
    var start = (frame.x + frame.y) / step
    start.round(.down)
    // Lines on which x + y is a whole number of steps, so that they continue from bar to bar.
    let end = (frame.x + frame.y + frame.width + frame.height) / step
    var line = start
    while line <= end {
      let sum = line * step
      canvas.addLine([
        Point(x: sum - frame.y, y: frame.y),
        Point(x: sum - frame.y - frame.height, y: frame.y + frame.height),
      ])
      line += 1
    }
    canvas.setColor(PlotStyle.grey)
    canvas.strokeLines(width: fontSize / 14)
    cairo_restore(canvas.context)
    canvas.setColor(PlotStyle.grey)
    canvas.stroke(frame.inset(by: fontSize / 24).corners, lineWidth: fontSize / 12)
  }

  private func drawAxis(_ scale: LogScale) {
    canvas.setColor(.ink)
    let level = area.y + area.height
    canvas.addLine([Point(x: area.x, y: level), Point(x: area.x + area.width, y: level)])
    canvas.strokeLines(width: fontSize / 10)
    let widest = [scale.low, scale.high].map { canvas.metrics(of: PlotStyle.short($0)).width }.max()
    for value in scale.ticks(apart: max(4.6, (widest ?? 0) + 1.2) * fontSize) {
      guard let place = scale.place(of: value) else { continue }
      let text = PlotStyle.short(value)
      canvas.addLine([
        Point(x: area.x + place, y: level), Point(x: area.x + place, y: level + 0.35 * fontSize),
      ])
      canvas.strokeLines(width: fontSize / 10)
      // The outermost numbers stay on the page.
      let half = canvas.metrics(of: text).width * fontSize / 2
      let x = min(max(area.x + place, half), max(width - half, half))
      canvas.write(
        text, x: x, baseline: level + 1.5 * fontSize, size: fontSize, alignment: .middle)
    }
    canvas.write(
      plot.axisName + ", logarithmic", x: area.x + area.width / 2,
      baseline: level + 3.1 * fontSize, size: fontSize, alignment: .middle)
  }
}
