import Foundation
import Geometry
import Raster
import TestSupport
import Testing
import VisionProtocols

@testable import Barcodes

@Suite("Codes of two dimensions, wherever and however they lie")
struct DotLookTests {
  private static let kinds = ["QR", "Data Matrix", "Aztec", "PDF417", "MaxiCode"]

  private func drawn(_ symbology: String) throws -> DrawnCode {
    try #require(DrawnCode.all("kinds").first { $0.symbology == symbology })
  }

  @Test("Small ones are read at any turn, away from the middle, in both colours", arguments: kinds)
  func turns(kind: String) async throws {
    let code = try drawn(kind)
    let dark = try code.image
    let light = try ScanView(of: dark, scale: 1).inverted().grey
    // Fixtures are drawn at three pixels a module, MaxiCode at more.
    for (scale, degrees) in [(2.0 / 3, 10.0), (2.0 / 3, 217), (1, 45), (1, 296), (1.4, 100)] {
      for image in [dark, light] {
        var desk = Desk(width: 640, height: 480)
        desk.lay(image, at: Point(x: 410, y: 240), scale: scale, degrees: degrees)
        let found = try await BarcodeScanner().barcodes(in: desk.picture)
        #expect(found.map(\.payload) == [code.payload], "\(scale) \(degrees)")
        let center = try #require(found.first).outline.center
        #expect(center.distance(to: Point(x: 410, y: 240)) < 30, "\(center)")
      }
    }
  }

  @Test("Squares of one and a half pixels are read")
  func tiny() async throws {
    for kind in ["QR", "Data Matrix", "Aztec"] {
      let code = try drawn(kind)
      for degrees in [0.0, 30, 217] {
        var desk = Desk(width: 200, height: 160, brightness: 229)
        try desk.lay(code.image, at: Point(x: 90, y: 70), scale: 0.5, degrees: degrees)
        let found = try await BarcodeScanner().barcodes(in: desk.picture)
        #expect(found.map(\.payload) == [code.payload], "\(kind) \(degrees)")
      }
    }
  }

  @Test("Several codes of one picture are read, also of one kind and of both colours")
  func several() async throws {
    var desk = Desk(width: 1000, height: 700)
    let places = [
      ("Data Matrix", 120.0, 110.0, 20.0), ("Data Matrix", 860, 130, 70), ("Aztec", 150, 540, 200),
      ("Aztec", 500, 130, 33), ("QR", 500, 350, 12), ("MaxiCode", 820, 500, 140),
      ("PDF417", 480, 580, 352),
    ]
    for (index, (kind, x, y, degrees)) in places.enumerated() {
      let image = try drawn(kind).image
      let seen = index % 2 == 0 ? image : try ScanView(of: image, scale: 1).inverted().grey
      desk.lay(seen, at: Point(x: x, y: y), scale: 1, degrees: degrees)
    }
    let found = try await BarcodeScanner().barcodes(in: desk.picture)
    #expect(found.map(\.symbology.rawValue).sorted() == places.map(\.0).sorted())
  }

  @Test("A grid is found by its edges, and drawn as it is")
  func grid() throws {
    var generator = SeededGenerator(seed: 3)
    let modules = (0..<24 * 24).map { _ in Bool.random(using: &generator) }
    for module in [3.7, 5, 8.4] {
      let side = Int(24 * module)
      let samples = (0..<side * side).map { place -> UInt8 in
        let column = min(Int((Double(place % side) + 0.5) / module), 23)
        let row = min(Int((Double(place / side) + 0.5) / module), 23)
        return modules[row * 24 + column] ? 40 : 210
      }
      let plane = GreyPlane(
        try Raster(width: side, height: side, channels: 1, samples: samples))
      let grid = try #require(DotGrid(of: plane, modules: 2.6...12))
      #expect(abs(grid.module - module) < 0.05, "\(grid.module)")
      #expect(grid.regularity > 0.5)
      let drawn = try #require(try grid.drawn(plane))
      let columns = drawn.picture.width / 4
      #expect(abs(columns - 24) <= 1)
      let shift = Int((Double(drawn.part.minX) / module).rounded())
      let drop = Int((Double(drawn.part.minY) / module).rounded())
      var right = 0
      for row in 1..<22 {
        for column in 1..<22 {
          let sample = drawn.picture.samples[(row * 4 + 1) * drawn.picture.width + column * 4 + 1]
          if (sample == 0) == modules[(row + drop) * 24 + column + shift] { right += 1 }
        }
      }
      #expect(right == 21 * 21)
    }
    let even = GreyPlane(try Raster(width: 64, height: 64, channels: 1, fill: 90))
    #expect(DotGrid(of: even, modules: 3...12) == nil)
  }

  @Test("The rings of a MaxiCode are found, and none where there are none")
  func rings() throws {
    let maxiCode = try drawn("MaxiCode").image
    let eye = try #require(BullsEye(in: GreyPlane(maxiCode)))
    #expect(eye.clearness > 6 && !eye.isInverted)
    let light = try ScanView(of: maxiCode, scale: 1).inverted().grey
    #expect(try #require(BullsEye(in: GreyPlane(light))).isInverted)
    for kind in ["QR", "Data Matrix", "PDF417", "EAN-13"] {
      let image = try drawn(kind).image.resized(width: 200, height: 200)
      #expect(BullsEye(in: GreyPlane(image)) == nil, "\(kind)")
    }
  }
}
