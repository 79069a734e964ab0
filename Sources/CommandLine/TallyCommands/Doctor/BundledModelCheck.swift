import CommandKit
import Counting
import Foundation
import ModelStore
import ONNXRunner
import Raster
import ReferenceModels
import VisionProtocols

/// The check of a model that comes with the program.
struct BundledModelCheck: Sendable {
  /// The file's name.
  let name: String
  /// The SHA-256 of its bytes.
  let digest: String
  /// Finds the file.
  let file: @Sendable () throws -> URL
  /// Opens the model and runs it on a small picture; says what is wrong with the result, or nil.
  let trial: @Sendable (URL) async throws -> String?

  /// Those of this version of the program.
  static let all = [
    BundledModelCheck(
      name: "countable.onnx",
      digest: "4f9b39fb75639d3a03c7f1bc30663ac168dfed1082111db051d9c072a2a4c9bb",
      file: BundledModels.detectorFile,
      trial: { url in
        let detector = try YOLOXDetector(contentsOf: url, scores: .probabilities, options: options)
        let found = try await detector.detections(in: picture(), minimumConfidence: 0.5)
        return found.allSatisfy { $0.score.isFinite } ? nil : "its scores are not numbers"
      }),
    BundledModelCheck(
      name: "likeness.onnx",
      digest: "0d65ce36f3d6323a1e6a6577c2c29c6a3cdd4694ec4cc26fb371155580b0ad4c",
      file: BundledModels.embedderFile,
      trial: { url in
        let embedder = try ImageEmbeddingModel(contentsOf: url, options: options)
        let row = try await embedder.embeddings(of: [picture()])[row: 0]
        let length = row.reduce(0) { $0 + $1 * $1 }
        return abs(length - 1) < 0.01 ? nil : "its vector has a wrong length"
      }),
    BundledModelCheck(
      name: "spines.onnx",
      digest: "d1bedae67350f71549568ee5607a0c68283846ef252acff3cd99d9dfb57a2d8d",
      file: BundledModels.spineSegmenterFile,
      trial: { url in
        let model = try SpineSegmentationModel(contentsOf: url, options: options)
        return try await model.maps(of: picture()).isEmpty ? "it shows nothing" : nil
      }),
  ]

  /// One thread is enough for a small picture, and takes the least memory.
  private static let options = SessionOptions(threads: 1)

  /// A grey picture with a darker square.
  private static func picture() throws -> Raster {
    let side = 64
    var samples = [UInt8](repeating: 180, count: side * side * 3)
    for row in 16..<48 {
      for place in (row * side + 16) * 3..<(row * side + 48) * 3 { samples[place] = 60 }
    }
    return try Raster(width: side, height: side, channels: 3, samples: samples)
  }

  /// A finding for each model.
  static func findings(of checks: [BundledModelCheck] = all) async -> [Finding] {
    var findings: [Finding] = []
    for check in checks { findings.append(await check.finding()) }
    return findings
  }

  private static let reinstall =
    "install tally again: Tally_ReferenceModels.resources belongs beside the program"

  private func finding() async -> Finding {
    let title = "model"
    let url: URL
    do {
      url = try file()
      let found = try SHA256Digest(contentsOf: url).description
      guard found == digest else {
        return .problem(
          title, "\(url.path): its SHA-256 is \(found), and should be \(digest)",
          advice: Self.reinstall)
      }
    } catch {
      return .problem(title, "\(name): \(Failure.of(error).message)", advice: Self.reinstall)
    }
    do {
      if let fault = try await trial(url) {
        return .problem(
          title, "\(url.path): \(fault)", advice: "report this with the output of this command")
      }
    } catch {
      return .problem(
        title, "\(url.path): cannot be run: \(Failure.of(error).message)",
        advice: "free memory, or report this with the output of this command")
    }
    return .ok(title, "\(url.path): whole, and runs")
  }
}
