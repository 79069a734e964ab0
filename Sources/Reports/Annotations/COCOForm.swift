import Foundation
import Geometry

/// COCO's JSON of a set of photos, for reading and writing.
private struct COCODocument: Codable {
  struct Image: Codable {
    let id: Int
    let width, height: Int?
    let name: String?

    enum CodingKeys: String, CodingKey {
      case id, width, height
      case name = "file_name"
    }
  }
  struct Category: Codable {
    let id: Int
    let name, supercategory: String?
  }
  let images: [Image]
  let categories: [Category]?
  let annotations: [COCORow]
}

/// A box in a COCO file: an annotation, or a result.
private struct COCORow: Codable {
  var id: Int?
  let image: Int
  let category: Int?
  let box: [Double]
  var area: Double?
  var outline: [[Double]]?
  let score: Float?
  let isCrowd: Int?
  let origin: String?

  enum CodingKeys: String, CodingKey {
    case id, area, score, origin
    case image = "image_id"
    case category = "category_id"
    case box = "bbox"
    case outline = "segmentation"
    case isCrowd = "iscrowd"
  }

  init(_ annotation: Annotation, id: Int, image: Int, category: Int?) {
    let (left, top) = (Double(annotation.box.minX), Double(annotation.box.minY))
    let (right, bottom) = (Double(annotation.box.maxX), Double(annotation.box.maxY))
    (self.id, self.image, self.category) = (id, image, category)
    box = [left, top, right - left, bottom - top]
    let corners = annotation.outline.flatMap { $0.count >= 3 ? $0 : nil }
    area = corners.map(Self.area) ?? (right - left) * (bottom - top)
    outline = [
      corners?.flatMap { [$0.x, $0.y] } ?? [left, top, right, top, right, bottom, left, bottom]
    ]
    isCrowd = annotation.isCrowd ? 1 : 0
    (score, origin) = (annotation.score, annotation.origin)
  }

  /// The area of a polygon, by the shoelace formula.
  private static func area(_ corners: [Point]) -> Double {
    var sum = 0.0
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      sum += a.x * b.y - b.x * a.y
    }
    return abs(sum) / 2
  }

  // Outlines are not read, because they have many forms. The area is not read, because it follows
  // from the box. "ignore" is not read, because COCO's tools overwrite it with "iscrowd".
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    image = try container.decode(Int.self, forKey: .image)
    category = try container.decodeIfPresent(Int.self, forKey: .category)
    box = try container.decode([Double].self, forKey: .box)
    score = try container.decodeIfPresent(Float.self, forKey: .score)
    isCrowd = try container.decodeIfPresent(Int.self, forKey: .isCrowd)
    origin = try container.decodeIfPresent(String.self, forKey: .origin)
  }

  func annotation(
    _ names: [Int: String], _ place: @autoclosure () -> String
  ) throws(AnnotationError) -> Annotation {
    guard box.count == 4 else {
      throw .box(
        place(), "has a bbox of \(box.count) numbers; it must have x, y, width, height")
    }
    guard box[2] >= 0, box[3] >= 0 else {
      throw .box(place(), "has a bbox \(box); its width and height must be at least 0")
    }
    let annotation = Annotation(
      box: Box(
        minX: Float(box[0]), minY: Float(box[1]), maxX: Float(box[0] + box[2]),
        maxY: Float(box[1] + box[3])),
      category: category.map { names[$0] ?? "\($0)" }, score: score, origin: origin,
      isCrowd: isCrowd == 1)
    try annotation.check(place())
    return annotation
  }
}

extension AnnotationSet {
  /// Reads COCO's annotations, `{"images": ..., "annotations": ...}`, or its results,
  /// `[{"image_id": ...}, ...]`.
  ///
  /// Results have numbers instead of names for photos and categories; the numbers become the names.
  ///
  /// - Throws: ``AnnotationError`` if the JSON does not fit, if a photo or a category occurs twice,
  ///   or if a box is invalid.
  public static func read(coco data: Data) throws(AnnotationError) -> AnnotationSet {
    var (set, places) = (AnnotationSet([]), [Int: Int]())
    if data.first(where: { ![9, 10, 13, 32].contains($0) }) == UInt8(ascii: "[") {
      let rows: [COCORow] = try decoded(data)
      for (index, row) in rows.enumerated() {
        let place = places[row.image] ?? set.photos.count
        if place == set.photos.count {
          places[row.image] = place
          set.photos.append(AnnotatedPhoto(name: "\(row.image)", number: row.image))
        }
        set.photos[place].annotations.append(try row.annotation([:], "result \(index)"))
      }
      return set
    }
    let document: COCODocument = try decoded(data)
    var names: [Int: String] = [:]
    for category in document.categories ?? [] {
      let name = category.name ?? "\(category.id)"
      guard names.updateValue(name, forKey: category.id) == nil else {
        throw .twice("category \(category.id)")
      }
      set.categories.append(Category(number: category.id, name: name))
    }
    var files: Set<[UInt8]> = []
    for image in document.images {
      let name = image.name ?? "\(image.id)"
      guard places.updateValue(set.photos.count, forKey: image.id) == nil,
        files.insert(Array(name.utf8)).inserted
      else { throw .twice("image \(image.id) (\"\(name)\")") }
      set.photos.append(
        AnnotatedPhoto(name: name, number: image.id, width: image.width, height: image.height))
    }
    for (index, row) in document.annotations.enumerated() {
      guard let place = places[row.image] else {
        throw .unknown(
          "annotation \(index) is of image \(row.image), which \"images\" does not name")
      }
      set.photos[place].annotations.append(try row.annotation(names, "annotation \(index)"))
    }
    return set
  }

  private static func decoded<Value: Decodable>(_ data: Data) throws(AnnotationError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: data)
    } catch {
      throw .json(
        error as? DecodingError
          ?? .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)")))
    }
  }

  /// One document with all photos; unless each photo has its own number, they are numbered from 1.
  func coco(_ places: [String: Int]) throws(AnnotationError) -> Data {
    let given = photos.compactMap(\.number)
    let numbers = Set(given).count == photos.count ? given : Array(1...photos.count)
    var rows: [COCORow] = []
    for (number, photo) in zip(numbers, photos) {
      for annotation in photo.annotations {
        let place = try Self.place(of: annotation, in: places)
        rows.append(
          COCORow(
            annotation, id: rows.count + 1, image: number,
            category: place.map { categories[$0].number }))
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let document = COCODocument(
      images: zip(numbers, photos).map {
        .init(id: $0, width: $1.width, height: $1.height, name: $1.name)
      }, categories: categories.map { .init(id: $0.number, name: $0.name, supercategory: "") },
      annotations: rows)
    guard let data = try? encoder.encode(document) else { throw .lacking("has no JSON") }
    // The encoder does not escape characters beyond ASCII, even those that act on a terminal.
    let json = String(decoding: data, as: UTF8.self).unicodeScalars
    guard json.contains(where: \.isHidden) else { return data }
    var text = ""
    for scalar in json {
      if scalar.isHidden {
        for unit in String(scalar).utf16 { text += "\\u" + String(format: "%04x", unit) }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return Data(text.utf8)
  }

  /// The place of a box's category; nil if it has none.
  static func place(
    of annotation: Annotation, in places: [String: Int]
  ) throws(AnnotationError) -> Int? {
    guard let name = annotation.category else { return nil }
    guard let place = places[name] else {
      throw .unknown("a box is of \"\(name)\", which is not a category")
    }
    return place
  }
}
