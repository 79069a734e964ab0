import Foundation
import Geometry
import ImageFiles
import Raster
import SpineDetection
import TestSupport
import Testing

@testable import TallyCommands

@Suite("tally spines")
struct SpinesCommandTests {
  private let folder: TemporaryFolder
  private let shelf: String

  init() throws {
    folder = try TemporaryFolder()
    shelf = try Shelf.standing.write("shelf.png", in: folder)
  }

  private func image(_ path: String) throws -> Raster {
    try ImageFile.load(contentsOf: URL(fileURLWithPath: path))
  }

  @Test("A line of JSON has the rectangles, and the spines in reading order")
  func json() async throws {
    let run = await tally("spines", "--edges-only", shelf, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.count == 1)
    #expect(
      run.output.hasPrefix("{\"image\":\"\(shelf)\",\"width\":480,\"height\":360,\"rectangles\":["))
    let json = try run.json()
    #expect(json.count == 6)
    #expect(json["rows"] as? [[Int]] == [[0, 1, 2, 3, 4]])
    let rectangles = try #require(json["rectangles"] as? [[String: Any]])
    #expect(rectangles.count <= 3)
    for rectangle in rectangles {
      #expect(Set(rectangle.keys) == ["quad", "box", "confidence"])
    }
    let spines = try #require(json["spines"] as? [[String: Any]])
    try #require(spines.count == Shelf.standing.books.count)
    for (spine, book) in zip(spines, Shelf.standing.books) {
      #expect(Set(spine.keys) == ["quad", "box", "confidence", "orientation"])
      #expect(spine["orientation"] as? String == "vertical")
      let confidence = try #require(spine["confidence"] as? Double)
      #expect((0...1).contains(confidence))
      let box = try #require(spine["box"] as? [Double])
      let truth = [book.left, book.top, book.left + book.width, book.top + book.height]
      for (side, expected) in zip(box, truth) { #expect(abs(side - Double(expected)) <= 6) }
      let quad = try #require(spine["quad"] as? [[Double]])
      #expect(quad.count == 4 && quad.allSatisfy { $0.count == 2 })
      #expect(quad.map { $0[0] }.min() == box[0] && quad.map { $0[1] }.max() == box[3])
    }
  }

  @Test(
    "The network finds the rendered shelf; painted shelves, which no camera sees so, are found by edges"
  )
  func network() async throws {
    let run = await tally("spines", TourTests.picture("shelf"), "--json")
    let spines = try #require(try run.json()["spines"] as? [[String: Any]])
    #expect(spines.count == 7)
    #expect(spines.allSatisfy { ($0["confidence"] as? Double ?? 0) > 0.9 })
  }

