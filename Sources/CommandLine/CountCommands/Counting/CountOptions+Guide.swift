import CommandKit
import Counting
import Geometry

// The options for what to count in a photo, and where.

extension CountOptions {
  static let like = Option(
    "like", .pixelBox,
    help: "Count objects similar to the one in this box, in pixels of the upright photo: left, "
      + "top, width, height. The box need not fit exactly.",
    isRepeatable: true)
  static let unlike = Option(
    "unlike", .pixelBox, help: "Leave out objects similar to the one in this box.",
    isRepeatable: true)
  static let region = Option(
    "region", .pixelRegion,
    help: "Count only objects whose centre is in this part of the photo: a rectangle as left, top, "
      + "width, height, or the x and y of three or more corners of a polygon.")
  static let template = Option(
    "template", .path("NAME"),
    help: "Count objects similar to those of this template: a name of 'tally template list', or a "
      + "file, which has a / in its path or ends in .json.")

  /// The options for one photo only.
  static let ofOnePhoto: [any OptionDeclaration] = [like, unlike, region]
  /// All options that guide a count; only the adaptive set uses them.
  static let ofGuide: [any OptionDeclaration] = ofOnePhoto + [template]

  /// The group of a help text.
  static let groupOfGuide = OptionGroup("What to count", ofGuide + [TemplateInputs.folder])
  /// The same for photos that are not known yet.
  static let groupOfTemplate = OptionGroup("What to count", [template, TemplateInputs.folder])
}

extension ValueKind where Value == Box {
  /// `X,Y,WIDTH,HEIGHT` in pixels, for a box that is not empty.
  static var pixelBox: ValueKind {
    ValueKind(
      metavar: "X,Y,W,H", expectation: "four numbers as 120,80,64,48, the last two above 0",
      parse: { text in
        guard let numbers = PixelNumbers.of(text), numbers.count == 4 else { return nil }
        return PixelNumbers.box(numbers)
      },
      fault: { text in
        PixelNumbers.fault(in: text)
          ?? PixelNumbers.of(text).flatMap { numbers in
            numbers.count != 4
              ? "has \(Sentence.count(numbers.count, "number", "numbers"))"
              : PixelNumbers.fault(inBox: numbers)
          }
      })
  }
}

extension ValueKind where Value == CountingRegion {
  /// `X,Y,WIDTH,HEIGHT` of a rectangle in pixels, or `X,Y,X,Y,X,Y...` of a polygon's corners.
  static var pixelRegion: ValueKind {
    ValueKind(
      metavar: "X,Y,W,H|X,Y,X,Y,X,Y,...",
      expectation: "a rectangle of four numbers as 120,80,640,480, the last two above 0, or the x "
        + "and y of three or more corners that span an area",
      parse: { text in PixelNumbers.of(text).flatMap(PixelNumbers.region) },
      fault: { text in
        if let fault = PixelNumbers.fault(in: text) { return fault }
        guard let numbers = PixelNumbers.of(text) else { return nil }
        if numbers.count == 4 { return PixelNumbers.fault(inBox: numbers) }
        return numbers.count < 6 || !numbers.count.isMultiple(of: 2)
          ? "has \(Sentence.count(numbers.count, "number", "numbers"))" : "has no area"
      })
  }
}

/// Numbers separated by commas.
private enum PixelNumbers {
  private static let number = ValueKind<Double>.number("", in: -1_000_000...1_000_000)

  private static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// The numbers; nil if a part is not a number.
  static func of(_ text: String) -> [Double]? {
    let parts = parts(text)
    let numbers = parts.compactMap { number.parse($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// The error in the first part that is not a number of pixels.
  static func fault(in text: String) -> String? {
    parts(text).first { number.parse($0) == nil }
      .map { "has '\($0.prefix(40))', which is not a finite number of pixels" }
  }

  /// The error in the size of a box.
  static func fault(inBox numbers: [Double]) -> String? {
    for (name, value) in [("width", numbers[2]), ("height", numbers[3])] where value <= 0 {
      return "has a \(name) of \(NumberText.of(value))"
    }
    return box(numbers) == nil ? "has no area" : nil
  }

  /// The box of left, top, width and height; nil if it has no area.
  static func box(_ numbers: [Double]) -> Box? {
    guard numbers[2] > 0, numbers[3] > 0 else { return nil }
    let values = numbers.map { Float($0) }
    let box = Box(x: values[0], y: values[1], width: values[2], height: values[3])
    // A small width may be lost by rounding beside a large left edge.
    return box.width > 0 && box.height > 0 ? box : nil
  }

  /// The region of a box or of corners; nil if it has no area.
  static func region(_ numbers: [Double]) -> CountingRegion? {
    if numbers.count == 4 { return box(numbers).flatMap { try? CountingRegion(of: $0) } }
    guard numbers.count >= 6, numbers.count.isMultiple(of: 2) else { return nil }
    let corners = stride(from: 0, to: numbers.count, by: 2)
      .map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    return spanArea(corners) ? try? CountingRegion(corners: corners) : nil
  }

  /// Whether the corners are not all on one line.
  private static func spanArea(_ corners: [Point]) -> Bool {
    guard let first = corners.first, let second = corners.first(where: { $0 != first }) else {
      return false
    }
    let (across, down) = (second.x - first.x, second.y - first.y)
    return corners.contains { corner in
      across * (corner.y - first.y) != down * (corner.x - first.x)
    }
  }
}
