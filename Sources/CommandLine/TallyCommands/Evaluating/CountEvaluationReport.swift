import Evaluation

/// The comparison of counts with the truth, as tables for people and as JSON for machines.
struct CountEvaluationReport {
  let photos: [EvaluatedPhoto]

  /// The names of the steps at which an object can be lost, in the order they are taken.
  private var steps: [String] {
    var names: [String] = []
    for photo in photos {
      for stage in photo.losses?.stages ?? [] where !names.contains(stage.name) {
        names.append(stage.name)
      }
    }
    return names
  }

  // MARK: Text

  /// A table of photos, one of means, and where objects are known one of losses.
  func lines() throws(EvaluationError) -> [String] {
    var lines = try photoTable() + [""] + meanTable()
    if let confidence = try ConfidenceFigures(photos) { lines += [""] + confidence.lines }
    if photos.contains(where: { $0.losses != nil }) { lines += [""] + lossTable() }
    return lines
  }

  private func photoTable() throws(EvaluationError) -> [String] {
    let knowsObjects = photos.contains { $0.mainScore != nil }
    let knowsIntervals = photos.contains { $0.result.confidence != nil }
    var table = TextTable(
      [
        ("photo", .left), ("main", .right), ("count", .right), ("error", .right),
        ("accuracy", .right), ("all", .right), ("found", .right), ("accuracy", .right),
      ] + (knowsObjects ? [("precision", .right), ("recall", .right)] : [])
        + (knowsIntervals ? [("interval", .right)] : []))
    for photo in photos {
      let (truth, count) = (photo.truth, photo.result.count)
      var cells = [
        truth.name, "\(truth.main)", "\(count)", Self.signed(count - truth.main),
        Self.share(try countAccuracy(count: count, truth: truth.main)), "\(truth.all)",
        "\(photo.found)", Self.share(try countAccuracy(count: photo.found, truth: truth.all)),
      ]
      if knowsObjects {
        cells += [Self.share(photo.mainScore?.precision), Self.share(photo.mainScore?.recall)]
      }
      cells += [photo.result.confidence.map { "\($0.least)-\($0.greatest)" } ?? ""]
      table.add(cells)
    }
    return table.lines
  }

  private func meanTable() throws(EvaluationError) -> [String] {
    let sets = try CountFigures.sets(of: photos)
    let knowsObjects = sets.contains { $0.precision != nil }
    var table = TextTable(
      [
        ("mean", .left), ("photos", .right), ("accuracy", .right), ("exact", .right),
        ("MAE", .right), ("RMSE", .right), ("bias", .right),
      ] + (knowsObjects ? [("precision", .right), ("recall", .right)] : []))
    for set in sets {
      let count = set.errors.errors.count
      var cells = [
        set.title, "\(count)", Self.share(set.errors.meanAccuracy), "\(set.exact) of \(count)",
        Self.objects(set.errors.meanAbsoluteError), Self.objects(set.errors.rootMeanSquaredError),
        Self.objects(set.errors.bias),
      ]
      if knowsObjects { cells += [Self.share(set.precision), Self.share(set.recall)] }
      table.add(cells)
    }
    return table.lines
  }

  private func lossTable() -> [String] {
    let steps = steps
    var table = TextTable(
      [("lost at", .left), ("objects", .right)] + steps.map { ($0, .right) } + [("left", .right)])
    let followed = photos.filter { $0.losses != nil }
    for photo in followed { table.add(Self.losses(of: [photo], named: photo.truth.name, steps)) }
    if followed.count > 1 { table.add(Self.losses(of: followed, named: "together", steps)) }
    return table.lines
  }

  private static func losses(
    of photos: [EvaluatedPhoto], named name: String, _ steps: [String]
  ) -> [String] {
    let objects = photos.reduce(0) { $0 + $1.followed }
    let lost = steps.map { step in photos.reduce(0) { $0 + $1.lost(at: step) } }
    return [name, "\(objects)"] + lost.map { $0 == 0 ? "-" : "\($0)" }
      + ["\(objects - lost.reduce(0, +))"]
  }

  private static func share(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 3) } ?? "-"
  }

  private static func objects(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 2) } ?? "-"
  }

  private static func signed(_ error: Int) -> String { error > 0 ? "+\(error)" : "\(error)" }

  // MARK: JSON

  /// One object: `photos`, by name, `means`, by set, and `confidence`, where counts have one.
  func json() throws(EvaluationError) -> JSONText {
    var members: [JSONText] = []
    for photo in photos { members.append(try Self.json(of: photo)) }
    let sets = try CountFigures.sets(of: photos).map { ($0.key, Self.json(of: $0)) }
    var report: [(String, JSONText)] = [("photos", .array(members)), ("means", .object(sets))]
    if let confidence = try ConfidenceFigures(photos) {
      report.append(("confidence", confidence.json))
    }
    return .object(report)
  }

  private static func json(of photo: EvaluatedPhoto) throws(EvaluationError) -> JSONText {
    let (truth, count) = (photo.truth, photo.result.count)
    let accuracy = try countAccuracy(count: count, truth: truth.main)
    let allAccuracy = try countAccuracy(count: photo.found, truth: truth.all)
    var members: [(String, JSONText)] = [
      ("image", .string(truth.path)), ("name", .string(truth.name)),
      ("main", .integer(truth.main)), ("count", .integer(count)),
      ("error", .integer(count - truth.main)), ("accuracy", .double(accuracy)),
      ("all", .integer(truth.all)), ("found", .integer(photo.found)),
      ("allAccuracy", .double(allAccuracy)), ("seconds", .seconds(photo.result.seconds.total)),
    ]
    if let confidence = photo.result.confidence {
      members += [
        ("countConfidence", .double(confidence.value)),
        ("countInterval", .array([.integer(confidence.least), .integer(confidence.greatest)])),
      ]
    }
    if let score = photo.mainScore { members.append(("objects", json(of: score))) }
    if let score = photo.allMatching?.score { members.append(("allObjects", json(of: score))) }
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

extension EvaluatedPhoto {
  /// The number of objects that a step lost for good.
  func lost(at step: String) -> Int {
    losses?.stages.filter { $0.name == step }.reduce(0) { $0 + $1.lost.count } ?? 0
  }
}

extension DetectionScore {
  /// How many boxes there were.
  var predicted: Int { truePositives + falsePositives }
}
