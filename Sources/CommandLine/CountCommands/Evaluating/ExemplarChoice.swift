import CommandKit
import Counting
import Evaluation
import Geometry
import Raster

/// Which exemplars an evaluation takes from the truth, and how it draws them.
struct ExemplarChoice: Hashable, Sendable {
  /// How a box is drawn.
  enum Manner: String, Hashable, Sendable, CaseIterable {
    /// As the truth has it.
    case exactly
    /// As a hasty person draws it.
    case badly
    /// Where there is no object.
    case nowhere
  }

  /// How many of each photo, at least 1.
  var count: Int
  var manner = Manner.exactly
  /// What the faults of boxes depend on.
  var seed: UInt64 = 1

  /// The boxes for a photo; nil if the truth has none, or no place was found that holds no object.
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

  /// What the exemplars are, in a few words.
  var words: String {
    let number = Sentence.count(count, "exemplar", "exemplars")
    switch manner {
    case .exactly: return number
    case .badly: return "\(number), badly drawn"
    case .nowhere: return "\(number), on nothing"
    }
  }
}

/// Boxes that stand for a person's, and what they were meant for.
struct DrawnExemplars: Hashable, Sendable {
  /// The boxes as they were drawn.
  private(set) var boxes: [Box]
  /// The object that each was drawn around; nil for one on nothing.
  private(set) var objects: [Box?]

  /// What the count is told.
  var guide: CountingGuide { CountingGuide(like: boxes) }

  /// Adds a box.
  mutating func add(_ box: Box, around object: Box?) {
    boxes.append(box)
    objects.append(object)
  }
}
