/// How a column of CSV is shown in a table for people: numbers are rounded as in the text of one
/// photo and aligned to the right, and long texts are cut.
enum TableCell {
  /// A confidence or score from 0 to 1.
  case share
  /// A length or a position in pixels.
  case pixels
  /// A whole number.
  case whole
  case words

  /// The kind of a column.
  ///
  /// - Parameter title: its title in CSV. One term stands for one thing in all commands.
  init(title: String) {
    switch title {
    case "score", "confidence": self = .share
    case "left", "top", "right", "bottom", "length", "thickness": self = .pixels
    case "spine", "row", "line", "index", "dimension": self = .whole
    default: self = .words
    }
  }

  /// Longer texts are cut: the name of a photo and its numbers stand in the same line.
  static let most = 80

  var alignment: TextTable.Alignment {
    if case .words = self { .left } else { .right }
  }

  /// A field as it is shown; any other text stays as it is.
  func text(_ field: String) -> String {
    switch self {
    case .share: Double(field).map { NumberText.fixed($0, digits: 4) } ?? field
    case .pixels: Double(field).map { NumberText.fixed($0, digits: 1) } ?? field
    case .whole: field
    case .words: field.count > Self.most ? field.prefix(Self.most - 3) + "..." : field
    }
  }
}
