import DetectionDecode
import Geometry
import ONNXRunner

/// What the outlines of detections are.
public enum DetectionOutlineForm: String, Hashable, Sendable, Codable, CaseIterable {
  /// The outline of a mask.
  case polygon
  /// The corners of a rotated box.
  case rotatedBox
}

/// How the answers of one model are read.
struct DetectorReading: Sendable {
  /// The unit of the boxes.
  enum Units: Sendable {
    /// Pixels of the network's input.
    case networkPixels
    /// Parts of the network's input, 0...1.
    case parts
    /// Pixels of the photo, whose size was another input.
    case photoPixels
  }

  /// The suppression that belongs to the family's own pipeline.
  enum Suppression: Sendable, Equatable {
    /// The network needs none, or the caller suppresses.
    case none
    /// Within each class, by intersection over union.
    case withinClasses(Double)
    /// Within each class, by the similarity of rotated boxes.
    case rotated(Double)
  }

  /// What a run answered.
  struct Answer {
    /// The candidates.
    var candidates: [DetectionCandidate]
    /// The outline of a candidate in the units of its box; nil if the network knows boxes only.
    var outline: ((DetectionCandidate) throws -> [Point]?)?
  }

  /// Why the model could be of another family as well; nil if it is of this one for certain.
  var doubt: String?
  /// How a photo is prepared.
  var preprocessing: DetectorPreprocessing
  /// The unit of the boxes.
  var units: Units
  /// How duplicates are suppressed.
  var suppression: Suppression = .none
  /// What the outlines are.
  var outlines: DetectionOutlineForm?
  /// The inputs besides the photo, for a photo and a canvas of these sizes.
  var furtherInputs:
    @Sendable (_ place: CanvasPlace, _ photo: PixelSize) throws -> [String: Tensor] =
      { _, _ in [:] }
  /// The candidates at or above a score.
  var decode: @Sendable (_ outputs: [String: Tensor], _ minimumScore: Float) throws -> Answer
  /// The detector that replaces all of the above.
  var own: YOLOXDetector?
}

extension DetectionLists {
  /// Reads the outputs of these names; `count` says how many rows hold, if there is such an output.
  func decoding(
    boxes: String, scores: String, classes: String, count: String? = nil
  ) -> @Sendable ([String: Tensor], Float) throws -> DetectorReading.Answer {
    { outputs, minimum in
      let number = try count.flatMap { try outputs.head($0).values.first }
      return DetectorReading.Answer(
        candidates: try candidates(
          boxes: outputs.head(boxes), scores: outputs.head(scores), classes: outputs.head(classes),
          count: number.flatMap { Int(exactly: $0.rounded()) }, minimumScore: minimum))
    }
  }
}

extension [String: Tensor] {
  /// An output as a head reads it.
  func head(_ name: String) throws -> HeadOutput {
    guard let tensor = self[name] else {
      throw ReferenceModelError.outputShape(name: name, got: [], expected: "a tensor")
    }
    do {
      return try HeadOutput(shape: tensor.shape, values: try tensor.floats())
    } catch let error as DetectionDecodeError {
      throw ReferenceModelError.outputShape(
        name: name, got: tensor.shape, expected: error.description)
    }
  }
}
