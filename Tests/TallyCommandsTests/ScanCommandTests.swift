import CommandKit
import Foundation
import Geometry
import ISBN
import ImageFiles
import ShelfReading
import TestSupport
import Testing
import VisionProtocols

@testable import TallyCommands

@Suite("tally scan")
struct ScanCommandTests {
  private let folder: TemporaryFolder
  private let models: String
  private let photo: String

  init() throws {
    folder = try TemporaryFolder()
    models = try TinyTextModels.write(in: folder)
    photo = try TallyCommandsTests.Shelf.standing.write("shelf.png", in: folder)
  }

  @Test("A line of JSON has spines, lines, barcodes and ISBNs")
  func json() async throws {
    let run = await tally("scan", "--edges-only", photo, "--models", models, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.count == 1)
    #expect(
      run.output.hasPrefix("{\"image\":\"\(photo)\",\"width\":480,\"height\":360,\"spines\":["))
    let object = try run.json()
    #expect(
      Set(object.keys) == [
        "image", "width", "height", "spines", "lines", "barcodes", "isbns", "rows",
      ])
    let spines = try #require(object["spines"] as? [[String: Any]])
    #expect(spines.count == 5)
    for spine in spines {
      #expect(
        Set(spine.keys) == [
          "quad", "box", "confidence", "orientation", "title", "author", "subtitle", "volume",
          "publisher", "series", "edition", "candidates", "isbns", "text",
        ])
      #expect(spine["orientation"] as? String == "vertical")
    }
    let lines = try #require(object["lines"] as? [[String: Any]])
    for line in lines {
      #expect(Set(line.keys) == ["quad", "text", "confidence", "spine"])
      guard let index = line["spine"] as? Int else { continue }
      let text = try #require(spines[index]["text"] as? [String])
      #expect(try text.contains(#require(line["text"] as? String)))
    }
  }

  @Test("The overlay is the photo with outlines")
  func overlay() async throws {
    let path = folder.path("o.png")
    let run = await tally(
      "scan", "--edges-only", photo, "--models", models, "--overlay", path)
    #expect(run.code == .success, "\(run)")
    let drawn = try ImageFile.load(contentsOf: URL(fileURLWithPath: path))
    #expect(drawn.width == 480 && drawn.height == 360)
    #expect(drawn != (try ImageFile.load(contentsOf: URL(fileURLWithPath: photo))))
  }

  @Test("A bad photo among good ones gets its line, and the others are read")
  func several() async {
    let run = await tally(
      ["scan", "--edges-only", photo, folder.path("none.jpg"), photo, "--models", models, "--json"])
    #expect(run.code == .noInput)
    #expect(run.outputLines.count == 2)
    #expect(run.errorLines.count == 1)
  }

  @Test("Missing models say how to get them")
  func missing() async throws {
    let run = await tally(
      ["scan", "--edges-only", photo], environment: ["TALLY_MODEL_STORE": folder.path("store")])
    #expect(run.failed(.noInput), "\(run)")
    #expect(run.errors.contains("tally models fetch"))
    try FileManager.default.removeItem(atPath: "\(models)/\(TinyTextModels.names[2])")
    #expect(await tally("scan", "--edges-only", photo, "--models", models).failed(.noInput))
  }

  @Test("A catalogue says what is missing, in text and in JSON")
  func catalogue() async throws {
    let path = folder.path("books.csv")
    try Data("title;author;id\nMoby-Dick;Herman Melville;7\n".utf8).write(
      to: URL(fileURLWithPath: path))
    let run = await tally("scan", "--edges-only", photo, "--models", models, "--catalogue", path)
    #expect(run.code == .success, "\(run)")
    #expect(run.output.contains("0 of 1 book of the catalogue seen, 1 missing"), "\(run)")
    #expect(run.output.contains("missing: Moby-Dick, Herman Melville"))
    let object = try await tally(
      "scan", "--edges-only", photo, "--models", models, "--catalogue", path, "--json"
    )
    .json()
    let missing = try #require(object["missing"] as? [[String: Any]])
    #expect(missing.map { $0["id"] as? String } == ["7"])
    #expect(object["unknown"] is [Int])
  }

  @Test(
    "A catalogue that is none is an error that says why",
    arguments: [
      ("", "is empty"), ("Moby Dick,Melville\n", "no column 'title'"),
      ("title,title\n", "two columns 'title'"), ("title\na\0b\n", "byte of 0"),
    ])
  func badCatalogue(table: String, reason: String) async throws {
    let path = folder.path("bad.csv")
    try Data(table.utf8).write(to: URL(fileURLWithPath: path))
    let run = await tally("scan", "--edges-only", photo, "--models", models, "--catalogue", path)
    #expect(run.failed(.badData) && run.errors.contains(reason), "\(run)")
    #expect(
      await tally(
        "scan", "--edges-only", photo, "--models", models, "--catalogue", folder.path("no.csv")
      ).failed(
        .noInput))
  }

  @Test("Options out of range are usage errors")
  func usage() async {
    for options in [["--models", ""], ["--overlay", "o.gif"], ["--confidence", "1"]] {
      #expect(await tally(["scan", "--edges-only", photo] + options).failed(.usage), "\(options)")
    }
    #expect(await tally("scan", "--models", models).failed(.usage))
  }

  @Test("A report of known books, to the letter")
  func report() throws {
    func quad(_ left: Float, _ width: Float) -> Quadrilateral {
      Quadrilateral(Box(x: left, y: 0, width: width, height: 100))
    }
    let line = RecognizedText(
      outline: Quadrilateral(
        topLeft: Point(x: 25, y: 10), topRight: Point(x: 25, y: 90),
        bottomRight: Point(x: 15, y: 90), bottomLeft: Point(x: 15, y: 10)),
      text: "Emma\u{7}", confidence: 0.75)
    let code = RecognizedBarcode(
      payload: "9780306406157", symbology: .ean13,
      outline: Quadrilateral(Box(x: 200, y: 40, width: 60, height: 20)), confidence: 0.5)
    let report = ScanReport(
      path: "a\nb.jpg", width: 300, height: 100,
      shelf: ShelfReading.Shelf(
        outlines: [
          DetectedOutline(outline: quad(0, 10), confidence: 0.5),
          DetectedOutline(outline: quad(10, 20), confidence: 0.875),
        ], texts: [line], barcodes: [code]))
    let probability = JSONText.float(
      Float(report.shelf.books[1].label.candidates[0].probability)
    ).text
    #expect(
      report.json.text
        == #"{"image":"a\nb.jpg","width":300,"height":100,"spines":["#
        + #"{"quad":[[0,0],[10,0],[10,100],[0,100]],"box":[0,0,10,100],"confidence":0.5,"#
        + #""orientation":"vertical","title":null,"author":null,"subtitle":null,"volume":null,"#
        + #""publisher":null,"series":null,"edition":null,"candidates":[],"isbns":[],"text":[]},"#
        + #"{"quad":[[10,0],[30,0],[30,100],[10,100]],"box":[10,0,30,100],"confidence":0.875,"#
        + #""orientation":"vertical","title":"Emma\u0007","author":null,"subtitle":null,"#
        + #""volume":null,"publisher":null,"series":null,"edition":null,"#
        + #""candidates":[{"title":"Emma\u0007","author":null,"probability":\#(probability)}],"isbns":[],"#
        + #""text":["Emma\u0007"]}],"#
        + #""lines":[{"quad":[[25,10],[25,90],[15,90],[15,10]],"text":"Emma\u0007","#
        + #""confidence":0.75,"spine":1}],"#
        + #""barcodes":[{"payload":"9780306406157","addOn":null,"symbology":"EAN-13","#
        + #""quad":[[200,40],[260,40],[260,60],[200,60]],"confidence":0.5,"#
        + #""isbn13":"9780306406157","spine":null}],"isbns":["9780306406157"],"rows":[[0,1]]}"#)
    #expect(
      report.lines == [
        #"a\nb.jpg: 2 spines, 1 with text, 1 barcode (300 x 100 pixels)"#,
        "  spine  title      author  isbn",
        #"      2  Emma\u{7}  -       -"#,
        "  payload        symbology  confidence           isbn   left   top  right  bottom",
        "  9780306406157  EAN-13         0.5000  9780306406157  200.0  40.0  260.0    60.0",
      ])
  }
}

