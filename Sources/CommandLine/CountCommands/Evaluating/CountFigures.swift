import CommandKit
import Evaluation

/// The accuracy of the counts of a set of photos.
struct CountFigures {
  let title: String
  /// The set's name in JSON.
  let key: String
  let errors: CountErrors
  /// The number of counts within the tolerance of the truth.
  let exact: Int
  /// The mean over the photos whose objects are known; a photo without counted objects has
  /// precision 0.
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
    errors = try CountErrors(
      counts: pairs.map(\.count), truths: pairs.map(\.truth),
      tolerances: photos.map(\.truth.tolerance))
    exact = zip(errors.errors, photos).count { abs($0) <= $1.truth.tolerance }
    let scores = photos.compactMap(score)
    precision = Self.mean(scores.map { $0.precision ?? 0 })
    recall = Self.mean(scores.map { $0.recall ?? 1 })
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The sets that are reported, except those without photos.
  static func sets(of photos: [EvaluatedPhoto]) throws(EvaluationError) -> [CountFigures] {
    let oneKind = photos.filter(\.truth.isOneKind)
    let mixed = photos.filter { !$0.truth.isOneKind }
    return [
      try CountFigures(
        "one-kind photos", key: "oneKind", oneKind, count: mainCount, score: \.mainScore),
      try CountFigures(
        "mixed photos, main kind", key: "mixedMain", mixed, count: mainCount, score: \.mainScore),
      try CountFigures(
        "all photos, main kind", key: "main", photos, count: mainCount, score: \.mainScore),
      try CountFigures(
        "all photos, all objects", key: "all", photos, count: allCount,
        score: \.allMatching?.score),
    ].filter { !$0.errors.errors.isEmpty }
  }

  fileprivate static func mainCount(_ photo: EvaluatedPhoto) -> (count: Int, truth: Int) {
    (photo.result.count, photo.truth.main)
  }

  fileprivate static func allCount(_ photo: EvaluatedPhoto) -> (count: Int, truth: Int) {
    (photo.found, photo.truth.all)
  }
}

/// The accuracy of the counts of a group of photos: a folder, or a domain.
struct GroupFigures {
  let name: String
  let photos: [EvaluatedPhoto]
  let main: CountFigures
  let all: CountFigures

  init(_ name: String, _ photos: [EvaluatedPhoto]) throws(EvaluationError) {
    self.name = name
    self.photos = photos
    main = try CountFigures(
      "", key: "main", photos, count: CountFigures.mainCount, score: \.mainScore)
    all = try CountFigures(
      "", key: "all", photos, count: CountFigures.allCount, score: \.allMatching?.score)
  }

  /// The groups of photos with a name by `name`, in alphabetical order.
  static func groups(
    of photos: [EvaluatedPhoto], by name: (EvaluatedPhoto) -> String?
  ) throws(EvaluationError) -> [GroupFigures] {
    var members: [String: [EvaluatedPhoto]] = [:]
    for photo in photos {
      if let name = name(photo) { members[name, default: []].append(photo) }
    }
    var groups: [GroupFigures] = []
    for (name, photos) in members.sorted(by: { $0.key < $1.key }) {
      groups.append(try GroupFigures(name, photos))
    }
    return groups
  }

  /// The mean of the groups' accuracies; nil for none.
  static func mean(_ groups: [GroupFigures], _ figure: (GroupFigures) -> Double?) -> Double? {
    let values = groups.compactMap(figure)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}
