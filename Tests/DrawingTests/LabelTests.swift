import Geometry
import Raster
import TestSupport
import Testing

@testable import Drawing

/// Boxes of a made-up photo.
private enum Scene: String, CaseIterable {
  /// A grid whose boxes touch.
  case tray
  /// Anywhere, of any size.
  case scattered
  /// All in one corner.
  case heap
  /// All the same.
  case equal
  /// As small as things can be.
  case specks

  func boxes(_ count: Int, side: Float, seed: UInt64) -> [Box] {
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Float>) -> Float {
      Float.random(in: range, using: &generator)
    }
    let columns = Int(Double(count).squareRoot().rounded(.up))
    let cell = side / Float(columns)
    return (0..<count).map { index in
      switch self {
      case .tray:
        Box(
          x: Float(index % columns) * cell, y: Float(index / columns) * cell, width: cell,
          height: cell)
      case .scattered:
        Box(
          centerX: random(0...side), centerY: random(0...side), width: random(0.5...side / 5),
          height: random(0.5...side / 5))
      case .heap:
        Box(
          x: random(0...side / 8), y: random(0...side / 8), width: side / 20, height: side / 20)
      case .equal: Box(x: side * 0.4, y: side * 0.7, width: side / 9, height: side / 30)
      case .specks: Box(x: random(0...side - 1), y: random(0...side - 1), width: 1, height: 1)
      }
    }
  }
}

private func overlay(_ boxes: [Box]) -> Overlay {
  let marks = boxes.enumerated().map { index, box in
    Overlay.Mark(
      box: box, label: "\(index + 1) c\(index % 3) 0.87", shortLabel: "\(index + 1)",
      color: index % 3 == 0 ? .green : .blue, isEmphasized: index % 3 == 0)
  }
  return Overlay(
    marks: marks, caption: "\(boxes.count) objects",
    legend: [.init(color: .green, text: "main kind"), .init(color: .blue, text: "others")])
}

private func layout(_ overlay: Overlay, side: Int) throws -> (OverlayLayout, side: Double) {
  let scale = try overlay.readableScale(width: side, height: side)
  let layout = OverlayLayout(
    overlay, width: side, height: side, factor: scale, measure: try Canvas(width: 1, height: 1))
  return (layout, Double(side * scale))
}

/// The first two frames that overlap, found by a sweep from left to right.
private func overlapping(_ frames: [Frame]) -> (Frame, Frame)? {
  let sorted = frames.sorted { $0.x < $1.x }
  for (place, frame) in sorted.enumerated() {
    for other in sorted[(place + 1)...] {
      if other.x >= frame.x + frame.width { break }
      if frame.overlap(with: other) > 1e-6 { return (frame, other) }
    }
  }
  return nil
}

@Suite("Labels of overlays")
struct LabelTests {
  @Test(
    "No two labels overlap, all are on the photo, and none is lost",
    arguments: [100, 1000, 10_000], Scene.allCases)
  fileprivate func apart(side: Int, scene: Scene) throws {
    for (count, seed) in [(1, 1), (9, 2), (60, 3), (200, 4), (500, 5)] as [(Int, UInt64)] {
      let overlay = overlay(scene.boxes(count, side: Float(side), seed: seed))
      let (layout, side) = try layout(overlay, side: side)
      let labels = layout.outlines.compactMap(\.label)
      #expect(layout.lostLabels == 0)
      #expect(labels.count == layout.outlines.count)
      // Every number is there, by itself or before the rest.
      let numbers = Set(labels.compactMap { Int($0.string.prefix { $0 != " " }) })
      #expect(numbers.count == labels.count && numbers.isSubset(of: Set(1...count)))
      #expect(labels.count == count || scene == .scattered)
      // Letters smaller than can be read at once are in a box that is crowded, not away from theirs.
      let small = layout.outlines.filter { ($0.label?.size ?? side) < side / 221 }
      #expect(count > 60 || small.count <= count / 20 && small.allSatisfy { $0.leader == nil })
      let frames = labels.map(\.background) + (layout.panel.map { [$0.frame] } ?? [])
      #expect(overlapping(frames) == nil, "\(count) boxes")
      for label in labels {
        let frame = label.background
        #expect(frame.x >= 0 && frame.y >= 0)
        #expect(frame.x + frame.width <= side + 1e-6 && frame.y + frame.height <= side + 1e-6)
        #expect(label.size >= 8)
        // Letters are inside the label.
        #expect(label.x >= frame.x && label.baseline <= frame.y + frame.height)
      }
    }
  }

