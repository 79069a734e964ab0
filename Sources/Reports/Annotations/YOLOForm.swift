import Foundation
import Geometry

extension AnnotatedPhoto {
  /// Reads the YOLO text file of one photo: one line `class cx cy w h` or `class cx cy w h score`
  /// per box.
  ///
  /// - Parameters:
  ///   - data: the text.
  ///   - name: the name of the photo's file.
  ///   - width: the photo's width in pixels.
  ///   - height: the photo's height in pixels.
  ///   - categories: the names of the classes, in order.
  /// - Throws: ``AnnotationError`` if a line does not have this form, or if its class is not among
  ///   the categories.
  public static func read(
    yolo data: Data, name: String, width: Int, height: Int, categories: [String]
  ) throws(AnnotationError) -> AnnotatedPhoto {
    var photo = AnnotatedPhoto(name: name, width: width, height: height)
    let lines = Self.lines(of: String(decoding: data, as: UTF8.self))
    for (line, text) in zip(1..., lines) {
      let words = text.split(whereSeparator: \.isWhitespace)
      let numbers = words.dropFirst().compactMap { Double($0) }
      if words.isEmpty { continue }
      guard 4...5 ~= numbers.count, numbers.count == words.count - 1, let place = Int(words[0])
      else { throw .line(line, "must be a class, four numbers and perhaps a score") }
      guard categories.indices.contains(place) else {
        throw .unknown("line \(line) has class \(place), and there are \(categories.count)")
      }
      let (x, y) = (numbers[0] * Double(width), numbers[1] * Double(height))
      let (halfWidth, halfHeight) = (
        numbers[2] * Double(width) / 2, numbers[3] * Double(height) / 2
      )
      let annotation = Annotation(
        box: Box(
          minX: Float(x - halfWidth), minY: Float(y - halfHeight), maxX: Float(x + halfWidth),
          maxY: Float(y + halfHeight)),
        category: categories[place], score: numbers.count == 5 ? Float(numbers[4]) : nil)
      try annotation.check("the box in line \(line)")
      photo.annotations.append(annotation)
    }
    return photo
  }
}

extension AnnotatedPhoto {
  /// The lines of a text, without the byte order mark that some editors write before them.
  fileprivate static func lines(of text: String) -> [Substring] {
    let scalars = text.unicodeScalars
    return String(scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...])
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }
}

extension AnnotationSet {
  /// The YOLO text of the only photo.
  func yolo(_ places: [String: Int]) throws(AnnotationError) -> String {
    guard photos.count == 1 else {
      throw .lacking("YOLO has a file for each photo, and there are \(photos.count)")
    }
    guard let width = photos[0].width, let height = photos[0].height, width > 0, height > 0 else {
      throw .lacking("the size of \"\(photos[0].name)\" is not known, and YOLO has shares of it")
    }
    var text = ""
    for annotation in photos[0].annotations {
      guard let place = try Self.place(of: annotation, in: places) else {
        throw .lacking("a box of \"\(photos[0].name)\" has no category")
      }
      // The shares are in double precision, so that they give the same box again.
      let (left, top) = (Double(annotation.box.minX), Double(annotation.box.minY))
      let (right, bottom) = (Double(annotation.box.maxX), Double(annotation.box.maxY))
      let shares = [
        (left + right) / 2 / Double(width), (top + bottom) / 2 / Double(height),
        (right - left) / Double(width), (bottom - top) / Double(height),
      ]
      text += "\(place)" + shares.map { String(format: " %.9f", $0) }.joined() + "\n"
    }
    return text
  }

  /// The `data.yaml` of a YOLO folder, whose photos are in `images` and whose labels are in
  /// `labels`.
  ///
  /// It names all photos for training and for validation; a user may divide them.
  public var yoloDescription: String {
    "train: images\nval: images\nnames:\n"
      + categories.enumerated().map { place, category in
        // A text in double quotes is the same in YAML and in JSON.
        let quoted = category.name.unicodeScalars.map { scalar in
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

  /// Reads the class names from a `data.yaml` with one name on each line, as ``yoloDescription``
  /// writes it.
  ///
  /// - Throws: ``AnnotationError`` if there are no names, or if their numbers are not 0, 1, 2, ....
  public static func categories(ofYOLODescription text: String) throws(AnnotationError) -> [String]
  {
    let lines = AnnotatedPhoto.lines(of: text)
    let start = lines.firstIndex { $0.hasPrefix("names:") } ?? lines.endIndex
    var names: [String] = []
    for (line, text) in zip(1..., lines).dropFirst(start + 1) {
      guard text.hasPrefix(" ") || text.hasPrefix("-") else { break }
      let entry = text.trimmingCharacters(in: .whitespaces)
      let sign = entry.hasPrefix("-") ? "-" : "\(names.count):"
      let name = entry.dropFirst(sign.count).trimmingCharacters(in: .whitespaces)
      let isQuoted = name.hasPrefix("\"")
      guard entry.hasPrefix(sign),
        let own = isQuoted ? try? JSONDecoder().decode(String.self, from: Data(name.utf8)) : name
      else { throw .line(line, "is not class \(names.count)") }
      names.append(own)
    }
    if names.isEmpty { throw .lacking("has no names of classes, one a line") }
    return names
  }
}
