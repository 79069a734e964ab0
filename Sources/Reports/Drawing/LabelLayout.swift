import Geometry

/// The labels of an ``Overlay``: their texts, sizes and places.
///
/// A label lies inside its box if the contents of the box stay visible, and in the middle of a
/// quadrilateral. A label that is too long for that lies along the quadrilateral, shortened if
/// necessary. If it does not fit either, the short label is used, then a place outside at the box's
/// side, and last a place at the end of a line. A label never covers another or leaves the photo.
///
/// All boxes of one colour have their whole labels, or none has: a reader would look for a reason
/// why some have more than others.
struct LabelLayout {
  struct Label {
    let text: OverlayLayout.Text
    let leader: (from: Point, to: Point)?
  }

  private let marks: [PlacedMark]
  let metrics: [String: Canvas.TextMetrics]
  private let height: Double
  private let width: Double
  /// The length by which a label may be wider than its box; it is then cut to the box.
  let overhang: Double
  /// The font size of all labels that have room for it.
  let size: Double
  /// The smallest readable size when the whole photo is shown.
  let least: Double
  var placer: LabelPlacer
  /// The colours whose boxes have room for their whole labels.
  private var wholeColors: Set<Color>
  let measure: Canvas
  /// The number of labels without a place.
  private(set) var lostLabels = 0

  /// Margins left and right of a label's text, in font sizes.
  static let padding = 0.3
  /// The same if there is little room.
  private static let tightPadding = 0.12
  /// The shares of a box's height that a label may take: for a box with much room, and for any
  /// other.
  private static let (share, tightShare) = (0.4, 0.85)

  init(
    _ marks: [PlacedMark], width: Double, height: Double, scale: Double, overhang: Double,
    measure: Canvas
  ) {
    var known: [String: Canvas.TextMetrics] = [:]
    for mark in marks.map(\.mark) {
      for text in [mark.label, mark.shortLabel] where !text.isEmpty && known[text] == nil {
        known[text] = measure.metrics(of: text)
      }
    }
    metrics = known
    self.measure = measure
    self.marks = marks
    (self.width, self.height, self.overhang) = (width, height, overhang)
    // One font size for all labels: the largest at which four labels in five fit, between a
    // fiftieth of the photo and the smallest readable size when the whole photo is shown.
    let smallest = max(scale / 110, OverlayLayout.smallestFont)
    func largest(_ placed: PlacedMark, _ text: String) -> Double? {
      known[text].map {
        Self.largestFont($0, in: placed.room, share: Self.share, overhang: overhang)
      }
    }
    let boxes = marks.filter { $0.mark.quad == nil && !$0.mark.label.isEmpty }
    let wholeColors = Set(boxes.map(\.mark.color)).subtracting(
      boxes.filter {
        !$0.mark.shortLabel.isEmpty && largest($0, $0.mark.label) ?? 0 < smallest
      }.map(\.mark.color))
    self.wholeColors = wholeColors
    let fitting = marks.compactMap { placed -> Double? in
      let mark = placed.mark
      let isShort =
        mark.quad == nil && !mark.shortLabel.isEmpty && !wholeColors.contains(mark.color)
      let text = isShort ? mark.shortLabel : mark.label
      return known[text].map { metrics in
        let level = largest(placed, text) ?? 0
        guard let quad = placed.mark.quad, !placed.mark.shortLabel.isEmpty else { return level }
        return max(
          level, Self.largestFontAlong(quad, metrics, least: 0, margin: overhang))
      }
    }.sorted()
    let common = fitting.isEmpty ? smallest : fitting[fitting.count / 5]
    size = min(max(common, smallest), max(scale / 50, smallest))
    least = min(max(scale / 220, OverlayLayout.smallestFont), size)
    let lineHeight = known.values.first?.height ?? 1.2
    placer = LabelPlacer(
      width: width, height: height, marks: marks.map(\.frame), labelHeight: lineHeight * least)
  }

  /// Keeps labels away from a part of the photo.
  mutating func reserve(_ frame: Frame) { placer.take(frame) }

  /// A label for each mark that has one, nil for the others.
  mutating func placed() -> [Label?] {
    let start = self
    while true {
      let labels = placedOnce()
      let shortened = zip(marks, labels).filter { placed, label in
        isWhole(placed.mark) && label?.text.string != placed.mark.label
      }
      // Labels stay whole if there is nothing shorter.
      let colors = Set(shortened.map(\.0.mark.color))
      if colors.isEmpty { return labels }
      let rest = wholeColors.subtracting(colors)
      self = start
      wholeColors = rest
    }
  }

  /// Whether a mark's label must be whole.
  private func isWhole(_ mark: Overlay.Mark) -> Bool {
    mark.quad == nil && !mark.label.isEmpty && !mark.shortLabel.isEmpty
      && wholeColors.contains(mark.color)
  }

  private mutating func placedOnce() -> [Label?] {
    var labels = [Label?](repeating: nil, count: marks.count)
    // Emphasized marks are drawn last and get their places first.
    let order = marks.indices.reversed().filter {
      !marks[$0].mark.label.isEmpty || !marks[$0].mark.shortLabel.isEmpty
    }
    var rest: [Int] = []
    for index in order {
      labels[index] = inside(marks[index])
      if labels[index] == nil { rest.append(index) }
    }
    // There are two rounds, so that a label at its own box does not lose its place to one without a
    // place at its box.
    var apart: [Int] = []
    for index in rest {
      labels[index] = beside(marks[index], isPolite: true)
      if labels[index] == nil { apart.append(index) }
    }
    for index in apart {
      labels[index] = self.apart(marks[index])
      if labels[index] == nil { lostLabels += 1 }
    }
    return labels
  }

