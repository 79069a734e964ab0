import Drawing
import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing

/// How many pixels of `image` have about the colour.
private func count(_ color: Color, in image: Raster) -> Int {
  let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
  return image.samples.withUnsafeBufferPointer { samples in
    var found = 0
    var index = 0
    while index < samples.count {
      if abs(Int(samples[index]) - red) <= 8, abs(Int(samples[index + 1]) - green) <= 8,
        abs(Int(samples[index + 2]) - blue) <= 8
      {
        found += 1
      }
      index += 3
    }
    return found
  }
}

private func isColor(_ color: Color, at x: Int, _ y: Int, of image: Raster) -> Bool {
  [color.red, color.green, color.blue] == (0..<3).map { image[x: x, y: y, channel: $0] }
}

private func grey(_ width: Int, _ height: Int) throws -> Raster {
  try Raster(width: width, height: height, channels: 3, fill: 128)
}

@Suite struct OverlayTests {
  @Test func nothingToDrawChangesNothing() throws {
    var generator = SeededGenerator(seed: 1)
    let photo = try Raster(
      width: 70, height: 41, channels: 3,
      samples: (0..<70 * 41 * 3).map { _ in UInt8(generator.next() >> 56) })
    #expect(try Overlay().drawn(over: photo) == photo)
  }

  @Test func theFrameLiesOnTheBoxAndNowhereElse() throws {
    let overlay = Overlay(marks: [
      .init(box: Box(minX: 50, minY: 60, maxX: 150, maxY: 140), color: .green)
    ])
    let drawn = try overlay.drawn(over: try grey(200, 200))
    for x in 55..<145 {
      #expect(isColor(.green, at: x, 60, of: drawn))
      #expect(isColor(.green, at: x, 139, of: drawn))
    }
    for y in 65..<135 {
      #expect(isColor(.green, at: 50, y, of: drawn))
      #expect(isColor(.green, at: 149, y, of: drawn))
    }
    let untouched = Color(red: 128, green: 128, blue: 128)
    #expect(isColor(untouched, at: 100, 100, of: drawn))
    for y in 0..<200 {
      for x in 0..<200 where x < 48 || x > 151 || y < 58 || y > 141 {
        #expect(isColor(untouched, at: x, y, of: drawn))
      }
    }
  }

  @Test func emphasisIsThickerAndOnTop() throws {
    let box = Box(minX: 100, minY: 100, maxX: 900, maxY: 900)
    let photo = try grey(1000, 1000)
    func pixels(_ isEmphasized: Bool) throws -> Int {
      let mark = Overlay.Mark(box: box, color: .green, isEmphasized: isEmphasized)
      return count(.green, in: try Overlay(marks: [mark]).drawn(over: photo))
    }
    #expect(try pixels(true) > pixels(false))
    let both = Overlay(marks: [
      .init(box: box, color: .green, isEmphasized: true), .init(box: box, color: .blue),
    ])
    #expect(isColor(.green, at: 500, 101, of: try both.drawn(over: photo)))
  }

  @Test func linesAndLettersGrowWithThePhoto() throws {
    // The share of the photo that a drawing covers is about the same at every size.
    var shares: [Double] = []
    for side in [400, 1000, 2200] {
      let part = Float(side) / 10
      let mark = Overlay.Mark(
        box: Box(minX: 2 * part, minY: 2 * part, maxX: 8 * part, maxY: 8 * part),
        label: "0.93 #4", color: .green)
      let drawn = try Overlay(marks: [mark]).drawn(over: try grey(side, side))
      shares.append(Double(count(.green, in: drawn)) / Double(side * side))
    }
    #expect(try #require(shares.max()) < 1.5 * (try #require(shares.min())))
  }

  @Test func labelsThatDoNotFitGiveWay() throws {
    let photo = try grey(400, 400)
    func pixels(_ side: Float, _ label: String, _ short: String = "") throws -> Int {
      let mark = Overlay.Mark(
        box: Box(x: 100, y: 100, width: side, height: side), label: label, shortLabel: short,
        color: .green)
      return count(.green, in: try Overlay(marks: [mark]).drawn(over: photo))
    }
    #expect(try pixels(200, "0.93") > pixels(200, "") + 50)
    // Beside a box too small for it.
    #expect(try pixels(12, "0.93") > pixels(12, "") + 50)
    let long = String(repeating: "long ", count: 20)
    #expect(try pixels(100, long) == pixels(100, ""))
    #expect(try pixels(100, long, "ok") > pixels(100, "") + 50)
  }

