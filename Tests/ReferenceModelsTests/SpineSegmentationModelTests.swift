import Foundation
import Geometry
import ImageFiles
import ONNXRunner
import Raster
import SpineDetection
import TestSupport
import Testing

@testable import ReferenceModels

/// The bundled network, on pictures.
@Suite("Spine segmentation")
struct SpineSegmentationModelTests {
  @Test("The seven spines of the rendered shelf are found, where edges find them too")
  func shelf() async throws {
    let image = try ImageFile.load(
      contentsOf: Folders.package.appendingPathComponent("Fixtures/Images/shelf.jpg"))
    let model = try BundledModels.spineSegmenter()
    let spines = try SpineDetector().spines(in: try await model.maps(of: image))
    #expect(spines.count == 7)
    for (spine, edge) in zip(spines, try SpineDetector().spines(in: image)) {
      let (a, b) = (spine.quad.center, edge.quad.center)
      #expect(abs(a.x - b.x) < 12 && abs(a.y - b.y) < 40)
      #expect(spine.orientation == edge.orientation)
    }
  }

  @Test("Counts of shelves are right on photos that nothing was trained on")
  func photos() async throws {
    struct Photo: Decodable {
      let spines: Int
      let tolerance: Int?

      enum CodingKeys: String, CodingKey {
        case spines
        case tolerance = "plus_or_minus"
      }
    }
    guard let folder = try Requirements.shared("photos") else { return }
    let detector = SpineOutlineDetector(model: try BundledModels.spineSegmenter())
    // As many as `Docs/Spines.md` says, less one, so that a change of rounding does not fail here.
    for (name, floor) in [("shelf", 5), ("shelf_more", 5), ("shelf_world", 2)] {
      let photos = try JSONDecoder().decode(
        [String: Photo].self,
        from: Data(contentsOf: folder.appendingPathComponent("\(name)/truth.json")))
      var right = 0
      for (file, photo) in photos {
        let image = try ImageFile.load(contentsOf: folder.appendingPathComponent("\(name)/\(file)"))
        let count = try await detector.spines(in: image).count { $0.confidence >= 0.5 }
        if abs(count - photo.spines) <= photo.tolerance ?? 0 { right += 1 }
      }
      #expect(right >= floor, "\(name): \(right) of \(photos.count)")
    }
  }

  @Test(
    "Pictures of any size and kind are looked at",
    arguments: [(1, 1, 3), (2, 900, 3), (1500, 2, 1), (33, 31, 4), (640, 481, 3)])
  func sizes(width: Int, height: Int, channels: Int) async throws {
    let samples = (0..<width * height * channels).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let image = try Raster(width: width, height: height, channels: channels, samples: samples)
    let maps = try await BundledModels.spineSegmenter().maps(of: image)
    #expect((1...3).contains(maps.count))
    for map in maps {
      #expect(abs(Double(map.width) * map.cellWidth - Double(width)) <= 2 * map.cellWidth)
      #expect(abs(Double(map.height) * map.cellHeight - Double(height)) <= 2 * map.cellHeight)
    }
    for spine in try SpineDetector().spines(in: maps) { #expect(spine.quad.isFinite) }
  }

  @Test("More pixels make larger maps, and the number stays in its range")
  func workingPixels() async throws {
    let image = try Raster(
      width: 400, height: 300, channels: 3, samples: [UInt8](repeating: 90, count: 360_000))
    var model = try BundledModels.spineSegmenter()
    model.workingPixels = 30_000
    let maps = try await model.maps(of: image)
    #expect(maps.map(\.width) == [100, 71, 50])
    model.workingPixels = 0
    #expect(model.workingPixels == 4_096)
    model.workingPixels = .max
    #expect(model.workingPixels == 16_777_216)
  }

  @Test("A network that does another job is refused with what it has")
  func otherModels() throws {
    for file in [try BundledModels.detectorFile(), try BundledModels.embedderFile()] {
      #expect {
        try SpineSegmentationModel(contentsOf: file)
      } throws: { error in
        "\(error)".hasPrefix("not a network that finds spines: ")
      }
    }
  }
}
