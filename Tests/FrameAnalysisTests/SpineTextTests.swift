import Foundation
import FrameAnalysis
import Geometry
import Testing

@Suite("Text that reads like a spine")
struct SpineTextTests {
  /// A standing book of 50 by 400 pixels in a frame of 1000 by 500.
  private let standing = object(x: 0.4, y: 0.1, width: 0.05, height: 0.8)
  /// A lying book of 600 by 50 pixels.
  private let lying = object(x: 0.2, y: 0.5, width: 0.6, height: 0.1)
  /// A cover of 300 by 400 pixels.
  private let cover = object(x: 0.4, y: 0.1, width: 0.3, height: 0.8)

  private func accepts(
    _ text: TextLineRegion, on books: [ObjectRegion] = [], _ rule: SpineTextRule = SpineTextRule()
  ) throws -> Bool {
    rule.accepts(text, on: books.map(\.outline), in: try frameSize())
  }

  /// A line about a middle in pixels, y downward, turned by degrees.
  private func line(
    x: Double, y: Double, length: Double, height: Double, degrees: Double
  ) throws -> TextLineRegion {
    let angle = degrees * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    func corner(_ dx: Double, _ dy: Double) -> Point {
      Point(x: x + dx * cosine - dy * sine, y: y + dx * sine + dy * cosine)
    }
    let outline = Quadrilateral(
      topLeft: corner(-length / 2, -height / 2), topRight: corner(length / 2, -height / 2),
      bottomRight: corner(length / 2, height / 2), bottomLeft: corner(-length / 2, height / 2))
    let shares = try frameSize().normalized(from: outline)
    return TextLineRegion(
      box: NormalizedBox(x: 0, y: 0, width: 1, height: 1), outline: shares, text: "Herodotus",
      confidence: 0.9)
  }

  @Test("An upright line does by itself, in either direction, two and a half times as long as wide")
  func upright() throws {
    // In pixels, 20 by 50 is two and a half times as long as wide; in shares it were five times.
    #expect(try accepts(text("Title", width: 0.02, height: 0.1)))
    #expect(try !accepts(text("Title", width: 0.02, height: 0.099)))
    #expect(try !accepts(text("Title", width: 0.1, height: 0.02)))
  }

  @Test("A level line on a lying book does, off any book it does not")
  func levelLine() throws {
    let line = text("Title", x: 0.3, y: 0.52, width: 0.2, height: 0.06)
    #expect(try accepts(line, on: [lying]))
    #expect(try !accepts(line))
    #expect(try !accepts(line, on: [standing]))
    #expect(try !accepts(text("Title", x: 0.3, y: 0.7, width: 0.2, height: 0.06), on: [lying]))
  }

  @Test("A line across a standing book, or on a cover, does not")
  func acrossOrCover() throws {
    #expect(try !accepts(text("Vol", x: 0.4, y: 0.4, width: 0.05, height: 0.05), on: [standing]))
    #expect(try !accepts(text("Volume", x: 0.4, y: 0.4, width: 0.05, height: 0.05), on: [standing]))
    #expect(try !accepts(text("Title", x: 0.45, y: 0.5, width: 0.2, height: 0.1), on: [cover]))
  }

  @Test("A line on a book has to be a fifth as long as the book")
  func length() throws {
    func line(_ width: Double) -> TextLineRegion {
      text("Title", x: 0.45, y: 0.52, width: width, height: 0.06)
    }
    // 600 pixels of book: 120 of text.
    #expect(try accepts(line(0.1201), on: [lying]))
    #expect(try !accepts(line(0.1199), on: [lying]))
  }

  @Test("A line has to be within 20 degrees of the book, or of the vertical")
  func angles() throws {
    for (degrees, isAccepted) in [(0.0, true), (19.9, true), (-19.9, true), (20.1, false)] {
      let level = try line(x: 500, y: 225, length: 200, height: 20, degrees: degrees)
      #expect(try accepts(level, on: [lying]) == isAccepted)
    }
    for (degrees, isAccepted) in [(90.0, true), (-90, true), (70.1, true), (69.9, false)] {
      let upright = try line(x: 500, y: 250, length: 200, height: 20, degrees: degrees)
      #expect(try accepts(upright) == isAccepted)
    }
  }

  @Test(
    "It has to be words: four letters, and three in five characters letters or digits",
    arguments: [
      ("Emma", true), ("Emm", false), ("E m m a", true), ("1984", false), ("Emma 2", true),
      ("Emma --", true), ("Emma ---", false), ("", false), ("    ", false), ("Война", true),
      ("戦争と平和", true), ("|||||||||", false), ("Ǝmm\u{301}a", true),
    ])
  func words(words: String, isAccepted: Bool) throws {
    #expect(try accepts(text(words, width: 0.02, height: 0.6)) == isAccepted)
  }

  @Test("Shapes without an extent are no spines and don't trap")
  func hostile() throws {
    for value in [Double.nan, .infinity, 0, -1, 1e300] {
      for other in [Double.nan, .infinity, 0, 1e-300] {
        let region = text("Title", x: value, y: other, width: value, height: other)
        _ = try accepts(region, on: [lying])
        _ = try accepts(title, on: [object(x: value, y: other, width: other, height: value)])
      }
    }
    var region = title
    region.outline = Quadrilateral(Box(x: 0.5, y: 0.5, width: 0, height: 0))
    #expect(try !accepts(region, on: [lying]))
  }
}