  @Test("Ten thousand labels find their places")
  func many() throws {
    for scene in [Scene.tray, .scattered] {
      let (layout, _) = try layout(
        overlay(scene.boxes(10_000, side: 10_000, seed: 7)), side: 10_000)
      #expect(layout.lostLabels == 0)
      #expect(overlapping(layout.outlines.compactMap(\.label).map(\.background)) == nil)
    }
  }

  @Test("Labels that touch their box have no line, all others end at theirs")
  func leaders() throws {
    let (layout, _) = try layout(overlay(Scene.heap.boxes(200, side: 1000, seed: 8)), side: 1000)
    #expect(layout.leaderCount > 20)
    for outline in layout.outlines {
      let label = try #require(outline.label).background
      let xs = outline.path.map(\.x)
      let ys = outline.path.map(\.y)
      let (left, right) = (try #require(xs.min()), try #require(xs.max()))
      let (top, bottom) = (try #require(ys.min()), try #require(ys.max()))
      // The path lies half a line inside the box.
      let slack = outline.lineWidth / 2 + 1e-6
      let touches =
        label.x <= right + slack && label.x + label.width >= left - slack
        && label.y <= bottom + slack && label.y + label.height >= top - slack
      #expect(touches == (outline.leader == nil))
      if let leader = outline.leader {
        #expect(leader.to.x >= left - slack && leader.to.x <= right + slack)
        #expect(leader.to.y >= top - slack && leader.to.y <= bottom + slack)
      }
    }
  }

  @Test("Small photos are enlarged, large ones are not")
  func scales() throws {
    let nine = overlay(Scene.tray.boxes(9, side: 100, seed: 1))
    #expect(try nine.readableScale(width: 100, height: 100) == 4)
    let many = overlay(Scene.tray.boxes(500, side: 100, seed: 1))
    #expect(try many.readableScale(width: 100, height: 100) > 4)
    for side in [1000, 4000, 10_000] {
      let some = overlay(Scene.tray.boxes(100, side: Float(side), seed: 1))
      #expect(try some.readableScale(width: side, height: side) == 1)
    }
    #expect(try Overlay().readableScale(width: 1, height: 1) == 16)
    #expect(try Overlay().readableScale(width: 0, height: -4) == 1)
    #expect(try Overlay().readableScale(width: .max, height: 1) == 1)
  }

  @Test("An enlarged drawing has the photo's pixels, larger", arguments: [2, 3, 5])
  func enlarged(scale: Int) throws {
    let photo = try Raster(width: 40, height: 30, channels: 3, fill: 90)
    let mark = Overlay.Mark(box: Box(x: 10, y: 10, width: 20, height: 10), color: .green)
    let drawn = try Overlay(marks: [mark]).drawn(over: photo, scale: scale)
    #expect(drawn.width == 40 * scale && drawn.height == 30 * scale)
    #expect(drawn[x: 2, y: 2, channel: 0] == 90)
    #expect(drawn[x: 20 * scale, y: 10 * scale, channel: 1] == Color.green.green)
    #expect(try Overlay(marks: [mark]).drawn(over: photo, scale: -2).width == 40)
  }

  @Test("The same overlay is laid out the same")
  func deterministic() throws {
    let photo = try Raster(width: 300, height: 300, channels: 3, fill: 90)
    let overlay = overlay(Scene.scattered.boxes(150, side: 300, seed: 9))
    #expect(try overlay.drawn(over: photo) == overlay.drawn(over: photo))
  }

  @Test("Boxes that are no boxes have no labels", arguments: [Float.nan, .infinity, -1e30])
  func hostile(value: Float) throws {
    let boxes = [
      Box(minX: value, minY: 0, maxX: 10, maxY: 10), Box(minX: 0, minY: 0, maxX: value, maxY: 5),
    ]
    let (layout, _) = try layout(overlay(boxes), side: 200)
    for label in layout.outlines.compactMap(\.label) {
      #expect(label.background.x.isFinite && label.background.width.isFinite)
    }
  }
}
