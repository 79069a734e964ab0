import CommandKit
import Evaluation
import Foundation
import Geometry

/// Boxes of images as a file has them: ours, or COCO's.
struct BoxFile: Sendable {
  /// What the boxes are, which decides what they must have.
  enum Role: Sendable {
    case truth
    case predictions
  }

  /// A box, and what is said of it.
  struct Entry: Sendable {
    let box: Box
    let score: Float?
    let className: String?
    let isCrowd: Bool
    let isIgnored: Bool
  }

  /// An image and its boxes.
  struct Image: Sendable {
    /// What the file calls it: its name, or in COCO's results the number.
    let name: String
    /// COCO's number of it.
    var number: Int?
    var entries: [Entry]
  }

  /// Where the file is.
  let path: String
  /// The images, in the file's order, each once.
  private(set) var images: [Image] = []
  /// The names of COCO's categories, by their numbers.
  private(set) var categories: [Int: String] = [:]
  /// Whether images and classes go by COCO's numbers alone.
  private(set) var isCOCOResults = false

  /// Whether any box has a class.
  var hasClasses: Bool { images.contains { $0.entries.contains { $0.className != nil } } }
  /// Whether boxes have scores.
  var hasScores: Bool { images.contains { $0.entries.contains { $0.score != nil } } }

  /// Reads a file.
  ///
  /// - Throws: ``CommandError`` where it is not there, is of no known format, or has an image twice or
  ///   a box that is none.
  init(_ path: String, role: Role) throws(CommandError) {
    self.path = path
    let data = try JSONFile.data(path)
    switch JSONFile.start(of: data) {
    case UInt8(ascii: "["):
      try read(array: data)
    case UInt8(ascii: "{"):
      let keys: COCOKeys? = try? JSONDecoder().decode(COCOKeys.self, from: data)
      if keys?.annotations != nil {
        try read(coco: JSONFile.decoded(data, path))
      } else if keys?.images != nil {
        let list: ImageList = try JSONFile.decoded(data, path)
        try add(list.images)
      } else {
        try add(JSONFile.decodedLines(data, path))
      }
    default: throw error(data.isEmpty ? "is empty; it must have boxes" : "is not JSON")
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

  // MARK: Our format

  private mutating func add(_ rows: [ImageRow]) throws(CommandError) {
    var seen: Set<FoundPath> = []
    for row in rows {
      guard seen.insert(FoundPath(row.image)).inserted else {
        throw error("\"\(row.image)\" is there twice; an image has one entry")
      }
      var entries: [Entry] = []
      for (index, box) in row.rows.enumerated() {
        entries.append(try entry(box, "box \(index) of \"\(row.image)\""))
      }
      images.append(Image(name: row.image, number: nil, entries: entries))
    }
  }

  private func entry(_ row: BoxRow, _ place: String) throws(CommandError) -> Entry {
    guard row.box.count == 4 else {
      throw error("\(place) has \(row.box.count) numbers; it must have left, top, right and bottom")
    }
    let box = Box(
      minX: Float(row.box[0]), minY: Float(row.box[1]), maxX: Float(row.box[2]),
      maxY: Float(row.box[3]))
    guard row.box[2] >= row.box[0], row.box[3] >= row.box[1] else {
      throw error(
        "\(place) is \(row.box); right and bottom must not be less than left and top")
    }
    return try Self.checked(
      box, score: row.score, className: row.className, isCrowd: row.crowd ?? false,
      isIgnored: row.ignore ?? false
    ) { error("\(place) \($0)") }
  }

  private static func checked(
    _ box: Box, score: Double?, className: String?, isCrowd: Bool, isIgnored: Bool,
    refusal: (String) -> CommandError
  ) throws(CommandError) -> Entry {
    guard box.isFinite else { throw refusal("has a number that is not finite") }
    if let score, !Float(score).isFinite { throw refusal("has a score that is not finite") }
    return Entry(
      box: box, score: score.map { Float($0) }, className: className, isCrowd: isCrowd,
      isIgnored: isIgnored)
  }

  /// Refuses scores of which some are missing: where nothing has one there is no order, which is fine.
  private func checkScores() throws(CommandError) {
    guard hasScores else { return }
    for image in images {
      if let index = image.entries.firstIndex(where: { $0.score == nil }) {
        throw error("box \(index) of \"\(image.name)\" has no score, and others have")
      }
    }
  }

  // MARK: COCO's formats

  private mutating func read(coco: COCOTruth) throws(CommandError) {
    for category in coco.categories ?? [] {
      guard categories.updateValue(category.name ?? "\(category.id)", forKey: category.id) == nil
      else { throw error("category \(category.id) is there twice") }
    }
    var places: [Int: Int] = [:]
    var names: Set<FoundPath> = []
    for image in coco.images {
      let name = image.name ?? "\(image.id)"
      guard places.updateValue(images.count, forKey: image.id) == nil,
        names.insert(FoundPath(name)).inserted
      else { throw error("image \(image.id) (\"\(name)\") is there twice; an image has one entry") }
      images.append(Image(name: name, number: image.id, entries: []))
    }
    for (index, row) in coco.annotations.enumerated() {
      guard let place = places[row.image] else {
        throw error("annotation \(index) is of image \(row.image), which \"images\" does not name")
      }
      images[place].entries.append(try entry(row, "annotation \(index)"))
    }
  }

  private mutating func read(array data: Data) throws(CommandError) {
    // The first element tells which of the two it is.
    let probes: [ArrayProbe] = (try? JSONDecoder().decode([ArrayProbe].self, from: data)) ?? []
    if let first = probes.first, first.isImage {
      try add(JSONFile.decoded(data, path))
      return
    }
    isCOCOResults = true
    let rows: [COCORow] = try JSONFile.decoded(data, path)
    var places: [Int: Int] = [:]
    for (index, row) in rows.enumerated() {
      if places[row.image] == nil {
        places[row.image] = images.count
        images.append(Image(name: "\(row.image)", number: row.image, entries: []))
      }
      let entry = try entry(row, "result \(index)")
      if let place = places[row.image] { images[place].entries.append(entry) }
    }
  }

  private func entry(_ row: COCORow, _ place: String) throws(CommandError) -> Entry {
    guard row.box.count == 4 else {
      throw error(
        "\(place) has a bbox of \(row.box.count) numbers; it must have x, y, width, height")
    }
    guard row.box[2] >= 0, row.box[3] >= 0 else {
      throw error("\(place) has a bbox \(row.box); its width and height must be at least 0")
    }
    let box = Box(
      minX: Float(row.box[0]), minY: Float(row.box[1]), maxX: Float(row.box[0] + row.box[2]),
      maxY: Float(row.box[1] + row.box[3]))
    return try Self.checked(
      box, score: row.score, className: row.category.map { categories[$0] ?? "\($0)" },
      isCrowd: row.isCrowd == 1, isIgnored: false
    ) { error("\(place) \($0)") }
  }
}
