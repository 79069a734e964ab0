import Counting
import Foundation
import TestSupport
import Testing

@testable import ReferenceModels

/// The models in the package are those whose figures are in the docs.
@Suite("Bundled files")
struct BundledFilesTests {
  /// The SHA-256 of a file, in hexadecimal digits.
  private func checksum(of file: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sha256sum", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return try String(#require(text.split(separator: " ").first))
  }

  @Test("templates of the bundled models name their checksums")
  func templates() throws {
    #expect(try CountTemplate.Models.bundled.detector == checksum(of: BundledModels.detectorFile()))
    #expect(try CountTemplate.Models.bundled.embedder == checksum(of: BundledModels.embedderFile()))
  }

  @Test(
    "the docs name each file with its checksum",
    arguments: ["countable.onnx", "likeness.onnx", "spines.onnx"])
  func checksum(name: String) throws {
    let docs = try String(
      contentsOf: Folders.package.appendingPathComponent("Docs/Accuracy.md"), encoding: .utf8)
    let sum = try checksum(of: BundledModels.url(of: name))
    #expect(sum.count == 64)
    let row = docs.split(separator: "\n").first { $0.contains("`\(name)`") && $0.contains("| `") }
    #expect(row?.contains(sum) == true, "\(name) has \(sum)")
  }

  @Test("no file is larger than may be shipped")
  func sizes() throws {
    let limits = ["countable.onnx": 5 << 20, "likeness.onnx": 8_000_000, "spines.onnx": 4 << 20]
    for (name, limit) in limits {
      let size = try Data(contentsOf: BundledModels.url(of: name)).count
      #expect(size > 100_000 && size <= limit, "\(name): \(size)")
    }
  }

  @Test("the embedder is found, and says how it wants its pixels")
  func embedder() throws {
    let embedder = try BundledModels.embedder()
    #expect(embedder.dimension == 128)
    #expect(embedder.preprocessing == .stretched)
  }
}
