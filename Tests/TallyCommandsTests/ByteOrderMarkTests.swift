import Foundation
import TestSupport
import Testing

/// Documents as editors and spreadsheets save them, with U+FEFF before the text.
@Suite("Byte order marks")
struct ByteOrderMarkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a command that reads a document, first without the mark and then with it: both say the same.
  private func isReadAlike(
    _ name: String, _ text: String, _ arguments: (String) -> [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let path = try folder.write(name, text: text)
    let plain = await tally(arguments(path))
    #expect(
      plain.code == .success && plain.errors.isEmpty, "\(plain)", sourceLocation: sourceLocation)
    try folder.write(name, text: "\u{FEFF}" + text)
    let marked = await tally(arguments(path))
    #expect(marked.code == .success, "\(marked)", sourceLocation: sourceLocation)
    #expect(marked.output == plain.output && marked.errors == plain.errors)
  }

  static let boxFiles: [(name: String, text: String)] =
    EvaluateBoxesTests.predictions + [
      (
        "a table with quoted titles",
        "\"image\",\"left\",\"top\",\"right\",\"bottom\",\"score\"\n\"a.jpg\",0,0,10,9,0.9\n"
      ),
      (
        "COCO's results",
        #"[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 9], "score": 0.9}]"#
      ),
    ]

  @Test("Boxes, in whichever format", arguments: boxFiles.indices)
  func boxes(index: Int) async throws {
    let truth = try folder.write(
      "truth.json",
      text: "\u{FEFF}"
        + (Self.boxFiles[index].text.contains("image_id")
          ? #"{"images": [{"id": 1, "file_name": "a.jpg"}], "categories": [{"id": 1, "name": "x"}], "#
            + #""annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 9]}]}"#
          : #"{"image": "a.jpg", "boxes": [[0, 0, 10, 10]]}"# + "\n"
            + #"{"image": "b.jpg", "boxes": []}"# + "\n" + #"{"image": "c.jpg", "boxes": []}"#))
    try await isReadAlike("boxes", Self.boxFiles[index].text) {
      ["evaluate", "--truth", truth, "--predictions", $0]
    }
  }

  @Test("Thresholds, settings, corrections, names of classes and lists of photos of a count")
  func counts() async throws {
    let photo = try folder.write("a.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    let count = ["count", photo, "--json"] + Squares.models
    try await isReadAlike("config.json", #"{"similarity": 0.7}"#) { count + ["--config", $0] }
    try await isReadAlike("names", (0..<80).map { "kind \($0)\n" }.joined()) {
      ["detect", photo, "--json", "--detector", Squares.detector, "--names", $0]
    }
    let correction =
      #"{"tallyCorrection": 1, "width": 128, "height": 128, "count": 12, "removed": [], "#
      + #""moved": [], "added": [[1, 1, 5, 5]]}"#
    try await isReadAlike("correction.json", correction) {
      count + ["--set", "standard", "--correction", $0]
    }
    try await isReadAlike("settings.json", #"{"confidence": 0.3}"#) {
      ["settings", "show", "--settings", $0]
    }
    for words in [["--set", "standard"], ["--stream", "--set", "standard"]] {
      let arguments = words.count > 2 ? ["count"] : ["count", "-", "--json"]
      let runs = await [photo, "\u{FEFF}" + photo].asyncMap { list in
        await tally(arguments + words + Squares.models, input: Array("\(list)\n".utf8))
      }
      #expect(runs[0].code == .success && runs[0].output.contains(#""count":12"#), "\(runs[0])")
      #expect(runs[1].output == runs[0].output, "\(runs[1])")
    }
    // Between zeros are paths as the system has them, byte by byte.
    let run = await tally(
      ["count", "-", "--null", "--set", "standard"] + Squares.models,
      input: Array("\u{FEFF}\(photo)\0".utf8))
    #expect(run.code == .noInput, "\(run)")
  }

  @Test("Results that an editor has saved go on")
  func results() async throws {
    let photo = try folder.write("a.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    let other = try folder.write("b.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    for name in ["r.jsonl", "r.csv"] {
      let path = folder.path(name)
      let words = ["--results", path, "--set", "standard"] + Squares.models
      _ = await tally(["count", photo] + words)
      let before = try String(contentsOfFile: path, encoding: .utf8)
      try folder.write(name, text: "\u{FEFF}" + before)
      let run = await tally(["count", photo, other] + words)
      #expect(run.code == .success, "\(run)")
      let after = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(after.starts(with: Data("\u{FEFF}\(before)".utf8)))
      #expect(after.count { $0 == UInt8(ascii: "\n") } == (name == "r.csv" ? 3 : 2))
    }
  }

  @Test("True counts, ids, payloads, manifests, labels and catalogues")
  func others() async throws {
    try folder.write("a.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    try folder.write("truth.json", text: "\u{FEFF}" + #"{"a.png": {"main": 12, "all": 17}}"#)
    let evaluation = await tally(
      ["evaluate", "counts", folder.url.path, "--set", "standard"] + Squares.models)
    #expect(evaluation.code == .success && evaluation.output.contains("a.png"), "\(evaluation)")
    let points = try IndexedPoints()
    for (option, lines) in [
      ("--ids", (0..<4).map { IndexedPoints.id($0) }), ("--payloads", ["a", "b", "c", "d"]),
    ] {
      let vectors = try points.write("v.npy", [1, 0, 0, 1, 1, 1, 0, 2], [4, 2])
      let list = try folder.write("list", text: "\u{FEFF}" + lines.joined(separator: "\n") + "\n")
      let index = folder.path("i\(option).index")
      let run = await tally("index", "build", index, "--vectors", vectors, option, list)
      #expect(run.code == .success, "\(run)")
      let export = await tally("index", "export", index, "--format", "csv")
      #expect(lines.allSatisfy { export.output.contains($0) }, "\(export)")
      #expect(!export.output.contains("\u{FEFF}"), "\(export)")
    }
    let labels = try folder.write("labels", text: "\u{FEFF}{\"missed\": 1}\n")
    let events = try TemporaryFolder()
    let report = await tally("telemetry", "report", events.url.path, "--labels", labels)
    #expect(!report.errors.contains("labels"), "\(report)")
    let manifest = try folder.write("manifest.json", text: "\u{FEFF}{\"name\": \"x\"}")
    let fetch = await tally("models", "fetch", "--manifest", manifest, "--folder", folder.path("m"))
    #expect(fetch.errors.contains("the manifest's version is missing"), "\(fetch)")
  }
}

extension Array {
  /// One after the other.
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows
    -> [Value]
  {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
