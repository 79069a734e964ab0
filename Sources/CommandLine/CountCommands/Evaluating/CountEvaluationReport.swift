import CommandKit
import Evaluation

/// The comparison of counts with the truth, as tables for people and as JSON for machines.
struct CountEvaluationReport {
  let photos: [EvaluatedPhoto]
  /// The figures of exemplars; nil if the counts had none.
  var exemplars: ExemplarFigures?

  /// The names of the steps that can lose an object, in their order.
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

  /// The photos folder by folder; none if there is only one folder.
  func folders() throws(EvaluationError) -> [GroupFigures] {
    let groups = try GroupFigures.groups(of: photos) { $0.truth.folder }
    return groups.count > 1 ? groups : []
  }

  /// The photos domain by domain; none if no photo has a domain.
  func domains() throws(EvaluationError) -> [GroupFigures] {
    try GroupFigures.groups(of: photos) { $0.truth.domain }
  }

  /// A table of photos, one of means, and those of folders and domains.
  ///
  /// If objects are known, there are tables of mistakes and of losses too.
  func lines() throws(EvaluationError) -> [String] {
    var lines = photoTable() + [""] + (try meanTable())
    let (folders, domains) = (try folders(), try domains())
    if !folders.isEmpty { lines += [""] + groupTable(folders, title: "folder", all: "folders") }
    if !domains.isEmpty { lines += [""] + groupTable(domains, title: "domain", all: "domains") }
    if let boxes = try BoxFigures(photos) { lines += ["", boxes.line] }
    if let confidence = try ConfidenceFigures(photos) { lines += [""] + confidence.lines }
    if let exemplars { lines += [""] + exemplars.lines }
    if photos.contains(where: { $0.mistakes != nil }) { lines += [""] + mistakeTable() }
    if photos.contains(where: { $0.losses != nil }) { lines += [""] + lossTable() }
    return lines
  }

  private func photoTable() -> [String] {
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
        truth.title, "\(truth.main)", "\(count)", Self.signed(count - truth.main),
        Self.share(photo.accuracy), "\(truth.all)", "\(photo.found)",
        Self.share(photo.allAccuracy),
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

  private func groupTable(_ groups: [GroupFigures], title: String, all: String) -> [String] {
    let knowsObjects = groups.contains { $0.main.precision != nil }
    var table = TextTable(
      [
        (title, .left), ("photos", .right), ("main kind", .right), ("all objects", .right),
      ] + (knowsObjects ? [("precision", .right), ("recall", .right)] : []))
    func add(_ name: String, _ photos: Int, _ figure: ((GroupFigures) -> Double?) -> Double?) {
      let cells =
        [name, "\(photos)"]
        + [
          figure { $0.main.errors.meanAccuracy }, figure { $0.all.errors.meanAccuracy },
        ].map(Self.share)
      let objects = [figure(\.main.precision), figure(\.main.recall)].map(Self.share)
      table.add(knowsObjects ? cells + objects : cells)
    }
    for group in groups { add(group.name, group.photos.count) { $0(group) } }
    if groups.count > 1 {
      add("mean of \(groups.count) \(all)", groups.reduce(0) { $0 + $1.photos.count }) { figure in
        GroupFigures.mean(groups, figure)
      }
    }
    return table.lines
  }

  private func mistakeTable() -> [String] {
    let kinds = CountMistakes.Kind.allCases
    var table = TextTable([("mistakes", .left)] + kinds.map { ($0.words, .right) })
    func add(_ name: String, _ photos: [EvaluatedPhoto]) {
      table.add([name] + photos.mistakeSums.map { $0 == 0 ? "-" : "\($0)" })
    }
    let known = photos.filter { $0.mistakes != nil }
    for photo in known { add(photo.truth.title, [photo]) }
    if known.count > 1 { add("together", known) }
    return table.lines
  }

  private func lossTable() -> [String] {
    let steps = steps
    var table = TextTable(
      [("lost at", .left), ("objects", .right)] + steps.map { ($0, .right) } + [("left", .right)])
    let followed = photos.filter { $0.losses != nil }
    for photo in followed { table.add(Self.losses(of: [photo], named: photo.truth.title, steps)) }
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
}
