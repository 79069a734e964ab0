import ABTesting
import Annotations
import CommandKit
import Evaluation

/// The evaluation of the boxes in one file.
struct BoxEvaluation: Sendable {
  /// The settings of the figures.
  struct Settings: Sendable {
    let minimumIoU: Double
    let confidence: Double
    let maximumDetections: Int
    let isAnyClass: Bool
  }

  /// One image: the numbers of right, wrong and missed.
  struct Image: Sendable {
    let name: String
    let score: DetectionScore

    /// The number of objects.
    var present: Int { score.truePositives + score.falseNegatives }
    /// The number of predictions.
    var predicted: Int { score.truePositives + score.falsePositives }
  }

  /// The images, in the truth's order.
  let images: [Image]
  /// All images together.
  let score: DetectionScore
  /// The counts of predictions compared with those of objects, image by image.
  let counts: CountErrors
  /// Average precision; nil if there is nothing to find, or predictions have no scores.
  let precision: MeanAveragePrecision?

  /// The share of objects that were found.
  var found: Proportion {
    get throws(ExperimentError) {
      try Proportion(
        successes: score.truePositives, trials: score.truePositives + score.falseNegatives)
    }
  }

  /// The share of predictions that are right.
  var right: Proportion {
    get throws(ExperimentError) {
      try Proportion(
        successes: score.truePositives, trials: score.truePositives + score.falsePositives)
    }
  }

  /// Compares the boxes of a file with the true ones.
  init(of predictions: BoxFile, truth: BoxFile, settings: Settings) throws {
    let sorted = try Self.entries(of: predictions, byImageOf: truth)
    let isClassed = try !settings.isAnyClass && Self.hasClasses(predictions, truth)
    func className(_ entry: Annotation) -> String { isClassed ? entry.category ?? "" : "" }

    // All images for every class, because average precision needs each class's images together.
    var classes: [String: [EvaluatedImage]] = [:]
    let none = [EvaluatedImage](
      repeating: EvaluatedImage(predictions: [], truths: []), count: truth.images.count)
    for (index, image) in truth.images.enumerated() {
      for entry in image.annotations {
        classes[className(entry), default: none][index].truths.append(
          TrueBox(box: entry.box, isCrowd: entry.isCrowd, isIgnored: entry.isIgnored))
      }
      for entry in sorted[index] {
        classes[className(entry), default: none][index].predictions.append(
          ScoredBox(box: entry.box, score: entry.score ?? 1))
      }
    }
    precision =
      predictions.hasScores || sorted.allSatisfy(\.isEmpty)
      ? try MeanAveragePrecision(of: classes, limit: settings.maximumDetections) : nil

    var scores = [DetectionScore](repeating: DetectionScore(), count: truth.images.count)
    for images in classes.values {
      for (index, image) in images.enumerated() {
        var sure = image
        sure.predictions.removeAll { Double($0.score) < settings.confidence }
        let matching = try BoxMatching(sure, minimumIoU: settings.minimumIoU)
        scores[index] = scores[index] + matching.score
      }
    }
    images = zip(truth.images, scores).map { Image(name: $0.name, score: $1) }
    score = scores.reduce(DetectionScore(), +)
    counts = try CountErrors(
      counts: images.map(\.predicted), truths: images.map(\.present))
  }

  /// The predictions of each image of the truth.
  private static func entries(
    of predictions: BoxFile, byImageOf truth: BoxFile
  ) throws(CommandError) -> [[Annotation]] {
    let places = ImagePlaces(truth.images.map(\.name))
    var numbers: [Int: Int] = [:]
    for (index, image) in truth.images.enumerated() {
      if let number = image.number { numbers[number] = index }
    }
    var result = [[Annotation]](repeating: [], count: truth.images.count)
    var givenBy: [Int: String] = [:]
    for image in predictions.images {
      guard
        let place = image.number.flatMap({ numbers[$0] }) ?? places.place(of: image.name)
      else {
        throw CommandError(
          .badData, at: predictions.path,
          "has boxes of \"\(image.name)\", which is not an image of \(truth.path)")
      }
      if let other = givenBy.updateValue(image.name, forKey: place) {
        throw CommandError(
          .badData, at: predictions.path,
          "has \"\(other)\" and \"\(image.name)\", which are one image of \(truth.path)")
      }
      result[place] = image.annotations.map { entry in
        // Results have numbers for categories; the truth has their names.
        guard predictions.isCOCOResults, let number = entry.category.flatMap({ Int($0) }),
          let name = truth.categories[number]
        else { return entry }
        var named = entry
        named.category = name
        return named
      }
    }
    return result
  }

  /// Whether classes are to be distinguished.
  private static func hasClasses(
    _ predictions: BoxFile, _ truth: BoxFile
  ) throws(CommandError) -> Bool {
    guard truth.hasClasses else { return false }
    for file in [truth, predictions] {
      for image in file.images {
        guard let index = image.annotations.firstIndex(where: { $0.category == nil }) else {
          continue
        }
        throw CommandError(
          .badData, at: file.path,
          "box \(index) of \"\(image.name)\" has no class, and boxes of \(truth.path) have; "
            + "--any-class takes all for one")
      }
    }
    return true
  }
}
