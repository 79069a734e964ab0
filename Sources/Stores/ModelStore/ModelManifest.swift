import Foundation

/// The description of a model: its name, expected content, purpose and source.
///
/// It is known before the file is opened.
public struct ModelManifest: Hashable, Sendable {
  /// The name: lower-case letters, digits, `.`, `-` and `_`, beginning with a letter or digit, at
  /// most 64.
  public var name: String
  /// The version, with the same characters as a name.
  ///
  /// Versions never change: new content is a new version. ``ModelVersion`` is their order, which
  /// only ``ModelFolder/check(_:)`` asks for.
  public var version: String
  /// The SHA-256 of the file.
  public var digest: SHA256Digest
  /// The length of the file in bytes, 1 to ``largestSize``.
  public var size: Int
  /// The purpose, such as `object-detection`, with the same characters as a name.
  public var task: String
  /// The input that it needs.
  public var input: ModelInput?
  /// The place to fetch it from; nil for a model that is not downloaded.
  public var source: ModelSource?
  /// The terms of use, such as an SPDX identifier.
  public var licence: String?

  /// The greatest size of a model: 64 GiB.
  public static let largestSize = 1 << 36
  /// The greatest size of a manifest, in bytes of JSON.
  public static let largestManifest = 1 << 16

  /// Makes a manifest.
  ///
  /// - Throws: ``ModelStoreError/invalidManifest(field:reason:)`` for an impossible value.
  public init(
    name: String, version: String, digest: SHA256Digest, size: Int, task: String,
    input: ModelInput? = nil, source: ModelSource? = nil, licence: String? = nil
  ) throws(ModelStoreError) {
    self.name = name
    self.version = version
    self.digest = digest
    self.size = size
    self.task = task
    self.input = input
    self.source = source
    self.licence = licence
    try validate()
  }

  /// Checks all values, like those of an untrusted manifest.
  func validate() throws(ModelStoreError) {
    try Self.checkName(name, "name")
    try Self.checkName(version, "version")
    try Self.checkName(task, "task")
    guard (1...Self.largestSize).contains(size) else {
      throw .invalidManifest(
        field: "size", reason: "is \(size); it must be 1 to \(Self.largestSize)")
    }
    if let licence { try Self.checkText(licence, "licence") }
    try input?.validate()
    try source?.validate()
  }

  /// Whether a text may name a model, a version or a task.
  ///
  /// Such a text is also a safe name of a file in a folder.
  public static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...64).contains(bytes.count), let first = bytes.first, isLetterOrDigit(first)
    else { return false }
    return bytes.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func checkName(_ text: String, _ field: String) throws(ModelStoreError) {
    guard isName(text) else {
      throw .invalidManifest(
        field: field,
        reason:
          "is '\(text.prefix(80))'; it must be 1 to 64 of a-z, 0-9, '.', '-' and '_', a letter "
          + "or digit first")
    }
  }

  static func checkText(_ text: String, _ field: String) throws(ModelStoreError) {
    guard (1...2000).contains(text.utf8.count),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      throw .invalidManifest(
        field: field, reason: "must be 1 to 2000 bytes without control characters")
    }
  }
}

/// The input that a model needs, as far as it is known.
public struct ModelInput: Hashable, Sendable {
  /// The input's name in the model.
  public var name: String?
  /// The type of its elements, as ONNX names it: `float32`.
  public var type: String?
  /// Its dimensions; nil for one that is open.
  public var shape: [Int?]
  /// The order of colours: `rgb`, `bgr` or `gray`.
  public var channels: String?
  /// The numbers that are subtracted from each channel, whose values are 0 to 1 as in a picture.
  public var mean: [Double]?
  /// The numbers that each channel is then divided by.
  public var deviation: [Double]?

  /// Makes an input.
  public init(
    name: String? = nil, type: String? = nil, shape: [Int?] = [], channels: String? = nil,
    mean: [Double]? = nil, deviation: [Double]? = nil
  ) {
    self.name = name
    self.type = type
    self.shape = shape
    self.channels = channels
    self.mean = mean
    self.deviation = deviation
  }

  func validate() throws(ModelStoreError) {
    if let name { try ModelManifest.checkText(name, "input.name") }
    if let type { try ModelManifest.checkName(type, "input.type") }
    if let channels, !["rgb", "bgr", "gray"].contains(channels) {
      throw .invalidManifest(
        field: "input.channels", reason: "is '\(channels.prefix(80))'; it must be rgb, bgr or gray")
    }
    guard shape.count <= 8, shape.allSatisfy({ $0.map { (1...(1 << 30)).contains($0) } ?? true })
    else {
      throw .invalidManifest(
        field: "input.shape", reason: "must be at most 8 sides from 1 to \(1 << 30), or null")
    }
    for (field, values) in [("mean", mean), ("deviation", deviation)] {
      guard let values else { continue }
      guard values.count <= 16, values.allSatisfy(\.isFinite),
        field == "mean" || !values.contains(0)
      else {
        throw .invalidManifest(
          field: "input.\(field)", reason: "must be at most 16 finite numbers, a deviation not 0")
      }
    }
  }
}

/// The place to fetch a model from.
public struct ModelSource: Hashable, Sendable {
  /// A file to fetch.
  public enum Place: Hashable, Sendable {
    /// A file at an address, `https:` or `http:`.
    case url(String)
    /// A file of a release on Python's package index, which its own client fetches.
    ///
    /// The release is `name==version`, and `file` is the name of the file.
    case package(name: String, version: String, file: String)
  }

  /// An archive that contains the model.
  public struct Archive: Hashable, Sendable {
    /// The path of the model in the archive.
    public var member: String
    /// Its length in bytes.
    public var size: Int
    /// Its SHA-256, if it is known; that of the model is checked in any case.
    public var digest: SHA256Digest?

    /// Makes an archive.
    public init(member: String, size: Int, digest: SHA256Digest? = nil) {
      self.member = member
      self.size = size
      self.digest = digest
    }
  }

  /// The file to fetch.
  public var place: Place
  /// The archive, if the file is a zip file that contains the model, such as a wheel.
  public var archive: Archive?

  /// Makes a source.
  public init(_ place: Place, archive: Archive? = nil) {
    self.place = place
    self.archive = archive
  }

  func validate() throws(ModelStoreError) {
    switch place {
    case .url(let url):
      do {
        _ = try FetchAddress(url)
      } catch {
        throw .invalidManifest(field: "source.url", reason: "is not valid: \(error)")
      }
    case .package(let name, let version, let file):
      for (field, text) in [("package", name), ("packageVersion", version), ("file", file)] {
        // Another program gets this text, and must not take it for an option or for a path.
        guard let first = text.utf8.first, text.utf8.count <= 200, !".-_".utf8.contains(first),
          text.utf8.allSatisfy({
            Character(Unicode.Scalar($0)).isLetter && $0 < 0x80 || (0x30...0x39).contains($0)
              || ".-_+".utf8.contains($0)
          })
        else {
          throw .invalidManifest(
            field: "source.\(field)",
            reason: "is '\(text.prefix(80))'; it must be letters, digits, '.', '-', '_' and '+'")
        }
      }
    }
    guard let archive else { return }
    try ModelManifest.checkText(archive.member, "source.member")
    guard (1...ModelManifest.largestSize).contains(archive.size) else {
      throw .invalidManifest(
        field: "source.size",
        reason: "is \(archive.size); it must be 1 to \(ModelManifest.largestSize)")
    }
  }
}
