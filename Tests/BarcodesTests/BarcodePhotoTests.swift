import Foundation
import Geometry
import ImageFiles
import Raster
import Rectification
import TestSupport
import Testing

@testable import Barcodes

@Suite("Barcodes of photos")
struct BarcodePhotoTests {
  /// Codes that photos show beside the one that is expected.
  static let others = [
    "zxing_ean13-2_13.png": "1920081045006", "zxing_ean13-2_21.png": "1920081045006",
    "zxing_ean13-2_23.png": "9784872348880",
  ]

  @Test(
    "The photos are read, and none wrongly",
    arguments: [("barcode", 36, 36), ("barcode_more", 35, 32)])
  func photos(folder: String, count: Int, least: Int) async throws {
    guard let list = try Requirements.shared("photos/\(folder)/EXPECTED.tsv") else { return }
    let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == count)
    var right = 0
    for line in lines {
      let cells = line.split(separator: "\t").map(String.init)
      let url = list.deletingLastPathComponent().appendingPathComponent(cells[0])
      let found = try await BarcodeScanner().barcodes(in: ImageFile.load(contentsOf: url))
      if found.contains(where: { $0.payload == cells[1] }) { right += 1 }
      for code in found where code.payload != cells[1] {
        #expect(code.payload == Self.others[cells[0]], "\(cells[0])")
      }
    }
    print("barcodes of \(folder): \(right) of \(lines.count) read")
    #expect(right >= least)
  }

  /// `TALLY_BARCODE_PATCHES=10000` looks at that many.
  @Test("Patches of photos without a barcode have none")
  func patches() async throws {
    var images: [Raster] = []
    for folder in ["photos/count", "photos/shelf"] {
      guard let url = try Requirements.shared(folder) else { return }
      for file in try FileManager.default.contentsOfDirectory(
        at: url, includingPropertiesForKeys: nil
      ).sorted(by: { $0.path < $1.path }) where file.pathExtension != "json" {
        images.append(try ImageFile.load(contentsOf: file).converted(toChannels: 1))
      }
    }
    let count =
      ProcessInfo.processInfo.environment["TALLY_BARCODE_PATCHES"].flatMap { Int($0) } ?? 60
    var generator = SeededGenerator(seed: 1)
    for index in 0..<count {
      let image = images[Int.random(in: images.indices, using: &generator)]
      let side = Double.random(in: 160...480, using: &generator)
      let scale = exp(Double.random(in: -1...0.9, using: &generator))
      let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
      let x = Double.random(in: 0..<Double(image.width), using: &generator)
      let y = Double.random(in: 0..<Double(image.height), using: &generator)
      func corner(_ a: Double, _ b: Double) -> Point {
        let half = side / scale / 2
        return Point(
          x: x + half * (a * cos(angle) - b * sin(angle)),
          y: y + half * (a * sin(angle) + b * cos(angle)))
      }
      let patch = try image.rectified(
        Quadrilateral(
          topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
          bottomLeft: corner(-1, 1)), width: Int(side), height: Int(side))
      let found = try await BarcodeScanner().barcodes(in: patch)
      #expect(found.isEmpty, "patch \(index)")
    }
    print("patches without a barcode: \(count)")
  }
}
