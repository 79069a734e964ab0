import Foundation
import Geometry
import Raster
import TestSupport
import Testing

@testable import LineSegments

@Suite("Straight edges")
struct LineSegmentDetectorTests {
  let detector = LineSegmentDetector()

  @Test("An edge at any angle is one piece, in its place", arguments: (0..<51).map { 7 * $0 })
  func angles(degrees: Int) throws {
    let angle = (Double(degrees) + 0.3) * .pi / 180
    let (normalX, normalY) = (cos(angle), sin(angle))
    let image = try Drawn.shape(width: 320, height: 240) {
      ($0.x - 161.3) * normalX + ($0.y - 118.6) * normalY > 0
    }
    let edges = try detector.segments(in: image)
    let edge = try #require(edges.first)
    #expect(edges.count == 1)
    for end in [edge.segment.start, edge.segment.end] {
      let distance = (end.x - 161.3) * normalX + (end.y - 118.6) * normalY
      #expect(abs(distance) < 0.15, "an end lies \(distance) pixels beside the edge")
    }
    // Edges end two pixels before the picture does, and a pixel of slack.
    let box = Box(minX: 4, minY: 4, maxX: 316, maxY: 236)
    #expect(!box.contains(edge.segment.start) && !box.contains(edge.segment.end))
    #expect(abs(edge.contrast - 120) < 15)
    let inside = Point(x: 161.3 + 20 * normalX, y: 118.6 + 20 * normalY)
    #expect(edge.segment.signedDistance(to: inside) > 19, "the brighter side is on the right")
  }

  @Test("A quadrilateral has four sides, in a reduced picture too", arguments: [1, 2, 3])
  func quadrilateral(factor: Int) throws {
    let scale = Double(factor)
    let shape = try Quadrilateral(
      corners: [
        Point(x: 60.4, y: 41.2), Point(x: 251.7, y: 70.9), Point(x: 238.3, y: 201.5),
        Point(x: 44.8, y: 183.1),
      ].map { $0.scaled(x: scale, y: scale) })
    let image = try Drawn.shape(width: 320 * factor, height: 240 * factor) { shape.contains($0) }
    let edges = try LineSegmentDetector(workingSide: 320).segments(in: image)
    #expect(edges.count == 4)
    let corners = shape.corners
    for index in 0..<4 {
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      let side = LineSegment(start: a, end: b)
      let match = edges.first { edge in
        abs(side.signedDistance(to: edge.segment.start)) < 0.3 * scale
          && abs(side.signedDistance(to: edge.segment.end)) < 0.3 * scale
      }
      let edge = try #require(match, "side \(index)").segment
      // Clockwise around something bright the bright side is on the right.
      #expect(edge.start.distance(to: a) < 4 * scale && edge.end.distance(to: b) < 4 * scale)
    }
  }

  @Test(
    "In pure noise there is one short edge at most, as the test of chance allows", arguments: 1...8)
  func noise(seed: UInt64) throws {
    let image = try Drawn.noise(width: 480, height: 360, amplitude: 200, seed: seed)
    let edges = try detector.segments(in: image)
    #expect(edges.count <= 1)
    // Of 45 found by chance in 300 other such pictures the longest has 28 pixels.
    #expect(edges.allSatisfy { $0.segment.length < 32 })
  }

  @Test("An edge in noise is found where the eye finds it")
  func edgeInNoise() throws {
    var generator = SeededGenerator(seed: 5)
    var image = try Drawn.shape(width: 320, height: 240, channels: 1, ground: 90, step: 60) {
      $0.x + 0.2 * $0.y > 180
    }
    for row in 0..<240 {
      for column in 0..<320 {
        let value = Double(image[x: column, y: row, channel: 0]) + 40 * (generator.unit() - 0.5)
        image[x: column, y: row, channel: 0] = UInt8(value)
      }
    }
    let edges = try detector.segments(in: image)
    let covered = edges.reduce(0) { $0 + $1.segment.length }
    #expect(covered > 200 && covered < 260)
    for edge in edges {
      #expect(abs(edge.segment.midpoint.x + 0.2 * edge.segment.midpoint.y - 180) < 1.5)
    }
  }

  @Test("The number of channels makes no difference to grey pictures")
  func channels() throws {
    let expected = try detector.segments(
      in: Drawn.shape(width: 90, height: 70, channels: 1) { $0.x + $0.y > 80 })
    #expect(expected.count == 1)
    for channels in 2...4 {
      let image = try Drawn.shape(width: 90, height: 70, channels: 4) { $0.x + $0.y > 80 }
        .converted(toChannels: channels)
      #expect(try detector.segments(in: image) == expected)
    }
  }

  @Test("Pictures too small or too plain have no edges")
  func nothing() throws {
    for (width, height) in [(1, 1), (4, 400), (400, 4), (5, 5), (1, 4000), (12, 12)] {
      let image = try Raster(width: width, height: height, channels: 3, fill: 200)
      #expect(try detector.segments(in: image).isEmpty)
      #expect(try LineSegmentDetector(workingSide: 16).segments(in: image).isEmpty)
    }
    let checkered = try Drawn.shape(width: 64, height: 64) { (Int($0.x) + Int($0.y)) % 2 == 0 }
    #expect(try detector.segments(in: checkered).isEmpty)
  }

  @Test("A step below the least contrast is none")
  func contrast() throws {
    let image = try Drawn.shape(width: 120, height: 120, step: 6) { $0.x > 60 }
    #expect(try detector.segments(in: image).isEmpty)
    #expect(try LineSegmentDetector(leastContrast: 4).segments(in: image).count == 1)
  }

  @Test("Settings out of range are named")
  func settings() throws {
    let image = try Raster(width: 20, height: 20, channels: 1)
    for (detector, setting) in [
      (LineSegmentDetector(workingSide: 15), "workingSide"),
      (LineSegmentDetector(leastContrast: 0), "leastContrast"),
      (LineSegmentDetector(leastContrast: .nan), "leastContrast"),
      (LineSegmentDetector(leastLength: 3), "leastLength"),
      (LineSegmentDetector(leastLength: .infinity), "leastLength"),
    ] {
      let error = #expect(throws: LineSegmentError.self) { try detector.segments(in: image) }
      #expect(error?.description.hasPrefix(setting) == true)
    }
  }

  @Test("Settings far beyond any picture are as good as none")
  func hugeSettings() throws {
    let image = try Drawn.shape(width: 90, height: 70) { $0.x + $0.y > 80 }
    let whole = try LineSegmentDetector(workingSide: .max).segments(in: image)
    #expect(try whole == detector.segments(in: image) && whole.count == 1)
    let greatest = Double.greatestFiniteMagnitude
    #expect(try LineSegmentDetector(leastLength: greatest).segments(in: image).isEmpty)
  }

  @Test("Random pictures of every size are looked through without a crash")
  func sizes() throws {
    for side in 1...40 {
      for channels in 1...4 {
        let image = try Drawn.noise(
          width: side, height: (side * channels) % 37 + 1, amplitude: 255, seed: UInt64(side))
        let edges = try LineSegmentDetector(workingSide: 16, leastContrast: 0.5, leastLength: 4)
          .segments(in: image)
        for end in edges.flatMap({ [$0.segment.start, $0.segment.end] }) {
          #expect((0...Double(image.width)).contains(end.x))
          #expect((0...Double(image.height)).contains(end.y))
        }
      }
    }
  }
}
