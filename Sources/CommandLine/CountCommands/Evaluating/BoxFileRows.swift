import Annotations
import Foundation
import Geometry

// The content of files with boxes, in the form of JSON.

/// `{"images": [...]}`.
struct ImageList: Decodable {
  let images: [ImageRow]
}

/// An image with its boxes; the names are Tally's, and those that `tally detect` and `tally spines`
/// print.
struct ImageRow: Decodable {
  let image: String
  private let boxes, detections, spines: [BoxRow]?

  /// The boxes, by any of their names.
  var rows: [BoxRow] { boxes ?? detections ?? spines ?? [] }

  enum CodingKeys: CodingKey {
    case image, boxes, detections, spines
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    image = try container.decode(String.self, forKey: .image)
    boxes = try container.decodeIfPresent([BoxRow].self, forKey: .boxes)
    detections = try container.decodeIfPresent([BoxRow].self, forKey: .detections)
    spines = try container.decodeIfPresent([BoxRow].self, forKey: .spines)
    // An image without boxes must have an empty list: a misspelt name is not an empty list.
    if boxes == nil, detections == nil, spines == nil {
      throw DecodingError.keyNotFound(
        CodingKeys.boxes,
        .init(codingPath: decoder.codingPath, debugDescription: "no list of boxes"))
    }
  }
}

/// A box: four numbers, or an object that contains them.
struct BoxRow: Decodable {
  let box: [Double]
  var score: Double?
  var className: String?
  var crowd, ignore: Bool?

  enum CodingKeys: String, CodingKey {
    case box, score, confidence, crowd, ignore
    case className = "class"
  }

  init(from decoder: any Decoder) throws {
    if let numbers = try? decoder.singleValueContainer().decode([Double].self) {
      box = numbers
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    box = try container.decode([Double].self, forKey: .box)
    score =
      try container.decodeIfPresent(Double.self, forKey: .score)
      ?? container.decodeIfPresent(Double.self, forKey: .confidence)
    if let number = try? container.decode(Int.self, forKey: .className) {
      className = "\(number)"
    } else {
      className = try container.decodeIfPresent(String.self, forKey: .className)
    }
    crowd = try container.decodeIfPresent(Bool.self, forKey: .crowd)
    ignore = try container.decodeIfPresent(Bool.self, forKey: .ignore)
  }

  /// The annotation of the box; `place` names it in errors.
  func annotation(_ place: String) throws(AnnotationError) -> Annotation {
    guard box.count == 4 else {
      throw .box(place, "has \(box.count) numbers; it must have left, top, right and bottom")
    }
    let annotation = Annotation(
      box: Box(
        minX: Float(box[0]), minY: Float(box[1]), maxX: Float(box[2]), maxY: Float(box[3])),
      category: className, score: score.map { Float($0) }, isCrowd: crowd ?? false,
      isIgnored: ignore ?? false)
    try annotation.check(place)
    return annotation
  }
}

/// The keys of an object that distinguish formats.
struct COCOKeys: Decodable {
  let annotations, images: Anything?
}

/// Finds the format of an array's element.
struct ArrayProbe: Decodable {
  private let image: Anything?
  private let imageID: Anything?

  enum CodingKeys: String, CodingKey {
    case image
    case imageID = "image_id"
  }

  /// Whether it is an image with boxes, and not one of COCO's results.
  var isImage: Bool { image != nil && imageID == nil }
}

/// Any value.
struct Anything: Decodable {
  init(from decoder: any Decoder) throws {}
}
