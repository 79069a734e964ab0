import Foundation
import Perception
import Raster
import ReferenceModels
import Testing

@Suite("Appearance embedder")
struct AppearanceEmbedderTests {
  let embedder = AppearanceEmbedder()

  func cosine(_ a: Raster, _ b: Raster) async throws -> Float {
    let rows = try await embedder.embeddings(of: [a, b])
    return zip(rows[row: 0], rows[row: 1]).reduce(0) { $0 + $1.0 * $1.1 }
  }

  @Test("rows have length 1, no value is negative, and the answer is always the same")
  func rows() async throws {
    let images = try [
      #require(disc([200, 30, 40], on: [240, 240, 240])), plain([0, 0, 0], width: 1, height: 1),
      plain([255], width: 1, height: 500), plain([9, 200, 30, 0], width: 300, height: 2),
      plain([70, 255], width: 33, height: 31),
    ]
    let rows = try await embedder.embeddings(of: images)
    #expect(rows.count == 5 && rows.dimension == embedder.dimension)
    for index in 0..<rows.count {
      let length = rows[row: index].reduce(0) { $0 + $1 * $1 }
      #expect(abs(length - 1) < 1e-5)
      #expect(rows[row: index].allSatisfy { $0 >= 0 && $0.isFinite })
    }
    #expect(try await embedder.embeddings(of: images) == rows)
    #expect(try await embedder.embeddings(of: []).count == 0)
  }

  @Test("an image is like itself turned and mirrored")
  func turned() async throws {
    // A disc with a bright wedge, so that turning changes every pixel's place.
    var image = try #require(disc([180, 60, 40], on: [230, 230, 225]))
    for y in 8..<30 { for x in 25..<30 { image[x: x, y: y, channel: 1] = 200 } }
    for orientation in Orientation.allCases {
      #expect(try await cosine(image, image.oriented(orientation)) > 0.99)
    }
  }

  @Test("things of one colour are one kind at 0.80 though light and size differ")
  func alike() async throws {
    let one = try #require(disc([200, 40, 40], on: [235, 235, 235]))
    for other in [
      disc([170, 35, 33], on: [200, 200, 200]),
      disc([215, 55, 50], on: [240, 238, 230], side: 200),
      disc([200, 40, 40], on: [235, 235, 235], side: 19),
    ] { #expect(try await cosine(one, #require(other)) > 0.8) }
  }

  @Test("things of different colours are different kinds at 0.80")
  func colours() async throws {
    let ground: [UInt8] = [235, 235, 235]
    let kinds = try [[200, 40, 40], [40, 150, 50], [50, 70, 190], [225, 200, 40]].map {
      try #require(disc($0, on: ground))
    }
    for (index, one) in kinds.enumerated() {
      for other in kinds[(index + 1)...] { #expect(try await cosine(one, other) < 0.8) }
    }
  }

  @Test("long things differ from square ones more than square ones among each other")
  func proportions() async throws {
    let square = try plain([120, 120, 120], width: 60, height: 60)
    let nearly = try plain([120, 120, 120], width: 66, height: 60)
    let long = try plain([120, 120, 120], width: 200, height: 60)
    let (a, b) = try await (cosine(square, nearly), cosine(square, long))
    #expect(a > b)
    let upright = try plain([120, 120, 120], width: 60, height: 200)
    #expect(try await cosine(long, upright) > 0.999)
  }
}
