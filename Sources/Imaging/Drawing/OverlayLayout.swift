import Geometry

/// Where everything of an ``Overlay`` goes on a photo of a given size.
///
/// Made once, drawn as often as there are tiles.
struct OverlayLayout {
  struct Text {
    let string: String
    let x: Double
    let baseline: Double
    let size: Double
    let background: Frame
    let color: Color
  }

  struct Outline {
    let path: [Point]
    let color: Color
    let lineWidth: Double
    let label: Text?
  }

  struct Panel {
    let frame: Frame
    let lines: [Text]
    let swatches: [(frame: Frame, color: Color)]
  }

  private(set) var outlines: [Outline] = []
  private(set) var panel: Panel?

  /// The smallest letters that can be read at all, in pixels.
  private static let smallestFont = 8.0

  private let width: Int
  private let height: Int
  /// What the eye takes for the photo's size: the side of the square of the same area.
  private let scale: Double

  init(_ overlay: Overlay, width: Int, height: Int, measure: Canvas) {
    self.width = width
    self.height = height
    scale = (Double(width) * Double(height)).squareRoot()
    let marks = overlay.marks.compactMap { PlacedMark($0, inWidth: width, height: height) }
    let sorted = marks.filter { !$0.mark.isEmphasized } + marks.filter(\.mark.isEmphasized)
    outline(sorted, measure: measure)
    panel = makePanel(overlay, frames: marks.map(\.frame), measure: measure)
  }

  private mutating func outline(_ marks: [PlacedMark], measure: Canvas) {
    guard !marks.isEmpty else { return }
    let sides = marks.map(\.shortSide).sorted()
    let typicalSide = sides[sides.count / 2]
    let lineWidth = max(min(scale / 420, typicalSide / 14), 1)
    let emphasizedWidth = 1.4 * lineWidth
    var known: [String: Canvas.TextMetrics] = [:]
    func metrics(_ text: String) -> Canvas.TextMetrics {
      if let found = known[text] { return found }
      let found = measure.metrics(of: text)
      known[text] = found
      return found
    }
    // One size of letters for all labels: the largest at which four labels in five fit, between a fiftieth of
    // the photo and the smallest that can be read when it is looked at whole.
    let smallest = max(scale / 110, Self.smallestFont)
    let fitting = marks.compactMap { placed -> Double? in
      let label = placed.mark.label
      return label.isEmpty
        ? nil : Self.largestFont(metrics(label), in: placed.room, emphasizedWidth)
    }.sorted()
    let common = fitting.isEmpty ? smallest : fitting[fitting.count / 5]
    let size = min(max(common, smallest), max(scale / 50, smallest))
    for placed in marks {
      let mark = placed.mark
      let ownWidth = mark.isEmphasized ? emphasizedWidth : lineWidth
      // Boxes on things of one kind do without a label here and there; of quadrilaterals, which are long
      // and of any thickness, each has its own size where it must.
      let least = mark.quad == nil ? size : min(size, Self.smallestFont)
      let text = [mark.label, mark.shortLabel].first { text in
        !text.isEmpty && Self.largestFont(metrics(text), in: placed.room, emphasizedWidth) >= least
      }
      outlines.append(
        Outline(
          path: placed.path(lineWidth: ownWidth, inWidth: width, height: height),
          color: mark.color, lineWidth: ownWidth,
          label: text.map {
            let own = Self.largestFont(metrics($0), in: placed.room, emphasizedWidth)
            return label($0, metrics($0), of: placed, size: min(size, own))
          }))
    }
  }

  /// Margins left and right of a label's text, in font sizes.
  private static let padding = 0.3

  /// The largest letters at which a label takes no more than a box's width and two fifths of its height.
  ///
  /// Half a line's width may stick out on the right: boxes of one size often differ by a pixel, and
  /// their labels should not.
  private static func largestFont(
    _ metrics: Canvas.TextMetrics, in frame: Frame, _ lineWidth: Double
  ) -> Double {
    min(
      (frame.width + lineWidth / 2) / (metrics.width + 2 * padding),
      0.4 * frame.height / metrics.height)
  }

  private func label(
    _ text: String, _ metrics: Canvas.TextMetrics, of placed: PlacedMark, size: Double
  ) -> Text {
    let labelWidth = (metrics.width + 2 * Self.padding) * size
    let labelHeight = metrics.height * size
    let (x, y) = placed.labelOrigin(
      width: labelWidth, height: labelHeight, inWidth: width, height: height)
    return Text(
      string: text, x: x + Self.padding * size, baseline: y + metrics.ascent * size, size: size,
      background: Frame(x: x, y: y, width: labelWidth, height: labelHeight),
      color: placed.mark.color.readableText)
  }

