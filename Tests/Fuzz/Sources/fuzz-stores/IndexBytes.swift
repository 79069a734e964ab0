import Foundation
import FuzzSupport
import NearestNeighbors

@testable import SimilarityIndex

/// The four files of an index as one input of the fuzzer: a byte of switches, the lengths of three in
/// two bytes each, and all bytes.
struct IndexBytes {
  private var files: [IndexFileKind: [UInt8]] = [:]

  private static let kinds: [IndexFileKind] = [.entries, .vectors, .payloads, .graph]

  init?(input: [UInt8]) {
    guard input.count > 7 else { return nil }
    var choices = Choices(input.dropFirst())
    let lengths = (0..<3).map { _ in choices.below(1 << 16) } + [input.count]
    for (kind, length) in zip(Self.kinds, lengths) { files[kind] = choices.bytes(length) }
  }

  /// Reads the files of a folder.
  init(folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let stem = name.prefix { $0 != "-" }
      guard let kind = Self.kinds.first(where: { "\($0)" == stem }) else { continue }
      files[kind] = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }
  }

  /// The bytes of an input.
  var input: [UInt8] {
    var bytes: [UInt8] = [0]
    for kind in Self.kinds.dropLast() {
      let count = files[kind]?.count ?? 0
      bytes += [UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
    }
    return Self.kinds.reduce(bytes) { $0 + (files[$1] ?? []) }
  }

  /// Writes the files under the names that the log's header asks for.
  func write(to folder: URL) throws {
    for (kind, bytes) in files where kind != .graph || !bytes.isEmpty {
      let name = kind == .entries ? "entries" : "\(kind)-\(generation)"
      try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
  }

  private var log: [UInt8] { files[.entries] ?? [] }
  private var generation: UInt64 { log.count >= 32 ? log.littleEndian(at: 16, bytes: 8) : 1 }

  // MARK: Checksums

  /// Puts right what is a checksum, makes the files kin, and lets commits agree with what is before
  /// them.
  mutating func repair() {
    for kind in Self.kinds { repairHeader(of: kind) }
    guard log.count >= IndexFormat.headerLength else { return }
    let salt = log.littleEndian(at: 24, bytes: 8)
    repairGraph()
    var entries = log
    var (rows, live, payloadBytes, fold) = (0, Set<Int>(), 0, UInt64(0))
    let length = IndexFormat.recordLength
    for index in 0..<((entries.count - IndexFormat.headerLength) / length) {
      let start = IndexFormat.headerLength + index * length
      var record = Array(entries[start..<(start + length)])
      switch record[0] {
      case 1:
        record.putLittleEndian(UInt64(rows), at: 24, bytes: 8)
        record.putLittleEndian(UInt64(payloadBytes), at: 32, bytes: 8)
        let count = Int(record.littleEndian(at: 4, bytes: 4))
        repairChecks(of: &record, row: rows, payload: payloadBytes..<payloadBytes + count)
        live.insert(rows)
        rows += 1
        payloadBytes += count
      case 2:
        let row = Int(truncatingIfNeeded: record.littleEndian(at: 24, bytes: 8))
        if let added = additions[row] { record.replaceSubrange(8..<24, with: added) }
        live.remove(row)
      case 3:
        record.putLittleEndian(UInt64(rows), at: 16, bytes: 8)
        record.putLittleEndian(UInt64(live.count), at: 24, bytes: 8)
        record.putLittleEndian(UInt64(payloadBytes), at: 32, bytes: 8)
        record.putLittleEndian(fold, at: 40, bytes: 8)
      default: break
      }
      if record[0] == 1 { additions[rows - 1] = Array(record[8..<24]) }
      let check = Self.digest(record[..<56], seed: salt &+ UInt64(index))
      record.putLittleEndian(check, at: 56, bytes: 8)
      fold = IndexRecord.folded(fold, check)
      entries.replaceSubrange(start..<(start + length), with: record)
    }
    files[.entries] = entries
  }

  /// The ids of rows, for those that remove them.
  private var additions: [Int: [UInt8]] = [:]

  private mutating func repairHeader(of kind: IndexFileKind) {
    guard var bytes = files[kind], bytes.count >= kind.headerLength else { return }
    bytes.putLittleEndian(kind.rawValue, at: 0, bytes: 8)
    bytes.putLittleEndian(UInt64(kind.headerLength), at: 12, bytes: 4)
    if kind != .entries, log.count >= 48 {
      bytes.replaceSubrange(16..<48, with: log[16..<48])
    }
    if kind == .graph {
      bytes.putLittleEndian(UInt64(bytes.count - kind.headerLength), at: 56, bytes: 8)
    }
    let stride = Self.stride(of: bytes)
    if let stride { bytes.putLittleEndian(UInt64(stride), at: 40, bytes: 4) }
    let end = kind.headerLength - 8
    bytes.putLittleEndian(Self.digest(bytes[..<end], seed: 0), at: end, bytes: 8)
    files[kind] = bytes
  }

  private static func stride(of header: [UInt8]) -> Int? {
    guard let metric = VectorMetric(code: header[36]),
      let precision = VectorPrecision(code: header[37])
    else { return nil }
    let dimension = Int(header.littleEndian(at: 32, bytes: 4))
    return try? VectorLayout(dimension: dimension, precision: precision, metric: metric).rowStride
  }

  private mutating func repairGraph() {
    guard var bytes = files[.graph], bytes.count >= IndexFormat.headerLength else { return }
    let rows = bytes.littleEndian(at: 48, bytes: 8)
    let check = Self.digest(bytes[IndexFormat.headerLength...], seed: rows)
    bytes.putLittleEndian(check, at: 64, bytes: 8)
    let end = IndexFormat.headerLength - 8
    bytes.putLittleEndian(Self.digest(bytes[..<end], seed: 0), at: end, bytes: 8)
    files[.graph] = bytes
  }

  private func repairChecks(of record: inout [UInt8], row: Int, payload: Range<Int>) {
    let salt = log.littleEndian(at: 24, bytes: 8)
    if let stride = Self.stride(of: log), let vectors = files[.vectors] {
      let start = IndexFormat.rowsHeaderLength + row * stride
      if start + stride <= vectors.count {
        let check = Self.digest(vectors[start..<(start + stride)], seed: salt &+ UInt64(row))
        record.putLittleEndian(check, at: 48, bytes: 8)
      }
    }
    if let payloads = files[.payloads] {
      let start = IndexFormat.headerLength + payload.lowerBound
      if start + payload.count <= payloads.count {
        let check = Self.digest(payloads[start..<(start + payload.count)], seed: salt)
        record.putLittleEndian(check, at: 40, bytes: 8)
      }
    }
  }

  private static func digest(_ bytes: ArraySlice<UInt8>, seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { XXHash64.digest($0, seed: seed) }
  }
}
