import Foundation
import ImageFiles
import NumPyFiles
import Raster
import TestSupport
import Testing

@testable import CommandKit

/// Every bad input gives one error line and its exit code, and none ends the process.
@Suite("Bad input")
struct BadInputTests {
  /// A bad photo, made in a folder.
  struct Photo: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: ExitCode
    let message: String
    let make: @Sendable (TemporaryFolder) throws -> String

    init(
      _ testDescription: String, _ code: ExitCode, _ message: String,
      _ make: @escaping @Sendable (TemporaryFolder) throws -> String
    ) {
      self.testDescription = testDescription
      self.code = code
      self.message = message
      self.make = make
    }
  }

  private static func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  static let photos: [Photo] = [
    Photo("a missing file", .noInput, "there is no such file") { $0.path("none.jpg") },
    Photo("a folder", .noInput, "is a folder") { $0.url.path },
    Photo("a file below a file", .noInput, "cannot be opened") {
      try $0.write("file", text: "") + "/photo.jpg"
    },
    Photo("a device", .noInput, "neither a file nor a folder") { _ in "/dev/zero" },
    Photo("an empty file", .badData, "empty") { try $0.write("empty.jpg", text: "") },
    Photo("text renamed to .jpg", .badData, "not an image") {
      try $0.write("text.jpg", text: "Dear Sir or Madam,\n")
    },
    Photo("a JPEG cut in half", .badData, "cut short") {
      let whole = try bytes(Squares.jpeg)
      return try $0.write("half.jpg", whole.prefix(whole.count / 2))
    },
    Photo("a PNG with a wrong checksum", .badData, "damaged") {
      var whole = try bytes(Squares.png)
      let data = try #require(whole.range(of: Data("IDAT".utf8)))
      whole[data.upperBound] ^= 1
      return try $0.write("crc.png", whole)
    },
    Photo("a PNG whose header has a wrong checksum", .badData, "damaged") {
      var whole = try bytes(Squares.png)
      whole[29] ^= 1
      return try $0.write("crc.png", whole)
    },
    Photo("a PNG cut after its header", .badData, "cut short") {
      try $0.write("cut.png", try bytes(Squares.png).prefix(33))
    },
    Photo("a header of 30000 x 30000 pixels and no data", .badData, "30000 x 30000") {
      try $0.write("vast.png", PNGHeader.bytes(width: 30_000, height: 30_000))
    },
    Photo("a header of 2147483647 x 2147483647 pixels", .badData, "2147483647 x") {
      try $0.write("vast.png", PNGHeader.bytes(width: .max >> 1, height: .max >> 1))
    },
    Photo("a header of 0 x 0 pixels", .badData, "0 x 0") {
      try $0.write("none.png", PNGHeader.bytes(width: 0, height: 0))
    },
    Photo("a GIF", .badData, "not supported") { try $0.write("a.jpg", text: "GIF89a......") },
  ]

  @Test("A bad photo, for each command that reads photos", arguments: photos)
  func photo(photo: Photo) async throws {
    let folder = try TemporaryFolder()
    let path = try photo.make(folder)
    for command in [
      ["count", path] + Squares.models, ["detect", path, "--detector", Squares.detector],
      ["embed", path, "--embedder", Squares.embedder, "--json"],
      ["classify", path, "--model", ClassifyCommandTests.model("classifier")],
      ["spines", path, "--json"], ["text", path, "--models", try TinyTextModels.write(in: folder)],
      ["scan", path, "--models", try TinyTextModels.write(in: folder)],
      ["recognize", path], ["barcode", path, "--json"],
    ] {
      let run = await tally(command)
      #expect(run.failedPhoto(photo.code), "\(command[0]): \(run)")
      #expect(run.errors.contains(photo.message), "\(run.errors)")
      #expect(run.errors.contains(path), "\(run.errors)")
    }
  }

  @Test("A photo that may not be read is no input")
  func forbidden() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret.png", try Self.bytes(Squares.png))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    // Whoever may read everything reads this too.
    guard access(path, R_OK) != 0 else { return }
    #expect(await Squares.count(path).failed(.noInput))
  }

  @Test("A photo of 1 x 1 pixels is a photo")
  func tiny() async throws {
    let folder = try TemporaryFolder()
    for value in [UInt8.min, .max] {
      let path = folder.path("tiny.png")
      try ImageFile.write(
        Raster(width: 1, height: 1, channels: 3, fill: value), to: URL(fileURLWithPath: path))
      let run = await Squares.count(path, "--json")
      #expect(run.code == .success && run.errors.isEmpty, "\(run)")
      #expect(run.output.contains("\"width\":1,\"height\":1,"))
      #expect(await tally("embed", path, "--embedder", Squares.embedder).code == .success)
    }
  }

  @Test("File names with line ends and escape sequences stay on one line")
  func names() async {
    for name in ["a\nb.jpg", "\u{1B}[31mred.jpg", "\u{0}", "x\u{202E}gpj.exe"] {
      let run = await Squares.count(name)
      #expect(run.failed(.noInput), "\(run)")
      #expect(!run.errors.dropLast().contains { $0 == "\n" || $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
  }

  // MARK: Models

  @Test("A bad model, for each option and command that takes one")
  func models() async throws {
    let folder = try TemporaryFolder()
    let text = try folder.write("text.onnx", text: "Dear Sir or Madam,\n")
    let empty = try folder.write("empty.onnx", text: "")
    for (path, code) in [
      (text, ExitCode.badData), (empty, .badData), (folder.path("none"), .noInput),
      (folder.url.path, .noInput), (Squares.png, .badData),
    ] {
      for command in [
        ["count", Squares.png, "--detector", path, "--embedder", Squares.embedder],
        ["count", Squares.png, "--detector", Squares.detector, "--embedder", path],
        ["detect", Squares.png, "--detector", path], ["embed", Squares.png, "--embedder", path],
        ["model", "inspect", path], ["model", "bench", path],
        ["model", "run", path, "--output-dir", folder.path("out")],
      ] {
        let run = await tally(command)
        #expect(run.failed(code), "\(command): \(run)")
        #expect(run.errors.contains(path), "\(run.errors)")
      }
    }
    #expect(!folder.has("out"))
  }

  @Test("A model in the other's place is bad data")
  func swapped() async {
    let detector = await tally("detect", Squares.png, "--detector", Squares.embedder)
    #expect(detector.failed(.badData), "\(detector)")
    let embedder = await tally("embed", Squares.png, "--embedder", Squares.detector)
    #expect(embedder.failed(.badData), "\(embedder)")
  }

  @Test("Embeddings that are not finite, or have no direction, are bad data")
  func embeddings() async {
    for name in ["embedder_infinite", "embedder_zero"] {
      let model = Folders.goldens.appendingPathComponent("ReferenceModels/models/\(name).onnx")
      let embed = await tally("embed", Squares.png, "--embedder", model.path)
      #expect(embed.failed(.badData), "\(embed)")
      let count = await tally(
        "count", Squares.png, "--detector", Squares.detector, "--embedder", model.path)
      #expect(count.failed(.badData), "\(count)")
    }
  }

  @Test(
    "A model cut at every 1 % of its length is bad data",
    arguments: [
      (Squares.detector, ["detect", Squares.png, "--detector"]),
      (Squares.embedder, ["embed", Squares.png, "--embedder"]),
    ])
  func cutModels(model: String, command: [String]) async throws {
    let folder = try TemporaryFolder()
    let whole = try Self.bytes(model)
    for percent in 0..<100 {
      let path = try folder.write("cut.onnx", whole.prefix(whole.count * percent / 100))
      let run = await tally(command + [path])
      #expect(run.failed(.badData), "\(percent) %: \(run)")
    }
  }

  @Test(
    "A model with a changed byte is bad data or runs, in 200 places",
    arguments: [
      (Squares.detector, ["detect", Squares.png, "--json", "--detector"], 1),
      (Squares.embedder, ["embed", Squares.png, "--json", "--embedder"], 2),
    ] as [(String, [String], UInt64)])
  func changedModels(model: String, command: [String], seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let whole = try Self.bytes(model)
    var generator = SeededGenerator(seed: seed)
    var failures = 0
    for place in 0..<200 {
      var changed = whole
      // Half of the places among the last bytes, where the structure lies rather than the weights.
      let range = place % 2 == 0 ? changed.indices : changed.indices.suffix(600)
      let index = Int.random(in: range, using: &generator)
      changed[index] ^= UInt8.random(in: 1...255, using: &generator)
      let path = try folder.write("changed.onnx", changed)
      let run = await tally(command + [path])
      if run.code == .success {
        #expect(run.errors.isEmpty)
        #expect(try !run.json().isEmpty)
      } else {
        #expect(run.failedPhoto(.badData), "byte \(index): \(run)")
        failures += 1
      }
    }
    #expect(failures > 0)
  }
}

/// The beginning of a PNG file of 8-bit colour: signature and header, and no pixel.
enum PNGHeader {
  static func bytes(width: UInt32, height: UInt32) -> Data {
    var header = Data("IHDR".utf8)
    header.append(contentsOf: bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
    var bytes = Data([0x89])
    bytes.append(contentsOf: "PNG\r\n\u{1A}\n".utf8)
    bytes.append(contentsOf: bigEndian(13))
    bytes.append(header)
    bytes.append(contentsOf: bigEndian(checksum(header)))
    return bytes
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// The CRC-32 of PNG's specification.
  private static func checksum(_ data: Data) -> UInt32 {
    let polynomial: UInt32 = 0xEDB8_8320
    var sum = UInt32.max
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? polynomial ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }
}
