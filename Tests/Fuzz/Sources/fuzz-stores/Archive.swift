import Foundation
import FuzzSupport

@testable import ModelStore

extension Target {
  /// A zip file of which one member is wanted.
  ///
  /// Its directory is put in order, unless the first byte says not to: it is said to be where the
  /// first entry of a directory is, and the comment to end where the file does.
  static let archive = Target(
    "archive",
    seeds: {
      // "m.onnx" stored, and deflated (by zlib, level 9).
      let stored = Array("tally tally tally".utf8)
      let deflated: [UInt8] = [0x2B, 0x49, 0xCC, 0xC9, 0xA9, 0x54, 0x28, 0x41, 0x90, 0x00]
      return [
        archive(of: stored, method: 0, size: stored.count),
        archive(of: deflated, method: 8, size: stored.count),
      ].map { [0, 17] + $0 }
    }
  ) { bytes in
    guard bytes.count > 2 else { return }
    let size = Int(bytes[1])
    var zip = Array(bytes.dropFirst(2))
    if bytes[0] & 1 == 0 { repair(&zip) }
    let file = try Scratch.write(zip, to: "archive.zip")
    let target = Scratch.path("member").path
    try refusable(ModelStoreError.self) {
      let archive = try ZipArchive(FileInput(file.path))
      let output = try FileOutput(creating: target)
      for size in [size, 1 << 16] {
        try refusable(ModelStoreError.self) {
          _ = try archive.extract("m.onnx", size: size, to: output)
          var status = stat()
          expect(stat(target, &status) == 0 && status.st_size >= size, "\(status.st_size) bytes")
        }
      }
      var status = stat()
      expect(stat(target, &status) == 0 && status.st_size <= 1 << 17, "\(status.st_size) bytes")
    }
  }

  private static func archive(of data: [UInt8], method: UInt64, size: Int) -> [UInt8] {
    let name = Array("m.onnx".utf8)
    var local = [UInt8](repeating: 0, count: 30)
    local.putLittleEndian(0x0403_4B50, at: 0, bytes: 4)
    local.putLittleEndian(method, at: 8, bytes: 2)
    local.putLittleEndian(UInt64(name.count), at: 26, bytes: 2)
    var entry = [UInt8](repeating: 0, count: 46)
    entry.putLittleEndian(0x0201_4B50, at: 0, bytes: 4)
    entry.putLittleEndian(method, at: 10, bytes: 2)
    entry.putLittleEndian(UInt64(data.count), at: 20, bytes: 4)
    entry.putLittleEndian(UInt64(size), at: 24, bytes: 4)
    entry.putLittleEndian(UInt64(name.count), at: 28, bytes: 2)
    var end = [UInt8](repeating: 0, count: 22)
    end.putLittleEndian(0x0605_4B50, at: 0, bytes: 4)
    end.putLittleEndian(1, at: 10, bytes: 2)
    var zip = local + name + data + entry + name + end
    repair(&zip)
    return zip
  }

  private static func repair(_ zip: inout [UInt8]) {
    guard zip.count >= 22 else { return }
    func last(_ signature: UInt64) -> Int? {
      (0...(zip.count - 22)).last { zip.littleEndian(at: $0, bytes: 4) == signature }
    }
    guard let end = last(0x0605_4B50),
      let start = (0...end).first(where: { zip.littleEndian(at: $0, bytes: 4) == 0x0201_4B50 })
    else { return }
    zip.putLittleEndian(UInt64(end - start), at: end + 12, bytes: 4)
    zip.putLittleEndian(UInt64(start), at: end + 16, bytes: 4)
    zip.putLittleEndian(UInt64(zip.count - end - 22), at: end + 20, bytes: 2)
  }
}
