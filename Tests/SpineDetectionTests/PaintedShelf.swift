import Geometry
import Raster
import TestSupport

/// A picture of books side by side, with its truth.
struct PaintedShelf {
  var image: Raster
  var spines: [Quadrilateral] = []

  /// Books of seeded thickness, height and colour on a floor, with gaps now and then and strokes for text.
  init(books: Int, seed: UInt64, width: Int = 720, height: Int = 480) throws {
    var generator = SeededGenerator(seed: seed)
    image = try Raster(width: width, height: height, channels: 3, fill: 226)
    let floor = height - 60
    fill(0..<width, floor..<height, with: (120, 90, 60))
    var left = 60
    let usual = (width - 120) / (books + 1)
    for _ in 0..<books {
      let thickness = Int(Double(usual) * (0.6 + 0.4 * generator.unit()))
      let length = Int(Double(height - 160) * (0.7 + 0.3 * generator.unit()))
      // Dark and light in turn: brightness is what edges are found by.
      let hue = 2 * Int(generator.unit() * 2.999) + spines.count % 2
      let color = Self.colors[hue]
      let (top, right) = (floor - length, left + thickness)
      fill(left..<right, top..<floor, with: color)
      // Strokes across the thickness, as letters that run along the spine have.
      let ink: (UInt8, UInt8, UInt8) = hue % 2 == 0 ? (240, 240, 230) : (20, 20, 30)
      var stroke = top + length / 5
      while stroke < floor - length / 4 {
        fill((left + thickness / 3)..<(right - thickness / 3), stroke..<(stroke + 3), with: ink)
        stroke += 7 + Int(generator.unit() * 9)
      }
      spines.append(
        Quadrilateral(
          Box(
            minX: Float(left), minY: Float(top), maxX: Float(right), maxY: Float(floor))))
      left = right
      // A dark gap, as deep as the shelf.
      if generator.unit() < 0.4 {
        let gap = 3 + Int(generator.unit() * 4)
        fill(left..<(left + gap), (top + 30)..<floor, with: (18, 16, 14))
        left += gap
      }
    }
  }

  /// Dark and light ones in turn.
  private static let colors: [(UInt8, UInt8, UInt8)] = [
    (150, 30, 40), (210, 190, 60), (30, 60, 140), (120, 200, 190), (60, 60, 60), (235, 150, 170),
  ]

  private mutating func fill(
    _ columns: Range<Int>, _ rows: Range<Int>, with color: (UInt8, UInt8, UInt8)
  ) {
    for row in rows {
      for column in columns where column < image.width {
        (
          image[x: column, y: row, channel: 0], image[x: column, y: row, channel: 1],
          image[x: column, y: row, channel: 2]
        ) = color
      }
    }
  }

  /// With a band along the middle of every other book, as long as the book but for a little, and its outline
  /// as a recognizer may report a line of text.
  func banded() -> (shelf: PaintedShelf, text: [Quadrilateral]) {
    var banded = self
    var text: [Quadrilateral] = []
    for (index, spine) in spines.enumerated() where index % 2 == 0 {
      let box = spine.boundingBox
      let third = Int(box.width / 3)
      let columns = Int(box.minX) + third..<Int(box.maxX) - third
      let rows = Int(box.minY) + 4..<Int(box.maxY) - 4
      banded.fill(columns, rows, with: index % 4 == 0 ? (250, 250, 250) : (5, 5, 5))
      text.append(
        Quadrilateral(
          Box(
            minX: Float(columns.lowerBound - third / 3), minY: Float(rows.lowerBound),
            maxX: Float(columns.upperBound + third / 3), maxY: Float(rows.upperBound))))
    }
    return (banded, text)
  }

  /// Standing on a broad board, the picture so much higher.
  func onBoard(height: Int) throws -> PaintedShelf {
    var taller = self
    let (old, width) = (image.height, image.width)
    taller.image = try Raster(width: width, height: old + height + 60, channels: 3, fill: 226)
    for row in 0..<(old - 60) {
      for column in 0..<width {
        for channel in 0..<3 {
          taller.image[x: column, y: row, channel: channel] =
            image[x: column, y: row, channel: channel]
        }
      }
    }
    taller.fill(40..<(width - 40), (old - 60)..<(old - 60 + height), with: (120, 90, 60))
    return taller
  }

  /// The same picture with x and y exchanged: a stack.
  func lying() throws -> PaintedShelf {
    var turned = self
    turned.image = try Raster(width: image.height, height: image.width, channels: 3) { samples in
      for row in 0..<image.height {
        for column in 0..<image.width {
          for channel in 0..<3 {
            samples[(column * image.height + row) * 3 + channel] =
              image[x: column, y: row, channel: channel]
          }
        }
      }
    }
    turned.spines = spines.map { spine in
      let corners = spine.corners.map { Point(x: $0.y, y: $0.x) }
      return Quadrilateral(
        topLeft: corners[0], topRight: corners[3], bottomRight: corners[2], bottomLeft: corners[1])
    }
    return turned
  }

  /// With noise of so many grey levels.
  func noisy(_ amplitude: Double, seed: UInt64) throws -> PaintedShelf {
    var generator = SeededGenerator(seed: seed)
    var noisy = self
    noisy.image = try Raster(width: image.width, height: image.height, channels: 3) { samples in
      for index in samples.indices {
        let value = Double(image.samples[index]) + amplitude * (2 * generator.unit() - 1)
        samples[index] = UInt8(min(max(value, 0), 255))
      }
    }
    return noisy
  }
}
