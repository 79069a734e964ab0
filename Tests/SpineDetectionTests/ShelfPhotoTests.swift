import Foundation
import Geometry
import ImageFiles
import TestSupport
import Testing

@testable import SpineDetection

/// The photos of shelves whose spines are marked by hand in `Fixtures/Truth/spine_quads.json`.
///
/// H40: precision and recall of spines, by edges alone.
@Suite("Shelf photos")
struct ShelfPhotoTests {
  struct Photo: Decodable {
    let spines: [[[Double]]]
    let tuning: Bool
  }

  /// Four photos were looked at while thresholds were chosen, five were not.
  ///
  /// The floors are a spine or two
  /// below what `Docs/Spines.md` reports, so that a change of rounding does not fail here.
  @Test(
    "Spines are where they were marked", arguments: [(true, 0.90, 0.88), (false, 0.95, 0.88)])
  func marked(tuning: Bool, precision: Double, recall: Double) throws {
    guard let folder = try Requirements.shared("photos/shelf") else { return }
    let file = Folders.package.appendingPathComponent("Fixtures/Truth/spine_quads.json")
    let photos = try JSONDecoder().decode([String: Photo].self, from: Data(contentsOf: file))
    var (found, marked, matched, errors) = (0, 0, 0, 0)
    for (name, photo) in photos where photo.tuning == tuning {
      let image = try ImageFile.load(contentsOf: folder.appendingPathComponent(name))
      let spines = try SpineDetector().spines(in: image)
      let truth = try photo.spines.map { corners in
        try Quadrilateral(corners: corners.map { Point(x: $0[0], y: $0[1]) })
      }
      found += spines.count
      marked += truth.count
      errors += abs(spines.count - truth.count)
      // Greedily, the best overlap first.
      var pairs: [(overlap: Double, spine: Int, truth: Int)] = []
      for (index, spine) in spines.enumerated() {
        for (other, outline) in truth.enumerated() {
          let overlap = spine.quad.iou(outline)
          if overlap >= 0.5 { pairs.append((overlap, index, other)) }
        }
      }
      var (taken, seen): (Set<Int>, Set<Int>) = ([], [])
      for pair in pairs.sorted(by: { $0.overlap > $1.overlap })
      where !taken.contains(pair.spine) && !seen.contains(pair.truth) {
        taken.insert(pair.spine)
        seen.insert(pair.truth)
      }
      matched += taken.count
    }
    #expect(Double(matched) / Double(found) >= precision)
    #expect(Double(matched) / Double(marked) >= recall)
    #expect(Double(errors) / Double(tuning ? 4 : 5) <= 1)
  }
}
