import Annotations
import CommandKit
import Foundation

/// Boxes of images in the form of a file: Tally's, COCO's, or a table.
struct BoxFile: Sendable {
  /// The role of the boxes, which decides what they need.
  enum Role: Sendable {
    case truth
    case predictions
  }

  /// The path of the file.
  let path: String
  /// The images, in the file's order, each once.
  private(set) var images: [AnnotatedPhoto] = []
  /// The names of COCO's categories, by their numbers.
  private(set) var categories: [Int: String] = [:]
  /// Whether images and classes have only COCO's numbers.
  private(set) var isCOCOResults = false

  /// Whether any box has a class.
  var hasClasses: Bool { images.contains { $0.annotations.contains { $0.category != nil } } }
  /// Whether boxes have scores.
  var hasScores: Bool { images.contains { $0.annotations.contains { $0.score != nil } } }

  /// Reads a file.
  ///
  /// - Throws: ``CommandError`` if it does not exist, has an unknown format, repeats an image, or
  ///   has an invalid box.
  init(_ path: String, role: Role) throws(CommandError) {
    self.path = path
    let data = try JSONFile.data(path)
    do {
      switch JSONFile.start(of: data) {
      case UInt8(ascii: "["):
        // The first element shows which of the two formats it is.
        let probes: [ArrayProbe] = (try? JSONDecoder().decode([ArrayProbe].self, from: data)) ?? []
        isCOCOResults = probes.first?.isImage != true
        if isCOCOResults {
          try take(.read(coco: data))
        } else {
          try add(JSONFile.decoded(data, path))
        }
      case UInt8(ascii: "{"):
        let keys: COCOKeys? = try? JSONDecoder().decode(COCOKeys.self, from: data)
        if keys?.annotations != nil {
          try take(.read(coco: data))
        } else if keys?.images != nil {
          let list: ImageList = try JSONFile.decoded(data, path)
          try add(list.images)
        } else {
          try add(JSONFile.decodedLines(data, path))
        }
      case _ where ["image,", "\"image\","].contains { data.starts(with: $0.utf8) }:
        try take(.read(csv: data))
      default: throw error(data.isEmpty ? "is empty; it must have boxes" : "is not JSON")
      }
    } catch AnnotationError.json(let fault) {
      throw error(JSONFile.text(of: fault, in: data))
    } catch {
      throw error as? CommandError ?? self.error("\(error)")
    }
    switch role {
    case .truth where isCOCOResults:
      throw error("has COCO's results, and the truth must have its annotations")
    case .truth where images.isEmpty:
      throw error("names no image; it must name at least one")
    case .truth: break
    case .predictions: try checkScores()
    }
  }

  private func error(_ message: String) -> CommandError {
    CommandError(.badData, at: path, message)
  }

  private mutating func take(_ set: AnnotationSet) {
    images = set.photos
    for category in set.categories { categories[category.number] = category.name }
  }

  private mutating func add(_ rows: [ImageRow]) throws {
    var seen: Set<FoundPath> = []
    for row in rows {
      guard seen.insert(FoundPath(row.image)).inserted else {
        throw error("\"\(row.image)\" is there twice; an image has one entry")
      }
      let boxes = try row.rows.enumerated().map { index, box in
        try box.annotation("box \(index) of \"\(row.image)\"")
      }
      images.append(AnnotatedPhoto(name: row.image, annotations: boxes))
    }
  }

  /// Throws if some scores are missing; if all are missing, there is no order, which is allowed.
  private func checkScores() throws(CommandError) {
    guard hasScores else { return }
    for image in images {
      if let index = image.annotations.firstIndex(where: { $0.score == nil }) {
        throw error("box \(index) of \"\(image.name)\" has no score, and others have")
      }
    }
  }
}
