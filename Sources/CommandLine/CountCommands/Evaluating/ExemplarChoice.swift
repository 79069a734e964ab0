import CommandKit
import Counting
import Evaluation
import Geometry
import Raster

/// The choice of exemplars from the truth in an evaluation, and the manner of drawing them.
struct ExemplarChoice: Hashable, Sendable {
  /// The manner of drawing a box.
  enum Manner: String, Hashable, Sendable, CaseIterable {
    /// Exactly the true box.
    case exactly
    /// As a person draws it in a hurry.
    case badly
    /// The box is at a place without an object.
    case nowhere
  }

  /// The number of exemplars per photo, at least 1.
  var count: Int
  var manner = Manner.exactly
  /// The seed of the boxes' errors.
  var seed: UInt64 = 1

  /// The boxes for a photo.
  ///
  /// Nil if the truth has none, or no place without an object was found.
  func exemplars(for photo: TruePhoto, width: Int, height: Int) -> DrawnExemplars? {
    guard let known = photo.boxes, let main = known.main, !main.isEmpty else { return nil }
    var drawing = ExemplarDrawing(seed: seed, name: photo.name)
    var exemplars = DrawnExemplars(boxes: [], objects: [])
    for index in ExemplarDrawing.typical(count, of: main) {
      switch manner {
      case .exactly: exemplars.add(main[index], around: main[index])
      case .badly: exemplars.add(drawing.badly(main[index]), around: main[index])
      case .nowhere:
        let place = drawing.nowhere(
          like: main[index], objects: known.all, width: width, height: height)
        if let place { exemplars.add(place, around: nil) }
      }
    }
    return exemplars.boxes.isEmpty ? nil : exemplars
  }

  /// A description of the exemplars in a few words.
  var words: String {
    let number = Sentence.count(count, "exemplar", "exemplars")
    switch manner {
    case .exactly: return number
    case .badly: return "\(number), badly drawn"
    case .nowhere: return "\(number), on nothing"
    }
  }
}

/// Boxes in the place of a person's, and the objects that they are for.
struct DrawnExemplars: Hashable, Sendable {
  /// The drawn boxes.
  private(set) var boxes: [Box]
  /// The object of each box; nil for a box without an object.
  private(set) var objects: [Box?]

  /// The guide of the count.
  var guide: CountingGuide { CountingGuide(like: boxes) }

  /// Adds a box.
  mutating func add(_ box: Box, around object: Box?) {
    boxes.append(box)
    objects.append(object)
  }
}
