import CommandKit
import Counting
import Evaluation
import Geometry

// The comparison of counts with the truth for machines.

extension CountEvaluationReport {
  /// One object.
  ///
  /// It has `photos`, folder by folder and by name, and `means`, by set. It has `folders` if there
  /// are several, and `domains`, `boxes`, `mistakes`, `exemplars` and `confidence` if there are
  /// any.
  func json() throws(EvaluationError) -> JSONText {
    var members: [JSONText] = []
    for photo in photos { members.append(Self.json(of: photo)) }
    let sets = try CountFigures.sets(of: photos).map { ($0.key, Self.json(of: $0)) }
    var report: [(String, JSONText)] = [("photos", .array(members)), ("means", .object(sets))]
    let (folders, domains) = (try folders(), try domains())
    if !folders.isEmpty { report.append(("folders", .array(folders.map(Self.json)))) }
    if !domains.isEmpty { report.append(("domains", .array(domains.map(Self.json)))) }
    if let boxes = try BoxFigures(photos) { report.append(("boxes", boxes.json)) }
    if photos.contains(where: { $0.mistakes != nil }) {
      report.append(("mistakes", Self.sums(photos.mistakeSums)))
    }
    if let exemplars { report.append(("exemplars", exemplars.json)) }
    if let confidence = try ConfidenceFigures(photos) {
      report.append(("confidence", confidence.json))
    }
    return .object(report)
  }

  private static func json(of photo: EvaluatedPhoto) -> JSONText {
    let (truth, count) = (photo.truth, photo.result.count)
    var members: [(String, JSONText)] = [
      ("image", .string(truth.path)), ("name", .string(truth.name)),
      ("main", .integer(truth.main)), ("count", .integer(count)),
      ("error", .integer(count - truth.main)), ("accuracy", .double(photo.accuracy)),
      ("all", .integer(truth.all)), ("found", .integer(photo.found)),
      ("allAccuracy", .double(photo.allAccuracy)),
      ("seconds", .seconds(photo.result.seconds.total)),
    ]
    if let domain = truth.domain { members.append(("domain", .string(domain))) }
    if let confidence = photo.result.confidence {
      members += [
        ("countConfidence", .double(confidence.value)),
        ("countInterval", .array([.integer(confidence.least), .integer(confidence.greatest)])),
        ("holdsTruth", .bool(photo.holdsTruth ?? false)),
      ]
    }
    if let score = photo.mainScore { members.append(("objects", json(of: score))) }
    if let score = photo.allMatching?.score { members.append(("allObjects", json(of: score))) }
    if let mistakes = photo.mistakes {
      let boxes = photo.result.detections.map(\.detection.box)
      members.append(
        ("mistakes", .array(mistakes.mistakes.map { json(of: $0, boxes: boxes) })))
    }
    if let exemplars = photo.exemplars {
      let findings = photo.result.findings?.exemplars ?? []
      members.append(
        ("exemplars", .array(findings.isEmpty ? exemplars.boxes.map(json) : findings.map(json))))
    }
    if let losses = photo.losses {
      let stages = losses.stages.map { stage in
        JSONText.object([
          ("step", .string(stage.name)), ("boxes", .integer(stage.score.predicted)),
          ("found", .integer(stage.score.truePositives)),
          ("lost", .array(stage.lost.map { .integer($0) })),
        ])
      }
      members.append(("steps", .array(stages)))
    }
    return .object(members)
  }

  private static func json(of mistake: CountMistakes.Mistake, boxes: [Box]) -> JSONText {
    .object([
      ("is", .string(mistake.kind.rawValue)),
      ("box", .optional(mistake.box) { corners(of: boxes[$0]) }),
      ("object", .optional(mistake.object) { .integer($0) }),
    ])
  }

  private static func json(of finding: ExemplarFinding) -> JSONText {
    .object([
      ("drawn", corners(of: finding.drawn)), ("taken", corners(of: finding.taken)),
      ("basis", .string(finding.basis.rawValue)),
    ])
  }

  /// A drawn box without a finding of the count.
  private static func json(of drawn: Box) -> JSONText {
    .object([("drawn", corners(of: drawn))])
  }

  private static func corners(of box: Box) -> JSONText {
    .array([box.minX, box.minY, box.maxX, box.maxY].map { .float($0) })
  }

  private static func json(of group: GroupFigures) -> JSONText {
    .object([
      ("name", .string(group.name)), ("photos", .integer(group.photos.count)),
      ("accuracy", .optional(group.main.errors.meanAccuracy) { .double($0) }),
      ("exact", .integer(group.main.exact)),
      ("allAccuracy", .optional(group.all.errors.meanAccuracy) { .double($0) }),
      ("precision", .optional(group.main.precision) { .double($0) }),
      ("recall", .optional(group.main.recall) { .double($0) }),
    ])
  }

  /// Sums by the names of mistakes.
  private static func sums(_ values: [Int]) -> JSONText {
    .object(
      zip(CountMistakes.Kind.allCases, values).map { ($0.rawValue, .integer($1)) })
  }

  private static func json(of score: DetectionScore) -> JSONText {
    .object([
      ("right", .integer(score.truePositives)), ("wrong", .integer(score.falsePositives)),
      ("missed", .integer(score.falseNegatives)),
      ("precision", .optional(score.precision) { .double($0) }),
      ("recall", .optional(score.recall) { .double($0) }),
      ("f1", .optional(score.f1) { .double($0) }),
    ])
  }

  private static func json(of set: CountFigures) -> JSONText {
    .object([
      ("photos", .integer(set.errors.errors.count)),
      ("accuracy", .optional(set.errors.meanAccuracy) { .double($0) }),
      ("exact", .integer(set.exact)),
      ("meanAbsoluteError", .optional(set.errors.meanAbsoluteError) { .double($0) }),
      ("rootMeanSquaredError", .optional(set.errors.rootMeanSquaredError) { .double($0) }),
      ("bias", .optional(set.errors.bias) { .double($0) }),
      ("precision", .optional(set.precision) { .double($0) }),
      ("recall", .optional(set.recall) { .double($0) }),
    ])
  }
}

extension DetectionScore {
  /// The number of boxes.
  var predicted: Int { truePositives + falsePositives }
}