  @Test("A large JPEG is decoded small, and its spines are where they are in the whole picture")
  func reduced() async throws {
    let small = try image(TourTests.picture("shelf"))
    let large = try small.resized(
      width: 2601, height: 2601 * small.height / small.width, method: .bilinear)
    let path = folder.path("large.jpg")
    try ImageFile.write(large, to: URL(fileURLWithPath: path))
    let png = folder.path("large.png")
    try ImageFile.write(image(path), to: URL(fileURLWithPath: png), as: .png())
    func spines(_ photo: String, _ options: String...) async throws -> [Quadrilateral] {
      let json = try await tally(["spines", photo, "--json"] + options).json()
      #expect(json["width"] as? Int == large.width && json["height"] as? Int == large.height)
      return try #require(json["spines"] as? [[String: Any]]).map { spine in
        let corners = try #require(spine["quad"] as? [[Double]])
        return try Quadrilateral(corners: corners.map { Point(x: $0[0], y: $0[1]) })
      }
    }
    let reduced = try await spines(path)
    // A PNG is not decoded small.
    let whole = try await spines(png)
    try #require(reduced.count == 7 && whole.count == 7)
    // The network sees other pixels, up to rounding.
    for (first, second) in zip(reduced, whole) {
      #expect(first.iou(second) > 0.9, "\(first) \(second)")
    }
    // What is found does not depend on what is drawn, and what is drawn has all pixels.
    let drawn = try await spines(
      path, "--overlay", folder.path("overlay.png"), "--crops", folder.path("crops"))
    #expect(drawn == reduced)
    let overlay = try image(folder.path("overlay.png"))
    #expect(overlay.width == large.width)
    let crop = try image(folder.path("crops/large-01.png"))
    let sides = reduced[0].boundingBox
    #expect(abs(Double(crop.width) - Double(sides.maxY - sides.minY)) < 20, "\(crop.width)")
  }

  @Test("People get a table")
  func table() async throws {
    let run = await tally("spines", "--edges-only", shelf)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.outputLines.first == "\(shelf): 5 spines (480 x 360 pixels)")
    #expect(
      run.outputLines.dropFirst().first?.split(separator: " ") == [
        "spine", "confidence", "orientation", "left", "top", "right", "bottom", "length",
        "thickness",
      ])
    try #require(run.outputLines.count == 7)
    for (index, line) in run.outputLines.dropFirst(2).enumerated() {
      let cells = line.split(separator: " ")
      #expect(cells.count == 9)
      #expect(cells[0] == "\(index + 1)" && cells[2] == "vertical")
    }
  }

  @Test("Books of a stack lie")
  func stack() async throws {
    let stack = try Shelf.lying.write("stack.png", in: folder)
    let spines = try #require(
      try await tally("spines", "--edges-only", stack, "--json").json()["spines"]
        as? [[String: Any]])
    #expect(spines.count == 3)
    #expect(spines.allSatisfy { $0["orientation"] as? String == "horizontal" })
  }

  @Test("A photo without spines is no failure")
  func nothing() async throws {
    let empty = folder.path("empty.png")
    try ImageFile.write(
      Raster(width: 64, height: 48, channels: 3, fill: 90), to: URL(fileURLWithPath: empty))
    let run = await tally(
      "spines", empty, "--overlay", folder.path("o.png"), "--crops", folder.path("c"))
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.output == "\(empty): no spines (64 x 48 pixels)\n")
    #expect(folder.has("o.png"))
    #expect(try folder.names(in: "c").isEmpty)
    let json = await tally("spines", empty, "--json")
    #expect(
      json.output
        == "{\"image\":\"\(empty)\",\"width\":64,\"height\":48,\"rectangles\":[],\"spines\":[],"
        + "\"rows\":[]}\n")
  }

  @Test("A report of known spines, to the letter")
  func report() {
    let leaning = Quadrilateral(
      topLeft: Point(x: 10.5, y: 0), topRight: Point(x: 20, y: 1), bottomRight: Point(x: 15, y: 41),
      bottomLeft: Point(x: 5, y: 40.25))
    let report = SpineReport(
      path: "a\nb.jpg", width: 100, height: 50,
      spines: [
        DetectedSpine(quad: leaning, confidence: 0.75, orientation: .leaning),
        DetectedSpine(
          quad: Quadrilateral(Box(minX: -3, minY: 48, maxX: 60, maxY: 55)), confidence: 0.5,
          orientation: .lying),
      ], rectangles: [])
    let json = [
      #"{"image":"a\nb.jpg","width":100,"height":50,"rectangles":[],"spines":["#,
      #"{"quad":[[10.5,0],[20,1],[15,41],[5,40.25]],"box":[5,0,20,41],"confidence":0.75,"#,
      #""orientation":"leaning"},"#,
      #"{"quad":[[-3,48],[60,48],[60,55],[-3,55]],"box":[-3,48,60,55],"confidence":0.5,"#,
      #""orientation":"horizontal"}],"rows":[[0],[1]]}"#,
    ]
    #expect(report.json.text == json.joined())
    #expect(
      report.lines == [
        #"a\nb.jpg: 2 spines in 2 rows of 1 and 1 (100 x 50 pixels)"#,
        "  spine  row  confidence  orientation  left   top  right  bottom  length  thickness",
        "      1    1      0.7500  leaning       5.0   0.0   20.0    41.0    40.5        9.8",
        "      2    2      0.5000  horizontal   -3.0  48.0   60.0    55.0    63.0        7.0",
      ])
    #expect(
      report.records == [
        ["1", "1", "0.75", "leaning", "5", "0", "20", "41", "40.467663", "9.790286"],
        ["2", "2", "0.5", "horizontal", "-3", "48", "60", "55", "63", "7"],
      ])
    #expect(report.overlay.marks.map(\.label) == ["1", "2"])
    #expect(report.overlay.caption == "2 spines")
  }

  @Test("The overlay is the photo with outlines", arguments: ["png", "jpg", "svg"])
  func overlay(ending: String) async throws {
    let path = folder.path("o.\(ending)")
    #expect(await tally("spines", "--edges-only", shelf, "--overlay", path).code == .success)
    guard ending == "png" else { return #expect(folder.has("o.\(ending)")) }
    let (drawn, photo) = (try image(path), try image(shelf))
    #expect(drawn.width == 480 && drawn.height == 360)
    #expect(drawn != photo)
    let corner = (0..<3).map { drawn[x: 420, y: 180, channel: $0] }
    #expect(corner == [225, 225, 225])
  }

  @Test("Crops are the spines, their long sides horizontal")
  func crops() async throws {
    let run = await tally("spines", "--edges-only", shelf, "--crops", folder.path("b"))
    #expect(run.code == .success, "\(run)")
    #expect(try folder.names(in: "b") == (1...5).map { "shelf-0\($0).png" })
    for (index, book) in Shelf.standing.books.enumerated() {
      let crop = try image(folder.path("b/shelf-0\(index + 1).png"))
      #expect(abs(crop.width - book.height) <= 8 && abs(crop.height - book.width) <= 8)
      let middle = (0..<3).map { crop[x: crop.width / 2, y: crop.height / 2, channel: $0] }
      #expect(middle == book.color)
    }
  }

  @Test("Text runs down or up")
  func textRuns() async throws {
    for way in ["down", "up"] {
      let run = await tally(
        "spines", "--edges-only", shelf, "--crops", folder.path(way), "--text-runs", way)
      #expect(run.code == .success)
    }
    let down = try image(folder.path("down/shelf-01.png"))
    let up = try image(folder.path("up/shelf-01.png"))
    #expect(down.oriented(.rotate180) == up)
    #expect(await tally("spines", "--edges-only", shelf, "--text-runs", "up").failed(.usage))
    let wrong = await tally(
      "spines", "--edges-only", shelf, "--crops", folder.path("x"), "--text-runs", "left")
    #expect(wrong.failed(.usage) && wrong.errors.contains("it must be down or up"))
    #expect(!folder.has("x"))
  }

  @Test("Several photos go to a folder or by a pattern, and one that fails spoils no other")
  func several() async throws {
    let other = try Shelf.lying.write("stack.jpg", in: folder)
    let run = await tally(
      "spines", "--edges-only", shelf, folder.path("none.jpg"), other, "--json", "--overlay",
      folder.path("out/{name}-x.png"), "--crops", folder.path("crops"))
    #expect(run.code == .noInput)
    #expect(run.outputLines.count == 3 && run.errorLines.count == 1)
    #expect(try folder.names(in: "out") == ["shelf-x.png", "stack-x.png"])
    #expect(
      Set(try folder.names(in: "crops").map { $0.prefix(5) }) == ["shelf", "stack"])
  }

  @Test("Where a file could go to two places, nothing is done")
  func ambiguous() async throws {
    let (crops, a) = (folder.path("c"), folder.path("o.png"))
    let other = try Shelf.lying.write("stack.jpg", in: folder)
    #expect(await tally("spines", "--edges-only", shelf, other, "--overlay", a).failed(.usage))
    let both = await tally("spines", "x/a.jpg", "y/a.png", "--crops", crops)
    #expect(both.failed(.usage))
    #expect(both.errors.contains("/c/a-01.png' for both 'x/a.jpg' and 'y/a.png'"))
    let over = await tally(
      "spines", "--edges-only", shelf, "--crops", crops, "--overlay", folder.path("c/shelf-12.png"))
    #expect(over.failed(.usage) && over.errors.contains("might both write"))
    #expect(!folder.has("c") && !folder.has("o.png"))
  }

  @Test("No photo is overwritten by a crop, through whatever links")
  func inputs() async throws {
    let crop = try Shelf.standing.write("shelf-02.png", in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: crop))
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.url.path)
    for target in [folder.url.path, folder.path("") + "/", link, folder.path("x/..")] {
      let run = await tally("spines", "--edges-only", shelf, crop, "--crops", target)
      #expect(run.failed(.usage), "\(run)")
      #expect(run.errors.contains("might overwrite the input"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: crop)) == before)
    // A name that no crop has is in nobody's way.
    #expect(
      await tally("spines", "--edges-only", shelf, "--crops", folder.url.path).code == .success)
    #expect(folder.has("shelf-01.png"))
  }

  @Test("What cannot be written is an I/O error")
  func unwritable() async throws {
    let file = try folder.write("file", text: "")
    #expect(await tally("spines", "--edges-only", shelf, "--crops", file).failed(.inputOutput))
    #expect(
      await tally("spines", "--edges-only", shelf, "--crops", file + "/x").failed(.inputOutput))
    #expect(
      await tally("spines", "--edges-only", shelf, "--overlay", file + "/o.png").failed(
        .inputOutput))
    // A folder where a crop is to be: after the result.
    try FileManager.default.createDirectory(
      atPath: folder.path("c/shelf-01.png/x"), withIntermediateDirectories: true)
    let run = await tally("spines", "--edges-only", shelf, "--json", "--crops", folder.path("c"))
    #expect(run.code == .inputOutput && run.errorLines.count == 1, "\(run)")
    #expect(run.outputLines.count == 1)
  }

  @Test("Arguments that mean nothing are usage errors")
  func usage() async {
    #expect(await tally("spines").failed(.usage))
    #expect(await tally("spines", "--edges-only", shelf, "--overlay", "o.bmp").failed(.usage))
    #expect(await tally("spines", "--edges-only", shelf, "--crops", "").failed(.usage))
    #expect(await tally("spines", "--edges-only", shelf, "--crop", "x").failed(.usage))
    #expect(await tally("spines", "--edges-only", shelf, "--json", "--crops").failed(.usage))
  }

  @Test("A photo of one pixel is a photo; file names stay on one line")
  func edges() async throws {
    let tiny = folder.path("a\nb.png")
    for channels in 1...4 {
      try ImageFile.write(
        Raster(width: 1, height: 1, channels: channels), to: URL(fileURLWithPath: tiny))
      let run = await tally("spines", tiny)
      #expect(run.code == .success && run.errors.isEmpty, "\(run)")
      #expect(run.outputLines.count == 1)
    }
  }
}
