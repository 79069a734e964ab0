import CountReport
import Foundation
import Geometry
import TestSupport
import Testing

@testable import CommandKit

@Suite("Pages, labels and corrections of a count")
struct ReportOptionTests {
  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  /// The boxes of the main kind that the command prints.
  private func mainBoxes() async throws -> [[Double]] {
    let json = try await Squares.count(Squares.png, "--json").json()
    let detections = try #require(json["detections"] as? [[String: Any]])
    return detections.filter { $0["main"] as? Bool == true }.compactMap { $0["box"] as? [Double] }
  }

  private func correction(
    removed: [[Double]], added: [[Double]], width: Int = 128
  ) async throws -> String {
    let json = try await Squares.count(Squares.png, "--json").json()
    let size = try [
      #require(json["width"] as? Int), #require(json["height"] as? Int),
    ]
    return """
      {"tallyCorrection": 1, "width": \(size[0] + width - 128), "height": \(size[1]),
       "count": 12, "removed": \(removed), "moved": [], "added": \(added)}
      """
  }

  /// One value of a JSON object as text, in one order of keys.
  private func sortedText(of json: [String: Any], _ key: String) throws -> String {
    let value = try #require(json[key])
    let data = try JSONSerialization.data(withJSONObject: [value], options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  @Test("A page has all boxes and the same result is printed", arguments: ["standard", "adaptive"])
  func page(set: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("r.html")
    let run = await Squares.count(Squares.png, "--json", "--report", path, "--set", set)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let json = try run.json()
    let count = try #require(json["detections"] as? [Any]).count
    let page = try text(path)
    #expect(page.components(separatedBy: " id=\"box-").count - 1 == count)
    #expect(page.contains("squares.png"))
    let plain = try await Squares.count(Squares.png, "--json", "--set", set).json()
    for key in ["count", "clusters", "stages", "detections"] {
      #expect(try sortedText(of: json, key) == sortedText(of: plain, key), "\(key)")
    }
  }

  @Test("Pages of a folder's photos have their traces; a correction is of one photo")
  func folder() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: false)
    try folder.write("in/a.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    let run = await Squares.count(folder.path("in"), "--report", folder.path("out") + "/")
    #expect(run.code == .success, "\(run)")
    #expect(try text(folder.path("out/a.html")).contains("measures-title"))
    let correction = folder.path("c.json")
    try await folder.write(
      "c.json", text: self.correction(removed: [], added: [[1, 1, 5, 5]]))
    // A folder with one photo is that photo.
    let right = await Squares.count(folder.path("in"), "--correction", correction, "--json")
    #expect(try right.json()["count"] as? Int == 13, "\(right)")
    try folder.write("in/b.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    let wrong = await Squares.count(folder.path("in"), "--correction", correction)
    #expect(wrong.failed(.usage) && wrong.errors.contains("of one photo"), "\(wrong)")
  }

  @Test("Several photos go to a folder; names are not paths into the page")
  func several() async throws {
    let folder = try TemporaryFolder()
    for name in ["a.png", "<b>&\u{202E}.png"] {
      try folder.write(name, Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    }
    let run = await Squares.count(
      folder.path("a.png"), folder.path("<b>&\u{202E}.png"), "--report", folder.path("out") + "/",
      "--labels", folder.path("labels/{name}.txt"))
    #expect(run.code == .success, "\(run)")
    #expect(try folder.names(in: "out").count == 2)
    let page = try text(folder.path("out/<b>&\u{202E}.html"))
    #expect(page.contains("&lt;b&gt;&amp;\\u{202e}.png") && !page.contains("<b>"))
    #expect(!page.contains(folder.url.path))
  }

  @Test("Labels are in the form that their name ends in", arguments: ["json", "txt", "csv"])
  func labels(ending: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("l.\(ending)")
    #expect(await Squares.count(Squares.png, "--labels", path).code == .success)
    let boxes = try await mainBoxes()
    let labels = try text(path)
    switch ending {
    case "json":
      let coco = try #require(
        JSONSerialization.jsonObject(with: Data(labels.utf8)) as? [String: [[String: Any]]])
      #expect(coco["annotations"]?.count == boxes.count)
      #expect(coco["images"]?.first?["file_name"] as? String == "squares.png")
    case "txt": #expect(labels.split(separator: "\n").count == boxes.count)
    default: #expect(labels.split(separator: "\n").count == boxes.count + 1)
    }
  }

  @Test("A correction is printed beside the machine's count, shown, and in the labels")
  func correction() async throws {
    let folder = try TemporaryFolder()
    let boxes = try await mainBoxes()
    let file = try folder.write(
      "c.json",
      text: await correction(removed: [boxes[0]], added: [[1, 1, 9, 9], [20, 1, 29, 9]]))
    let run = await Squares.count(
      Squares.png, "--json", "--correction", file, "--report", folder.path("r.html"), "--labels",
      folder.path("l.csv"))
    #expect(run.code == .success, "\(run)")
    let json = try run.json()
    // The person's count leads everywhere.
    #expect(json["count"] as? Int == boxes.count + 1)
    #expect(json["machineCount"] as? Int == boxes.count)
    let corrected = try #require(json["corrected"] as? [String: Any])
    #expect(
      corrected.compactMapValues { $0 as? Int }
        == ["count": boxes.count + 1, "added": 2, "removed": 1, "moved": 0])
    // The objects that count now, with those that the person added at the end.
    let objects = try #require(corrected["objects"] as? [[String: Any]])
    #expect(
      objects.map { $0["by"] as? String }
        == Array(repeating: "machine", count: boxes.count - 1) + ["person", "person"])
    #expect(objects.last?["box"] as? [Double] == [20, 1, 29, 9])
    #expect(try text(folder.path("l.csv")).components(separatedBy: ",person").count == 3)
    let page = try text(folder.path("r.html"))
    #expect(page.contains("the machine counted \(boxes.count)"))
    let words = await Squares.count(Squares.png, "--correction", file)
    #expect(
      words.output.hasPrefix(
        "\(Squares.png): \(boxes.count + 1) objects, corrected by a person (the machine counted "
          + "\(boxes.count))\n"), "\(words)")
    #expect(words.output.contains("by a person: 2 added, 1 taken out, 0 moved"))
    let csv = await Squares.count(Squares.png, "--correction", file, "--format", "csv")
    #expect(csv.output.contains("128,128,\(boxes.count + 1),,,,2,5,\(boxes.count),,"), "\(csv)")
    let results = folder.path("r.jsonl")
    #expect(
      await Squares.count(Squares.png, "--correction", file, "--results", results).code == .success)
    #expect(try text(results).contains("\"count\":\(boxes.count + 1),"))
    let history = folder.path("h.sqlite")
    #expect(
      await Squares.count(
        Squares.png, "--correction", file, "--save", "--history", history, "--overlay",
        folder.path("o.svg")
      ).code == .success)
    let kept = try await tally("history", "list", "--history", history, "--json").json()
    #expect(kept["count"] as? Int == boxes.count + 1, "\(kept)")
    #expect(kept["machineCount"] as? Int == boxes.count, "\(kept)")
    // Without the correction it is another result.
    let without = await Squares.count(Squares.png, "--results", results)
    #expect(without.failed(.badData) && without.errors.contains("correction"), "\(without)")
  }

  @Test("What is wrong with a correction is said in one line, and nothing is written")
  func badCorrections() async throws {
    let folder = try TemporaryFolder()
    let cases: [(String, ExitCode)] = [
      (folder.path("none.json"), .noInput),
      (try folder.write("text.json", text: "Dear Sir"), .badData),
      (
        try folder.write(
          "far.json", text: await correction(removed: [[90, 90, 91, 91]], added: [])),
        .badData
      ),
      (
        try folder.write("wide.json", text: await correction(removed: [], added: [], width: 999)),
        .badData
      ),
    ]
    for (path, code) in cases {
      let run = await Squares.count(
        Squares.png, "--correction", path, "--report", folder.path("r.html"))
      #expect(run.failed(code), "\(run)")
      #expect(run.errors.contains(path))
    }
    #expect(!folder.has("r.html"))
    let good = try folder.write("good.json", text: await correction(removed: [], added: []))
    #expect(await Squares.count(Squares.png, Squares.jpeg, "--correction", good).failed(.usage))
  }

  @Test("Names that clash or end in something else are usage errors before any work")
  func names() async throws {
    let folder = try TemporaryFolder()
    for arguments in [
      ["--report", folder.path("r.pdf")], ["--labels", folder.path("l.xml")],
      ["--report", folder.path("r.html"), "--labels", folder.path("r.html")],
    ] {
      #expect(
        await tally(["count", Squares.png] + arguments + Squares.models).failed(.usage),
        "\(arguments)")
    }
    #expect(try folder.names().isEmpty)
    #expect(
      await Squares.count(Squares.png, Squares.jpeg, "--report", folder.path("r.html"))
        .failed(.usage))
  }

  @Test("A page that cannot be written is an I/O error, after the result")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("r.html/x"), withIntermediateDirectories: true)
    let run = await Squares.count(
      Squares.png, "--json", "--report", folder.path("{name}/../r.html"))
    #expect(run.code == .inputOutput && run.errorLines.count == 1, "\(run)")
    let full = await Squares.count(Squares.png, "--labels", "/dev/full/l.csv")
    #expect(full.failed(.inputOutput), "\(full)")
  }

  @Test("Nothing counted has a page and empty labels")
  func nothing() async throws {
    let folder = try TemporaryFolder()
    let black = try folder.write("black.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    let run = await Squares.count(
      black, "--confidence", "0.9", "--aspect-range", "500:900", "--report",
      folder.path("r.html"), "--labels", folder.path("l.txt"))
    #expect(run.code == .success, "\(run)")
    #expect(try text(folder.path("l.txt")).isEmpty)
    #expect(try text(folder.path("r.html")).contains(">0</span> <span id=\"noun\">objects<"))
  }
}
