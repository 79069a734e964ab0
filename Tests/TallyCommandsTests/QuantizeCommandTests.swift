import Foundation
import NumPyFiles
import ONNXRunner
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally model quantize")
struct QuantizeCommandTests {
  /// Quantises the detector of squares, all layers and with whatever accuracy.
  private func quantize(_ more: [String], to path: String) async -> CommandRun {
    await tally(
      ["model", "quantize", Squares.detector, "--output", path, "--last-layers", "--snr", "off"]
        + more)
  }

  @Test("A detector finds in 8 bits what it found")
  func detector() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("int8.onnx")
    let run = await quantize([Squares.png, "--check", Squares.png], to: path)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.first == path)
    for label in ["int8", "bytes", "run", "output", "checked"] {
      #expect(run.outputLines.contains { $0.hasPrefix("  \(label) ") }, "\(label): \(run)")
    }
    let before = try await tally("detect", Squares.png, "--detector", Squares.detector, "--json")
      .json()
    let after = try await tally("detect", Squares.png, "--detector", path, "--json").json()
    let boxes = { (run: [String: Any]) in (run["detections"] as? [Any])?.count ?? 0 }
    #expect(boxes(before) > 0 && boxes(after) == boxes(before))
  }

  @Test("JSON has every node and value")
  func json() async throws {
    let folder = try TemporaryFolder()
    let run = await quantize([Squares.png, "--json"], to: folder.path("int8.onnx"))
    let json = try run.json()
    #expect(json["examples"] as? Int == 1)
    #expect((json["nodes"] as? [Any])?.count == 3)
    #expect((json["activations"] as? [Any])?.isEmpty == false)
    #expect(json["checked"] is NSNull)
  }

  @Test("Nothing is overwritten unless that is asked for")
  func replacing() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("there.onnx", Data("mine".utf8))
    let run = await quantize([Squares.png], to: path)
    #expect(run.failed(.inputOutput), "\(run)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    #expect(await quantize([Squares.png, "--replace"], to: path).code == .success)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > 1000)
  }

  @Test("Photos that cannot be read are told, and leave no file if there are no others")
  func badPhotos() async throws {
    let folder = try TemporaryFolder()
    let bad = try folder.write("bad.png", Data("no picture".utf8))
    let path = folder.path("int8.onnx")
    let run = await quantize([bad], to: path)
    #expect(run.failed(.badData), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: path))
    let some = await quantize([bad, Squares.png], to: path)
    #expect(some.code == .badData && some.errorLines.count == 1 && !some.output.isEmpty)
    #expect(FileManager.default.fileExists(atPath: path))
    let empty = try TemporaryFolder()
    #expect(await quantize([empty.url.path], to: folder.path("b.onnx")).failed(.noInput))
  }

  @Test("What contradicts itself is refused")
  func usage() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("int8.onnx")
    #expect(await tally("model", "quantize", Squares.detector, Squares.png).failed(.usage))
    #expect(await quantize([], to: path).failed(.usage))
    #expect(await quantize([Squares.png, "--keep", "nothing"], to: path).failed(.usage))
    #expect(await quantize([Squares.png, "--ranges", "wide"], to: path).failed(.usage))
    #expect(await quantize([Squares.png, "--input", "images=a.npy"], to: path).failed(.usage))
    #expect(await quantize([Squares.png, "--as", "embedder"], to: path).failed(.badData))
    let head = await quantize([Squares.png, "--head", "detr"], to: path)
    #expect(head.failed(.badData) && head.errors.contains("detr"), "\(head)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A model that is quantised already is refused")
  func twice() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("int8.onnx")
    #expect(await quantize([Squares.png], to: path).code == .success)
    let again = await tally(
      "model", "quantize", path, Squares.png, "--output", folder.path("again.onnx"))
    #expect(again.failed(.badData) && again.errors.contains("quantised already"), "\(again)")
  }

  @Test("Tensors are examples too")
  func tensors() async throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    for index in 0..<2 {
      let path = folder.path("\(index).npy")
      let values = (0..<3 * 128 * 128).map { Float(($0 * 7 + index * 31) % 256) }
      try NumPyArray(values, shape: [1, 3, 128, 128]).write(to: URL(fileURLWithPath: path))
      files += ["--input", "images=\(path)"]
    }
    let run = await quantize(files, to: folder.path("int8.onnx"))
    #expect(run.code == .success && run.output.contains("from 2 examples"), "\(run)")
    let unequal = await quantize(
      files + ["--input", "other=\(files[1].dropFirst(7))"], to: folder.path("b.onnx"))
    #expect(unequal.failed(.usage), "\(unequal)")
  }
}