  @Test func labelsStayInsideThePhoto() throws {
    // A box that leaves the photo at the top left has its label at the corner.
    let mark = Overlay.Mark(
      box: Box(minX: -50, minY: -50, maxX: 200, maxY: 150), label: "0.93", color: .green)
    let drawn = try Overlay(marks: [mark]).drawn(over: try grey(400, 400))
    #expect(isColor(.green, at: 1, 0, of: drawn))
    #expect(count(.ink, in: drawn) > 10)
  }

  @Test func theCaptionHidesNoBoxesWhereThereIsRoom() throws {
    let photo = try grey(600, 600)
    let box = Box(minX: 0, minY: 0, maxX: 600, maxY: 400)
    let bare = try Overlay(marks: [.init(box: box, color: .green)]).drawn(over: photo)
    let overlay = Overlay(
      marks: [.init(box: box, color: .green)], caption: "56 objects",
      legend: [.init(color: .green, text: "main"), .init(color: .blue, text: "others")])
    let drawn = try overlay.drawn(over: photo)
    #expect(drawn != bare)
    #expect(count(.blue, in: drawn) > 20)
    #expect(drawn.samples[..<(600 * 400 * 3)] == bare.samples[..<(600 * 400 * 3)])
  }

  @Test func aCaptionWithoutRoomIsLeftOut() throws {
    let photo = try grey(20, 20)
    let overlay = Overlay(caption: "a caption much too long for twenty pixels")
    #expect(try overlay.drawn(over: photo) == photo)
    #expect(try Overlay(caption: "x").drawn(over: try grey(1, 1)) == grey(1, 1))
  }

  @Test func linesCrossTheSeamsOfTiles() throws {
    let mark = Overlay.Mark(
      box: Box(minX: 100, minY: 100, maxX: 4000, maxY: 1200), color: .green)
    let drawn = try Overlay(marks: [mark]).drawn(over: try grey(4200, 1300))
    for x in 2030..<2070 {
      #expect(isColor(.green, at: x, 102, of: drawn))
      #expect(!isColor(.green, at: x, 600, of: drawn))
    }
    for y in 500..<530 {
      #expect(isColor(.green, at: 102, y, of: drawn))
      #expect(isColor(.green, at: 3997, y, of: drawn))
    }
  }

  @Test(arguments: 1...4)
  func everyKindOfRasterIsDrawnOn(_ channels: Int) throws {
    let photo = try Raster(width: 50, height: 40, channels: channels, fill: 90)
    let mark = Overlay.Mark(box: Box(minX: 5, minY: 5, maxX: 45, maxY: 35))
    let drawn = try Overlay(marks: [mark]).drawn(over: photo)
    #expect(drawn.channels == 3)
    #expect(isColor(.blue, at: 20, 5, of: drawn))
  }

  @Test func photosWiderThanCairosSurfacesAreDrawnOn() throws {
    let photo = try Raster(width: 33_000, height: 4, channels: 3, fill: 128)
    let mark = Overlay.Mark(
      box: Box(minX: 32_800, minY: 0, maxX: 33_000, maxY: 4), color: .green)
    #expect(isColor(.green, at: 32_900, 0, of: try Overlay(marks: [mark]).drawn(over: photo)))
  }

  @Test func impossibleBoxesAreNotDrawn() throws {
    let photo = try grey(60, 60)
    let (nan, inf) = (Float.nan, Float.infinity)
    for box in [
      Box(minX: nan, minY: 0, maxX: 10, maxY: 10), Box(minX: 0, minY: 0, maxX: inf, maxY: 10),
      Box(minX: 0, minY: -inf, maxX: 10, maxY: 10), Box(minX: 10, minY: 10, maxX: 10, maxY: 20),
      Box(minX: 20, minY: 20, maxX: 10, maxY: 10), Box(minX: 100, minY: 0, maxX: 200, maxY: 50),
      Box(minX: -9, minY: -9, maxX: -1, maxY: -1),
    ] {
      let overlay = Overlay(marks: [.init(box: box, label: "0.5", isEmphasized: true)])
      #expect(try overlay.drawn(over: photo) == photo)
    }
    let huge = Float.greatestFiniteMagnitude
    let all = Overlay(marks: [
      .init(box: Box(minX: -huge, minY: -huge, maxX: huge, maxY: huge), color: .green)
    ])
    #expect(isColor(.green, at: 30, 0, of: try all.drawn(over: photo)))
  }

