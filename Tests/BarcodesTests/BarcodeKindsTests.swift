import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing
import VisionProtocols

@testable import Barcodes

/// A picture of Fixtures/Goldens/Barcodes and what it says.
struct DrawnCode: Decodable {
  let file: String
  let payload: String?
  let symbology: String?
  let addOn: String?
  let bytes: [UInt8]?

  /// In one channel.
  var image: Raster {
    get throws {
      let url = Folders.goldens.appendingPathComponent("Barcodes/\(file)")
      return try ImageFile.load(contentsOf: url).converted(toChannels: 1)
    }
  }

  static func all(_ list: String) throws -> [DrawnCode] {
    try Folders.golden("Barcodes/\(list).json", as: [DrawnCode].self)
  }
}

// V9: only some kinds may be wanted. C6: Data Matrix is one of them.

@Suite("Kinds of barcodes")
struct BarcodeKindsTests {
  @Test("Every kind is read at other sizes")
  func sizes() async throws {
    for kind in try DrawnCode.all("kinds") {
      let image = try kind.image
      for scale in [0.7, 1.6, 3] where kind.symbology != "MaxiCode" || scale > 1 {
        let resized = try image.resized(
          width: Int(Double(image.width) * scale), height: Int(Double(image.height) * scale))
        let found = try await BarcodeScanner().barcodes(in: resized)
        #expect(found.map(\.payload) == [kind.payload], "\(kind.file) \(scale)")
      }
    }
  }

  @Test("Every kind is read at every quarter turn, and some at any angle")
  func turns() async throws {
    let leaning: Set = [
      "QR", "Data Matrix", "Aztec", "PDF417", "MaxiCode", "EAN-13", "Code 128",
    ]
    for kind in try DrawnCode.all("kinds") {
      let image = try kind.image
      let side = max(image.width, image.height) * 3
      for degrees in [8, 45, 90, 180, 203, 270] {
        guard degrees.isMultiple(of: 90) || leaning.contains(kind.symbology ?? "") else { continue }
        var desk = Desk(width: side, height: side, brightness: 229)
        let middle = Point(x: Double(side) / 2, y: Double(side) / 2)
        desk.lay(image, at: middle, scale: 1, degrees: Double(degrees))
        let found = try await BarcodeScanner().barcodes(in: desk.picture)
        #expect(found.map(\.payload) == [kind.payload], "\(kind.file) \(degrees)")
        #expect(found.map(\.symbology.rawValue) == [kind.symbology])
      }
    }
  }

  @Test("DataBar that leans is read, of which a close look fails an assertion")
  func leaningDataBar() async throws {
    let code = try #require(DrawnCode.all("kinds").first { $0.symbology == "DataBar" })
    for degrees in [4.0, 8, 12] {
      var desk = Desk(width: 640, height: 480, brightness: 229)
      try desk.lay(code.image, at: Point(x: 410, y: 240), scale: 1.5, degrees: degrees)
      let found = try await BarcodeScanner().barcodes(in: desk.picture)
      #expect(found.map(\.payload) == [code.payload], "\(degrees)")
    }
  }

  @Test("DataBar whose rows stand on each other is read, at other sizes and turns too")
  func stackedDataBar() async throws {
    for code in try DrawnCode.all("stacked") {
      let image = try code.image
      // The rows of the low form are 5 and 7 modules high, which are few lines at 2 pixels a module.
      for scale in [0.67, 1, 1.5] {
        for degrees in [0.0, 4, 45, 90, 180, 203] {
          var desk = Desk(width: 640, height: 640, brightness: 229)
          desk.lay(image, at: Point(x: 310, y: 330), scale: scale, degrees: degrees)
          let found = try await BarcodeScanner().barcodes(in: desk.picture)
          #expect(found.map(\.payload) == [code.payload], "\(code.file) \(scale) \(degrees)")
          #expect(found.map(\.symbology.rawValue) == [code.symbology])
        }
      }
    }
  }

  @Test("Of two DataBars both are read, each where it is")
  func twoDataBars() async throws {
    let codes = try DrawnCode.all("stacked").suffix(2)
    var desk = Desk(width: 900, height: 700, brightness: 229)
    for (code, y) in zip(codes, [180.0, 520]) {
      try desk.lay(code.image, at: Point(x: 450, y: y), scale: 1, degrees: 0)
    }
    let found = try await BarcodeScanner().barcodes(in: desk.picture)
    #expect(found.map(\.payload) == codes.map(\.payload))
    for (code, y) in zip(found, [180.0, 520]) {
      // The lines that were read need not go through all rows, nor reach as far as the longest.
      #expect(abs(code.outline.center.x - 450) < 150 && abs(code.outline.center.y - y) < 120)
    }
  }

