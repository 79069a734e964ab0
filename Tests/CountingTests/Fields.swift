import Counting
import Foundation
import Geometry
import TestSupport
import Testing
import VisionProtocols

/// A plane with squares on it, seen through a network of a given input: only what is large enough there
/// is found, the surer the nearer it is to 80 pixels.
struct Field: CroppableImage {
  var frame: PixelRect
  var squares: [(box: Box, kind: Int)]

  var width: Int { frame.width }
  var height: Int { frame.height }

  init(width: Int, height: Int, squares: [(box: Box, kind: Int)]) throws {
    frame = try #require(PixelRect(x: 0, y: 0, width: width, height: height))
    self.squares = squares
  }

  /// Squares of `side` pixels in rows and columns, `gap` apart; kinds by column.
  init(width: Int, height: Int, side: Float, gap: Float, kinds: Int = 1) throws {
    var squares: [(box: Box, kind: Int)] = []
    var y = gap
    while y + side <= Float(height) {
      var (x, column) = (gap, 0)
      while x + side <= Float(width) {
        squares.append((Box(x: x, y: y, width: side, height: side), column % kinds))
        x += side + gap
        column += 1
      }
      y += side + gap
    }
    try self.init(width: width, height: height, squares: squares)
  }

  func cropped(to rect: PixelRect) -> Field? {
    guard rect.maxX <= width, rect.maxY <= height,
      let part = PixelRect(
        x: frame.x + rect.x, y: frame.y + rect.y, width: rect.width, height: rect.height)
    else { return nil }
    var copy = self
    copy.frame = part
    return copy
  }

  /// The part of a box inside the frame, in the frame's pixels.
  func visible(_ box: Box) -> Box? {
    let (left, top) = (Float(frame.x), Float(frame.y))
    let part = Box(
      minX: max(box.minX - left, 0), minY: max(box.minY - top, 0),
      maxX: min(box.maxX - left, Float(width)), maxY: min(box.maxY - top, Float(height)))
    return part.width > 0 && part.height > 0 ? part : nil
  }
}

struct FieldDetector: ObjectDetector {
  var side = 640.0

  func scale(imageWidth: Int, imageHeight: Int) -> Double {
    min(side / Double(imageWidth), side / Double(imageHeight))
  }

  func detections(in image: Field, minimumConfidence: Float) async throws -> [Detection] {
    let scale = scale(imageWidth: image.width, imageHeight: image.height)
    return image.squares.compactMap { square -> Detection? in
      guard let box = image.visible(square.box) else { return nil }
      let seen = Double(box.width) * scale
      guard seen >= 12 else { return nil }
      let score = Float(0.9 * exp(-abs(log(seen / 80))))
      return detection(box, score: score)
    }
  }
}

struct FieldEmbedder: ImageEmbedder {
  let dimension = 4

  func embeddings(of images: [Field]) async throws -> EmbeddingMatrix {
    let rows = images.map { image -> [Float] in
      let frame = Box(
        x: Float(image.frame.x), y: Float(image.frame.y), width: Float(image.width),
        height: Float(image.height))
      let nearest = image.squares.max { $0.box.iou(frame) < $1.box.iou(frame) }
      var row: [Float] = [0.05, 0.05, 0.05, 0.05]
      // The last value is that of ground: the less of a square a crop shows, the more.
      let seen = nearest.map { min(1, 2 * $0.box.iou(frame)) } ?? 0
      if let nearest { row[nearest.kind] += seen }
      row[3] += 1 - seen
      return row
    }
    return try EmbeddingMatrix(values: rows.flatMap(\.self), dimension: dimension)
  }
}
