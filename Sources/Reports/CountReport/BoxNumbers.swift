import Foundation
import Geometry

/// The numbers on the boxes of the photo, those of the overlay and of the table.
///
/// Each lies in the upper left corner of its box. It is so small that it fits in the box, and grows
/// with the photo when a reader zooms in. Dense photos therefore have small numbers, but no number
/// covers a neighbour.
struct BoxNumbers {
  /// The greatest font size, in pixels of the photo.
  private let common: Double

  /// The width of a digit in font sizes: all digits of a font have one.
  private static let digitWidth = 0.62

  /// - Parameter boxes: the boxes with their numbers, without an order.
  init(_ boxes: [(box: Box, number: Int)], photoWidth: Int, photoHeight: Int) {
    let scale = (Double(max(photoWidth, 1)) * Double(max(photoHeight, 1))).squareRoot()
    let fits = boxes.map { Self.largest(in: $0.box, number: $0.number) }.sorted()
    // The size at which four numbers in five fit, so that most are equal.
    let usual = fits.isEmpty ? scale / 50 : fits[fits.count / 5]
    common = min(max(usual, scale / 75), scale / 50)
  }

  /// The size of a number on a box that a reader adds.
  var size: String { Number.place(common) }

  /// The number on a box.
  ///
  /// - Parameters:
  ///   - isOut: whether a person took the object out, so that the number is hidden.
  ///   - isAdded: whether a person added the object.
  func markup(of box: Box, number: Int, isOut: Bool = false, isAdded: Bool = false) -> Markup {
    let size = min(common, Self.largest(in: box, number: number))
    return .element(
      "text",
      [
        "class": "number" + (isOut ? " out" : "") + (isAdded ? " more" : ""),
        "data-number": "\(number)",
        "x": Number.place(Double(box.minX)), "y": Number.place(Double(box.minY)),
        "dx": Number.place(0.2 * size), "dy": Number.place(0.95 * size),
        "font-size": Number.place(max(size, 0.1)),
      ], "\(number)")
  }

  /// The largest size at which a number takes half of its box.
  private static func largest(in box: Box, number: Int) -> Double {
    let width = digitWidth * Double(String(number).count) + 0.4
    return max(min(Double(box.width) / width, 0.55 * Double(box.height)), 0)
  }
}
