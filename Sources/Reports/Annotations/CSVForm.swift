import Foundation
import Geometry
import _CSVRecords

/// The columns of a table, by their names in the header.
private enum Column: String, CaseIterable {
  case image, category, left, top, right, bottom, score, origin

  /// Whether every table must have it.
  var isNeeded: Bool { ![.category, .score, .origin].contains(self) }
}

extension AnnotationSet {
  /// Reads a table with a header; the columns may be in any order, and photos keep the order of the
  /// table.
  ///
  /// Category, score and origin may be missing or empty. Other columns are ignored. A photo without
  /// boxes is not in the table.
  ///
  /// - Throws: ``AnnotationError`` if a line does not fit the header, or if a box is invalid.
  public static func read(csv data: Data) throws(AnnotationError) -> AnnotationSet {
    var reader = CSVReader(Array(data))
    func next() throws(AnnotationError) -> CSVRecord? {
      do throws(CSVError) {
        while let record = try reader.next() {
          if !record.isBlank { return record }
        }
        return nil
      } catch {
        throw .line(error.line, error.reason)
      }
    }
    let header = try next()?.fields ?? []
    let columns = try columns(of: header)
    var (photos, places) = ([AnnotatedPhoto](), [[UInt8]: Int]())
    while let record = try next() {
      let (line, fields) = (record.line, record.fields)
      guard fields.count == header.count else {
        throw .line(line, "has \(fields.count) fields, and the header \(header.count)")
      }
      func text(_ column: Column) -> String? {
        columns[column].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
      }
      func number(_ column: Column) throws(AnnotationError) -> Float {
        if let value = text(column).flatMap(Float.init) { return value }
        throw .line(
          line, "has \"\(text(column) ?? "")\" for \(column.rawValue), which is not a number")
      }
      let annotation = Annotation(
        box: Box(
          minX: try number(.left), minY: try number(.top), maxX: try number(.right),
          maxY: try number(.bottom)), category: text(.category).map(NameField.name),
        score: text(.score) == nil ? nil : try number(.score),
        origin: text(.origin).map(NameField.name))
      try annotation.check("the box in line \(line)")
      let name = NameField.name(text(.image) ?? "")
      let place = places[Array(name.utf8)] ?? photos.count
      if place == photos.count {
        places[Array(name.utf8)] = place
        photos.append(AnnotatedPhoto(name: name))
      }
      photos[place].annotations.append(annotation)
    }
    return AnnotationSet(photos)
  }

  /// The places of the columns in a header.
  private static func columns(of header: [String]) throws(AnnotationError) -> [Column: Int] {
    var columns: [Column: Int] = [:]
    for column in Column.allCases {
      columns[column] = header.firstIndex(of: column.rawValue)
      if column.isNeeded, columns[column] == nil {
        throw .line(1, "is a header without \"\(column.rawValue)\"")
      }
    }
    return columns
  }

  /// One table with all photos.
  var csv: String {
    let lines = photos.flatMap { photo in
      photo.annotations.map { annotation in
        Column.allCases.map { column in
          switch column {
          case .image: NameField.text(of: photo.name)
          case .category: NameField.text(of: annotation.category ?? "")
          case .left: annotation.box.minX.description
          case .top: annotation.box.minY.description
          case .right: annotation.box.maxX.description
          case .bottom: annotation.box.maxY.description
          case .score: annotation.score?.description ?? ""
          case .origin: NameField.text(of: annotation.origin ?? "")
          }
        }
      }
    }
    return ([Column.allCases.map(\.rawValue)] + lines).map { CSVWriter.record($0, end: "\n") }
      .joined()
  }
}

/// Fields with untrusted names.
///
/// Characters that act on a terminal are written as escapes. A name that a spreadsheet would
/// compute gets `./` in front, which names the same file.
private enum NameField {
  /// Whether a spreadsheet would compute a name.
  ///
  /// Any `./` in front is skipped first, so that names stay distinct.
  private static func isFormula(_ name: String) -> Bool {
    var rest = Substring(name).unicodeScalars
    while rest.starts(with: "./".unicodeScalars) { rest = rest.dropFirst(2) }
    return rest.first.map { "=+-@\t\r".unicodeScalars.contains($0) } == true
  }

  /// The text of a name's field; a backslash that could begin an escape is escaped.
  static func text(of name: String) -> String {
    var text = isFormula(name) ? "./" : ""
    var rest = Substring(name).unicodeScalars
    while let scalar = rest.popFirst() {
      let isSpace = "\t\r\n".unicodeScalars.contains(scalar)
      if scalar.isHidden && !isSpace || scalar == "\\" && rest.starts(with: "u{".unicodeScalars) {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The name in a field.
  static func name(_ field: String) -> String {
    var (name, rest) = ("", Substring(field).unicodeScalars)
    if isFormula(field), rest.starts(with: "./".unicodeScalars) { rest = rest.dropFirst(2) }
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.starts(with: "u{".unicodeScalars),
        let end = rest.prefix(9).firstIndex(of: "}"),
        let value = UInt32(String(rest[..<end].dropFirst(2)), radix: 16),
        let meant = Unicode.Scalar(value), meant.isHidden || meant == "\\"
      {
        name.unicodeScalars.append(meant)
        rest = rest[end...].dropFirst()
      } else {
        name.unicodeScalars.append(scalar)
      }
    }
    return name
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, a mark that reorders text, or not a character.
  package var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
    default: properties.isNoncharacterCodePoint
    }
  }
}
