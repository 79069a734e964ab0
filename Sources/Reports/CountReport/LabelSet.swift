import Foundation

/// The labels of several photos as one set, such as one to train a detector with.
public struct LabelSet: Hashable, Sendable {
  /// The labels of each photo.
  public let files: [LabelFile]
  /// The names of all categories, each once, in the order in which the photos name them.
  public let categories: [String]

  /// Collects the labels of photos; categories of one name are one.
  public init(_ files: [LabelFile]) {
    self.files = files
    categories = files.flatMap(\.categories).reduce(into: []) { all, name in
      if !all.contains(name) { all.append(name) }
    }
  }

  /// How many objects there are.
  public var count: Int { files.reduce(0) { $0 + $1.count } }

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

  /// One file of COCO's JSON with all photos; ids of images, categories and annotations begin at 1.
  public func coco() throws -> Data {
    let places = Dictionary(uniqueKeysWithValues: zip(categories, 1...))
    var annotations: [COCO.Annotation] = []
    for (place, file) in files.enumerated() {
      for label in file.labels {
        let (left, top) = (Double(label.box.minX), Double(label.box.minY))
        let (right, bottom) = (Double(label.box.maxX), Double(label.box.maxY))
        annotations.append(
          COCO.Annotation(
            id: annotations.count + 1, imageId: place + 1,
            categoryId: places[file.categories[label.category]] ?? 1, iscrowd: 0,
            bbox: [left, top, right - left, bottom - top], area: (right - left) * (bottom - top),
            segmentation: [[left, top, right, top, right, bottom, left, bottom]],
            score: label.score, origin: label.origin))
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(
      COCO(
        images: files.enumerated().map {
          .init(id: $0 + 1, width: $1.width, height: $1.height, fileName: $1.image)
        },
        categories: categories.enumerated().map { .init(id: $0 + 1, name: $1, supercategory: "") },
        annotations: annotations))
    return Self.escaped(data)
  }

  /// JSON with escapes for characters that are not seen and act on a terminal; the encoder leaves those beyond
  /// ASCII as they are.
  private static func escaped(_ json: Data) -> Data {
    let text = String(decoding: json, as: UTF8.self)
    guard text.unicodeScalars.contains(where: Markup.isHidden) else { return json }
    var result = ""
    for scalar in text.unicodeScalars {
      if Markup.isHidden(scalar) {
        for unit in String(scalar).utf16 { result += "\\u" + String(format: "%04x", unit) }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return Data(result.utf8)
  }

  // MARK: Text

  /// One table with all photos: image, category, left, top, right, bottom, score, origin.
  public var csv: String {
    "image,category,left,top,right,bottom,score,origin\n"
      + files.flatMap { file in
        file.labels.map { label in
          [file.image, file.categories[label.category]].map(LabelFile.quoted)
            .joined(separator: ",") + ",\(LabelFile.fields(of: label))\n"
        }
      }.joined()
  }

  /// The `data.yaml` of a folder in YOLO's form: its photos are in `images`, its labels in `labels`.
  ///
  /// All photos are for training and for validation; whoever trains divides them.
  public var yoloDescription: String {
    "train: images\nval: images\nnames:\n"
      + categories.enumerated().map { place, name in
        // A text in double quotes is the same in YAML and in JSON.
        let quoted = name.unicodeScalars.map { scalar in
          switch scalar {
          case "\"", "\\": "\\\(scalar)"
          case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
            "\\u" + String(format: "%04x", scalar.value)
          default: String(scalar)
          }
        }.joined()
        return "  \(place): \"\(quoted)\"\n"
      }.joined()
  }
}
