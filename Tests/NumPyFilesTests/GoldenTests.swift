import Foundation
import NumPyFiles
import TestSupport
import Testing

/// Files that NumPy wrote, and what it read back from them.
@Suite struct NumPyGoldenTests {
  struct Goldens: Decodable {
    struct Case: Decodable {
      var name: String
      var type: String
      var shape: [Int]
      /// The file to read, in whatever order and version.
      var file: Data
      /// What `numpy.save` writes for the same values in C order.
      var saved: Data
      /// The values, little-endian, in C order.
      var values: Data
    }
    var cases: [Case]
    var halvesChecksum: String
  }

  let goldens: Goldens

  init() throws {
    goldens = try Folders.golden("NumPyFiles/files.json")
  }

  @Test func readsWhatNumPyWrites() throws {
    #expect(goldens.cases.count > 80)
    for golden in goldens.cases {
      let array = try NumPyArray(data: golden.file)
      #expect(array.shape == golden.shape, "\(golden.name)")
      #expect(array.elements.type.rawValue == golden.type, "\(golden.name)")
      #expect(array.data.suffix(golden.values.count) == golden.values, "\(golden.name)")
    }
  }

  @Test func writesTheBytesThatNumPyWrites() throws {
    for golden in goldens.cases {
      let array = try NumPyArray(data: golden.file)
      #expect(array.data == golden.saved, "\(golden.name)")
    }
  }

  @Test func everyHalfIsTheFloatThatNumPyMakesOfIt() throws {
    let array = try NumPyArray(shape: [65536], elements: .float16(Array(0...UInt16.max)))
    var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
    for float in array.floats {
      checksum = (checksum ^ UInt64(float.isNaN ? 0 : float.bitPattern)) &* 0x100_0000_01B3
    }
    #expect(String(checksum) == goldens.halvesChecksum)
    #expect(array.floats.count { $0.isNaN } == 2 * 1023)
  }

  @Test func filesSurviveTheDisk() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tally-numpy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (index, golden) in goldens.cases.enumerated() {
      let url = folder.appendingPathComponent("\(index % 7).npy")
      let array = try NumPyArray(data: golden.file)
      try array.write(to: url)
      #expect(try NumPyArray(contentsOf: url) == array, "\(golden.name)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 7)
  }
}
