import Geometry

extension MapDrawing {
  /// The number of an object, at its mark or in its picture.
  struct Number {
    let text: String
    let frame: Frame
    let metrics: Canvas.TextMetrics
    /// The ends of the line to its mark; nil if it touches the mark.
    var leader: (from: Point, to: Point)?
  }

  /// The font size of numbers.
  private var numberSize: Double { 0.72 * fontSize }

  /// The numbers that have room, and those of the objects that have one in any case.
  func numbers(pictures: [Pictured], measure: Canvas) -> [Number] {
    let pictured = Set(pictures.map(\.index))
    var answer = pictures.compactMap { picture -> Number? in
      guard let (text, metrics, size) = number(of: picture.index, measure: measure) else {
        return nil
      }
      // The upper left corner; the kind's mark is in the other one.
      let border = max(pictureSide / 16, 1)
      return Number(
        text: text,
        frame: Frame(
          x: picture.frame.x + border, y: picture.frame.y + border, width: size.width,
          height: size.height), metrics: metrics)
    }
    let marks = places.enumerated().compactMap { index, place in
      place.map { (index: index, frame: markFrame(at: $0)) }
    }
    let inPlace = Set(pictures.filter(\.isInPlace).map(\.index))
    let visible = marks.filter { !inPlace.contains($0.index) }
    var placer = LabelPlacer(
      width: area.width, height: area.height, marks: visible.map(\.frame),
      labelHeight: numberSize)
    for mark in visible { placer.take(mark.frame) }
    for picture in pictures { placer.take(inArea(picture.frame)) }
    let rest = visible.filter { !pictured.contains($0.index) }
    let first = landmarks
    for isLandmark in [true, false] {
      for (index, mark) in rest where first.contains(index) == isLandmark {
        guard let (text, metrics, size) = number(of: index, measure: measure) else { continue }
        var frame = placer.beside(
          mark, width: size.width, height: size.height, isPolite: true)
        if frame == nil, isLandmark {
          frame = placer.apart(from: mark, width: size.width, height: size.height)
        }
        guard let frame else { continue }
        placer.take(frame)
        let ends = frame.shortestLine(to: mark)
        func onPage(_ point: Point) -> Point { point.translated(dx: area.x, dy: area.y) }
        answer.append(
          Number(
            text: text,
            frame: Frame(
              x: frame.x + area.x, y: frame.y + area.y, width: frame.width, height: frame.height),
            metrics: metrics,
            leader: ends.from == ends.to ? nil : (onPage(ends.from), onPage(ends.to))))
      }
    }
    return answer
  }

  func draw(_ number: Number, on canvas: Canvas) {
    if let leader = number.leader {
      canvas.setColor(PlotStyle.grey)
      canvas.addLine([leader.from, leader.to])
      canvas.strokeLines(width: fontSize / 16)
    }
    let frame = number.frame
    canvas.setColor(.white, alpha: 0.85)
    canvas.fill(frame)
    canvas.setColor(.ink)
    canvas.write(
      number.text, x: frame.x + frame.width / 2,
      baseline: frame.y + number.metrics.ascent * numberSize, size: numberSize, alignment: .middle)
  }

  /// The objects that have their numbers in any case: the one in the middle of each kind, and the
  /// outermost ones of all.
  private var landmarks: Set<Int> {
    let placed = places.enumerated().compactMap { index, place in
      place.map { (index: index, place: $0) }
    }
    var answer: Set<Int> = []
    for (a, b) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)] {
      let outermost = placed.max {
        ($0.place.x * a + $0.place.y * b) < ($1.place.x * a + $1.place.y * b)
      }
      if let outermost { answer.insert(outermost.index) }
    }
    for members in Dictionary(grouping: placed, by: { plot.items[$0.index].kind }).values {
      let count = Double(members.count)
      let middle = Point(
        x: members.reduce(0) { $0 + $1.place.x / count },
        y: members.reduce(0) { $0 + $1.place.y / count })
      let nearest = members.min {
        ($0.place.distance(to: middle), $0.index) < ($1.place.distance(to: middle), $1.index)
      }
      if let nearest { answer.insert(nearest.index) }
    }
    return answer
  }

  private func number(
    of index: Int, measure: Canvas
  ) -> (text: String, metrics: Canvas.TextMetrics, size: (width: Double, height: Double))? {
    guard let number = plot.items[index].number else { return nil }
    let text = "\(number)"
    let metrics = measure.metrics(of: text)
    return (
      text, metrics, ((metrics.width + 0.25) * numberSize, metrics.height * numberSize)
    )
  }

  /// The frame of a mark in the area.
  private func markFrame(at place: Point) -> Frame {
    let half = 1.15 * markSize
    return inArea(
      Frame(x: place.x - half, y: place.y - half, width: 2 * half, height: 2 * half))
  }

  private func inArea(_ frame: Frame) -> Frame {
    Frame(x: frame.x - area.x, y: frame.y - area.y, width: frame.width, height: frame.height)
  }
}
