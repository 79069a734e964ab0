import Geometry
import Tracking

/// Smooths the boxes and confidences of objects and texts over frames, each by its number.
///
/// It is a low-pass filter of first order. A value moves towards the measured one by the share
/// `t / (T + t)` of the distance. Here `t` is the time since its last frame, and `T` is the time
/// constant. So it does not depend on the number of frames in a second (Casiez et al., "1€ Filter", 2012,
/// equation 4, with a constant cutoff).
///
/// A box that no longer overlaps the shown one is not smoothed: it moves, and would lag behind. A
/// shape whose corners changed their names starts again, as its corners would pass through each
/// other.
struct BoxSmoother: Sendable {
  private struct Shape {
    var box: NormalizedBox
    var outline: Quadrilateral?
    var confidence: Float
    var time: FrameTime
  }

  private let timeConstant: Double
  private var shapes: [BoxMotion.Key: Shape] = [:]
  private var last: FrameTime?

  init(_ configuration: FrameConfiguration) {
    timeConstant = configuration.smoothing.seconds
  }

  /// The frame with smoothed boxes.
  mutating func smooth(_ frame: AnalyzedFrame) -> AnalyzedFrame {
    guard timeConstant > 0 else { return frame }
    // A time that goes back belongs to another sequence.
    if let last, frame.time < last { shapes = [:] }
    last = frame.time
    var result = frame
    for (index, object) in frame.objects.enumerated() {
      let shape = smoothed(
        Shape(
          box: object.box, outline: object.outline, confidence: object.confidence, time: frame.time),
        as: .object(object.id))
      let outline = shape.outline ?? object.outline
      result.objects[index].outline = outline
      result.objects[index].box = NormalizedBox(around: outline)
      result.objects[index].confidence = shape.confidence
    }
    for (index, (text, id)) in zip(frame.texts, frame.textIDs).enumerated() {
      guard let id else { continue }
      let shape = smoothed(
        Shape(
          box: text.box, outline: text.outline, confidence: text.confidence, time: frame.time),
        as: .text(id))
      result.texts[index].box = shape.box
      result.texts[index].outline = shape.outline
      result.texts[index].confidence = shape.confidence
    }
    result.primary = smoothed(frame.primary, of: frame, in: result)
    // After ten time constants the old place counts for less than a tenth.
    shapes = shapes.filter { (frame.time - $0.value.time).seconds <= 10 * timeConstant }
    return result
  }

  /// Forgets all boxes.
  mutating func clear() {
    shapes = [:]
  }

  /// The finding with its smoothed box.
  private func smoothed(
    _ finding: FrameFinding?, of frame: AnalyzedFrame, in result: AnalyzedFrame
  ) -> FrameFinding? {
    switch finding {
    case .object(let object):
      return result.objects.first { $0.id == object.id }.map { .object($0) } ?? finding
    case .text(let text):
      return frame.texts.firstIndex(of: text).map { .text(result.texts[$0]) } ?? finding
    case .barcode, nil:
      return finding
    }
  }

  private mutating func smoothed(_ new: Shape, as key: BoxMotion.Key) -> Shape {
    guard new.box.isUsable, new.outline?.isFinite ?? true, new.confidence.isFinite else {
      return new
    }
    var result = new
    if let old = shapes[key], old.box.overlaps(new.box), old.outline.hasCorners(of: new.outline) {
      let elapsed = (new.time - old.time).seconds
      let share = elapsed / (timeConstant + elapsed)
      func mix(_ from: Double, _ to: Double) -> Double { from + share * (to - from) }
      func mix(_ from: Point, _ to: Point) -> Point {
        Point(x: mix(from.x, to.x), y: mix(from.y, to.y))
      }
      result.box = NormalizedBox(
        x: mix(old.box.x, new.box.x), y: mix(old.box.y, new.box.y),
        width: mix(old.box.width, new.box.width), height: mix(old.box.height, new.box.height))
      if let from = old.outline, let to = new.outline {
        result.outline = Quadrilateral(
          topLeft: mix(from.topLeft, to.topLeft), topRight: mix(from.topRight, to.topRight),
          bottomRight: mix(from.bottomRight, to.bottomRight),
          bottomLeft: mix(from.bottomLeft, to.bottomLeft))
      }
      result.confidence = Float(mix(Double(old.confidence), Double(new.confidence)))
    }
    shapes[key] = result
    return result
  }
}

extension NormalizedBox {
  fileprivate func overlaps(_ other: NormalizedBox) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height
      && other.y < y + height
  }
}

extension Quadrilateral? {
  /// Whether both are shapes whose corners of the same name are nearest to each other, or both are
  /// none.
  fileprivate func hasCorners(of other: Quadrilateral?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    let (from, to) = (self.corners, other.corners)
    func distance(_ place: (Int) -> Int) -> Double {
      (0..<4).reduce(0) { $0 + from[$1].distance(to: to[place($1)]) }
    }
    let same = distance { $0 }
    return (0..<4).allSatisfy { turn in
      same <= distance { ($0 + turn) % 4 } && same <= distance { (turn + 4 - $0) % 4 }
    }
  }
}
