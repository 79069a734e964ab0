import Foundation
import ImageFiles
import NumPyFiles
import Raster
import TestSupport
import Testing

@Suite("tally detect, tally embed")
struct DetectAndEmbedTests {
  @Test("Detections are printed best first, without a cluster")
  func json() async throws {
    let run = await tally("detect", Squares.png, "--detector", Squares.detector, "--json")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(
      run.output.hasPrefix(
        "{\"image\":\"\(Squares.png)\",\"width\":128,\"height\":128,\"detections\":["
          + "{\"box\":[16,16,24,24],\"score\":"))
    let found = try #require(try run.json()["detections"] as? [[String: Any]])
    #expect(found.count == 17)
    #expect(
      found.allSatisfy {
        Set($0.keys) == ["box", "score", "objectness", "classScore", "classID"]
      })
    let scores = found.compactMap { $0["score"] as? Double }
    #expect(scores == scores.sorted(by: >))
  }

  @Test("People get a table")
  func table() async {
    let run = await tally("detect", Squares.png, "--detector", Squares.detector)
    #expect(
      run.outputLines.prefix(3) == [
        "\(Squares.png): 17 objects (128 x 128 pixels)",
        "  score  class  left    top  right  bottom", " 1.0000      0  16.0   16.0   24.0    24.0",
      ])
    #expect(run.outputLines.count == 19)
  }

  @Test("Confidence and NMS are those of the options")
  func options() async throws {
    let folder = try TemporaryFolder()
    let grey = folder.path("grey.png")
    var samples = [UInt8](repeating: 0, count: 128 * 128 * 3)
    // One cell of grey 128: a logit of 0, a score of one half.
    for y in 8..<16 { for x in 8 * 3..<16 * 3 { samples[y * 128 * 3 + x] = 128 } }
    try ImageFile.write(
      Raster(width: 128, height: 128, channels: 3, samples: samples),
      to: URL(fileURLWithPath: grey))
    func count(_ confidence: String) async throws -> Int? {
      let run = await tally(
        "detect", grey, "--detector", Squares.detector, "--confidence", confidence, "--json")
      return (try run.json()["detections"] as? [Any])?.count
    }
    #expect(try await count("0.4") == 1)
    #expect(try await count("0.6") == 0)
    let none = await tally(
      "detect", grey, "--detector", Squares.detector, "--confidence", "0.6")
    #expect(none.output == "\(grey): no objects (128 x 128 pixels)\n")
  }

  @Test("What a model does not say is said by options")
  func modelOptions() async throws {
    let models = Folders.goldens.appendingPathComponent("ReferenceModels/models").path
    let open = await tally("detect", Squares.png, "--detector", "\(models)/detector_open.onnx")
    #expect(open.failed(.usage), "\(open)")
    #expect(open.errors.contains("give --detector-size"))
    let sized = await tally(
      "detect", Squares.png, "--detector", "\(models)/detector_open.onnx", "--detector-size",
      "64x64")
    #expect(sized.code == .success, "\(sized)")
    let decoded = await tally(
      "detect", Squares.png, "--detector", "\(models)/detector_decoded.onnx",
      "--head", "yolox-decoded")
    #expect(decoded.code == .success, "\(decoded)")
    for preset in ["clip", "imagenet"] {
      let run = await tally(
        "embed", Squares.png, "--embedder", Squares.embedder, "--embedder-preset", preset)
      #expect(run.code == .success)
    }
  }

  @Test("An embedding is one line, its length 1")
  func embedding() async throws {
    let run = await tally("embed", Squares.png, "--embedder", Squares.embedder, "--json")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(
      run.output.hasPrefix("{\"image\":\"\(Squares.png)\",\"dimension\":16,\"embedding\":["))
    let values = try #require(try run.json()["embedding"] as? [Double])
    #expect(values.count == 16)
    #expect(abs(values.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    let text = await tally("embed", Squares.png, "--embedder", Squares.embedder)
    #expect(text.output.hasPrefix("\(Squares.png): 16 values, "))
    #expect(text.output.hasSuffix(", ...\n"))
  }

  @Test("Embeddings of several photos make a file that tally cluster reads")
  func matrix() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("v.npy")
    let run = await tally(
      "embed", Squares.png, Squares.jpeg, "--embedder", Squares.embedder, "--output", path)
    #expect(run.code == .success)
    #expect(run.outputLines.count == 2)
    #expect(try NumPyArray(contentsOf: URL(fileURLWithPath: path)).shape == [2, 16])
    let clusters = await tally("cluster", path, "--similarity", "0.9", "--json")
    #expect(clusters.output == #"{"labels":[0,0],"clusters":1}"# + "\n")
  }

  @Test("A photo that fails leaves no file with a row missing")
  func partial() async throws {
    let folder = try TemporaryFolder()
    let run = await tally(
      "embed", Squares.png, folder.path("none.jpg"), "--embedder", Squares.embedder, "--output",
      folder.path("v.npy"))
    #expect(run.code == .noInput)
    #expect(run.outputLines.count == 1 && run.errorLines.count == 1)
    #expect(!folder.has("v.npy"))
    #expect(
      await tally("embed", Squares.png, "--embedder", Squares.embedder, "--output", "v.txt")
        .failed(.usage))
    let unwritable = await tally(
      "embed", Squares.png, "--embedder", Squares.embedder, "--output", "/dev/null/v.npy")
    #expect(unwritable.code == .inputOutput)
  }
}
