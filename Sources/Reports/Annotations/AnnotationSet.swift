import Foundation
import Geometry

/// A labelled box on a photo.
public struct Annotation: Hashable, Sendable {
  /// Its place, in pixels of the photo.
  public var box: Box
  /// The name of its category.
  public var category: String?
  /// The confidence of the detector, usually 0...1; nil if it is not known.
  public var score: Float?
  /// The author of the box, such as `machine` or `person`.
  public var origin: String?
  /// Whether the box holds a crowd instead of one object; only COCO's format stores this.
  public var isCrowd: Bool
  /// Whether an evaluation ignores this object; no format stores this.
  public var isIgnored: Bool
  /// The object's outline, a polygon in pixels of the photo; nil for the sides of the box.
  ///
  /// COCO's format stores it as `segmentation`. It is not read back, because files have it in many
  /// forms.
  public var outline: [Point]?

  /// Describes a box.
  public init(
    box: Box, category: String? = nil, score: Float? = nil, origin: String? = nil,
    isCrowd: Bool = false, isIgnored: Bool = false, outline: [Point]? = nil
  ) {
    self.outline = outline
    (self.box, self.category, self.score, self.origin) = (box, category, score, origin)
    (self.isCrowd, self.isIgnored) = (isCrowd, isIgnored)
  }

  /// Throws if the box or its score is invalid; `place` names the box in the error, such as
  /// `box 3 of "a.jpg"`.
  ///
  /// Reading and writing call it for every box.
  public func check(_ place: @autoclosure () -> String) throws(AnnotationError) {
    let edges = [box.minX, box.minY, box.maxX, box.maxY]
    guard box.isFinite else { throw .box(place(), "has a number that is not finite") }
    guard box.maxX >= box.minX, box.maxY >= box.minY else {
      throw .box(place(), "is \(edges); right and bottom must not be less than left and top")
    }
    if outline?.allSatisfy(\.isFinite) == false {
      throw .box(place(), "has an outline that is not finite")
    }
    if score?.isFinite == false { throw .box(place(), "has a score that is not finite") }
  }
}

/// A photo and the boxes on it.
public struct AnnotatedPhoto: Hashable, Sendable {
  /// The file name; in COCO's results, which have no names, the image number.
  public var name: String
  /// The image's number in a COCO file.
  public var number: Int?
  /// The size in pixels; nil if it is not known.
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

/// Photos with boxes, for example to train or evaluate a detector.
///
/// ``read(coco:)``, ``read(csv:)`` and ``AnnotatedPhoto/read(yolo:name:width:height:categories:)``
/// read the output of ``write(as:)``, as far as the format stores it.
public struct AnnotationSet: Hashable, Sendable {
  /// The file formats.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// COCO's JSON: `bbox` as left, top, width, height in pixels.
    case coco
    /// YOLO's text of one photo: one line `class cx cy w h` per box, as shares of the photo.
    case yolo
    /// A table with a header: image, category, left, top, right, bottom in pixels, score, origin.
    case csv
  }

  /// A category of objects.
  public struct Category: Hashable, Sendable {
    /// The category's number in a COCO file.
    public var number: Int
    /// Its name.
    public var name: String

    /// Describes a category.
    public init(number: Int, name: String) { (self.number, self.name) = (number, name) }
  }

  /// The photos, in order.
  public var photos: [AnnotatedPhoto]
  /// The categories, in order; a YOLO class is an index into this list, from 0.
  public var categories: [Category]

  /// Makes a set of photos.
  ///
  /// Categories are numbered from 1. Without `names` they are the categories of the boxes, in order
  /// of first use.
  public init(_ photos: [AnnotatedPhoto], categories names: [String]? = nil) {
    self.photos = photos
    var seen: Set<String> = []
    let names = names ?? photos.flatMap(\.annotations).compactMap(\.category)
    categories = zip(1..., names.filter { seen.insert($0).inserted }).map {
      Category(number: $0, name: $1)
    }
  }

  /// The annotations as the bytes of a file.
  ///
  /// - Throws: ``AnnotationError`` if a box is invalid, if its category is not among
  ///   ``categories``, or if something that the format needs is missing. YOLO's format needs the
  ///   size of the photo, and one file for each photo.
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

/// The reason why a file of boxes cannot be read or written.
public enum AnnotationError: Error, Sendable, CustomStringConvertible {
  /// The file is not JSON of this format.
  case json(DecodingError)
  /// A line, counted from 1, does not fit the format.
  case line(Int, String)
  /// A photo or a category occurs twice.
  case twice(String)
  /// A box belongs to a photo or a category that is missing.
  case unknown(String)
  /// A box or its score is invalid: which one, and why.
  case box(String, String)
  /// Something that the format needs is missing.
  case lacking(String)

  /// The error, as the end of a sentence that begins with the file.
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
