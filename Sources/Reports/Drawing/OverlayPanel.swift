import Geometry

/// The caption and legend of an ``Overlay``, at the place along the border that hides the least of
/// the boxes.
///
/// If the photo is so small that the legend would take much of it, only the caption is drawn.
struct OverlayPanel {
  struct Swatch {
    let frame: Frame
    let color: Color
    let isDashed: Bool
  }

  let frame: Frame
  private(set) var lines: [OverlayLayout.Text] = []
  private(set) var swatches: [Swatch] = []

  /// Nil if there is no text, or no room for it.
  ///
  /// - Parameter scale: the side of the square of the photo's area.
  init?(
    _ overlay: Overlay, width: Int, height: Int, scale: Double, frames: [Frame], measure: Canvas
  ) {
    let smallestFont = OverlayLayout.smallestFont
    var lines = overlay.legend.filter { !$0.text.isEmpty }.map {
      PanelLine(text: $0.text, swatch: $0, scale: 0.75, measure: measure)
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
        max(scale / 36, smallestFont / last.scale), room.width / panelWidth,
        0.5 * room.height / panelHeight)
      let share = panelWidth * panelHeight * size * size / (room.width * room.height)
      if size * last.scale >= 0.9 * smallestFont, lines.count == 1 || share <= 0.12 {
        let places = Self.places(
          room: room, inset: inset, width: panelWidth * size, height: panelHeight * size)
        let hidden = places.map { place in frames.reduce(0) { $0 + place.overlap(with: $1) } }
        frame = places[hidden.indices.min { hidden[$0] < hidden[$1] } ?? 0]
        fill(with: lines, size: size)
        return
      }
      lines.removeLast()
    }
    return nil
  }

  /// The places along the border, corners first.
  private static func places(
    room: (width: Double, height: Double), inset: Double, width: Double, height: Double
  ) -> [Frame] {
    let rest = (room.width - width, room.height - height)
    let steps = 16
    return ([0, steps] + Array(1..<steps)).flatMap { step in
      [(step, 0), (step, steps), (0, step), (steps, step)].map { x, y in
        Frame(
          x: inset + rest.0 * Double(x) / Double(steps),
          y: inset + rest.1 * Double(y) / Double(steps), width: width, height: height)
      }
    }
  }

  private mutating func fill(with panelLines: [PanelLine], size: Double) {
    var y = frame.y + PanelLine.margin * size
    for line in panelLines {
      let lineSize = line.scale * size
      var x = frame.x + PanelLine.margin * size
      let baseline = y + line.metrics.ascent * lineSize
      if let entry = line.swatch {
        let side = PanelLine.swatchSide * lineSize
        swatches.append(
          Swatch(
            frame: Frame(x: x, y: baseline - side, width: side, height: side), color: entry.color,
            isDashed: entry.isDashed))
        x += side + PanelLine.gap * lineSize
      }
      lines.append(
        OverlayLayout.Text(
          string: line.text, x: x, baseline: baseline, size: lineSize, background: frame,
          color: .white))
      y += line.metrics.height * lineSize
    }
  }
}

/// A line of the panel; lengths in font sizes of the caption.
private struct PanelLine {
  static let margin = 0.4
  static let swatchSide = 0.75
  static let gap = 0.35

  let text: String
  let swatch: Overlay.LegendEntry?
  /// The font size, as a multiple of the caption's.
  let scale: Double
  let metrics: Canvas.TextMetrics

  init(text: String, swatch: Overlay.LegendEntry?, scale: Double, measure: Canvas) {
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
