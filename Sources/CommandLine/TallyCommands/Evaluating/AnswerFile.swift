import CommandKit
import DateExtraction
import Foundation
import _CSVRecords

/// Labels, texts, payloads or dates of images, in JSON or as a table.
struct AnswerFile: Sendable {
  /// An image.
  struct Image: Sendable {
    let name: String
    var answer: Answer
    /// Why the command failed on it; nil if it did not.
    let error: String?
  }

  /// The path of the file.
  let path: String
  /// What the file is about.
  let kind: AnswerKind
  /// The images, in the file's order, each once.
  private(set) var images: [Image] = []
  private var places: [FoundPath: Int] = [:]

  /// Reads a file.
  ///
  /// - Throws: ``CommandError`` if it does not exist, has an unknown format, repeats an image, or
  ///   says nothing of this kind about one.
  init(_ path: String, kind: AnswerKind) throws(CommandError) {
    self.path = path
    self.kind = kind
    let data = try JSONFile.data(path)
    let rows: [AnswerRow]
    switch JSONFile.start(of: data) {
    case UInt8(ascii: "["): rows = try JSONFile.decoded(data, path)
    case UInt8(ascii: "{"): rows = try JSONFile.decodedLines(data, path)
    case nil: throw error("is empty; it must have images")
    default:
      try read(table: Array(data))
      rows = []
    }
    for row in rows {
      let answer = row.answer(kind)
      guard let answer = row.error == nil ? answer : answer ?? Answer([]) else {
        throw error("\"\(row.image)\" has no \"\(kind.key)\"")
      }
      try add(Image(name: row.image, answer: answer, error: row.error))
    }
    try checkDates()
  }

  /// Throws for a file that cannot be the truth.
  func checkTruth() throws(CommandError) {
    guard !images.isEmpty else { throw error("names no image; it must name at least one") }
    for image in images {
      if let fault = image.error {
        throw error("\"\(image.name)\" has an error in place of the truth: \(fault)")
      }
      let count = image.answer.values.count
      if kind == .label, count != 1 {
        throw error("\"\(image.name)\" has \(count) labels; it must have one")
      }
    }
  }

  private func error(_ message: String) -> CommandError {
    CommandError(.badData, at: path, message)
  }

  private mutating func add(_ image: Image) throws(CommandError) {
    guard places.updateValue(images.count, forKey: FoundPath(image.name)) == nil else {
      throw error("\"\(image.name)\" is there twice; an image has one entry")
    }
    images.append(image)
  }

  /// Throws for a date that does not exist or is written in another form.
  private func checkDates() throws(CommandError) {
    guard kind == .dates else { return }
    for image in images {
      if let text = image.answer.values.first(where: { CalendarDate($0) == nil }) {
        throw error(
          "\"\(image.name)\" has the date \"\(text)\"; it must be as 2027-05-31 or 2027-05")
      }
    }
  }

  // MARK: Tables

  /// Adds the images of a table with a header; the columns may be in any order.
  private mutating func read(table bytes: [UInt8]) throws(CommandError) {
    var reader = CSVReader(bytes, separator: CSVReader.separator(of: bytes))
    let header = try next(of: &reader)?.fields ?? []
    guard let nameColumn = header.firstIndex(of: "image"),
      let column = header.firstIndex(of: kind.column)
    else {
      throw error(
        "is not JSON, and its first line does not name the columns image and \(kind.column)")
    }
    let errorColumn = header.firstIndex(of: "error")
    while let record = try next(of: &reader) {
      let fields = record.fields
      guard fields.count == header.count else {
        throw error(
          "line \(record.line) has \(fields.count) fields, and the header \(header.count)")
      }
      let fault = errorColumn.map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
      let image = Image(name: fields[nameColumn], answer: Answer([fields[column]]), error: fault)
      if kind != .label, let place = places[FoundPath(image.name)] {
        images[place].answer = Answer(images[place].answer.values + image.answer.values)
      } else {
        try add(image)
      }
    }
  }

  private func next(of reader: inout CSVReader) throws(CommandError) -> CSVRecord? {
    do throws(CSVError) {
      while let record = try reader.next() {
        if !record.isBlank { return record }
      }
      return nil
    } catch {
      throw self.error("line \(error.line) \(error.reason)")
    }
  }
}
