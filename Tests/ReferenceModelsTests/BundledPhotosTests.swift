import Counting
import Foundation
import ImageFiles
import Raster
import ReferenceModels
import TestSupport
import Testing

// A1, SC-003: what the bundled models count in photos of objects of one kind.

@Suite("Bundled models on photos")
struct BundledPhotosTests {
  /// What is known of a photo.
  private struct Truth: Decodable {
    /// The objects of the main kind, and of all kinds.
    let main: Int
    let all: Int
    /// How far the number itself may be off.
    let plusOrMinus: Int?

    enum CodingKeys: String, CodingKey {
      case main, all
      case plusOrMinus = "plus_or_minus"
    }
  }

  private func count(_ name: String) async throws -> Int? {
    guard let url = try Requirements.shared("photos/count/\(name)") else { return nil }
    return try await ObjectCounter.bundled().count(in: ImageFile.load(contentsOf: url)).count
  }

  @Test("Twelve bottles are twelve")
  func bottles() async throws {
    guard let found = try await count("bottles_armaghan.jpg") else { return }
    #expect(found == 12)
  }

  @Test("Photos of one kind have a mean accuracy above 0.95, and most are exact")
  func oneKind() async throws {
    guard let url = try Requirements.shared("photos/count/truth.json") else { return }
    let truths = try JSONDecoder().decode([String: Truth].self, from: Data(contentsOf: url))
      .filter { $0.value.main == $0.value.all }
    #expect(truths.count == 9)
    var accuracies: [Double] = []
    for (name, truth) in truths.sorted(by: { $0.key < $1.key }) {
      guard let found = try await count(name) else { return }
      let error = max(0, abs(found - truth.main) - (truth.plusOrMinus ?? 0))
      accuracies.append(max(0, 1 - Double(error) / Double(truth.main)))
    }
    #expect(accuracies.reduce(0, +) / Double(accuracies.count) > 0.95, "\(accuracies)")
    #expect(accuracies.count { $0 == 1 } >= 7, "\(accuracies)")
  }
}