  @Test func aQuadrilateralOfABoxIsTheBox() throws {
    let box = Box(minX: 50, minY: 60, maxX: 150, maxY: 140)
    let photo = try grey(200, 200)
    let framed = try Overlay(marks: [.init(box: box, color: .green)]).drawn(over: photo)
    let shape = Quadrilateral(box)
    #expect(try Overlay(marks: [.init(quad: shape, color: .green)]).drawn(over: photo) == framed)
    let back = try Quadrilateral(corners: shape.corners.reversed())
    let drawn = try Overlay(marks: [.init(quad: back, color: .green)]).drawn(over: photo)
    // Cairo smooths the corners a little otherwise when it goes around them the other way.
    let worst = zip(drawn.samples, framed.samples).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(worst) <= 4)
  }

  @Test func theSidesOfAQuadrilateralAreDrawnInsideIt() throws {
    let quad = Quadrilateral(
      topLeft: Point(x: 60, y: 20), topRight: Point(x: 120, y: 40),
      bottomRight: Point(x: 90, y: 180), bottomLeft: Point(x: 30, y: 160))
    let drawn = try Overlay(marks: [.init(quad: quad, color: .green)]).drawn(
      over: try grey(200, 200))
    for (a, b) in zip(quad.corners, quad.corners.dropFirst() + [quad.topLeft]) {
      let along = Point(x: (b.x - a.x) / a.distance(to: b), y: (b.y - a.y) / a.distance(to: b))
      let middle = Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
      // Half a line's width inwards it is green or nearly so, three pixels outwards untouched.
      func pixel(_ inwards: Double) -> Int {
        let (x, y) = (middle.x - along.y * inwards, middle.y + along.x * inwards)
        return Int(drawn[x: Int(x), y: Int(y), channel: 1])
      }
      #expect(pixel(0.7) > 150)
      #expect(pixel(-3) == 128)
      #expect(pixel(8) == 128)
    }
  }

  @Test func theLabelOfAQuadrilateralIsInItsMiddle() throws {
    let quad = Quadrilateral(
      topLeft: Point(x: 200, y: 40), topRight: Point(x: 300, y: 80),
      bottomRight: Point(x: 200, y: 360), bottomLeft: Point(x: 100, y: 320))
    let photo = try grey(400, 400)
    let bare = try Overlay(marks: [.init(quad: quad, color: .green)]).drawn(over: photo)
    let drawn = try Overlay(marks: [.init(quad: quad, label: "12", color: .green)]).drawn(
      over: photo)
    var (left, right, top, bottom) = (400, 0, 400, 0)
    for y in 0..<400 {
      for x in 0..<400
      where (0..<3).contains(where: {
        drawn[x: x, y: y, channel: $0] != bare[x: x, y: y, channel: $0]
      }) {
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), max(bottom, y))
      }
    }
    #expect(right > left && bottom > top)
    #expect(abs(left + right - 399) <= 2 && abs(top + bottom - 399) <= 2)
    // Among wide ones, a narrow one has a smaller label.
    let wide = (0..<9).map { Quadrilateral(Box(x: Float($0) * 40, y: 10, width: 38, height: 380)) }
    let narrow = Quadrilateral(Box(x: 365, y: 10, width: 18, height: 380))
    func pixels(_ label: String) throws -> Int {
      let marks =
        wide.map { Overlay.Mark(quad: $0, label: "12") }
        + [Overlay.Mark(quad: narrow, label: label, color: .green)]
      return count(.green, in: try Overlay(marks: marks).drawn(over: photo))
    }
    #expect(try pixels("12") > pixels("") + 30)
    // Beside a strip too thin for it.
    let strip = Quadrilateral(Box(minX: 100, minY: 20, maxX: 104, maxY: 380))
    #expect(
      try Overlay(marks: [.init(quad: strip, label: "12")]).drawn(over: photo)
        != Overlay(marks: [.init(quad: strip)]).drawn(over: photo))
  }

  @Test func quadrilateralsBeyondThePhotoAreCut() throws {
    let photo = try grey(100, 80)
    for far in [200.0, 1e7, 1e20] {
      // Its left side crosses the photo; all else is outside.
      let quad = Quadrilateral(
        topLeft: Point(x: 50, y: -far), topRight: Point(x: far, y: -far),
        bottomRight: Point(x: far, y: far), bottomLeft: Point(x: 50, y: far))
      let drawn = try Overlay(marks: [.init(quad: quad, color: .green)]).drawn(over: photo)
      for y in 0..<80 {
        #expect(isColor(.green, at: 50, y, of: drawn))
        #expect(drawn[x: 45, y: y, channel: 1] == 128 && drawn[x: 60, y: y, channel: 1] == 128)
      }
    }
  }

  @Test func impossibleQuadrilateralsAreNotDrawn() throws {
    let photo = try grey(60, 60)
    let good = Quadrilateral(Box(minX: 10, minY: 10, maxX: 50, maxY: 50))
    var marks: [Overlay.Mark] = []
    for value in [Double.nan, .infinity, -.infinity] {
      var bad = good
      bad.topRight.x = value
      marks.append(.init(quad: bad, label: "1"))
    }
    marks.append(.init(quad: good.mapCorners { Point(x: $0.x, y: 20) }, label: "1"))
    marks.append(.init(quad: good.mapCorners { _ in Point(x: 5, y: 5) }, label: "1"))
    marks.append(.init(quad: good.mapCorners { $0.translated(dx: 100, dy: 0) }, label: "1"))
    #expect(try Overlay(marks: marks).drawn(over: photo) == photo)
    // A bow tie has sides.
    let bow = Quadrilateral(
      topLeft: Point(x: 10, y: 10), topRight: Point(x: 50, y: 50),
      bottomRight: Point(x: 50, y: 20), bottomLeft: Point(x: 10, y: 50))
    #expect(try Overlay(marks: [.init(quad: bow, color: .green)]).drawn(over: photo) != photo)
    let huge = good.mapCorners { $0.scaled(x: 1e307, y: 1e307) }
    #expect(try Overlay(marks: [.init(quad: huge)]).drawn(over: photo).width == 60)
  }

  @Test func anyTextCanBeALabel() throws {
    let photo = try grey(300, 300)
    for text in ["", " ", "a\u{0}b", "line\nbreak", "\u{1F370} 蛋挞 כוס", "<&>\"'", "\u{202E}x"] {
      let overlay = Overlay(
        marks: [.init(box: Box(minX: 0, minY: 0, maxX: 290, maxY: 290), label: text)],
        caption: text, legend: [.init(color: .blue, text: text)])
      #expect(try overlay.drawn(over: photo).width == 300)
      #expect(try !overlay.svg(width: 300, height: 300).isEmpty)
    }
  }

  @Test func greenAndBlueDifferInLightnessToo() {
    func luma(_ color: Color) -> Double {
      0.299 * Double(color.red) + 0.587 * Double(color.green) + 0.114 * Double(color.blue)
    }
    #expect(luma(.green) - luma(.blue) > 60)
    #expect(Color.green.readableText == .ink)
    #expect(Color.blue.readableText == .white)
  }
}

