import Counting
import Foundation

/// A template with a name and its origin.
///
/// As a file it is a readable JSON object, with one row of numbers per line:
///
/// ```json
/// {
///   "tallyTemplate": 1,
///   "name": "sweets",
///   "created": "2026-11-22T22:47:34Z",
///   "photo": "tray.jpg",
///   "objects": 24,
///   "models": {"detector": "5d1f...", "embedder": "90ab..."},
///   "side": 0.0831,
///   "aspect": 1.04,
///   "like": [
///     [0.0312, -0.1187, ...]
///   ],
///   "unlike": []
/// }
/// ```
///
/// `"embedderPreset"` is there if the embedder's preprocessing is not that of its file.
public struct StoredTemplate: Hashable, Sendable {
  /// What it is called.
  public var name: String
  /// When it was made, to the second.
  public var created: Date
  /// The file name of the photo that it was learnt from.
  public var photo: String
  /// How many objects it was learnt from, at least 1.
  public var objects: Int
  /// How the embedder's pixels were prepared, if a person chose it.
  public var embedderPreset: String?
  /// The data of the objects.
  public var template: CountTemplate

  /// Names a template.
  public init(
    name: String, created: Date, photo: String, objects: Int, embedderPreset: String? = nil,
    template: CountTemplate
  ) {
    self.name = name
    self.created = created
    self.photo = photo
    self.objects = objects
    self.embedderPreset = embedderPreset
    self.template = template
  }
}

extension StoredTemplate {
  /// The version of the format that this module writes and reads.
  public static let formatVersion = 1
  /// The most rows of a kind that a file may hold.
  public static let mostRows = 4096
  /// The most values of a row.
  public static let longestRow = 16_384

  // MARK: Writing

  /// The template as the bytes of its file.
  ///
  /// - Throws: ``TemplateError/invalidValue(_:)`` if a value is not one that ``init(json:)`` reads.
  public func json() throws(TemplateError) -> Data {
    if let fault { throw .invalidValue(fault) }
    var lines = [
      "\"tallyTemplate\": \(Self.formatVersion)", "\"name\": \(Self.quoted(name))",
      "\"created\": \(Self.quoted(Self.text(of: created)))", "\"photo\": \(Self.quoted(photo))",
      "\"objects\": \(objects)",
      "\"models\": {\"detector\": \(Self.quoted(template.models.detector)), "
        + "\"embedder\": \(Self.quoted(template.models.embedder))}",
    ]
    if let embedderPreset { lines.append("\"embedderPreset\": \(Self.quoted(embedderPreset))") }
    lines += [
      "\"side\": \(template.side)", "\"aspect\": \(template.aspect)",
      "\"like\": \(Self.text(of: template.like))", "\"unlike\": \(Self.text(of: template.unlike))",
    ]
    return Data(("{\n" + lines.map { "  \($0)" }.joined(separator: ",\n") + "\n}\n").utf8)
  }

  /// A time as ISO 8601 in UTC, to the second.
  private static func text(of time: Date) -> String { time.formatted(.iso8601) }

  private static func text(of rows: [[Float]]) -> String {
    guard !rows.isEmpty else { return "[]" }
    let lines = rows.map { row in
      "    [\(row.map(\.description).joined(separator: ", "))]"
    }
    return "[\n\(lines.joined(separator: ",\n"))\n  ]"
  }

  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    // A text is always JSON.
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  // MARK: Reading

  /// Reads a template from the bytes of its file.
  ///
  /// - Throws: ``TemplateError/notATemplate(_:)`` if the bytes are not an object of this format,
  ///   ``TemplateError/fromTheFuture(_:)`` if they are of a later version,
  ///   ``TemplateError/invalidValue(_:)`` if a value makes no sense.
  public init(json: Data) throws(TemplateError) {
    let fields: TemplateFields
    do {
      // The version first: the fields of a later one are not known.
      let version = try JSONDecoder().decode(TemplateVersion.self, from: json).tallyTemplate
      guard version <= Self.formatVersion else { throw TemplateError.fromTheFuture(version) }
      guard version == Self.formatVersion else {
        throw TemplateError.invalidValue("tallyTemplate is \(version); it must be 1")
      }
      fields = try JSONDecoder().decode(TemplateFields.self, from: json)
    } catch let error as TemplateError {
      throw error
    } catch DecodingError.keyNotFound(let key, _) where key.stringValue != "tallyTemplate" {
      throw .notATemplate("the field '\(key.stringValue)' is missing")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      throw .notATemplate(
        path.isEmpty
          ? "it is not a JSON object" : "'\(path.joined())' is of the wrong kind")
    } catch {
      let isJSON = (try? JSONSerialization.jsonObject(with: json)) != nil
      throw .notATemplate(
        isJSON
          ? "it is JSON of something else, or has a number that is too large" : "it is not JSON")
    }
    guard let created = try? Date(fields.created, strategy: .iso8601) else {
      throw .invalidValue(
        "created is '\(fields.created.prefix(40))'; it must be as 2026-11-22T22:47:34Z")
    }
    self.init(
      name: fields.name, created: created, photo: fields.photo, objects: fields.objects,
      embedderPreset: fields.embedderPreset,
      template: CountTemplate(
        models: fields.models, like: fields.like, unlike: fields.unlike, side: fields.side,
        aspect: fields.aspect))
    if let fault { throw .invalidValue(fault) }
  }

  /// What makes no sense, nil if all does.
  private var fault: String? {
    if !TemplateFolder.isName(name) {
      return "name is '\(name.prefix(80))'; it must be \(TemplateFolder.nameRule)"
    }
    if objects < 1 { return "objects is \(objects); it must be at least 1" }
    for (field, digest) in [
      ("detector", template.models.detector), ("embedder", template.models.embedder),
    ] where digest.utf8.count != 64 || !digest.utf8.allSatisfy(Self.isHexDigit) {
      return "models.\(field) must be a SHA-256 of 64 hexadecimal digits"
    }
    for (field, value) in [("side", template.side), ("aspect", template.aspect)]
    where !(value >= 1e-6 && value <= 1e6) {
      return "\(field) is \(value); it must be a number above 0"
    }
    guard let first = template.like.first else { return "like has no row; it must have one" }
    guard (1...Self.longestRow).contains(first.count) else {
      return "like[0] has \(first.count) values; it must have 1 to \(Self.longestRow)"
    }
    return Self.fault(in: template.like, "like", length: first.count)
      ?? Self.fault(in: template.unlike, "unlike", length: first.count)
  }

  private static func fault(in rows: [[Float]], _ field: String, length: Int) -> String? {
    if rows.count > mostRows { return "\(field) has \(rows.count) rows; the most are \(mostRows)" }
    for (index, row) in rows.enumerated() {
      if row.count != length {
        return "\(field)[\(index)] has \(row.count) values; like[0] has \(length)"
      }
      let square = row.reduce(0.0) { $0 + Double($1) * Double($1) }
      // Embeddings are of length 1, to the precision of their numbers.
      if !(abs(square - 1) <= 0.01) {
        return "\(field)[\(index)] is not a direction: its length is "
          + "\((square.squareRoot() * 1000).rounded() / 1000), and must be 1"
      }
    }
    return nil
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

/// The field that tells a template and its version.
private struct TemplateVersion: Decodable {
  let tallyTemplate: Int
}

/// The fields of the JSON.
private struct TemplateFields: Decodable {
  let name, created, photo: String
  let objects: Int
  let embedderPreset: String?
  let models: CountTemplate.Models
  let side, aspect: Double
  let like, unlike: [[Float]]
}
