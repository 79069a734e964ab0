import Geometry
import Rectification
import TestSupport
import Testing

struct TransformCase: Decodable {
  let from, to, matrix: [Double]

  static let all = Result {
    try Folders.golden("Rectification/transforms.json", as: [TransformCase].self)
  }
}

@Suite("Homographies")
struct HomographyTests {
  private let square = quad(0, 0, 100, 0, 100, 100, 0, 100)

  @Test("Matrices are those of OpenCV's getPerspectiveTransform")
  func goldens() throws {
    let cases = try TransformCase.all.get()
    #expect(cases.count > 40)
    for golden in cases {
      let map = try Homography(from: quad(golden.from), to: quad(golden.to))
      let scale = golden.matrix.reduce(1) { max($0, $1.magnitude) }
      for (value, expected) in zip(map.elements, golden.matrix) {
        // Relative; what is 0 but for rounding is measured against the largest.
        #expect(abs(value - expected) <= 1e-9 * abs(expected) + 1e-13 * scale, "\(golden)")
      }
    }
  }

  @Test("Corners go to corners, and back")
  func corners() throws {
    for golden in try TransformCase.all.get() {
      let (from, to) = (quad(golden.from), quad(golden.to))
      let map = try Homography(from: from, to: to)
      let back = try #require(map.inverse)
      for (a, b) in zip(from.corners, to.corners) {
        #expect(map.apply(to: a).distance(to: b) < 1e-8)
        #expect(back.apply(to: b).distance(to: a) < 1e-8)
      }
    }
  }

  @Test("Points in a line stay in a line, and inverses undo", arguments: 0..<20 as Range<UInt64>)
  func properties(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (from, to) = (random.convexQuad(), random.convexQuad())
    let map = try Homography(from: from, to: to)
    let back = try #require(map.inverse)
    for _ in 0..<20 {
      // Inside the shape, where the map is far from infinity.
      let (s, t) = (random.unit(), random.unit())
      let a = from.topLeft.toward(from.topRight, s)
      let b = from.bottomLeft.toward(from.bottomRight, s)
      let points = [a, a.toward(b, t), b]
      let mapped = points.map(map.apply)
      let line = LineSegment(start: mapped[0], end: mapped[2])
      #expect(abs(line.signedDistance(to: mapped[1])) < 1e-8)
      for (point, image) in zip(points, mapped) {
        #expect(back.apply(to: image).distance(to: point) < 1e-8)
      }
    }
  }

  @Test("A shape onto itself is the identity")
  func identity() throws {
    var random = SeededGenerator(seed: 7)
    for shape in [square, random.convexQuad(), random.convexQuad()] {
      let map = try Homography(from: shape, to: shape)
      for (value, expected) in zip(map.elements, Homography.identity.elements) {
        #expect(abs(value - expected) < 1e-10)
      }
    }
    #expect(Homography.identity.inverse == .identity)
    #expect(Homography.identity.apply(to: Point(x: 3, y: -4)) == Point(x: 3, y: -4))
  }

  @Test("A turn by a quarter is exact")
  func rotation() throws {
    let turned = quad(100, 0, 100, 100, 0, 100, 0, 0)
    let map = try Homography(from: square, to: turned)
    let point = map.apply(to: Point(x: 30, y: 20))
    #expect(point.distance(to: Point(x: 80, y: 30)) < 1e-12)
  }

  @Test(
    "Three corners in a line are an error on either side",
    arguments: [
      quad(0, 0, 50, 0, 100, 0, 0, 100), quad(0, 0, 0, 0, 100, 100, 0, 100),
      quad(5, 5, 5, 5, 5, 5, 5, 5), quad(0, 0, 1, 1, 2, 2, 3, 3),
      quad(0, 0, 1e-13, 0, 1e-13, 1, 0, 1), quad(0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 9, 0),
    ])
  func degenerate(shape: Quadrilateral) {
    #expect(throws: RectificationError.degenerate(shape)) {
      try Homography(from: square, to: shape)
    }
    #expect(throws: RectificationError.degenerate(shape)) {
      try Homography(from: shape, to: square)
    }
  }

  @Test("Coordinates that are no numbers are an error", arguments: 0..<8)
  func nonFinite(place: Int) {
    for value in [Double.nan, .infinity, -.infinity] {
      var values = square.corners.flatMap { [$0.x, $0.y] }
      values[place] = value
      let shape = quad(values)
      // NaN is never equal to itself, so the case is told by its text.
      for (from, to) in [(shape, square), (square, shape)] {
        let error = #expect(throws: RectificationError.self) { try Homography(from: from, to: to) }
        #expect(error?.description.contains("no finite sides") == true)
      }
    }
  }

  @Test("Shapes far away, huge and tiny keep their digits", arguments: [1e-150, 1e-9, 1e9, 1e150])
  func scales(scale: Double) throws {
    let shape = quad(1, 2, 9, 1, 10, 8, 2, 7).mapCorners { $0.scaled(x: scale, y: scale) }
    let map = try Homography(from: square, to: shape)
    for (a, b) in zip(square.corners, shape.corners) {
      #expect(map.apply(to: a).distance(to: b) < 1e-12 * scale)
    }
    let far = square.mapCorners { $0.translated(dx: 1e9, dy: -1e9) }
    let moved = try Homography(from: far, to: square)
    for (a, b) in zip(far.corners, square.corners) {
      #expect(moved.apply(to: a).distance(to: b) < 1e-5)
    }
  }

  @Test("The end of the range of numbers is an error or an answer, never a trap")
  func extremes() {
    let most = Double.greatestFiniteMagnitude
    for shape in [
      quad(-most, -most, most, -most, most, most, -most, most),
      quad(0, 0, most, 0, most, most, 0, most),
      quad(
        0, 0, .leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, .leastNonzeroMagnitude, 0,
        .leastNonzeroMagnitude),
    ] {
      for (from, to) in [(shape, square), (square, shape), (shape, shape)] {
        if let map = try? Homography(from: from, to: to) {
          #expect(map.elements.allSatisfy { $0.isFinite })
        }
      }
    }
  }

  @Test("A bow tie is a map all the same; where the middle goes to infinity there is none")
  func crossing() throws {
    let bow = quad(0, 0, 100, 100, 100, 0, 0, 90)
    if let map = try? Homography(from: square, to: bow) {
      for (a, b) in zip(square.corners, bow.corners) {
        #expect(map.apply(to: a).distance(to: b) < 1e-8)
      }
    }
    let even = quad(0, 0, 100, 100, 100, 0, 0, 100)
    #expect(throws: RectificationError.degenerate(even)) {
      try Homography(from: square, to: even)
    }
  }

  @Test("Errors say which corners, and what would be right")
  func messages() {
    #expect(
      RectificationError.degenerate(quad(0, 0, 1, 0, 2, 0, 0, 1)).description
        == "three of the corners (0.0, 0.0) (1.0, 0.0) (2.0, 0.0) (0.0, 1.0) lie in a line; "
        + "no three of the four may")
    #expect(RectificationError.notConvex(square).description.contains("go around one in order"))
  }
}
