import Foundation
import Geometry
import ImageFiles
import Raster
import ReferenceModels
import TestSupport
import Testing
import VisionProtocols

@testable import TallyCommands

@Suite("tally text")
struct TextCommandTests {
  private let folder: TemporaryFolder
  private let models: String
  private let photo: String

  init() throws {
    folder = try TemporaryFolder()
    models = try TinyTextModels.write(in: folder)
    photo = try TinyTextModels.photo(in: folder)
  }

  @Test("A line of JSON has the lines, each with four corners, text and confidence")
  func json() async throws {
    let run = await tally("text", photo, "--models", models, "--json", "--confidence", "0")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.count == 1)
    #expect(
      run.output.hasPrefix("{\"image\":\"\(photo)\",\"width\":400,\"height\":300,\"lines\":["))
    let lines = try #require(try run.json()["lines"] as? [[String: Any]])
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(Set(line.keys) == ["quad", "text", "confidence"])
    #expect(line["text"] as? String == "r")
    let confidence = try #require(line["confidence"] as? Double)
    #expect((0...1).contains(confidence))
    let quad = try #require(line["quad"] as? [[Double]])
    #expect(quad.count == 4 && quad.allSatisfy { $0.count == 2 })
    // The photo's red block begins at (60, 100), and is 120 x 30; the region is larger.
    #expect(quad[0][0] < 60 && quad[0][1] < 100 && quad[2][0] > 180 && quad[2][1] > 130)
  }

  @Test("People get a table")
  func table() async throws {
    let run = await tally("text", photo, "--models", models, "--confidence", "0")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.first == "\(photo): 1 line (400 x 300 pixels)")
    #expect(
      run.outputLines.dropFirst().first?.split(separator: " ") == [
        "line", "confidence", "left", "top", "right", "bottom", "text",
      ])
    #expect(run.outputLines.last?.hasSuffix("  r") == true)
  }

  @Test("What is read with less confidence than asked for is left out, and is no failure")
  func confidence() async throws {
    let run = await tally("text", photo, "--models", models, "--confidence", "1")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.output == "\(photo): no text (400 x 300 pixels)\n")
  }

  @Test("The overlay is the photo with outlines")
  func overlay() async throws {
    let path = folder.path("o.png")
    let run = await tally(
      "text", photo, "--models", models, "--confidence", "0", "--overlay", path)
    #expect(run.code == .success, "\(run)")
    let drawn = try ImageFile.load(contentsOf: URL(fileURLWithPath: path))
    #expect(drawn.width == 400 && drawn.height == 300)
    #expect(drawn != (try ImageFile.load(contentsOf: URL(fileURLWithPath: photo))))
  }

  @Test("With words, the same line is found, by another reading of it")
  func words() async throws {
    let options = ["text", photo, "--models", models, "--confidence", "0", "--json"]
    let plain = await tally(options)
    let run = await tally(options + ["--correct-words"])
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let lines = try #require(try run.json()["lines"] as? [[String: Any]])
    let before = try #require(try plain.json()["lines"] as? [[String: Any]])
    #expect(lines.map { $0["quad"] as? [[Double]] } == before.map { $0["quad"] as? [[Double]] })
    #expect(lines.allSatisfy { ($0["text"] as? String)?.isEmpty == false })
  }

  @Test("With spines, what is read on each of them is there too")
  func spines() async throws {
    let shelf = try Shelf.standing.write("shelf.png", in: folder)
    let plain = await tally("text", shelf, "--models", models, "--confidence", "0", "--json")
    let run = await tally(
      "text", shelf, "--models", models, "--confidence", "0", "--json", "--spines")
    #expect(plain.code == .success && run.code == .success, "\(run)")
    let lines = try #require(try run.json()["lines"] as? [[String: Any]])
    #expect(lines.count >= (try plain.json()["lines"] as? [[String: Any]])?.count ?? 0)
  }

  @Test("A bad photo among good ones gets its line, and the others are read")
  func several() async throws {
    let run = await tally(
      ["text", photo, folder.path("none.jpg"), photo, "--models", models, "--json"])
    #expect(run.code == .noInput)
    #expect(run.outputLines.count == 2)
    #expect(run.errorLines.count == 1)
  }

  @Test("A missing model says where it was looked for and how to get it", arguments: 0..<3)
  func missing(index: Int) async throws {
    let name = TinyTextModels.names[index]
    try FileManager.default.removeItem(atPath: "\(models)/\(name)")
    let run = await tally("text", photo, "--models", models)
    #expect(run.failed(.noInput), "\(run)")
    #expect(run.errors.contains("\(models)/\(name): this model is not here"))
    #expect(run.errors.contains("tally models fetch"))
  }

  @Test("A file that is no model of its kind is named", arguments: 0..<3)
  func wrong(index: Int) async throws {
    let path = "\(models)/\(TinyTextModels.names[index])"
    for bytes in [Data(), Data("Dear Sir or Madam,\n".utf8)] {
      try bytes.write(to: URL(fileURLWithPath: path))
      let run = await tally("text", photo, "--models", models)
      #expect(run.failed(.badData), "\(run)")
      #expect(run.errors.contains(path))
    }
    // A model that does another job.
    let other = TinyTextModels.names[(index + 1) % 3]
    try? FileManager.default.removeItem(atPath: path)
    try TinyTextModels.write(in: folder)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: "\(models)/\(other)", toPath: path)
    let run = await tally("text", photo, "--models", models)
    #expect(run.failed(.badData), "\(run)")
    #expect(run.errors.contains("not a "))
  }

  @Test("Options out of range are usage errors")
  func usage() async {
    for options in [
      ["--confidence", "1.5"], ["--confidence", "nan"], ["--models", ""], ["--models"],
      ["--overlay", "o.gif"], ["--spines=yes"], ["--correct-words=yes"],
    ] {
      #expect(await tally(["text", photo] + options).failed(.usage), "\(options)")
    }
    #expect(await tally("text", "--models", models).failed(.usage))
  }

  @Test("Without a folder the store is asked, and an empty one says what fetches the models")
  func store() async throws {
    let run = await tally(
      ["text", photo], environment: ["TALLY_MODEL_STORE": folder.path("store")])
    #expect(run.failed(.noInput), "\(run)")
    #expect(run.errors.contains("pp-ocrv4-det is not in \(folder.path("store"))"))
    #expect(
      run.errors.contains("'tally models fetch pp-ocrv4-det ppocr-orientation pp-ocrv4-rec'"))
    #expect(await tally(["text", photo], environment: [:]).failed(.noInput))
  }

  @Test("A report of known lines, to the letter")
  func report() {
    let quad = Quadrilateral(
      topLeft: Point(x: 20, y: 1), topRight: Point(x: 15, y: 41),
      bottomRight: Point(x: 5, y: 40.25),
      bottomLeft: Point(x: 10.5, y: 0))
    let report = TextReport(
      path: "a\nb.jpg", width: 100, height: 50,
      texts: [RecognizedText(outline: quad, text: "one \"line\"\n", confidence: 0.75)])
    #expect(
      report.json.text
        == #"{"image":"a\nb.jpg","width":100,"height":50,"lines":[{"quad":[[20,1],[15,41],[5,40.25],"#
        + #"[10.5,0]],"text":"one \"line\"\n","confidence":0.75}]}"#)
    #expect(
      report.lines == [
        #"a\nb.jpg: 1 line (100 x 50 pixels)"#,
        "  line  confidence  left  top  right  bottom  text",
        #"     1      0.7500   5.0  0.0   20.0    41.0  one "line"\n"#,
      ])
  }
}

/// Tiny networks by the names of PP-OCRv4's, for which blocks of colour are letters.
enum TinyTextModels {
  static let names = [
    TextModelFiles.names.detector, TextModelFiles.names.orientation,
    TextModelFiles.names.recognizer,
  ]

  /// Puts them into a folder, and answers its path.
  @discardableResult
  static func write(in folder: TemporaryFolder) throws -> String {
    let models = folder.url.appendingPathComponent("models")
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    for (name, tiny) in zip(names, ["text_detector", "text_orientation", "text_recognizer"]) {
      let target = models.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: target)
      try FileManager.default.copyItem(
        at: Folders.goldens.appendingPathComponent("ReferenceModels/models/\(tiny).onnx"),
        to: target)
    }
    return models.path
  }

  /// White paper with a red block.
  static func photo(in folder: TemporaryFolder) throws -> String {
    var image = try Raster(width: 400, height: 300, channels: 3, fill: 255)
    for y in 100..<130 {
      for x in 60..<180 {
        image[x: x, y: y, channel: 1] = 0
        image[x: x, y: y, channel: 2] = 0
      }
    }
    let path = folder.path("paper.png")
    try ImageFile.write(image, to: URL(fileURLWithPath: path))
    return path
  }
}
