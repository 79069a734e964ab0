import Counting
import Perception

/// The numbers of a result's objects on the page, from 1, in the result's order.
struct ObjectNumbers: Sendable {
  private let numbers: [Detection: Int]

  init(_ result: CountingResult) {
    numbers = Dictionary(
      result.detections.enumerated().map { ($1.detection, $0 + 1) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The number of a detection; nil where it is not in the result.
  func number(of detection: Detection) -> Int? { numbers[detection] }
}
