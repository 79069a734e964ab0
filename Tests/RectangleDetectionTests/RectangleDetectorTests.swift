import Foundation
import Geometry
import LineSegments
import Raster
import TestSupport
import Testing

@testable import RectangleDetection

@Suite("Rectangle detector")
struct RectangleDetectorTests {
  /// A picture of bright shapes on a dark ground.
  private func drawn(
    _ shapes: [Quadrilateral], width: Int = 640, height: Int = 480, noise: Double = 0
  ) throws -> Raster {
    var generator = SeededGenerator(seed: 1)
    return try Raster(width: width, height: height, channels: 1) { samples in
      for row in 0..<height {
        for column in 0..<width {
          let point = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
          let index = shapes.lastIndex { $0.contains(point) }
          let value = index.map { 150.0 + Double($0 % 3) * 40 } ?? 50
          samples[row * width + column] = UInt8(
            min(max(value + noise * (2 * generator.unit() - 1), 0), 255))
        }
      }
    }
  }

  private func quad(_ values: Double...) throws -> Quadrilateral {
    try Quadrilateral(
      corners: (0..<4).map { Point(x: values[2 * $0], y: values[2 * $0 + 1]) })
  }

  @Test("More of an edge that bends lies under a bent line", arguments: [-5, 5])
  func bent(sag: Double) throws {
    let image = try Raster(width: 200, height: 500, channels: 1) { samples in
      for row in 0..<500 {
        let x = Double(row - 250) / 250
        for column in 0..<200 {
          samples[row * 200 + column] = Double(column) < 100 + sag * (1 - x * x) ? 60 : 180
        }
      }
    }
    let picture = try #require(
      LineSegmentDetector.faint(workingSide: 960).edgePicture(of: image))
    let view = EdgeViews(picture.gradient).upright
    let offset = 100 + sag * 2 / 3
    let straight = view.strength(along: 0, offset, rows: 0..<500, edge: 11, gap: 9)
    let bow = Bow(sag: sag, top: 0, bottom: 500)
    let bent = view.strength(
      along: 0, offset, bow: bow, rows: 0..<500, edge: 11, gap: 9)
    #expect(bent > straight + 200)
    #expect(bent > 9 * 11 * 248 / 10)
    #expect(view.rows(along: 0, offset, bow: bow).count { $0 > 0 } > 480)
  }

  @Test("A bow is a parabola about its line: on the whole nothing, from the middle its sag")
  func bow() {
    let bow = Bow(sag: 3, top: 100, bottom: 300)
    #expect(abs(bow.shift(at: 200) - bow.shift(at: 100) - 3) < 1e-12)
    #expect(bow.shift(at: 100) == bow.shift(at: 300))
    let mean = (0..<2000).reduce(0) { $0 + bow.shift(at: 100.05 + Double($1) / 10) } / 2000
    #expect(abs(mean) < 1e-3)
    #expect(bow.shift(at: -1e9) == bow.shift(at: 1e9))
  }

  @Test("A rectangle is found at every angle up to 20 degrees off the axes", arguments: -20...20)
  func turned(degrees: Int) throws {
    let angle = Double(degrees) * .pi / 180
    let shape = Quadrilateral(Box(minX: 200, minY: 180, maxX: 440, maxY: 300)).mapCorners {
      corner in
      let (x, y) = (corner.x - 320, corner.y - 240)
      return Point(
        x: 320 + x * cos(angle) - y * sin(angle), y: 240 + x * sin(angle) + y * cos(angle))
    }
    let found = try RectangleDetector().rectangles(in: drawn([shape]))
    let first = try #require(found.first)
    #expect(found.count == 1)
    #expect(first.quad.iou(shape) > 0.95)
    #expect(first.confidence > 0.9 && first.confidence <= 1)
    for (corner, truth) in zip(first.quad.corners, shape.corners) {
      #expect(corner.distance(to: truth) < 2)
    }
  }

  @Test("A rectangle in perspective and noise is found")
  func perspective() throws {
    let shape = try quad(180, 120, 530, 90, 490, 330, 150, 300)
    let found = try RectangleDetector().rectangles(in: drawn([shape], noise: 20))
    let first = try #require(found.first)
    #expect(first.quad.iou(shape) > 0.95)
  }

  @Test("At most so many are reported, those with the longest outline first")
  func several() throws {
    let shapes = try (0..<6).map { index in
      let (left, height) = (30 + Double(index) * 100, 150 + Double(index) * 40)
      return try quad(
        left, 430 - height, left + 60, 430 - height, left + 60, 430, left, 430)
    }
    let image = try drawn(shapes)
    var configuration = RectangleConfiguration()
    #expect(try RectangleDetector(configuration: configuration).rectangles(in: image).count == 3)
    configuration.maximumObservations = 20
    let found = try RectangleDetector(configuration: configuration).rectangles(in: image)
    for shape in shapes {
      #expect(found.contains { $0.quad.iou(shape) > 0.9 })
    }
    let perimeters = found.map { $0.confidence * ($0.quad.longSide + $0.quad.shortSide) }
    #expect(perimeters == perimeters.sorted(by: >))
  }

  @Test("Limits of aspect and size hold")
  func limits() throws {
    let square = try quad(100, 100, 300, 100, 300, 300, 100, 300)
    let needle = try quad(350, 60, 374, 60, 374, 400, 350, 400)
    let image = try drawn([square, needle])
    #expect(try RectangleDetector().rectangles(in: image).isEmpty)
    var configuration = RectangleConfiguration()
    configuration.maximumAspectRatio = 1
    let squares = try RectangleDetector(configuration: configuration).rectangles(in: image)
    #expect(squares.contains { $0.quad.iou(square) > 0.9 })
    configuration = RectangleConfiguration()
    configuration.minimumAspectRatio = 0.02
    let needles = try RectangleDetector(configuration: configuration).rectangles(in: image)
    #expect(needles.contains { $0.quad.iou(needle) > 0.8 })
    configuration.minimumSize = 0.9
    #expect(try RectangleDetector(configuration: configuration).rectangles(in: image).isEmpty)
  }

  @Test("Pictures too small, plain or noisy have none")
  func nothing() throws {
    for (width, height) in [(1, 1), (4, 400), (400, 4), (5, 5), (1, 4000), (640, 480)] {
      let image = try Raster(width: width, height: height, channels: 4, fill: 90)
      #expect(try RectangleDetector().rectangles(in: image).isEmpty)
    }
    #expect(try RectangleDetector().rectangles(in: drawn([], noise: 120)).isEmpty)
  }

  @Test(
    "A limit out of its range is named",
    arguments: ["maximumObservations", "minimumSize", "minimumConfidence", "workingSide"])
  func ranges(field: String) throws {
    var configuration = RectangleConfiguration()
    switch field {
    case "maximumObservations": configuration.maximumObservations = 0
    case "minimumSize": configuration.minimumSize = .infinity
    case "minimumConfidence": configuration.minimumConfidence = .nan
    default: configuration.workingSide = 1 << 40
    }
    let image = try Raster(width: 64, height: 64, channels: 1)
    let error = #expect(throws: RectangleError.self) {
      try RectangleDetector(configuration: configuration).rectangles(in: image)
    }
    #expect(try #require(error).description.hasPrefix(field))
  }
}
