import Evaluation

/// How right the counts of a set of photos are.
struct CountFigures {
  let title: String
  /// The set's name in JSON.
  let key: String
  let errors: CountErrors
  /// How many counts are as close to the truth as the truth itself is sure.
  let exact: Int
  /// The mean over the photos whose objects are known; a photo where nothing was counted has precision
  /// 0.
  let precision: Double?
  let recall: Double?

  init(
    _ title: String, key: String, _ photos: [EvaluatedPhoto],
    count: (EvaluatedPhoto) -> (count: Int, truth: Int),
    score: (EvaluatedPhoto) -> DetectionScore?
  ) throws(EvaluationError) {
    self.title = title
    self.key = key
    let pairs = photos.map(count)
    errors = try CountErrors(counts: pairs.map(\.count), truths: pairs.map(\.truth))
    exact = zip(errors.errors, photos).count { abs($0) <= $1.truth.tolerance }
    let scores = photos.compactMap(score)
    precision = Self.mean(scores.map { $0.precision ?? 0 })
    recall = Self.mean(scores.map { $0.recall ?? 1 })
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The sets that are reported, those without photos left out.
  static func sets(of photos: [EvaluatedPhoto]) throws(EvaluationError) -> [CountFigures] {
    let oneKind = photos.filter(\.truth.isOneKind)
    let mixed = photos.filter { !$0.truth.isOneKind }
    let main = { (photo: EvaluatedPhoto) in (photo.result.count, photo.truth.main) }
    return [
      try CountFigures("one-kind photos", key: "oneKind", oneKind, count: main, score: \.mainScore),
      try CountFigures(
        "mixed photos, main kind", key: "mixedMain", mixed, count: main, score: \.mainScore),
      try CountFigures(
        "all photos, main kind", key: "main", photos, count: main, score: \.mainScore),
      try CountFigures(
        "all photos, all objects", key: "all", photos, count: { ($0.found, $0.truth.all) },
        score: \.allMatching?.score),
    ].filter { !$0.errors.errors.isEmpty }
  }
}
