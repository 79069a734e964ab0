import Foundation
import Geometry

/// A box on a photo, and what is said of it.
public struct Annotation: Hashable, Sendable {
  /// Where it is, in pixels of the photo.
  public var box: Box
  /// The name of its category.
  public var category: String?
  /// How sure whoever found it was.
  public var score: Float?
  /// Where it is from, such as `machine` or `person`.
  public var origin: String?
  /// Whether it is a heap of objects and no single one; of the forms COCO's alone says so.
  public var isCrowd: Bool
  /// Whether it does not matter who finds it; no form says so.
  public var isIgnored: Bool

  /// Describes a box.
  public init(
    box: Box, category: String? = nil, score: Float? = nil, origin: String? = nil,
    isCrowd: Bool = false, isIgnored: Bool = false
  ) {
    (self.box, self.category, self.score, self.origin) = (box, category, score, origin)
    (self.isCrowd, self.isIgnored) = (isCrowd, isIgnored)
  }

  /// Refuses a box or a score that is none; `place` is what the box is called, such as `box 3 of "a.jpg"`.
  ///
  /// Reading and writing do so themselves.
  public func check(_ place: @autoclosure () -> String) throws(AnnotationError) {
    let edges = [box.minX, box.minY, box.maxX, box.maxY]
    guard box.isFinite else { throw .box(place(), "has a number that is not finite") }
    guard box.maxX >= box.minX, box.maxY >= box.minY else {
      throw .box(place(), "is \(edges); right and bottom must not be less than left and top")
    }
    if score?.isFinite == false { throw .box(place(), "has a score that is not finite") }
  }
}

/// A photo and the boxes on it.
public struct AnnotatedPhoto: Hashable, Sendable {
  /// The name of its file; in COCO's results the number.
  public var name: String
  /// COCO's number of it.
  public var number: Int?
  /// How many pixels wide and high it is, where that is known.
  public var width, height: Int?
  /// The boxes, in order.
  public var annotations: [Annotation]

  /// Describes a photo.
  public init(
    name: String, number: Int? = nil, width: Int? = nil, height: Int? = nil,
    annotations: [Annotation] = []
  ) {
    (self.name, self.number, self.annotations) = (name, number, annotations)
    (self.width, self.height) = (width, height)
  }
}

/// Photos with boxes on them, such as those to train or judge a detector with.
///
/// What ``write(as:)`` answers is read again by ``read(coco:)``, ``read(csv:)`` and
/// ``AnnotatedPhoto/read(yolo:name:width:height:categories:)``, as far as the form has room for it.
public struct AnnotationSet: Hashable, Sendable {
  /// The forms.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// COCO's JSON: `bbox` as left, top, width, height in pixels.
    case coco
    /// YOLO's text of one photo: a line `class cx cy w h` for each box, as shares of the photo.
    case yolo
    /// A table with a header: image, category, left, top, right, bottom in pixels, score, origin.
    case csv
  }

  /// What boxes may be of.
  public struct Category: Hashable, Sendable {
    /// COCO's number of it.
    public var number: Int
    /// Its name.
    public var name: String

    /// Describes a category.
    public init(number: Int, name: String) { (self.number, self.name) = (number, name) }
  }

  /// The photos, in order.
  public var photos: [AnnotatedPhoto]
  /// The categories, in order: YOLO's class is the place of one.
  public var categories: [Category]

  /// Collects photos; categories are numbered from 1, and without names they are those of the boxes.
  public init(_ photos: [AnnotatedPhoto], categories names: [String]? = nil) {
    self.photos = photos
    var seen: Set<String> = []
    let names = names ?? photos.flatMap(\.annotations).compactMap(\.category)
    categories = zip(1..., names.filter { seen.insert($0).inserted }).map {
      Category(number: $0, name: $1)
    }
  }

  /// The bytes of a file.
  ///
  /// - Throws: ``AnnotationError`` where a box is none, has a category that is not among ``categories``, or lacks
  ///   what the form needs. YOLO's form needs a photo's size, and a file for each photo.
  public func write(as format: Format) throws(AnnotationError) -> Data {
    for photo in photos {
      for (place, annotation) in photo.annotations.enumerated() {
        try annotation.check("box \(place) of \"\(photo.name)\"")
      }
    }
    let places = Dictionary(
      zip(categories.map(\.name), categories.indices), uniquingKeysWith: { first, _ in first })
    return switch format {
    case .coco: try coco(places)
    case .yolo: Data(try yolo(places).utf8)
    case .csv: Data(csv.utf8)
    }
  }
}

/// Why a file of boxes is not read or written.
public enum AnnotationError: Error, Sendable, CustomStringConvertible {
  /// It is not the form's JSON.
  case json(DecodingError)
  /// A line, counted from 1, is not one of the form.
  case line(Int, String)
  /// A photo or a category is there twice.
  case twice(String)
  /// Something belongs to a photo or a category that is not there.
  case unknown(String)
  /// A box is none, or its score; which one, and why.
  case box(String, String)
  /// What the form needs is not known.
  case lacking(String)

  /// What is wrong, as the end of a sentence that begins with the file.
  public var description: String {
    switch self {
    case .json(.keyNotFound(let key, _)): "has no \"\(key.stringValue)\" where it must be"
    case .json: "is not JSON of the right kind"
    case .line(let number, let fault): "line \(number) \(fault)"
    case .twice(let thing): "\(thing) is there twice"
    case .unknown(let text), .lacking(let text): text
    case .box(let place, let fault): "\(place) \(fault)"
    }
  }
}
