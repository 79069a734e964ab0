import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing
import VisionProtocols

@testable import Barcodes

@Suite("Barcodes")
struct BarcodeScannerTests {
  private struct Kind: Decodable {
    let file: String
    let payload: String
    let symbology: String
    let box: [Double]
  }

  @Test("Every kind is read, in its place, from pictures of any number of channels")
  func kinds() async throws {
    let kinds = try Folders.golden("Barcodes/kinds.json", as: [Kind].self)
    #expect(kinds.count == 17)
    for kind in kinds {
      let url = Folders.goldens.appendingPathComponent("Barcodes/\(kind.file)")
      let image = try ImageFile.load(contentsOf: url)
      for channels in 1...4 {
        let found = try await BarcodeScanner().barcodes(in: image.converted(toChannels: channels))
        #expect(found.map(\.payload) == [kind.payload], "\(kind.file)")
        #expect(found.map(\.symbology.rawValue) == [kind.symbology])
        guard let code = found.first else { continue }
        #expect((0.9...1).contains(code.confidence))
        let box = code.outline.boundingBox
        for (side, truth) in zip([box.minX, box.minY, box.maxX, box.maxY], kind.box) {
          #expect(abs(Double(side) - truth) <= 30, "\(kind.file) \(box)")
        }
        #expect(code.outline.isConvex && code.outline.signedArea > 0)
      }
    }
  }

  @Test("A code is read whichever way it lies, and its first corner turns with it")
  func turned() async throws {
    for quarter in 0..<4 {
      for slant in [0, Double.pi / 4] {
        var painted = PaintedEAN("9780306406157")
        painted.angle = Double(quarter) * .pi / 2 + slant
        let image = try Raster(
          width: painted.side, height: painted.side, channels: 1, samples: painted.samples)
        let found = try await BarcodeScanner().barcodes(in: image)
        #expect(found.map(\.payload) == ["9780306406157"])
        let corner = try #require(found.first?.outline.topLeft)
        let distances = painted.corners.map { corner.distance(to: Point(x: $0.x, y: $0.y)) }
        // The bars that were read need not reach their upper ends, but they begin on that side.
        #expect(min(distances[0], distances[3]) < min(distances[1], distances[2]))
      }
    }
  }

  @Test("Two codes of one picture are both read, the upper first")
  func two() async throws {
    let (a, b) = (PaintedEAN("9780306406157"), PaintedEAN("4006381333931"))
    let image = try Raster(
      width: a.side, height: 2 * a.side, channels: 1, samples: a.samples + b.samples)
    let found = try await BarcodeScanner().barcodes(in: image)
    #expect(found.map(\.payload) == ["9780306406157", "4006381333931"])
  }

  @Test("What no code can be in has none")
  func nothing() async throws {
    for (width, height) in [(1, 1), (2, 3), (1, 700), (700, 1), (64, 64), (3000, 2)] {
      for fill in [UInt8.min, .max] {
        let image = try Raster(width: width, height: height, channels: 3, fill: fill)
        #expect(try await BarcodeScanner().barcodes(in: image).isEmpty)
      }
    }
  }

  @Test("A photo of 50 megapixels is read")
  func large() async throws {
    var painted = PaintedEAN("9780306406157")
    painted.module = 6
    let small = try Raster(
      width: painted.side, height: painted.side, channels: 1, samples: painted.samples)
    let image = try small.resized(width: 7000, height: 7000)
    #expect(try await BarcodeScanner().barcodes(in: image).map(\.payload) == [painted.digits])
  }

  @Test("Many tasks read at once, and all the same")
  func concurrent() async throws {
    var painted = PaintedEAN("9780306406157")
    painted.blur = 3.2
    let image = try Raster(
      width: painted.side, height: painted.side, channels: 1, samples: painted.samples)
    let alone = try await BarcodeScanner().barcodes(in: image)
    #expect(alone.map(\.payload) == [painted.digits])
    try await withThrowingTaskGroup(of: [RecognizedBarcode].self) { group in
      for _ in 0..<8 { group.addTask { try await BarcodeScanner().barcodes(in: image) } }
      for try await found in group { #expect(found == alone) }
    }
  }

  @Test("A cancelled task ends with its error")
  func cancelled() async throws {
    let image = try Raster(width: 64, height: 64, channels: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await BarcodeScanner().barcodes(in: image)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