  @Test("Codes of two dimensions are read away from the middle")
  func places() async throws {
    for kind in try DrawnCode.all("kinds")
    where ["QR", "Data Matrix", "Aztec", "PDF417"].contains(kind.symbology) {
      let image = try kind.image
      let (width, height) = (image.width + 160, image.height + 120)
      var samples = [UInt8](repeating: 255, count: width * height)
      for row in 0..<image.height {
        for column in 0..<image.width {
          samples[(row + 100) * width + column + 20] = image.samples[row * image.width + column]
        }
      }
      let found = try await BarcodeScanner().barcodes(
        in: Raster(width: width, height: height, channels: 1, samples: samples))
      #expect(found.map(\.payload) == [kind.payload], "\(kind.file)")
    }
  }

  @Test("Light codes on dark are read")
  func inverted() async throws {
    for kind in try DrawnCode.all("kinds") {
      let image = try ScanView(of: kind.image, scale: 1).inverted().grey
      let found = try await BarcodeScanner().barcodes(in: image)
      #expect(found.map(\.payload) == [kind.payload], "\(kind.file)")
    }
  }

  @Test("The digits beside a code are a field of their own")
  func addOns() async throws {
    let drawn = try DrawnCode.all("addons")
    #expect(drawn.count == 4)
    for code in drawn {
      let found = try await BarcodeScanner().barcodes(in: code.image)
      #expect(found.map(\.payload) == [code.payload], "\(code.file)")
      #expect(found.map(\.addOn) == [code.addOn])
      #expect(found.map(\.symbology.rawValue) == [code.symbology])
    }
    for kind in try DrawnCode.all("kinds") {
      #expect(try await BarcodeScanner().barcodes(in: kind.image).allSatisfy { $0.addOn == nil })
    }
  }

  @Test("Fourteen digits are ITF-14 by their check digit only; others are interleaved 2 of 5")
  func otherITF() async throws {
    for code in try DrawnCode.all("itf") {
      let found = try await BarcodeScanner().barcodes(in: code.image)
      #expect(found.map(\.payload) == [code.payload])
      #expect(found.map(\.symbology) == [.itf])
      #expect(try await BarcodeScanner(symbologies: [.itf14]).barcodes(in: code.image).isEmpty)
    }
    #expect(Candidate.isITF14("00012345678905") && Candidate.isITF14("15400141288763"))
    for other in ["00012345678906", "0001234567890", "0001234567890A", "", "1234567890"] {
      #expect(!Candidate.isITF14(other))
    }
  }

  @Test("Bytes are kept, whether they are text or not")
  func bytes() async throws {
    let drawn = try DrawnCode.all("bytes")
    #expect(drawn.count == 7)
    for code in drawn {
      let found = try await BarcodeScanner().barcodes(in: code.image)
      #expect(found.map(\.bytes) == [try #require(code.bytes)], "\(code.file)")
      #expect(found.map(\.symbology.rawValue) == [code.symbology])
    }
    func read(_ file: String) async throws -> RecognizedBarcode? {
      let code = try #require(drawn.first { $0.file == file })
      return try await BarcodeScanner().barcodes(in: code.image).first
    }
    #expect(try await read("qr_unicode.png")?.payload == "h\u{E9} \u{4E2D}\u{6587}")
    #expect(try await read("qr_unicode.png")?.rawBytes == nil)
    #expect(try await read("datamatrix_latin1.png")?.payload == "Gr\u{FC}\u{DF}e")
    #expect(try await read("datamatrix_nul.png")?.payload == "a\0b")
    #expect(try await read("aztec_control.png")?.payload == "\u{1B}[31mred\r\n")
    // Bytes that are no text are taken for Latin-1.
    #expect(try await read("qr_binary.png")?.payload == "\0\u{1}\u{2}\u{FE}\u{FF}\u{80}")
  }

  @Test("Only the kinds that are asked for are answered")
  func filter() async throws {
    let kinds = try DrawnCode.all("kinds")
    for kind in kinds {
      let symbology = BarcodeSymbology(rawValue: try #require(kind.symbology))
      #expect(BarcodeScanner.everySymbology.contains(symbology))
      let alone = try await BarcodeScanner(symbologies: [symbology]).barcodes(in: kind.image)
      #expect(alone.map(\.payload) == [kind.payload], "\(kind.file)")
      var others = BarcodeScanner.everySymbology.subtracting([symbology])
      if symbology == .itf14 { others.remove(.itf) }
      let rest = try await BarcodeScanner(symbologies: others).barcodes(in: kind.image)
      #expect(rest.isEmpty, "\(kind.file) \(rest)")
      #expect(try await BarcodeScanner(symbologies: []).barcodes(in: kind.image).isEmpty)
    }
    let carton = try #require(kinds.first { $0.symbology == "ITF-14" })
    let found = try await BarcodeScanner(symbologies: [.itf]).barcodes(in: carton.image)
    #expect(found.map(\.symbology) == [.itf14])
  }
}
