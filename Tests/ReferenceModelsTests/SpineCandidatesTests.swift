import Foundation
import ImageFiles
import ReferenceModels
import TestSupport
import Testing

@testable import SpineDetection

/// What the confidence of a spine is made of, as it is fitted by `Fixtures/Training/shelves/confidence.py`.
@Suite("Spine candidates")
struct SpineCandidatesTests {
  private struct Line: Encodable {
    let image: String
    let width: Int
    let height: Int
    let candidates: [Candidate]

    struct Candidate: Encodable {
      let quad: [[Double]]
      let features: [Double]
    }
  }

  private static func line(of file: URL) async throws -> Line {
    let image = try ImageFile.load(contentsOf: file)
    let maps = try await BundledModels.spineSegmenter().maps(of: image)
    return Line(
      image: file.lastPathComponent, width: image.width, height: image.height,
      candidates: MapCandidate.all(in: maps).map {
        Line.Candidate(quad: $0.outline.corners.map { [$0.x, $0.y] }, features: $0.features)
      })
  }

  @Test("All candidates have the same number of values, which begin with 1")
  func features() async throws {
    let shelf = Folders.package.appendingPathComponent("Fixtures/Images/shelf.jpg")
    let line = try await Self.line(of: shelf)
    #expect(line.candidates.count >= 7)
    for candidate in line.candidates {
      #expect(candidate.features.count == line.candidates[0].features.count)
      #expect(candidate.features[0] == 1)
      #expect(candidate.features.allSatisfy { $0.isFinite })
    }
  }

  /// `TALLY_SPINE_PICTURES=FOLDER:FOLDER TALLY_SPINE_CANDIDATES=OUT.jsonl swift test --filter SpineCandidates` writes what
  /// the fit reads, a line for each picture.
  @Test("Candidates are written for the fit if that is asked for")
  func writing() async throws {
    let environment = ProcessInfo.processInfo.environment
    guard let folders = environment["TALLY_SPINE_PICTURES"],
      let path = environment["TALLY_SPINE_CANDIDATES"]
    else { return }
    let encoder = JSONEncoder()
    var lines = Data()
    for folder in folders.split(separator: ":") {
      let files = try FileManager.default.contentsOfDirectory(
        at: URL(fileURLWithPath: String(folder)), includingPropertiesForKeys: nil)
      for file in files.sorted(by: { $0.path < $1.path })
      where ["jpg", "jpeg", "png"].contains(file.pathExtension.lowercased()) {
        lines += try encoder.encode(try await Self.line(of: file)) + Data("\n".utf8)
      }
    }
    #expect(!lines.isEmpty, "no pictures in \(folders)")
    try lines.write(to: URL(fileURLWithPath: path))
  }
}
