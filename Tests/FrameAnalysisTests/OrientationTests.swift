import FrameAnalysis
import Geometry
import TestSupport
import Testing
import Tracking
import VisionProtocols

// V6: the orientation of a camera's frame.

@Suite("Orientation of frames")
struct OrientationTests {
  private struct Turn: Decodable {
    let orientation: Int
    let width: Int
    let height: Int
    let uprightWidth: Int
    let uprightHeight: Int
    /// Column and row of a pixel, stored and upright.
    let moves: [[Int]]
  }

  @Test("Every pixel goes where Pillow puts it, for all eight values of the EXIF tag")
  func pillow() throws {
    let turns = try golden([Turn].self, "orientations")
    #expect(turns.map(\.orientation) == Array(1...8))
    #expect(Orientation.allCases.map(\.rawValue) == Array(1...8))
    for turn in turns {
      let orientation = try #require(Orientation(rawValue: turn.orientation))
      let stored = try CoordinateSpace(width: turn.width, height: turn.height)
      let upright = orientation.upright(stored)
      #expect(upright.width == turn.uprightWidth && upright.height == turn.uprightHeight)
      #expect(orientation.swapsSides == (turn.uprightWidth != turn.width))
      #expect(turn.moves.count == 15)
      for move in turn.moves {
        let from = stored.normalized(from: middle(column: move[0], row: move[1]))
        let to = upright.pixels(from: orientation.upright(from))
        #expect(to.distance(to: middle(column: move[2], row: move[3])) < 1e-9)
        let back = orientation.inverse.upright(orientation.upright(from))
        #expect(back.distance(to: from) < 1e-12)
      }
    }
  }

  private func middle(column: Int, row: Int) -> Point {
    Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
  }

  @Test("A box is the box around its turned corners", arguments: Orientation.allCases)
  func boxes(orientation: Orientation) throws {
    let box = NormalizedBox(x: 0.125, y: 0.25, width: 0.5, height: 0.0625)
    let outline = Quadrilateral(
      topLeft: Point(x: 0.125, y: 0.3125), topRight: Point(x: 0.625, y: 0.3125),
      bottomRight: Point(x: 0.625, y: 0.25), bottomLeft: Point(x: 0.125, y: 0.25))
    let turned = orientation.upright(box)
    let corners = orientation.upright(outline).corners
    #expect(turned.x == corners.map(\.x).min() && turned.y == corners.map(\.y).min())
    #expect(turned.x + turned.width == corners.map(\.x).max())
    #expect(turned.y + turned.height == corners.map(\.y).max())
    #expect(orientation.inverse.upright(turned) == box)
    #expect(orientation.inverse.inverse == orientation)
  }

  @Test(
    "A stored frame shows what the upright one shows, with corners and all",
    arguments: Orientation.allCases)
  func observations(orientation: Orientation) async throws {
    // Sides that are powers of two make all shares exact.
    var upright = Picture(width: 1024, height: 512)
    upright.texts = [
      RecognizedText(
        outline: Quadrilateral(Box(x: 128, y: 64, width: 256, height: 32)), text: "Title",
        confidence: 0.9)
    ]
    upright.barcodes = [
      RecognizedBarcode(
        payload: "9780306406157", symbology: .ean13,
        outline: Quadrilateral(Box(x: 512, y: 400, width: 128, height: 48)), confidence: 0.5)
    ]
    upright.outlines = [
      DetectedOutline(
        outline: Quadrilateral(
          topLeft: Point(x: 10, y: 4), topRight: Point(x: 60, y: 8),
          bottomRight: Point(x: 58, y: 500), bottomLeft: Point(x: 6, y: 496)),
        confidence: 0.8, appearance: [1, 0])
    ]
    let stored = Self.stored(upright, orientation)
    let expected = try await fakeAnalyzer().observations(in: upright, at: .milliseconds(7))
    let seen = try await fakeAnalyzer().observations(
      in: stored, at: .milliseconds(7), orientation: orientation)
    #expect(seen == expected)
    let analyzed = try await FrameScanner(analyzer: fakeAnalyzer())
      .analysis(of: stored, at: .milliseconds(7), orientation: orientation)
    let direct = try await FrameScanner(analyzer: fakeAnalyzer())
      .analysis(of: upright, at: .milliseconds(7))
    #expect(analyzed == direct && analyzed?.findings.count == 3)
  }

  /// The picture as a camera of that orientation stores it, in pixels; by the rules of EXIF, apart
  /// from the code that is tested.
  private static func stored(_ picture: Picture, _ orientation: Orientation) -> Picture {
    let (width, height) = (Double(picture.width), Double(picture.height))
    func turned(_ point: Point) -> Point {
      switch orientation {
      case .upright: point
      case .flipHorizontally: Point(x: width - point.x, y: point.y)
      case .rotate180: Point(x: width - point.x, y: height - point.y)
      case .flipVertically: Point(x: point.x, y: height - point.y)
      case .transpose: Point(x: point.y, y: point.x)
      // What is turned clockwise to stand upright is stored turned anticlockwise.
      case .rotate90Clockwise: Point(x: point.y, y: width - point.x)
      case .transverse: Point(x: height - point.y, y: width - point.x)
      case .rotate90Anticlockwise: Point(x: height - point.y, y: point.x)
      }
    }
    var result = picture
    if orientation.rawValue >= 5 {
      (result.width, result.height) = (picture.height, picture.width)
    }
    for index in result.texts.indices {
      result.texts[index].outline = result.texts[index].outline.mapCorners(turned)
    }
    for index in result.barcodes.indices {
      result.barcodes[index].outline = result.barcodes[index].outline.mapCorners(turned)
    }
    for index in result.outlines.indices {
      result.outlines[index].outline = result.outlines[index].outline.mapCorners(turned)
    }
    return result
  }

  @Test("Places that are not finite stay so")
  func hostile() {
    for orientation in Orientation.allCases {
      #expect(!orientation.upright(Point(x: .nan, y: 0)).isFinite)
      #expect(!orientation.upright(Point(x: 0, y: .infinity)).isFinite)
      let box = NormalizedBox(x: .nan, y: 0, width: .infinity, height: -1)
      let turned = orientation.upright(box)
      let isFinite = turned.x.isFinite && turned.y.isFinite && turned.width.isFinite
      #expect(!isFinite || !turned.height.isFinite)
    }
  }
}
