import Foundation

/// A file with events, as its name tells it: `events-00000012-1732272012345.jsonl`.
struct EventFile: Hashable, Comparable {
  /// Files are numbered from 1; the highest number is the one written to.
  ///
  /// Numbers and not times are what orders them, for clocks are set back.
  let number: Int
  /// When it was begun: milliseconds since 1970.
  let begun: Int64

  init(number: Int, begun: Int64) {
    self.number = number
    self.begun = begun
  }

  /// The file of this name, nil if it is a name of something else.
  init?(name: String) {
    guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
    let parts = name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let begun = Int64(parts[1]),
      Self.numbers.contains(number), (0..<Int64(1) << 52).contains(begun)
    else { return nil }
    self.init(number: number, begun: begun)
    guard self.name == name else { return nil }
  }

  /// The name.
  var name: String {
    let digits = String(number)
    return Self.prefix + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
      + "-\(begun)" + Self.suffix
  }

  static func < (first: EventFile, second: EventFile) -> Bool {
    (first.number, first.begun) < (second.number, second.begun)
  }

  /// The numbers that files can have.
  static let numbers = 1...Int(Int32.max)

  private static let prefix = "events-"
  private static let suffix = ".jsonl"

  /// The files in a folder, in the order they were written.
  static func all(inFolder path: String) throws(TelemetryError) -> [EventFile] {
    guard let folder = opendir(path) else { throw .reading(path, errno) }
    defer { closedir(folder) }
    var files: [EventFile] = []
    while let entry = readdir(folder) {
      // The name lies in the entry, which lasts until the next call.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let file = EventFile(name: name) { files.append(file) }
    }
    return files.sorted()
  }
}
