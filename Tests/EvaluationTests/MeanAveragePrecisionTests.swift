import Geometry
import TestSupport
import Testing

@testable import Evaluation

@Suite("Mean average precision over classes")
struct MeanAveragePrecisionTests {
  /// What pycocotools' own summary said of files that `Fixtures/generate/evaluation.py` wrote.
  struct Golden: Decodable {
    let truth, predictions: String
    let limit: Int
    let mean, at50, at75: Double
    let classes: [String: Double]
  }

  private struct Truth: Decodable {
    struct Image: Decodable { let id: Int }
    struct Annotation: Decodable {
      let image, category, isCrowd: Int
      let box: [Float]

      enum CodingKeys: String, CodingKey {
        case image = "image_id"
        case category = "category_id"
        case isCrowd = "iscrowd"
        case box = "bbox"
      }
    }
    let images: [Image]
    let annotations: [Annotation]
  }

  private struct Prediction: Decodable {
    let image, category: Int
    let box: [Float]
    let score: Float

    enum CodingKeys: String, CodingKey {
      case score
      case image = "image_id"
      case category = "category_id"
      case box = "bbox"
    }
  }

  private func box(_ row: [Float]) -> Box {
    Box(x: row[0], y: row[1], width: row[2], height: row[3])
  }

  @Test("AP, AP50, AP75 and the classes' AP are pycocotools'")
  func goldens() throws {
    let goldens: [Golden] = try Folders.golden("Evaluation/coco.json")
    #expect(goldens.count == 4)
    for golden in goldens {
      let truth: Truth = try Folders.golden("Evaluation/\(golden.truth)")
      let predictions: [Prediction] = try Folders.golden("Evaluation/\(golden.predictions)")
      let names = Set(
        truth.annotations.map(\.category) + predictions.map(\.category))
      var classes: [String: [EvaluatedImage]] = [:]
      for name in names {
        classes["\(name)"] = truth.images.map { image in
          EvaluatedImage(
            predictions: predictions.filter { $0.image == image.id && $0.category == name }
              .map { ScoredBox(box: box($0.box), score: $0.score) },
            truths: truth.annotations.filter { $0.image == image.id && $0.category == name }
              .map { TrueBox(box: box($0.box), isCrowd: $0.isCrowd == 1) })
        }
      }
      let result = try #require(try MeanAveragePrecision(of: classes, limit: golden.limit))
      #expect(abs(result.mean - golden.mean) < 1e-12)
      #expect(abs(result.at50 - golden.at50) < 1e-12)
      #expect(abs(result.at75 - golden.at75) < 1e-12)
      #expect(Set(result.classes.keys) == Set(golden.classes.keys))
      for (name, mean) in golden.classes {
        #expect(abs((result.classes[name]?.mean ?? -1) - mean) < 1e-12, "class \(name)")
      }
    }
  }

  @Test("One class is its average precision; classes without objects say nothing")
  func oneClass() throws {
    let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let image = EvaluatedImage(
      predictions: [ScoredBox(box: unit, score: 0.5)],
      truths: [TrueBox(box: unit), TrueBox(box: unit.translated(dx: 50, dy: 0))])
    let extra = EvaluatedImage(predictions: [ScoredBox(box: unit, score: 0.9)], truths: [])
    let alone = try #require(try AveragePrecision(of: [image]))
    let mean = try #require(try MeanAveragePrecision(of: ["a": [image], "b": [extra]]))
    #expect(mean.values == alone.values && mean.mean == alone.mean)
    #expect(mean.classes.count == 1)
    #expect(try MeanAveragePrecision(of: ["b": [extra]]) == nil)
    #expect(try MeanAveragePrecision(of: [:]) == nil)
  }
}
