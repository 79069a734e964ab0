import CommandKit
import Counting
import Drawing
import Evaluation
import Geometry
import Raster

/// A picture of a count and its truth.
///
/// Counted objects are green, other kinds blue, boxes without an object orange, and missed objects
/// red.
struct PhotoDrawing {
  /// The longer side of a picture, in pixels.
  static let side = 480

  private static let ground: UInt8 = 40
  private static let wrong = Color(red: 255, green: 150, blue: 0)
  private static let missed = Color(red: 230, green: 30, blue: 40)
  private static let known = Color(red: 150, green: 150, blue: 150)

  let photo: EvaluatedPhoto

  /// The reduced photo, with everything drawn on it.
  ///
  /// - Throws: `RasterError`, `DrawingError`.
  func drawn(over image: Raster) throws -> Raster {
    // Small photos are enlarged, so that captions have the same size on all.
    let size = size(image.width, image.height)
    let small = try image.converted(toChannels: 3).resized(
      width: size.width, height: size.height, method: .bilinearAntialiased)
    return try overlay(marks).drawn(over: small)
  }

  /// The same without the photo: on a plain background, with the boxes of all objects in grey
  /// dashes.
  ///
  /// - Throws: `RasterError`, `DrawingError`.
  func schematic() throws -> Raster {
    let size = size(photo.result.width, photo.result.height)
    let plain = try Raster(
      width: size.width, height: size.height, channels: 3, fill: Self.ground)
    let objects = (photo.truth.allObjects?.places ?? []).map {
      Overlay.Mark(box: $0, color: Self.known, isDashed: true)
    }
    return try overlay(objects + marks).drawn(over: plain)
  }

  private var factor: Double {
    Double(Self.side) / Double(max(photo.result.width, photo.result.height, 1))
  }

  private func size(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
    return (side(width), side(height))
  }

  private func overlay(_ marks: [Overlay.Mark]) -> Overlay {
    Overlay(
      marks: marks.map { mark in
        var mark = mark
        mark.box = mark.box.scaled(by: Float(factor))
        return mark
      }, caption: caption)
  }

  /// The photo's name, and count and truth of the main kind, then of all objects if there are more.
  private var caption: String {
    let truth = photo.truth
    let main = "\(truth.name): \(photo.result.count) / \(truth.main)"
    return truth.isOneKind && photo.found == photo.result.count
      ? main : "\(main), all \(photo.found) / \(truth.all)"
  }

  private var marks: [Overlay.Mark] {
    var marks: [Overlay.Mark] = []
    for (index, object) in photo.result.detections.enumerated() {
      let isWrong = photo.allMatching.map { $0.objectOfBox[index] == nil } ?? false
      marks.append(
        Overlay.Mark(
          box: object.detection.box,
          color: isWrong ? Self.wrong : object.isMain ? .green : .blue,
          isEmphasized: object.isMain))
    }
    guard let matching = photo.allMatching, let places = photo.truth.allObjects?.places else {
      return marks
    }
    for (index, box) in matching.boxOfObject.enumerated() where box == nil {
      marks.append(Overlay.Mark(box: places[index], color: Self.missed, isEmphasized: true))
    }
    return marks
  }
}

extension TrueObjects {
  /// The shapes to draw: boxes themselves, and points as small squares.
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
