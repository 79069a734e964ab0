import Stats

/// Average precision of a detector with several classes, by COCO's rules.
///
/// Each class is matched and ranked by itself. The figures are means over the classes with equal
/// weights, whatever their numbers of objects. Classes without a true box have no average precision
/// and are left out.
///
/// Source: `COCOeval.summarize` of pycocotools 2.0; the figures for all areas are equal.
public struct MeanAveragePrecision: Hashable, Sendable, Codable {
  /// The average precision of every class that has true boxes.
  public let classes: [String: AveragePrecision]
  /// The mean over the classes at each of ``AveragePrecision/cocoThresholds``.
  public let values: [Double]

  /// Average precision at an overlap threshold of 0.5: "AP50".
  public var at50: Double { values.first ?? 0 }
  /// Average precision at an overlap threshold of 0.75: "AP75".
  public var at75: Double { values.count > 5 ? values[5] : 0 }
  /// The mean over classes and thresholds: COCO's "AP", also called "AP@[.5:.95]" and "mAP".
  public var mean: Double { Stats.mean(of: values) ?? 0 }

  /// Computes the average precision over images, class by class.
  ///
  /// - Parameters:
  ///   - classes: for every class the images, with the predictions and true boxes of that class
  ///     only.
  ///   - limit: the number of an image's best predictions of a class to use; nil for all. COCO's
  ///     figures use 100.
  /// - Returns: nil if no true box of any class counts.
  /// - Throws: ``EvaluationError`` as ``BoxMatching`` does.
  public init?(
    of classes: [String: [EvaluatedImage]], limit: Int? = nil
  ) throws(EvaluationError) {
    var precisions: [String: AveragePrecision] = [:]
    for (name, images) in classes {
      precisions[name] = try AveragePrecision(of: images, limit: limit)
    }
    guard !precisions.isEmpty else { return nil }
    self.classes = precisions
    // They are in the order of names, because the last bit of a sum depends on its order.
    let ordered = precisions.sorted { $0.key < $1.key }.map(\.value.values)
    values = AveragePrecision.cocoThresholds.indices.map { index in
      Stats.mean(of: ordered.map { $0[index] }) ?? 0
    }
  }
}
