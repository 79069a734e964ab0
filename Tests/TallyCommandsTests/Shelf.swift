import Foundation
import ImageFiles
import Raster
import TestSupport

/// A photo of a shelf, drawn: coloured spines on a pale ground.
struct Shelf {
  /// A spine: a rectangle of one colour.
  struct Book {
    let left, top, width, height: Int
    let color: [UInt8]
  }

  let width: Int
  let height: Int
  let books: [Book]

  /// Five books that stand on one board, a little apart.
  static let standing = Shelf(
    width: 480, height: 360,
    books: [
      Book(left: 60, top: 60, width: 44, height: 250, color: [190, 30, 40]),
      Book(left: 116, top: 80, width: 52, height: 230, color: [20, 60, 150]),
      Book(left: 180, top: 50, width: 40, height: 260, color: [15, 110, 60]),
      Book(left: 232, top: 70, width: 60, height: 240, color: [90, 20, 110]),
      Book(left: 304, top: 60, width: 48, height: 250, color: [150, 80, 10]),
    ])

  /// Three books that lie on each other.
  static let lying = Shelf(
    width: 480, height: 360,
    books: [
      Book(left: 90, top: 90, width: 280, height: 50, color: [190, 30, 40]),
      Book(left: 80, top: 152, width: 300, height: 60, color: [20, 60, 150]),
      Book(left: 100, top: 224, width: 270, height: 46, color: [15, 110, 60]),
    ])

  var picture: Raster {
    get throws {
      var picture = try Raster(width: width, height: height, channels: 3, fill: 225)
      for book in books {
        for y in book.top..<book.top + book.height {
          for x in book.left..<book.left + book.width {
            for channel in 0..<3 { picture[x: x, y: y, channel: channel] = book.color[channel] }
          }
        }
      }
      return picture
    }
  }

  /// Writes the photo into a folder and answers its path.
  func write(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    try ImageFile.write(picture, to: URL(fileURLWithPath: path))
    return path
  }
}