@Suite("The pictures of the README's tour")
struct TourTests {
  static let images = Folders.package.appendingPathComponent("Fixtures/Images")

  static func picture(_ name: String) -> String {
    images.appendingPathComponent("\(name).jpg").path
  }

  /// The folder of PP-OCRv4's models, or nil where the test is to be skipped.
  private func models() throws -> String? {
    let files = try TinyTextModels.names.map(Requirements.model)
    return files.contains { $0 == nil } ? nil : Folders.models?.path
  }

  @Test("The shelf's seven books have their titles and authors")
  func shelf() async throws {
    guard let models = try models() else { return }
    let run = await tally("scan", Self.picture("shelf"), "--models", models, "--json")
    #expect(run.code == .success, "\(run)")
    let spines = try #require(try run.json()["spines"] as? [[String: Any]])
    // Recognizers lose spaces.
    let read = spines.map { spine in
      ["title", "author"].map { key in
        (spine[key] as? String ?? "").filter(\.isLetter).lowercased()
      }
    }
    #expect(
      read == [
        ["mobydick", "hermanmelville"], ["prideandprejudice", "janeausten"],
        ["thetimemachine", "hgwells"], ["middlemarch", "georgeeliot"],
        ["dracula", "bramstoker"], ["walden", "henrydavidthoreau"],
        ["theoriginofspecies", "charlesdarwin"],
      ])
  }

  @Test("The cover is no shelf, and has an ISBN")
  func cover() async throws {
    guard let models = try models() else { return }
    let run = await tally("scan", Self.picture("cover"), "--models", models, "--json")
    let object = try run.json()
    #expect((object["spines"] as? [Any])?.isEmpty == true, "\(run)")
    #expect(object["isbns"] as? [String] == ["9780306406157"])
  }

  @Test("The cover is known by its barcode, the jar by its text, with its date")
  func recognize() async throws {
    guard let models = try models() else { return }
    let cover = try await tally("recognize", Self.picture("cover"), "--models", models, "--json")
      .json()
    #expect(cover["method"] as? String == "barcode")
    #expect((cover["object"] as? [String: Any])?["isbn13"] as? String == "9780306406157")
    let jar = try await tally("recognize", Self.picture("jar"), "--models", models, "--json").json()
    #expect(jar["method"] as? String == "text")
    let dates = try #require((jar["object"] as? [String: Any])?["dates"] as? [[String: Any]])
    #expect(dates.map { $0["date"] as? String } == ["2027-11-15"])
    #expect(dates.map { $0["label"] as? String } == ["bestBefore"])
  }

  @Test("Every command of the README's tour runs, and prints what stands there")
  func readme() async throws {
    guard let models = try models() else { return }
    let readme = try String(
      contentsOf: Folders.package.appendingPathComponent("README.md"), encoding: .utf8)
    let folder = try TemporaryFolder()
    let images = Folders.package.appendingPathComponent("Fixtures/Images").path
    let lines = readme.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(".build/release/tally ") && $0.contains("Fixtures/Images") }
    #expect(lines.count >= 5)
    for line in lines {
      // What is written goes into a folder of this test's; paths are taken from the checkout.
      var words = line.split(separator: " ").dropFirst().map { word in
        String(word).replacing("Fixtures/Images", with: images)
      }
      for index in words.indices.dropLast() where ["--overlay", "--crops"].contains(words[index]) {
        words[index + 1] = folder.path(words[index + 1])
      }
      if ["scan", "text", "recognize"].contains(words[0]) { words += ["--models", models] }
      let run = await tally(words)
      #expect(run.code == .success && run.errors.isEmpty, "\(line): \(run)")
      if words[0] == "scan" {
        let printed = run.output.replacing(images, with: "Fixtures/Images")
        #expect(readme.contains("```\n\(printed)```"), "\(printed)")
      }
    }
  }
}
