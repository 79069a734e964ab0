import Annotations
import Foundation
import Geometry

// What files with boxes hold, as JSON has it.

/// `{"images": [...]}`.
struct ImageList: Decodable {
  let images: [ImageRow]
}

/// An image with its boxes; the names are ours, and those that `tally detect` and `tally spines`
/// print.
struct ImageRow: Decodable {
  let image: String
  private let boxes, detections, spines: [BoxRow]?

  /// The boxes, by whichever name they go.
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
    // An image without boxes says so: a word misspelt is not none.
    if boxes == nil, detections == nil, spines == nil {
      throw DecodingError.keyNotFound(
        CodingKeys.boxes,
        .init(codingPath: decoder.codingPath, debugDescription: "no list of boxes"))
    }
  }
}

/// A box: four numbers, or an object that has them.
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

  /// The box that it is; `place` is what it is called.
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

/// Which of the keys that tell formats apart an object has.
struct COCOKeys: Decodable {
  let annotations, images: Anything?
}

/// Which of two formats an element of an array is in.
struct ArrayProbe: Decodable {
  private let image: Anything?
  private let imageID: Anything?

  enum CodingKeys: String, CodingKey {
    case image
    case imageID = "image_id"
  }

  /// Whether it is an image with boxes, and no result of COCO's.
  var isImage: Bool { image != nil && imageID == nil }
}

/// Any value at all.
struct Anything: Decodable {
  init(from decoder: any Decoder) throws {}
}