  /// The caption and legend, along the photo's border where they hide the least of the boxes.
  ///
  /// On a photo so small that the legend would take much of it, the caption stands alone.
  private func makePanel(_ overlay: Overlay, frames: [Frame], measure: Canvas) -> Panel? {
    var lines = overlay.legend.filter { !$0.text.isEmpty }.map {
      PanelLine(text: $0.text, swatch: $0.color, scale: 0.75, measure: measure)
    }
    if !overlay.caption.isEmpty {
      lines.insert(PanelLine(text: overlay.caption, swatch: nil, scale: 1, measure: measure), at: 0)
    }
    while let last = lines.last {
      let panelWidth = (lines.map(\.width).max() ?? 0) + 2 * PanelLine.margin
      let panelHeight = lines.map(\.height).reduce(0, +) + 2 * PanelLine.margin
      let inset = scale / 80
      let room = (width: Double(width) - 2 * inset, height: Double(height) - 2 * inset)
      let size = min(
        max(scale / 36, Self.smallestFont / last.scale), room.width / panelWidth,
        0.5 * room.height / panelHeight)
      let share = panelWidth * panelHeight * size * size / (room.width * room.height)
      if size * last.scale >= 0.9 * Self.smallestFont, lines.count == 1 || share <= 0.12 {
        let frame = quietest(
          width: panelWidth * size, height: panelHeight * size, inset: inset, frames: frames)
        return panel(of: lines, in: frame, size: size)
      }
      lines.removeLast()
    }
    return nil
  }

  /// Of the places along the border, corners first, the one that hides the least.
  private func quietest(
    width panelWidth: Double, height panelHeight: Double, inset: Double, frames: [Frame]
  ) -> Frame {
    let room = (Double(width) - 2 * inset - panelWidth, Double(height) - 2 * inset - panelHeight)
    let steps = 16
    let along = [0, steps] + Array(1..<steps)
    var places: [Frame] = []
    for (x, y) in along.flatMap({ step in [(step, 0), (step, steps), (0, step), (steps, step)] }) {
      places.append(
        Frame(
          x: inset + room.0 * Double(x) / Double(steps),
          y: inset + room.1 * Double(y) / Double(steps), width: panelWidth, height: panelHeight))
    }
    let hidden = places.map { place in frames.reduce(0) { $0 + place.overlap(with: $1) } }
    return places[hidden.indices.min { hidden[$0] < hidden[$1] } ?? 0]
  }

  private func panel(of lines: [PanelLine], in frame: Frame, size: Double) -> Panel {
    var texts: [Text] = []
    var swatches: [(frame: Frame, color: Color)] = []
    var y = frame.y + PanelLine.margin * size
    for line in lines {
      let lineSize = line.scale * size
      var x = frame.x + PanelLine.margin * size
      let baseline = y + line.metrics.ascent * lineSize
      if let color = line.swatch {
        let side = PanelLine.swatchSide * lineSize
        swatches.append((Frame(x: x, y: baseline - side, width: side, height: side), color))
        x += side + PanelLine.gap * lineSize
      }
      texts.append(
        Text(
          string: line.text, x: x, baseline: baseline, size: lineSize, background: frame,
          color: .white))
      y += line.metrics.height * lineSize
    }
    return Panel(frame: frame, lines: texts, swatches: swatches)
  }
}

/// A line of the panel; lengths in font sizes of the caption.
private struct PanelLine {
  static let margin = 0.4
  static let swatchSide = 0.75
  static let gap = 0.35

  let text: String
  let swatch: Color?
  /// The size of its letters, in those of the caption.
  let scale: Double
  let metrics: Canvas.TextMetrics

  init(text: String, swatch: Color?, scale: Double, measure: Canvas) {
    self.text = text
    self.swatch = swatch
    self.scale = scale
    metrics = measure.metrics(of: text)
  }

  var width: Double {
    ((swatch == nil ? 0 : Self.swatchSide + Self.gap) + metrics.width) * scale
  }

  var height: Double { metrics.height * scale }
}

extension OverlayLayout {
  /// Draws everything, in pixels of the photo.
  func draw(on canvas: Canvas) {
    for outline in outlines {
      // A dark casing keeps the line visible on a background of its own colour.
      canvas.setColor(.ink, alpha: 0.55)
      canvas.stroke(outline.path, lineWidth: outline.lineWidth * 1.9)
      canvas.setColor(outline.color)
      canvas.stroke(outline.path, lineWidth: outline.lineWidth)
    }
    // Labels over all frames, so that a neighbour's line does not cross them.
    for outline in outlines {
      guard let label = outline.label else { continue }
      canvas.setColor(outline.color)
      canvas.fill(label.background)
      write(label, on: canvas)
    }
    if let panel {
      canvas.setColor(.ink, alpha: 0.78)
      canvas.fill(panel.frame, cornerRadius: panel.frame.height / 10)
      for swatch in panel.swatches {
        canvas.setColor(swatch.color)
        canvas.fill(swatch.frame)
      }
      for line in panel.lines { write(line, on: canvas) }
    }
  }

  private func write(_ text: Text, on canvas: Canvas) {
    canvas.setColor(text.color)
    canvas.write(text.string, x: text.x, baseline: text.baseline, size: text.size)
  }
}
