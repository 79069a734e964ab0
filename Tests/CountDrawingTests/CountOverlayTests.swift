import CountDrawing
import CountReport
import Counting
import Drawing
import Geometry
import Raster
import Testing
import VisionProtocols

// A15, FR-033: a count is drawn by a call of the library, the main kind green and others blue.

@Suite("A count, drawn")
struct CountOverlayTests {
  /// Squares of 20 pixels in a row from the left, each of a kind, 100 pixels apart.
  private func result(
    kinds: [Int], main: Int? = 0, outline: Detection.Outline? = nil
  ) -> CountingResult {
    let objects = kinds.enumerated().map { index, kind in
      CountedDetection(
        detection: Detection(
          box: Box(x: Float(20 + 100 * index), y: 30, width: 60, height: 60),
          score: 0.5 + Float(index) / 16, objectness: 1, classScore: 1, classID: 0,
          outline: outline), cluster: kind, isMain: kind == main)
    }
    return CountingResult(
      count: objects.count(where: \.isMain), mainCluster: main,
      clusterSizes: Dictionary(grouping: objects, by: \.cluster).mapValues(\.count),
      detections: objects, steps: [], seconds: CountingSeconds(), hint: nil,
      width: 100 * kinds.count, height: 120)
  }

  private func pixel(_ image: Raster, _ x: Int, _ y: Int) -> Color {
    Color(
      red: image[x: x, y: y, channel: 0], green: image[x: x, y: y, channel: 1],
      blue: image[x: x, y: y, channel: 2])
  }

  @Test("The main kind is green, another blue with dashes, by a drawing over the photo")
  func colors() throws {
    let result = result(kinds: [0, 1, 0])
    let photo = try Raster(width: result.width, height: result.height, channels: 3, fill: 200)
    var overlay = Overlay(result)
    overlay.legend = []
    let drawn = try overlay.drawn(over: photo)
    #expect(pixel(drawn, 20, 60) == .green && pixel(drawn, 220, 60) == .green)
    // Of dashes, so not every pixel of the side is.
    let side = (30..<90).map { pixel(drawn, 120, $0) }
    let blue = KindStyle(rank: 1).photoColor
    #expect(side.contains(blue) && side.contains { $0 != blue })
    #expect(blue.blue > blue.red && blue.blue > blue.green)
    #expect(pixel(drawn, 50, 85) == pixel(photo, 50, 85))
  }

