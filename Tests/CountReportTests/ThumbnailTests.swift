import CountReport
import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing
import VisionProtocols

@Suite("Thumbnails of counts")
struct ThumbnailTests {
  private func result(_ boxes: [Box], width: Int, height: Int) -> CountingResult {
    let detections = boxes.enumerated().map { place, box in
      CountedDetection(
        detection: Detection(
          box: box, score: 1 - Float(place) / 10, objectness: 1, classScore: 1, classID: 0),
        cluster: 0, isMain: true)
    }
    return CountingResult(
      count: boxes.count, mainCluster: boxes.isEmpty ? nil : 0,
      clusterSizes: boxes.isEmpty ? [:] : [0: boxes.count], detections: detections, steps: [],
      seconds: CountingSeconds(), hint: nil, width: width, height: height)
  }

  @Test("The object keeps its aspect ratio in the middle of the square, on its edge's colour")
  func fitting() throws {
    // Red with a blue ground that must not show: the box is the red part.
    let photo = try Raster(width: 900, height: 700, channels: 3) { samples in
      for y in 0..<700 {
        for x in 0..<900 {
          let isObject = (100..<900).contains(x) && (100..<500).contains(y)
          samples[(y * 900 + x) * 3] = isObject ? 200 : 0
          samples[(y * 900 + x) * 3 + 1] = 0
          samples[(y * 900 + x) * 3 + 2] = isObject ? UInt8(x / 4) : 255
        }
      }
    }
    let count = result([Box(minX: 100, minY: 100, maxX: 900, maxY: 500)], width: 900, height: 700)
    let image = try #require(try CountThumbnail.image(of: count, in: photo))
    #expect(image.width == 200 && image.height == 200 && image.channels == 3)
    for (x, y) in [(0, 0), (199, 199), (100, 20), (100, 180), (0, 100), (199, 100)] {
      #expect(image[x: x, y: y, channel: 0] == 200 && image[x: x, y: y, channel: 1] == 0)
    }
    // The square beside the object is of one colour, the object is not.
    #expect(image[x: 0, y: 20, channel: 2] == image[x: 199, y: 180, channel: 2])
    #expect(image[x: 0, y: 100, channel: 2] < 40 && image[x: 199, y: 100, channel: 2] > 210)
  }

  @Test(
    "Objects of any size and shape, cut by the frame or grey: 200 x 200",
    arguments: [
      Box(minX: 3, minY: 3, maxX: 4, maxY: 4), Box(minX: -50, minY: -20, maxX: 12, maxY: 200),
      Box(minX: 0, minY: 10, maxX: 64, maxY: 11), Box(minX: 10, minY: 0, maxX: 30, maxY: 48),
    ], [1, 2, 3, 4])
  func shapes(box: Box, channels: Int) throws {
    let photo = try Raster(width: 64, height: 48, channels: channels, fill: 90)
    let count = result([box], width: 64, height: 48)
    let data = try #require(try CountThumbnail.jpeg(of: count, in: photo))
    let image = try ImageFile.load(data: data)
    #expect(image.width == 200 && image.height == 200)
    #expect(data.count <= CountThumbnail.bytes.upperBound)
  }

  @Test("Files have the bytes that they should where there is detail")
  func bytes() throws {
    var generator = SeededGenerator(seed: 4)
    for spread in [30, 90, 255] {
      let photo = try Raster(width: 300, height: 300, channels: 3) { samples in
        for place in samples.indices {
          samples[place] = UInt8(Int.random(in: 0...spread, using: &generator))
        }
      }
      let count = result([Box(minX: 0, minY: 0, maxX: 300, maxY: 300)], width: 300, height: 300)
      let data = try #require(try CountThumbnail.jpeg(of: count, in: photo))
      #expect(CountThumbnail.bytes.contains(data.count), "\(spread): \(data.count)")
    }
  }

  @Test("No picture of nothing, nor of a box that is none")
  func nothing() throws {
    let photo = try Raster(width: 64, height: 48, channels: 3)
    #expect(try CountThumbnail.jpeg(of: result([], width: 64, height: 48), in: photo) == nil)
    for box in [
      Box(minX: .nan, minY: 0, maxX: 10, maxY: 10), Box(minX: 70, minY: 0, maxX: 90, maxY: 10),
      Box(minX: 10, minY: 10, maxX: 10, maxY: 20),
    ] {
      #expect(try CountThumbnail.jpeg(of: result([box], width: 64, height: 48), in: photo) == nil)
    }
  }
}
