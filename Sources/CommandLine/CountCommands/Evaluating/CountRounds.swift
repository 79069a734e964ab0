import CommandKit
import Counting
import Evaluation
import Raster

/// Counts of the same photos, without exemplars or with those of some choices.
struct CountRounds {
  private(set) var rounds: [AccuracyChapter.Round]
  private let counter: PhotoObjectCounter

  /// Makes rounds without photos; a nil choice is a count without exemplars.
  init(choices: [ExemplarChoice?], counter: PhotoObjectCounter) {
    rounds = choices.map { AccuracyChapter.Round(choice: $0) }
    self.counter = counter
  }

  /// Counts in a photo, once per round.
  ///
  /// - Returns: the count of the first round; nil if the photo is left out of it.
  mutating func add(_ photo: TruePhoto, image: Raster) async throws -> EvaluatedPhoto? {
    var counted: [EvaluatedPhoto?] = []
    for round in rounds {
      let exemplars = round.choice.flatMap {
        $0.exemplars(for: photo, width: image.width, height: image.height)
      }
      guard round.choice == nil || exemplars != nil else {
        counted.append(nil)
        continue
      }
      let survivors = Survivors()
      let result = try await counter.count(
        in: image, guide: exemplars?.guide ?? CountingGuide(),
        survivors: { step, left in survivors.record(step, left) })
      counted.append(
        try EvaluatedPhoto(
          photo, result: result, survivors: survivors.stages, exemplars: exemplars))
    }
    // A photo is in all rounds or in none, so that their figures are about the same photos.
    for (index, evaluated) in counted.enumerated() {
      if let evaluated {
        rounds[index].photos.append(evaluated)
      } else {
        rounds[index].leftOut.append(photo.title)
      }
    }
    return counted.first ?? nil
  }
}
