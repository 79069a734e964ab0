import Counting
import Drawing
import Evaluation
import Geometry
import Raster

/// All photos of an evaluation on one sheet, each with its boxes and its numbers.
struct ContactSheet {
  /// The side of a photo's square on the sheet, in pixels.
  private static let side = 480
  /// The space between squares.
  private static let gap = 8
  private static let ground: UInt8 = 32
  private static let wrong = Color(red: 255, green: 150, blue: 0)
  private static let missed = Color(red: 230, green: 30, blue: 40)

  private var thumbnails: [Raster] = []

  /// Adds a photo, made small and drawn on.
  ///
  /// - Throws: `RasterError`, `DrawingError`.
  mutating func add(_ photo: EvaluatedPhoto, image: Raster) throws {
    // Small photos grow, so that captions are as large on them as on the others.
    let factor = Double(Self.side) / Double(max(image.width, image.height))
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
    let small = try image.converted(toChannels: 3).resized(
      width: side(image.width), height: side(image.height), method: .bilinearAntialiased)
    let marks = Self.marks(of: photo).map { mark in
      var mark = mark
      mark.box = mark.box.scaled(by: Float(factor))
      return mark
    }
    thumbnails.append(
      try Overlay(marks: marks, caption: Self.caption(of: photo)).drawn(over: small))
  }

  /// The sheet: as many columns as rows, or one more.
  ///
  /// - Throws: `RasterError` where there are more photos than fit into an image.
  func drawn() throws -> Raster {
    var columns = 1
    while columns * columns < thumbnails.count { columns += 1 }
    let rows = (thumbnails.count + columns - 1) / columns
    let step = Self.side + Self.gap
    var sheet = try Raster(
      width: columns * step + Self.gap, height: max(rows, 1) * step + Self.gap, channels: 3,
      fill: Self.ground)
    for (index, thumbnail) in thumbnails.enumerated() {
      let x = Self.gap + index % columns * step + (Self.side - thumbnail.width) / 2
      let y = Self.gap + index / columns * step + (Self.side - thumbnail.height) / 2
      sheet.paste(thumbnail, x: x, y: y)
    }
    return sheet
  }

  /// The photo's name, and count and truth of the main kind, then of all objects where there are more.
  private static func caption(of photo: EvaluatedPhoto) -> String {
    let truth = photo.truth
    let main = "\(truth.name): \(photo.result.count) / \(truth.main)"
    return truth.isOneKind && photo.found == photo.result.count
      ? main : "\(main), all \(photo.found) / \(truth.all)"
  }

  private static func marks(of photo: EvaluatedPhoto) -> [Overlay.Mark] {
    var marks: [Overlay.Mark] = []
    for (index, object) in photo.result.detections.enumerated() {
      let isWrong = photo.allMatching.map { $0.objectOfBox[index] == nil } ?? false
      marks.append(
        Overlay.Mark(
          box: object.detection.box, color: isWrong ? wrong : object.isMain ? .green : .blue,
          isEmphasized: object.isMain))
    }
    guard let matching = photo.allMatching, let places = photo.truth.allObjects?.places else {
      return marks
    }
    for (index, box) in matching.boxOfObject.enumerated() where box == nil {
      marks.append(Overlay.Mark(box: places[index], color: missed, isEmphasized: true))
    }
    return marks
  }
}

extension TrueObjects {
  /// Where to draw them: boxes as they are, points as small squares.
  fileprivate var places: [Box] {
    switch self {
    case .boxes(let boxes, _): boxes
    case .points(let points):
      points.map { truth in
        Box(
          centerX: Float(truth.point.x), centerY: Float(truth.point.y),
          width: Float(truth.radius), height: Float(truth.radius))
      }
    }
  }
}

extension Raster {
  /// Writes another image of as many channels over this one; it has to lie inside.
  fileprivate mutating func paste(_ other: Raster, x: Int, y: Int) {
    for row in 0..<other.height {
      for column in 0..<other.width {
        for channel in 0..<other.channels {
          self[x: x + column, y: y + row, channel: channel] =
            other[x: column, y: row, channel: channel]
        }
      }
    }
  }
}