  // MARK: Inside

  private mutating func inside(_ placed: PlacedMark) -> Label? {
    if let label = along(placed) { return label }
    let mark = placed.mark
    let isWhole = isWhole(mark)
    // Quadrilaterals are long and of any thickness, so each may have its own size. Whole labels may
    // too, because all of a colour have to fit.
    let ownLeast = mark.quad == nil && !isWhole ? size : least
    let isShort = mark.quad == nil && !isWhole && !mark.shortLabel.isEmpty
    for text in isShort ? [mark.shortLabel] : [mark.label, mark.shortLabel] {
      guard let metrics = metrics[text] else { continue }
      let own = Self.largestFont(
        metrics, in: placed.room, share: Self.share, overhang: overhang)
      guard own >= ownLeast else { continue }
      let label = inside(text, metrics, placed, size: min(size, own), padding: Self.padding)
      if let label { return label }
    }
    return tight(placed, least: least)
  }

  /// The shortest text in the necessary part of the box, in letters of `least` or larger.
  private mutating func tight(_ placed: PlacedMark, least: Double) -> Label? {
    let text = shortest(placed.mark)
    guard let metrics = metrics[text] else { return nil }
    let own = Self.largestFont(
      metrics, in: placed.room, share: Self.tightShare, overhang: 0, padding: Self.tightPadding)
    guard own >= least else { return nil }
    return inside(text, metrics, placed, size: min(size, own), padding: Self.tightPadding)
  }

  private mutating func inside(
    _ text: String, _ metrics: Canvas.TextMetrics, _ placed: PlacedMark, size: Double,
    padding: Double
  ) -> Label? {
    let full = (metrics.width + 2 * padding) * size
    let labelWidth = placed.mark.quad == nil ? min(full, placed.frame.width) : full
    let labelHeight = metrics.height * size
    for (x, y) in placed.labelOrigins(
      width: labelWidth, height: labelHeight, inWidth: width, height: height)
    {
      let frame = Frame(x: x, y: y, width: labelWidth, height: labelHeight)
      guard placer.isFree(frame) else { continue }
      placer.take(frame)
      return Label(
        text: self.text(text, metrics, in: frame, size: size, color: placed.mark.color),
        leader: nil)
    }
    return nil
  }

  /// The largest font size at which a label fits in a box's width and a share of its height.
  ///
  /// It may be wider by an overhang: boxes of one size often differ by a pixel, and the sizes of
  /// their labels should not.
  static func largestFont(
    _ metrics: Canvas.TextMetrics, in frame: Frame, share: Double, overhang: Double,
    padding: Double = LabelLayout.padding
  ) -> Double {
    min(
      (frame.width + overhang) / (metrics.width + 2 * padding),
      share * frame.height / metrics.height
    )
  }

  // MARK: Outside

  private func shortest(_ mark: Overlay.Mark) -> String {
    mark.shortLabel.isEmpty ? mark.label : mark.shortLabel
  }

  /// The font sizes outside boxes, the largest first.
  private var outsideSizes: [Double] { size > least ? [size, least] : [size] }

  private mutating func beside(_ placed: PlacedMark, isPolite: Bool) -> Label? {
    let text = shortest(placed.mark)
    guard let metrics = metrics[text] else { return nil }
    for size in outsideSizes {
      let box = labelSize(metrics, size)
      if let frame = placer.beside(
        placed.frame, width: box.width, height: box.height, isPolite: isPolite)
      {
        placer.take(frame)
        return Label(
          text: self.text(text, metrics, in: frame, size: size, color: placed.mark.color),
          leader: nil)
      }
    }
    return nil
  }

  private mutating func apart(_ placed: PlacedMark) -> Label? {
    let text = shortest(placed.mark)
    guard let metrics = metrics[text] else { return nil }
    let box = labelSize(metrics, least)
    if let frame = placer.politelyApart(
      from: placed.frame, width: box.width, height: box.height)
    {
      return apart(text, metrics, in: frame, size: least, of: placed)
    }
    // Small letters in its own box are better than larger ones in another's or far away.
    if let label = tight(placed, least: OverlayLayout.smallestFont) { return label }
    if let label = beside(placed, isPolite: false) { return label }
    for size in Set([least, OverlayLayout.smallestFont]).sorted(by: >) {
      let box = labelSize(metrics, size)
      if let frame = placer.apart(from: placed.frame, width: box.width, height: box.height) {
        return apart(text, metrics, in: frame, size: size, of: placed)
      }
    }
    return nil
  }

  private mutating func apart(
    _ text: String, _ metrics: Canvas.TextMetrics, in frame: Frame, size: Double,
    of placed: PlacedMark
  ) -> Label {
    placer.take(frame)
    let ends = frame.shortestLine(to: placed.frame)
    return Label(
      text: self.text(text, metrics, in: frame, size: size, color: placed.mark.color),
      leader: ends.from == ends.to ? nil : ends)
  }

  // MARK: Text

  private func labelSize(
    _ metrics: Canvas.TextMetrics, _ size: Double
  ) -> (width: Double, height: Double) {
    ((metrics.width + 2 * Self.padding) * size, metrics.height * size)
  }

  private func text(
    _ string: String, _ metrics: Canvas.TextMetrics, in frame: Frame, size: Double, color: Color
  ) -> OverlayLayout.Text {
    OverlayLayout.Text(
      string: string, x: frame.x + max((frame.width - metrics.width * size) / 2, 0),
      baseline: frame.y + metrics.ascent * size, size: size, background: frame,
      color: color.readableText)
  }
}
