import Foundation
import TestSupport
import Testing

/// The spines marked by hand are fit to be measured against.
@Suite("Marked spines")
struct SpineTruthTests {
  struct Photo: Decodable {
    let width, height: Double
    let tuning: Bool
    let spines: [[[Double]]]
  }

  private let photos: [String: Photo]

  init() throws {
    let file = Folders.package.appendingPathComponent("Fixtures/Truth/spine_quads.json")
    photos = try JSONDecoder().decode([String: Photo].self, from: Data(contentsOf: file))
  }

  @Test("Every quadrilateral is convex, clockwise and inside its photo")
  func quadrilaterals() {
    for (name, photo) in photos {
      for (number, quad) in photo.spines.enumerated() {
        let place: Comment = "\(name), spine \(number)"
        #expect(quad.count == 4 && quad.allSatisfy { $0.count == 2 }, place)
        for corner in quad.indices {
          let (a, b, c) = (quad[corner], quad[(corner + 1) % 4], quad[(corner + 2) % 4])
          let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
          #expect(turn > 0, place)
          #expect((0...photo.width).contains(a[0]) && (0...photo.height).contains(a[1]), place)
        }
      }
    }
  }

  @Test("Five of nine photos are kept for measuring")
  func halves() {
    #expect(photos.count == 9)
    #expect(photos.values.count { !$0.tuning } == 5)
  }

  @Test("There are as many spines as the photos' own list says")
  func totals() throws {
    struct Total: Decodable {
      let spines: Int
    }
    guard let list = try Requirements.shared("photos/shelf/truth.json") else { return }
    let totals = try JSONDecoder().decode([String: Total].self, from: Data(contentsOf: list))
    #expect(totals.mapValues(\.spines) == photos.mapValues(\.spines.count))
  }
}