  @Test("Every object has a mark in its place, with its number and score")
  func marks() {
    let overlay = Overlay(result(kinds: [1, 0, 2, 0, 1, 0]))
    // The counted objects have the first numbers.
    #expect(
      overlay.marks.map(\.label) == ["4 0.50", "1 0.56", "5 0.62", "2 0.69", "6 0.75", "3 0.81"])
    #expect(overlay.marks.map(\.shortLabel) == ["4", "1", "5", "2", "6", "3"])
    let styles = [1, 2].map { KindStyle(rank: $0).photoColor }
    #expect(
      overlay.marks.map(\.color) == [styles[0], .green, styles[1], .green, styles[0], .green])
    #expect(overlay.marks.map(\.isEmphasized) == [false, true, false, true, false, true])
    #expect(overlay.marks.map(\.isDashed) == [true, false, true, false, true, false])
    #expect(
      overlay.marks.map(\.box) == result(kinds: [1, 0, 2, 0, 1, 0]).detections.map(\.detection.box))
    #expect(overlay.caption.isEmpty)
    #expect(overlay.legend.map(\.text) == ["main kind: 3", "kind 2: 2", "kind 3: 1"])
    #expect(overlay.legend.map(\.color) == [.green] + styles)
    #expect(overlay.legend.map(\.isDashed) == [false, true, true])
  }

  @Test("The outline of an object is drawn in place of its box")
  func outlines() {
    let quad = Quadrilateral(
      topLeft: Point(x: 50, y: 0), topRight: Point(x: 100, y: 50),
      bottomRight: Point(x: 50, y: 100), bottomLeft: Point(x: 0, y: 50))
    let turned = Overlay(result(kinds: [0], outline: .rotatedBox(quad))).marks
    #expect(turned.map(\.quad) == [quad] && turned.map(\.outline) == [nil])
    let masked = Overlay(result(kinds: [0], outline: .polygon(quad.corners))).marks
    #expect(masked.map(\.quad) == [nil] && masked.map(\.outline) == [quad.corners])
  }

  @Test("One kind has no legend, nothing has no mark, and no kind is the main one without a count")
  func few() {
    #expect(Overlay(result(kinds: [0, 0])).legend.isEmpty)
    #expect(Overlay(result(kinds: [], main: nil)) == Overlay())
    let uncounted = Overlay(result(kinds: [3, 4], main: nil))
    #expect(uncounted.legend.isEmpty && uncounted.marks.allSatisfy { $0.color != .green })
  }

  @Test("Kinds after the seventh share a colour and a line of the legend")
  func manyKinds() {
    let kinds = (0..<11).flatMap { kind in [Int](repeating: kind, count: 12 - kind) }
    let overlay = Overlay(result(kinds: kinds))
    #expect(overlay.legend.count == KindStyle.last + 1)
    // The kinds 7 to 10 have 5, 4, 3 and 2 objects.
    #expect(overlay.legend.last?.text == "4 more kinds: 14")
    let last = KindStyle(rank: KindStyle.last).photoColor
    #expect(overlay.marks.count { $0.color == last } == 14)
    #expect(Set(overlay.marks.map(\.color)).count == KindStyle.last + 1)
  }

  @Test("What a person added or moved is orange with dashes, and what was removed is gone")
  func corrected() throws {
    let result = result(kinds: [0, 0, 0, 1])
    let boxes = result.detections.map(\.detection.box)
    let moved = boxes[1].translated(dx: 5, dy: 0)
    let added = Box(x: 320, y: 95, width: 20, height: 20)
    let overlay = Overlay(
      try CorrectedCount(
        result,
        correctedBy: CountCorrection(
          of: result, removed: [boxes[0]],
          moved: [CountCorrection.Move(from: boxes[1], to: moved)], added: [added])))
    #expect(overlay.marks.map(\.box) == [moved, boxes[2], added, boxes[3]])
    #expect(overlay.marks.map(\.label) == ["2", "3", "5", "4 0.69"])
    #expect(
      overlay.marks.map(\.color)
        == [.orange, .green, .orange, KindStyle(rank: 1).photoColor])
    #expect(overlay.marks.map(\.isDashed) == [true, false, true, true])
    #expect(
      overlay.legend.map(\.text)
        == ["main kind, as found: 1", "main kind, by a person: 2", "kind 2: 1"])

    let untouched = Overlay(CorrectedCount(result))
    #expect(untouched.legend.map(\.text) == ["main kind: 3", "kind 2: 1"])
    #expect(untouched.marks.map(\.label) == ["1", "2", "3", "4 0.69"])
  }

  @Test("Boxes and scores that are not numbers are no trap")
  func hostile() throws {
    let box = Box(minX: .nan, minY: -.infinity, maxX: 3e38, maxY: .infinity)
    let object = CountedDetection(
      detection: Detection(
        box: box, score: .nan, objectness: .nan, classScore: 1, classID: -1,
        outline: .polygon([])), cluster: .max, isMain: true)
    let result = CountingResult(
      count: 1, mainCluster: .max, clusterSizes: [.max: 1], detections: [object], steps: [],
      seconds: CountingSeconds(), hint: nil, width: 40, height: 40)
    let photo = try Raster(width: 40, height: 40, channels: 3, fill: 9)
    #expect(try Overlay(result).drawn(over: photo).width == 40)
  }
}
