import Foundation

/// The data of a known object besides its embedding, kept as JSON in the payload of its entry.
public struct LikenessRecord: Hashable, Sendable, Codable {
  /// What it is called.
  public var name: String?
  /// The file it was seen in.
  public var file: String?

  /// Makes a record.
  public init(name: String? = nil, file: String? = nil) {
    self.name = name
    self.file = file
  }

  /// Reads a payload; one that is not a record makes an empty one.
  public init(payload: Data) {
    self = (try? JSONDecoder().decode(LikenessRecord.self, from: payload)) ?? LikenessRecord()
  }

  /// The payload: JSON with its keys sorted.
  public var payload: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Two texts can always be encoded.
    return (try? encoder.encode(self)) ?? Data()
  }
}

/// An entry of a library.
public struct LikenessEntry: Hashable, Sendable {
  /// Its id.
  public var id: UUID
  /// The data of the object.
  public var record: LikenessRecord

  /// Makes an entry.
  public init(id: UUID, record: LikenessRecord) {
    self.id = id
    self.record = record
  }
}

/// Which embedder made the vectors of a library: only those of one embedder can be compared.
public struct EmbedderIdentity: Hashable, Sendable, Codable {
  /// What people call it, such as its file's name; two identities with different names may be equal
  /// otherwise, and then belong together.
  public var name: String
  /// The SHA-256 of the model's file, as 64 hexadecimal digits, or another text that no other
  /// embedder has.
  public var fingerprint: String
  /// The preprocessing of images for it, if that is a setting; otherwise empty.
  public var preprocessing: String
  /// How many values an embedding has.
  public var dimension: Int

  /// Makes an identity.
  public init(name: String, fingerprint: String, preprocessing: String = "", dimension: Int) {
    self.name = name
    self.fingerprint = fingerprint
    self.preprocessing = preprocessing
    self.dimension = dimension
  }

  /// Whether vectors of both can be compared: all is equal but the name.
  public func isComparable(with other: EmbedderIdentity) -> Bool {
    fingerprint == other.fingerprint && preprocessing == other.preprocessing
      && dimension == other.dimension
  }

  /// For messages: name, beginning of the fingerprint, dimension.
  var summary: String {
    let mark = fingerprint.prefix(12)
    let how = preprocessing.isEmpty ? "" : ", \(preprocessing)"
    return "\(name) (\(mark)\(how), \(dimension) values)"
  }
}
