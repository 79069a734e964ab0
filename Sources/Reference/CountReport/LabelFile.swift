import Foundation
import Geometry

/// The objects of a count as labels for training and evaluation, in the forms that other programs read.
///
/// Boxes are clipped to the photo; what has no area then is left out.
public struct LabelFile: Hashable, Sendable {
  /// The forms.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// COCO's JSON: one image, one category, `bbox` as left, top, width, height in pixels.
    case coco
    /// YOLO's text: a line `0 cx cy w h` an object, as shares of the photo.
    case yolo
    /// A table with a header: left, top, right, bottom in pixels, score, origin.
    case csv
  }

  /// The name of the photo's file, as other programs look for it.
  public var image: String
  /// The name of what was counted.
  public var category: String
  /// The photo's width in pixels.
  public let width: Int
  /// The photo's height in pixels.
  public let height: Int
  private let labels: [Label]

  private struct Label: Hashable {
    let box: Box
    let score: Float?
    let origin: CorrectedCount.Origin
  }

  /// Takes the objects of a count.
  ///
  /// - Parameters:
  ///   - count: the corrected count, or `CorrectedCount(result)`.
  ///   - image: the name of the photo's file.
  ///   - category: the name of what was counted.
  public init(_ count: CorrectedCount, image: String, category: String = "object") {
    self.image = image
    self.category = category
    (width, height) = (count.machine.width, count.machine.height)
    let (right, bottom) = (Float(width), Float(height))
    labels = count.objects.compactMap { object in
      guard object.box.isFinite else { return nil }
      let box = Box(
        minX: min(max(object.box.minX, 0), right), minY: min(max(object.box.minY, 0), bottom),
        maxX: min(max(object.box.maxX, 0), right), maxY: min(max(object.box.maxY, 0), bottom))
      guard !box.isEmpty else { return nil }
      return Label(
        box: box, score: object.machine.map(\.detection.score).flatMap { $0.isFinite ? $0 : nil },
        origin: object.origin)
    }
  }

  /// How many objects it has.
  public var count: Int { labels.count }

  /// The bytes of the file.
  public func data(as format: Format) throws -> Data {
    switch format {
    case .coco: try coco()
    case .yolo: Data(yolo.utf8)
    case .csv: Data(csv.utf8)
    }
  }

  // MARK: COCO

  private struct COCO: Codable {
    struct Image: Codable {
      let id, width, height: Int
      let fileName: String
    }
    struct Category: Codable {
      let id: Int
      let name, supercategory: String
    }
    struct Annotation: Codable {
      let id, imageId, categoryId, iscrowd: Int
      let bbox: [Double]
      let area: Double
      let segmentation: [[Double]]
      let score: Float?
      let origin: CorrectedCount.Origin
    }
    let images: [Image]
    let categories: [Category]
    let annotations: [Annotation]
  }

  private func coco() throws -> Data {
    let annotations = labels.enumerated().map { place, label in
      let (left, top) = (Double(label.box.minX), Double(label.box.minY))
      let (right, bottom) = (Double(label.box.maxX), Double(label.box.maxY))
      return COCO.Annotation(
        id: place + 1, imageId: 1, categoryId: 1, iscrowd: 0,
        bbox: [left, top, right - left, bottom - top], area: (right - left) * (bottom - top),
        segmentation: [[left, top, right, top, right, bottom, left, bottom]], score: label.score,
        origin: label.origin)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try encoder.encode(
      COCO(
        images: [.init(id: 1, width: width, height: height, fileName: image)],
        categories: [.init(id: 1, name: category, supercategory: "")],
        annotations: annotations))
  }

  // MARK: Text

  private var yolo: String {
    labels.map { label in
      let box = label.box
      // Shares in double precision, so that they give the box back.
      let (left, top) = (Double(box.minX), Double(box.minY))
      let (right, bottom) = (Double(box.maxX), Double(box.maxY))
      let shares = [
        (left + right) / 2 / Double(width), (top + bottom) / 2 / Double(height),
        (right - left) / Double(width), (bottom - top) / Double(height),
      ]
      return "0 " + shares.map { String(format: "%.9f", $0) }.joined(separator: " ") + "\n"
    }.joined()
  }

  private var csv: String {
    "left,top,right,bottom,score,origin\n"
      + labels.map { label in
        let edges = [label.box.minX, label.box.minY, label.box.maxX, label.box.maxY]
        return edges.map(\.description).joined(separator: ",")
          + ",\(label.score?.description ?? ""),\(label.origin.rawValue)\n"
      }.joined()
  }
}
