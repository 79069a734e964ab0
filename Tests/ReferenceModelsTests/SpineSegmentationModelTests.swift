import Foundation
import Geometry
import ImageFiles
import ONNXRunner
import Raster
import TestSupport
import Testing

@testable import ReferenceModels
@testable import SpineDetection

/// The bundled network, on pictures.
///
/// H40: precision and recall of spines, by the network.
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

  @Test("Spines are found on photos that nothing was trained on, and their counts are right")
  func photos() async throws {
    struct Photo: Decodable {
      let spines: Int
      let tolerance: Int?

      enum CodingKeys: String, CodingKey {
        case spines
        case tolerance = "plus_or_minus"
      }
    }
    struct Marks: Decodable {
      let spines: [[[Double]]]
      let ignored: [[[Double]]]?
    }
    func outlines(_ quads: [[[Double]]]) throws -> [Quadrilateral] {
      try quads.map { try Quadrilateral(corners: $0.map { Point(x: $0[0], y: $0[1]) }) }
    }
    guard let folder = try Requirements.shared("photos") else { return }
    let truth = Folders.package.appendingPathComponent("Fixtures/Truth")
    var marks: [String: Marks] = [:]
    for file in ["spine_quads.json", "spine_quads_world.json"] {
      let more = try JSONDecoder().decode(
        [String: Marks].self, from: Data(contentsOf: truth.appendingPathComponent(file)))
      marks.merge(more) { first, _ in first }
    }
    let detector = SpineOutlineDetector(model: try BundledModels.spineSegmenter())
    // A little less than `Docs/Spines.md` says, so that a change of rounding does not fail here.
    for (name, counts, share) in [
      ("shelf", 7, 0.96), ("shelf_more", 7, 0.96), ("shelf_world", 3, 0.88),
    ] {
      let photos = try JSONDecoder().decode(
        [String: Photo].self,
        from: Data(contentsOf: folder.appendingPathComponent("\(name)/truth.json")))
      var (rightCounts, right, found, there) = (0, 0, 0, 0)
      for (file, photo) in photos {
        let image = try ImageFile.load(contentsOf: folder.appendingPathComponent("\(name)/\(file)"))
        let spines = try await detector.spines(in: image).filter { $0.confidence >= 0.5 }
        if abs(spines.count - photo.spines) <= photo.tolerance ?? 0 { rightCounts += 1 }
        let mark = try #require(marks[file], "\(file)")
        var left = try outlines(mark.spines)
        let ignored = try outlines(mark.ignored ?? [])
        there += left.count
        for spine in spines.sorted(by: { $0.confidence > $1.confidence }) {
          let best = left.indices.max { left[$0].iou(spine.quad) < left[$1].iou(spine.quad) }
          if let best, left[best].iou(spine.quad) >= 0.5 {
            left.remove(at: best)
            right += 1
          } else if ignored.contains(where: { $0.iou(spine.quad) >= 0.3 }) {
            continue
          }
          found += 1
        }
      }
      #expect(rightCounts >= counts, "\(name): \(rightCounts) of \(photos.count) counts")
      #expect(Double(right) >= share * Double(found), "\(name): \(right) right of \(found)")
      #expect(Double(right) >= share * Double(there), "\(name): \(right) found of \(there)")
    }
  }

  @Test(
    "Pictures of any size and kind are looked at",
    arguments: [(1, 1, 3), (2, 900, 3), (1500, 2, 1), (33, 31, 4), (640, 481, 3)])
  func sizes(width: Int, height: Int, channels: Int) async throws {
    let samples = (0..<width * height * channels).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let image = try Raster(width: width, height: height, channels: channels, samples: samples)
    let maps = try await BundledModels.spineSegmenter().maps(of: image)
    #expect((1...4).contains(maps.count))
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

  @Test("Thin spines are looked at again, only where they are, and thick ones are not")
  func secondLook() async throws {
    let shelf = try ImageFile.load(
      contentsOf: Folders.package.appendingPathComponent("Fixtures/Images/shelf.jpg"))
    let model = try BundledModels.spineSegmenter()
    // The shelf at the upper left of a larger picture, so small that its spines are thin.
    let (width, height) = (320, 320 * shelf.height / shelf.width)
    let small = try shelf.converted(toChannels: 3).resized(
      width: width, height: height, method: .bicubic)
    var samples = [UInt8](repeating: 200, count: 640 * 480 * 3)
    for row in 0..<min(height, 480) {
      let from = row * width * 3
      samples.replaceSubrange(
        row * 640 * 3..<row * 640 * 3 + width * 3, with: small.samples[from..<from + width * 3])
    }
    let maps = try await model.maps(
      of: Raster(width: 640, height: 480, channels: 3, samples: samples))
    #expect(maps.count == 4)
    let closer = try #require(maps.last)
    let seen = try #require(closer.seen)
    #expect(closer.width > maps[0].width && seen.width < closer.width * 3 / 4)
    #expect(maps.prefix(3).allSatisfy { $0.seen == nil })
    let large = try shelf.converted(toChannels: 3).cropped(
      to: #require(PixelRect(x: 0, y: 0, width: shelf.width / 3, height: shelf.height)))
    #expect(try await model.maps(of: #require(large)).allSatisfy { $0.seen == nil })
  }

  @Test("A second look at most of a picture is made in tiles, which leave no gap and little to see")
  func tiles() async throws {
    let shelf = try ImageFile.load(
      contentsOf: Folders.package.appendingPathComponent("Fixtures/Images/shelf.jpg"))
    let small = try shelf.converted(toChannels: 3).resized(
      width: 320, height: 320 * shelf.height / shelf.width, method: .bicubic)
    var model = try BundledModels.spineSegmenter()
    model.workingPixels = small.width * small.height
    let closer = try #require(try await model.maps(of: small).last)
    let seen = try #require(closer.seen)
    #expect(seen.width * seen.height > model.workingPixels / 4, "it takes more than one tile")
    for y in 0..<closer.height {
      for x in 0..<closer.width {
        let isSeen =
          (seen.x..<seen.x + seen.width).contains(x) && (seen.y..<seen.y + seen.height).contains(y)
        #expect((closer[.spine, x, y] + closer[.side, x, y] > 0) == isSeen)
      }
    }
    // The same by one look at the enlarged picture, whose cells are the same.
    let enlarged = try small.resized(
      width: Int((Double(small.width) * 2.0.squareRoot()).rounded()),
      height: Int((Double(small.height) * 2.0.squareRoot()).rounded()), method: .bicubic)
    model.workingPixels = enlarged.width * enlarged.height
    let whole = try await model.maps(of: enlarged)[0]
    #expect(whole.width == closer.width && whole.height == closer.height)
    var differences: [Float] = []
    for y in seen.y..<seen.y + seen.height {
      for x in seen.x..<seen.x + seen.width {
        differences.append(abs(closer[.spine, x, y] - whole[.spine, x, y]))
      }
    }
    let mean: Float = differences.reduce(0, +) / Float(differences.count)
    #expect(mean < 0.02)
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
