import Counting
import Foundation
import Geometry

/// The objects of a count as labels for training and evaluation, in the forms that other programs read.
///
/// Boxes are clipped to the photo; what has no area then is left out. ``LabelSet`` has those of several photos.
public struct LabelFile: Hashable, Sendable {
  /// The forms.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// COCO's JSON: `bbox` as left, top, width, height in pixels; categories begin at 1.
    case coco
    /// YOLO's text: a line `class cx cy w h` for each object, as shares of the photo; classes begin at 0.
    case yolo
    /// A table with a header: image, category, left, top, right, bottom in pixels, score, origin.
    case csv
  }

  /// The name of the photo's file, as other programs look for it.
  public var image: String
  /// The names of the categories that objects may have, in order.
  public let categories: [String]
  /// The photo's width in pixels.
  public let width: Int
  /// The photo's height in pixels.
  public let height: Int
  let labels: [Label]

  struct Label: Hashable {
    let box: Box
    let score: Float?
    let origin: CorrectedCount.Origin
    /// The place of its category.
    let category: Int
  }

  /// Takes the objects of the main kind of a count.
  ///
  /// - Parameters:
  ///   - count: the corrected count, or `CorrectedCount(result)`.
  ///   - image: the name of the photo's file.
  ///   - category: the name of what was counted.
  public init(_ count: CorrectedCount, image: String, category: String = "object") {
    self.init(count, image: image, categories: [category], ofKind: [:])
  }

  /// Takes the objects of all kinds of a count that have a category.
  ///
  /// - Parameters:
  ///   - count: the corrected count, or `CorrectedCount(result)`.
  ///   - image: the name of the photo's file.
  ///   - categories: the names of the categories, in order.
  ///   - places: the place of each kind's category, by the kind's label in the count's clusters. Objects of other
  ///     kinds are left out. The main kind, with what a person added to it, has the first category if it is not
  ///     named.
  /// - Precondition: the places are those of categories.
  public init(
    _ count: CorrectedCount, image: String, categories: [String], ofKind places: [Int: Int]
  ) {
    precondition(
      !categories.isEmpty && places.values.allSatisfy(categories.indices.contains),
      "a kind has a category that is not there")
    self.image = image
    self.categories = categories
    (width, height) = (count.machine.width, count.machine.height)
    let (right, bottom) = (Float(width), Float(height))
    func label(
      _ box: Box, _ object: CountedDetection?, _ origin: CorrectedCount.Origin, _ category: Int
    ) -> Label? {
      guard box.isFinite else { return nil }
      let clipped = Box(
        minX: min(max(box.minX, 0), right), minY: min(max(box.minY, 0), bottom),
        maxX: min(max(box.maxX, 0), right), maxY: min(max(box.maxY, 0), bottom))
      guard !clipped.isEmpty else { return nil }
      return Label(
        box: clipped, score: object.map(\.detection.score).flatMap { $0.isFinite ? $0 : nil },
        origin: origin, category: category)
    }
    let main = count.machine.mainCluster.flatMap { places[$0] } ?? 0
    labels =
      count.objects.compactMap { label($0.box, $0.machine, $0.origin, main) }
      + count.machine.detections.compactMap { object in
        guard !object.isMain, let place = places[object.cluster] else { return nil }
        return label(object.detection.box, object, .machine, place)
      }
  }

  /// How many objects it has.
  public var count: Int { labels.count }

  /// The bytes of the file.
  public func data(as format: Format) throws -> Data {
    switch format {
    case .coco: try LabelSet([self]).coco()
    case .yolo: Data(yolo.utf8)
    case .csv: Data(LabelSet([self]).csv.utf8)
    }
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
      return "\(label.category) " + shares.map { String(format: "%.9f", $0) }.joined(separator: " ")
        + "\n"
    }.joined()
  }

  /// The sides, the score and the origin of a label, as a table has them.
  static func fields(of label: Label) -> String {
    let edges = [label.box.minX, label.box.minY, label.box.maxX, label.box.maxY]
    return edges.map(\.description).joined(separator: ",")
      + ",\(label.score?.description ?? ""),\(label.origin.rawValue)"
  }

  /// A field of a table by RFC 4180.
  ///
  /// Names come from elsewhere: what acts on a terminal is an escape, and what a spreadsheet would compute has
  /// `./` in front, which is the same file.
  static func quoted(_ text: String) -> String {
    var field =
      text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } == true
      ? "./" : ""
    for scalar in text.unicodeScalars {
      if Markup.isHidden(scalar), !"\t\r\n".unicodeScalars.contains(scalar) {
        field += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        field.unicodeScalars.append(scalar)
      }
    }
    guard field.contains(where: { ",\"\r\n".contains($0) || $0 == "\r\n" }) else { return field }
    return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
