import FuzzSupport
import Geometry
import LineSegments
import Raster
import RectangleDetection
import SpineDetection

extension Target {
  /// Straight edges: sorted, and numbers.
  static let lines = Target("lines", seeds: { pictureSeeds.map { [250, 20, 20] + $0 } }) { bytes in
    var choices = Choices(bytes)
    let detector = LineSegmentDetector(
      workingSide: choices.wholeSetting(16...960), leastContrast: choices.setting(0.1...255),
      leastLength: choices.setting(4...50))
    let image = try choices.picture(largestSide: 200)
    try refusable(LineSegmentError.self) {
      let edges = try detector.segments(in: image)
      var longest = Double.infinity
      for edge in edges {
        let length = edge.segment.length
        expect(length <= longest && length.isFinite, "\(edge) after one of \(longest)")
        longest = length
        for end in [edge.segment.start, edge.segment.end] {
          expect(end.x.isFinite && end.y.isFinite, "\(edge) of \(image.width) x \(image.height)")
        }
      }
    }
  }

  /// Rectangles: as many as are asked for, within the limits.
  static let rectangles = Target(
    "rectangles", seeds: { pictureSeeds.map { [10, 0, 250, 0, 0, 100, 150] + $0 } }
  ) { bytes in
    var choices = Choices(bytes)
    var limits = RectangleConfiguration()
    limits.maximumObservations = choices.wholeSetting(1...20)
    limits.minimumAspectRatio = choices.setting(0...1)
    limits.maximumAspectRatio = choices.setting(0...1)
    limits.minimumSize = choices.setting(0...1)
    limits.minimumConfidence = choices.setting(0...1)
    limits.maximumOverlap = choices.setting(0...1)
    limits.workingSide = choices.wholeSetting(64...640)
    let image = try choices.picture(largestSide: 256)
    try refusable(RectangleError.self) {
      let found = try RectangleDetector(configuration: limits).rectangles(in: image)
      expect(found.count <= limits.maximumObservations, "\(found.count) rectangles")
      for rectangle in found {
        expect(rectangle.quad.isFinite, "\(rectangle)")
        expect((limits.minimumConfidence...1).contains(rectangle.confidence), "\(rectangle)")
      }
    }
  }

  /// Spines: numbers, and confidences within the limits.
  static let spines = Target(
    "spines",
    seeds: { pictureSeeds.map { [200, 0, 250, 40, 0, 2, 0, 9, 9, 9, 9, 9, 9, 9, 9] + $0 } }
  ) { bytes in
    var choices = Choices(bytes)
    var limits = SpineDetectionConfiguration()
    limits.workingSide = choices.wholeSetting(64...960)
    limits.minimumAspectRatio = choices.setting(0...1)
    limits.maximumAspectRatio = choices.setting(0...1)
    limits.maximumRows = choices.wholeSetting(1...20)
    limits.minimumConfidence = choices.setting(0...1)
    let lines = (0..<choices.below(8)).map { _ in choices.quadrilateral() }
    let image = try choices.picture(largestSide: 256)
    try refusable(SpineDetectionError.self) {
      let found = try SpineDetector(configuration: limits).spines(in: image, textLines: lines)
      for spine in found {
        expect(spine.quad.isFinite, "\(spine)")
        expect((limits.minimumConfidence...1).contains(spine.confidence), "\(spine)")
      }
    }
  }
}
