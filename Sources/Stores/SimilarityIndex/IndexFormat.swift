import NearestNeighbors

/// Numbers of the file format, which `Docs/SearchFiles.md` writes out byte by byte.
enum IndexFormat {
  /// The version this module writes, and the latest it reads.
  static let version: UInt32 = 1
  /// The length of the headers of all files but the one with rows.
  static let headerLength = 128
  /// The length of the header before rows: a multiple of 64 bytes, so that
  /// rows are aligned as the map of the file is.
  static let rowsHeaderLength = 4096
  /// The length of a record.
  static let recordLength = 64
  /// The limits of the dimension.
  static let dimensions = 1...VectorLayout.largestDimension
  /// Records are counted in 31 bits, and rows therefore too.
  static let mostRecords = Int(Int32.max) - 1

  // Names of the files in the folder. Those with a number belong to one generation.

  static let entriesName = "entries"
  static let newEntriesName = "entries.new"
  static let lockName = "lock"
  static func vectorsName(_ generation: UInt64) -> String { "vectors-\(generation)" }
  static func payloadsName(_ generation: UInt64) -> String { "payloads-\(generation)" }
  static func graphName(_ generation: UInt64) -> String { "graph-\(generation)" }
  static func newGraphName(_ generation: UInt64) -> String { "graph-\(generation).new" }

  /// Whether a name is one that this module gives files, so that it may be deleted.
  static func isOurs(_ name: String) -> Bool {
    if [entriesName, newEntriesName, lockName].contains(name) { return true }
    let stem = name.hasSuffix(".new") ? String(name.dropLast(4)) : name
    let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && ["vectors", "payloads", "graph"].contains(parts[0])
      && UInt64(parts[1]) != nil
  }
}

/// Which of an index's files a header begins.
enum IndexFileKind: UInt64, CaseIterable {
  // The magic bytes, read as a little-endian number: "TallyEnt" and so on, and each file tells
  // `file` and people what it is.
  case entries = 0x746E_4579_6C6C_6154
  case vectors = 0x6365_5679_6C6C_6154
  case payloads = 0x7961_5079_6C6C_6154
  case graph = 0x6172_4779_6C6C_6154

  var headerLength: Int {
    self == .vectors ? IndexFormat.rowsHeaderLength : IndexFormat.headerLength
  }
}

extension VectorMetric {
  /// The number that stands for it in a header.
  var code: UInt8 {
    switch self {
    case .cosine: 0
    case .innerProduct: 1
    case .squaredEuclidean: 2
    }
  }

  init?(code: UInt8) {
    guard let metric = Self.allCases.first(where: { $0.code == code })
    else { return nil }
    self = metric
  }
}

extension VectorPrecision {
  /// The number that stands for it in a header.
  var code: UInt8 {
    switch self {
    case .float32: 0
    case .float16: 1
    case .int8: 2
    }
  }

  init?(code: UInt8) {
    guard let precision = Self.allCases.first(where: { $0.code == code })
    else { return nil }
    self = precision
  }
}
