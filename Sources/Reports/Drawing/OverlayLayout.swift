import CCairo
import Geometry

/// The places of all parts of an ``Overlay`` on a photo of a given size.
///
/// It is made once and drawn once per tile.
struct OverlayLayout {
  /// A text on its background.
  struct Text {
    let string: String
    let x: Double
    let baseline: Double
    let size: Double
    let background: Frame
    let color: Color
    /// The place of a turned text; the coordinates are then along its sides, from its middle.
    var plate: TurnedPlate?
  }

  struct Outline {
    let path: [Point]
    let color: Color
    let lineWidth: Double
    let isDashed: Bool
    var label: Text?
    /// The ends of the line between the label and its mark; nil if they touch.
    var leader: (from: Point, to: Point)?
  }

  private(set) var outlines: [Outline] = []
  private(set) var panel: OverlayPanel?
  /// The number of labels without a place.
  private(set) var lostLabels = 0

  /// The smallest readable font size, in pixels.
  static let smallestFont = 8.0

  private let width: Int
  private let height: Int
  /// The perceived size of the photo: the side of the square of the same area.
  private let scale: Double

  /// - Parameters:
  ///   - width: the photo's width.
  ///   - height: its height.
  ///   - factor: the width and height of a photo's pixel in the drawing, in pixels.
  init(_ overlay: Overlay, width: Int, height: Int, factor: Int = 1, measure: Canvas) {
    self.width = width * factor
    self.height = height * factor
    scale = (Double(self.width) * Double(self.height)).squareRoot()
    let marks = overlay.marks.compactMap {
      PlacedMark($0.scaled(by: factor), inWidth: self.width, height: self.height)
    }
    let sorted = marks.filter { !$0.mark.isEmphasized } + marks.filter(\.mark.isEmphasized)
    panel = OverlayPanel(
      overlay, width: self.width, height: self.height, scale: scale, frames: marks.map(\.frame),
      measure: measure)
    outline(sorted, measure: measure)
  }

  /// The number of labels that do not touch their marks.
  var leaderCount: Int { outlines.reduce(0) { $0 + ($1.leader == nil ? 0 : 1) } }

  private mutating func outline(_ marks: [PlacedMark], measure: Canvas) {
    guard !marks.isEmpty else { return }
    let sides = marks.map(\.shortSide).sorted()
    let typicalSide = sides[sides.count / 2]
    let lineWidth = max(min(scale / 420, typicalSide / 14), 1)
    let emphasizedWidth = 1.4 * lineWidth
    outlines = marks.map { placed in
      let ownWidth = placed.mark.isEmphasized ? emphasizedWidth : lineWidth
      return Outline(
        path: placed.path(lineWidth: ownWidth, inWidth: width, height: height),
        color: placed.mark.color, lineWidth: ownWidth, isDashed: placed.mark.isDashed)
    }
    var labels = LabelLayout(
      marks, width: Double(width), height: Double(height), scale: scale,
      overhang: emphasizedWidth / 2, measure: measure)
    if let panel { labels.reserve(panel.frame) }
    for (index, label) in labels.placed().enumerated() {
      outlines[index].label = label?.text
      outlines[index].leader = label?.leader
    }
    lostLabels = labels.lostLabels
  }
}

extension OverlayLayout {
  /// Draws everything, in pixels of the drawing.
  func draw(on canvas: Canvas) {
    for outline in outlines { stroke(outline, on: canvas) }
    for outline in outlines { strokeLeader(of: outline, on: canvas) }
    // Labels are drawn over all frames, so that a neighbour's line does not cross them.
    for outline in outlines { drawLabel(of: outline, on: canvas) }
    if let panel { draw(panel, on: canvas) }
  }

  private func stroke(_ outline: Outline, on canvas: Canvas) {
    // A dark casing keeps the line visible on a background of the same colour.
    canvas.setColor(.ink, alpha: 0.55)
    canvas.stroke(outline.path, lineWidth: outline.lineWidth * 1.9)
    canvas.setColor(outline.color)
    canvas.stroke(
      outline.path, lineWidth: outline.lineWidth,
      dash: outline.isDashed ? 5 * outline.lineWidth : nil)
  }

  private func strokeLeader(of outline: Outline, on canvas: Canvas) {
    guard let leader = outline.leader else { return }
    let line = [leader.from, leader.to]
    canvas.setColor(.ink, alpha: 0.55)
    canvas.addLine(line)
    canvas.strokeLines(width: outline.lineWidth * 1.5)
    canvas.setColor(outline.color)
    canvas.addLine(line)
    canvas.strokeLines(width: outline.lineWidth * 0.7)
  }

  private func drawLabel(of outline: Outline, on canvas: Canvas) {
    guard let label = outline.label else { return }
    if let plate = label.plate {
      cairo_save(canvas.context)
      cairo_translate(canvas.context, plate.center.x, plate.center.y)
      cairo_rotate(canvas.context, plate.angle)
    }
    canvas.setColor(outline.color)
    canvas.fill(label.background)
    write(label, on: canvas)
    if label.plate != nil { cairo_restore(canvas.context) }
  }

  private func draw(_ panel: OverlayPanel, on canvas: Canvas) {
    canvas.setColor(.ink, alpha: 0.78)
    canvas.fill(panel.frame, cornerRadius: panel.frame.height / 10)
    for swatch in panel.swatches {
      canvas.setColor(swatch.color)
      guard swatch.isDashed else {
        canvas.fill(swatch.frame)
        continue
      }
      // The dashes of one side, on white, because a dark colour is invisible on the dark panel.
      let (frame, part) = (swatch.frame, swatch.frame.width / 3)
      canvas.setColor(.white)
      canvas.fill(frame)
      canvas.setColor(swatch.color)
      for place in [0, 2] {
        canvas.fill(
          Frame(
            x: frame.x + Double(place) * part, y: frame.y, width: part, height: frame.height))
      }
    }
    for line in panel.lines { write(line, on: canvas) }
  }

  private func write(_ text: Text, on canvas: Canvas) {
    canvas.setColor(text.color)
    canvas.write(text.string, x: text.x, baseline: text.baseline, size: text.size)
  }
}
