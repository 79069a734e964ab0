import Barcodes
import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing
import VisionProtocols

@testable import TallyCommands

@Suite("tally barcode")
struct BarcodeCommandTests {
  private let folder: TemporaryFolder
  private let book: String
  private let product: String

  init() throws {
    folder = try TemporaryFolder()
    book = Folders.goldens.appendingPathComponent("Barcodes/ean13.png").path
    product = Folders.goldens.appendingPathComponent("Barcodes/upca.png").path
  }

  @Test("A line of JSON for each photo; only a book's code has an ISBN")
  func json() async throws {
    let run = await tally("barcode", book, product, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    try #require(run.outputLines.count == 2)
    for (line, (payload, symbology, isbn)) in zip(
      run.outputLines,
      [("9780306406157", "EAN-13", "9780306406157"), ("036000291452", "UPC-A", nil)]
        as [(String, String, String?)])
    {
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(Set(json.keys) == ["image", "width", "height", "barcodes", "barsSeen"])
      let codes = try #require(json["barcodes"] as? [[String: Any]])
      try #require(codes.count == 1)
      #expect(
        Set(codes[0].keys)
          == ["payload", "addOn", "symbology", "quad", "confidence", "isbn13"])
      #expect(codes[0]["payload"] as? String == payload)
      #expect(codes[0]["symbology"] as? String == symbology)
      #expect(codes[0]["isbn13"] as? String == isbn)
      let quad = try #require(codes[0]["quad"] as? [[Double]])
      #expect(quad.count == 4 && quad.allSatisfy { $0.count == 2 })
    }
  }

  @Test("People get a table, and a photo without barcodes is no failure")
  func table() async throws {
    let run = await tally("barcode", book)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.outputLines.count == 3)
    #expect(run.outputLines.last?.contains("9780306406157") == true)
    let empty = folder.path("empty.png")
    try ImageFile.write(
      Raster(width: 64, height: 48, channels: 3, fill: 90), to: URL(fileURLWithPath: empty))
    let none = await tally("barcode", empty)
    #expect(none.code == .success && none.output == "\(empty): no barcodes (64 x 48 pixels)\n")
    let json = await tally("barcode", empty, "--json")
    #expect(
      json.output
        == "{\"image\":\"\(empty)\",\"width\":64,\"height\":48,\"barcodes\":[],"
        + "\"barsSeen\":[]}\n")
  }

  @Test("A bad photo gets its error line, and the others are read")
  func mixed() async {
    let missing = folder.path("none.png")
    let run = await tally("barcode", missing, book, "--json")
    #expect(run.code == .noInput && run.errorLines.count == 1)
    #expect(run.outputLines.count == 2 && run.outputLines[1].contains("9780306406157"))
    #expect(run.outputLines[0].contains("\"code\":66"))
    #expect(await tally("barcode").failed(.usage))
  }

  @Test("Payloads alone, a line each, whatever they hold")
  func raw() async throws {
    let control = Folders.goldens.appendingPathComponent("Barcodes/aztec_control.png").path
    let addOn = Folders.goldens.appendingPathComponent("Barcodes/addon_ean13_5.png").path
    let run = await tally("barcode", addOn, control, "--raw")
    #expect(run.code == .success && run.outputLines.count == 2, "\(run)")
    #expect(run.outputLines.first == "9780306406157")
    #expect(!run.output.contains("\u{1B}") && run.output.contains("[31mred"))
    #expect(await tally("barcode", addOn, "--raw", "--json").failed(.usage))
  }

  @Test("Only the kinds that are asked for are printed, and unknown ones are refused")
  func symbologies() async throws {
    let run = await tally("barcode", book, product, "--symbologies", "UPCA,qr", "--raw")
    #expect(run.code == .success && run.output == "036000291452\n", "\(run)")
    for effort in ["fast", "normal", "thorough"] {
      let run = await tally("barcode", book, "--effort", effort, "--raw")
      #expect(run.output == "9780306406157\n")
    }
    for list in ["", "ean13,", "ean-14", ","] {
      #expect(await tally("barcode", book, "--symbologies", list).failed(.usage), "\(list)")
    }
    #expect(await tally("barcode", book, "--effort", "most").failed(.usage))
  }

  @Test("A report of known codes, to the letter")
  func report() {
    let quad = Quadrilateral(Box(minX: 1, minY: 2.5, maxX: 30, maxY: 40))
    let report = BarcodeReport(
      path: "a\nb.jpg", width: 100, height: 50,
      scan: BarcodeScan(
        barcodes: [
          RecognizedBarcode(
            payload: "9780306406157", symbology: .ean13, outline: quad, confidence: 0.75,
            addOn: "51495"),
          RecognizedBarcode(payload: "a\"\nb", symbology: .qr, outline: quad),
        ], unread: [quad]))
    let corners = "[[1,2.5],[30,2.5],[30,40],[1,40]]"
    let json = [
      #"{"image":"a\nb.jpg","width":100,"height":50,"barcodes":["#,
      #"{"payload":"9780306406157","addOn":"51495","symbology":"EAN-13","quad":\#(corners),"#,
      #""confidence":0.75,"isbn13":"9780306406157"},"#,
      #"{"payload":"a\"\nb","addOn":null,"symbology":"QR","quad":\#(corners),"confidence":1,"#,
      #""isbn13":null}],"barsSeen":[\#(corners)]}"#,
    ]
    #expect(report.json.text == json.joined())
    #expect(report.lines.count == 5)
    #expect(report.lines[0] == #"a\nb.jpg: 2 barcodes (100 x 50 pixels)"#)
    #expect(report.lines[2].hasPrefix("  9780306406157 + 51495  EAN-13"))
    #expect(
      report.lines[4]
        == "  bars or dots that could not be read: left 1.0, top 2.5, right 30.0, bottom 40.0")
    #expect(report.records.map { Array($0.prefix(3)) }[0] == ["9780306406157", "51495", "EAN-13"])
    #expect(report.records.allSatisfy { $0.count == BarcodeReport.columns.count })
    #expect(!report.lines.contains { $0.contains("\n") })
  }
}