@Suite struct SVGTests {
  private let overlay = Overlay(
    marks: [
      .init(box: Box(minX: 10, minY: 10, maxX: 90, maxY: 60), label: "0.93", color: .green)
    ], caption: "1 object")

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  @Test func isAWholeFileOfTheSize() throws {
    let svg = text(try overlay.svg(width: 320, height: 200))
    #expect(svg.hasPrefix("<?xml"))
    #expect(svg.contains("width=\"320px\" height=\"200px\""))
    #expect(svg.contains("viewBox=\"0 0 320 200\""))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(!svg.contains("<image"))
  }

  @Test func thePhotoIsEmbeddedAsItIs() throws {
    let photo = try Raster(width: 320, height: 200, channels: 3, fill: 77)
    let jpeg = try ImageFile.data(of: photo, as: .jpeg(quality: 80))
    let svg = text(try overlay.svg(width: 320, height: 200, photo: jpeg))
    let encoded = jpeg.base64EncodedString()
    let lines = svg.split(whereSeparator: \.isWhitespace).joined()
    #expect(lines.contains("data:image/jpeg;base64,\(encoded)"))
  }

  @Test func impossibleSizesAreErrors() {
    for (width, height) in [(0, 1), (1, 0), (-5, 5), (32_768, 1), (Int.max, Int.max)] {
      #expect(throws: DrawingError.size(width: width, height: height, limit: 32_767)) {
        try overlay.svg(width: width, height: height)
      }
    }
  }
}
