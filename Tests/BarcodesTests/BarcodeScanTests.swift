import Geometry
import Raster
import TestSupport
import Testing
import VisionProtocols

@testable import Barcodes

// V9, C7: a scan may be quick. C10: bars that are seen and not read.

@Suite("Effort, and bars that are not read")
struct BarcodeScanTests {
  private func drawn(_ symbology: String) throws -> DrawnCode {
    try #require(DrawnCode.all("kinds").first { $0.symbology == symbology })
  }

  @Test("One look reads a sharp code; all of them read a light one beside a dark one")
  func effort() async throws {
    let dark = try drawn("EAN-13")
    for effort in BarcodeEffort.allCases {
      let found = try await BarcodeScanner(effort: effort).barcodes(in: dark.image)
      #expect(found.map(\.payload) == [dark.payload], "\(effort)")
    }
    let light = try ScanView(of: drawn("QR").image, scale: 1).inverted().grey
    let image = try dark.image
    var samples = [UInt8](repeating: 255, count: image.width * (image.height + light.height))
    samples.replaceSubrange(0..<image.samples.count, with: image.samples)
    for row in 0..<light.height {
      for column in 0..<light.width {
        samples[(image.height + row) * image.width + column] =
          light.samples[row * light.width + column]
      }
    }
    let both = try Raster(
      width: image.width, height: image.height + light.height, channels: 1, samples: samples)
    let found = try await BarcodeScanner(effort: .thorough).barcodes(in: both)
    #expect(found.map(\.symbology) == [.ean13, .qr])
    #expect(try await BarcodeScanner(effort: .fast).barcodes(in: both).count == 1)
  }

  @Test("Bars of which a part is covered are seen where they are, and read ones are not")
  func unread() async throws {
    var painted = PaintedEAN("9780306406157")
    painted.module = 4
    var samples = painted.samples
    let side = painted.side
    let whole = try Raster(width: side, height: side, channels: 1, samples: samples)
    let read = try await BarcodeScanner().scan(whole)
    #expect(read.barcodes.map(\.payload) == [painted.digits])
    #expect(!read.barsSeen && read.unread.isEmpty)
    for row in side / 2 - 60..<side / 2 + 60 {
      for column in side * 55 / 100..<side * 60 / 100 { samples[row * side + column] = 40 }
    }
    let covered = try Raster(width: side, height: side, channels: 1, samples: samples)
    for effort in BarcodeEffort.allCases {
      let scan = try await BarcodeScanner(effort: effort).scan(covered)
      #expect(scan.barcodes.isEmpty && scan.barsSeen, "\(effort)")
      let middle = Point(x: Double(side) * 0.4, y: Double(side) / 2)
      #expect(scan.unread.contains { $0.contains(middle) })
    }
    let blank = try Raster(width: 300, height: 200, channels: 3, fill: 90)
    #expect(try await BarcodeScanner().scan(blank) == BarcodeScan())
  }

  @Test("Pictures of stripes, squares and noise are looked at, and no code is made of them")
  func hostile() async throws {
    var generator = SeededGenerator(seed: 7)
    for index in 0..<24 {
      let (width, height) = (
        Int.random(in: 1...260, using: &generator), Int.random(in: 1...260, using: &generator)
      )
      let period = Int.random(in: 1...9, using: &generator)
      let samples = (0..<width * height).map { place -> UInt8 in
        let (x, y) = (place % width, place / width)
        switch index % 4 {
        case 0: return x / period % 2 == 0 ? 0 : 255
        case 1: return (x / period + y / period) % 2 == 0 ? 0 : 255
        case 2: return UInt8.random(in: 0...255, using: &generator)
        default: return Bool.random(using: &generator) ? 0 : 255
        }
      }
      let image = try Raster(width: width, height: height, channels: 1, samples: samples)
      for effort in BarcodeEffort.allCases {
        let found = try await BarcodeScanner(effort: effort).barcodes(in: image)
        #expect(found.isEmpty, "\(index) \(effort)")
      }
    }
  }

  @Test("A cancelled task ends with its error at every effort")
  func cancelled() async throws {
    let image = try Raster(width: 64, height: 64, channels: 1)
    for effort in BarcodeEffort.allCases {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await BarcodeScanner(effort: effort).scan(image)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
