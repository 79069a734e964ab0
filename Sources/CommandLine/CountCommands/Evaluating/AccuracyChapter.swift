import CommandKit
import Evaluation
import Foundation

/// The Markdown for `Docs/Accuracy.md` about counts with and without exemplars.
struct AccuracyChapter {
  /// The counts with one choice of exemplars.
  struct Round {
    /// The choice of exemplars; nil for none.
    let choice: ExemplarChoice?
    var photos: [EvaluatedPhoto] = []
    /// The photos without exemplars for this choice.
    var leftOut: [String] = []
  }

  /// The rounds of the chapter: without exemplars first.
  static let choices: [ExemplarChoice?] = [
    nil, ExemplarChoice(count: 1), ExemplarChoice(count: 3),
    ExemplarChoice(count: 1, manner: .badly), ExemplarChoice(count: 1, manner: .nowhere),
  ]

  /// The rounds, in the order of ``choices``; the first is without exemplars.
  let rounds: [Round]

  private var plain: [EvaluatedPhoto] { rounds.first?.photos ?? [] }

  /// The lines of the chapter.
  ///
  /// - Parameter failures: the list of failures with their pictures; empty for none.
  func lines(failures: [String]) throws -> [String] {
    var lines =
      [
        "## Photos by folder and domain", "",
        "Without exemplars. The accuracy is 1 if the count is as close to the truth as the truth is known. "
          + "AP50 is the average precision of all boxes that the count kept, at IoU 0.5.",
        "",
      ] + (try folderTable())
    let domains = try GroupFigures.groups(of: plain) { $0.truth.domain }
    if !domains.isEmpty { lines += [""] + domainTable(domains) }
    lines += ["", "## Exemplars", ""] + (try exemplarTable())
    lines += ["", "## How far the intervals hold", ""] + (try intervalTable())
    let mistakes = mistakeTable()
    if !mistakes.isEmpty { lines += ["", "## Mistakes by name", ""] + mistakes }
    lines += ["", "## Photos with an accuracy below 0.9", ""] + failureTable()
    if !failures.isEmpty {
      lines += [
        "",
        "The pictures show boxes only, as the photos are other people's: counted objects green, other "
          + "kinds blue, boxes on no object orange, missed objects red, the true boxes in grey dashes.",
      ]
    }
    return lines + failures
  }

  // MARK: Tables

  private func folderTable() throws(EvaluationError) -> [String] {
    var rows: [[String]] = []
    for group in try GroupFigures.groups(of: plain, by: { $0.truth.folder }) {
      rows.append(try Self.row(Markdown.cell(group.name), group.photos))
    }
    if rows.count > 1 { rows.append(try Self.row("all", plain)) }
    return Markdown.table(
      [
        "folder", "photos", "one kind", "exact", "main kind of mixed", "all objects", "precision",
        "recall", "AP50",
      ], rows)
  }

  private static func row(
    _ name: String, _ photos: [EvaluatedPhoto]
  ) throws(EvaluationError) -> [String] {
    let sets = try CountFigures.sets(of: photos)
    func set(_ key: String) -> CountFigures? { sets.first { $0.key == key } }
    let oneKind = set("oneKind")
    return [
      name, "\(photos.count)", share(oneKind?.errors.meanAccuracy),
      oneKind.map { "\($0.exact) of \($0.errors.errors.count)" } ?? "",
      share(set("mixedMain")?.errors.meanAccuracy), share(set("all")?.errors.meanAccuracy),
      share(set("main")?.precision), share(set("main")?.recall),
      share(try BoxFigures(photos)?.at50),
    ]
  }

  private func domainTable(_ domains: [GroupFigures]) -> [String] {
    func mean(_ domain: String?, _ round: Int) -> String {
      guard rounds.indices.contains(round) else { return "" }
      let values = rounds[round].photos.filter {
        $0.truth.domain != nil && (domain == nil || $0.truth.domain == domain)
      }
      let byDomain = Dictionary(grouping: values) { $0.truth.domain ?? "" }.values.map { photos in
        photos.reduce(0) { $0 + $1.accuracy } / Double(photos.count)
      }
      return Self.share(
        byDomain.isEmpty ? nil : byDomain.reduce(0, +) / Double(byDomain.count))
    }
    var rows = domains.map { domain in
      [
        Markdown.cell(domain.name), "\(domain.photos.count)", mean(domain.name, 0),
        Self.share(domain.all.errors.meanAccuracy), Self.share(domain.main.precision),
        Self.share(domain.main.recall), mean(domain.name, 1), mean(domain.name, 2),
      ]
    }
    rows.append([
      "mean of \(domains.count)", "\(domains.reduce(0) { $0 + $1.photos.count })", mean(nil, 0),
      Self.share(GroupFigures.mean(domains) { $0.all.errors.meanAccuracy }),
      Self.share(GroupFigures.mean(domains) { $0.main.precision }),
      Self.share(GroupFigures.mean(domains) { $0.main.recall }), mean(nil, 1), mean(nil, 2),
    ])
    return Markdown.table(
      [
        "domain", "photos", "main kind", "all objects", "precision", "recall", "one exemplar",
        "three exemplars",
      ], rows)
  }

  private func exemplarTable() throws(EvaluationError) -> [String] {
    let withBoxes = Set(rounds.dropFirst().flatMap { $0.photos.map(\.truth.path) })
    guard !withBoxes.isEmpty else { return ["No photo has boxes to take exemplars from."] }
    var rows: [[String]] = []
    for round in rounds {
      let photos = round.photos.filter { withBoxes.contains($0.truth.path) }
      guard let group = photos.isEmpty ? nil : try GroupFigures("", photos) else { continue }
      let isNowhere = round.choice?.manner == .nowhere
      let figures = round.choice.map { ExemplarFigures($0, photos, leftOut: []) }
      rows.append([
        round.choice?.words ?? "none", "\(photos.count)",
        isNowhere ? "" : Self.share(group.main.errors.meanAccuracy),
        isNowhere ? "" : "\(group.main.exact)",
        isNowhere ? "" : Self.share(group.main.precision),
        isNowhere ? "" : Self.share(group.main.recall),
        figures.map { "\($0.asDetection) of \($0.boxes)" } ?? "",
        isNowhere ? "" : figures.map { "\($0.silentOnes)" } ?? "",
        isNowhere ? figures.map { "\($0.claims)" } ?? "" : "",
      ])
    }
    return [
      "The photos whose boxes are known. One exemplar is the box of median area, three are spread "
        + "over the order of area. A badly drawn box is 0.6 to 1.6 times as large and off by up to "
        + "0.4 of its side. *Silent* are counts of 1 though there are more, whose interval does not "
        + "say so; *phantoms* are counts by a box on nothing whose interval leaves 0 out.", "",
    ]
      + Markdown.table(
        [
          "exemplars", "photos", "main kind", "exact", "precision", "recall",
          "taken for a detection",
          "silent", "phantoms",
        ], rows)
  }

  private func intervalTable() throws(EvaluationError) -> [String] {
    var rows: [[String]] = []
    func add(_ name: String, _ photos: [EvaluatedPhoto]) throws(EvaluationError) {
      guard let figures = try ConfidenceFigures(photos) else { return }
      rows.append([
        name, "\(figures.photos) of \(figures.counts)", Self.share(figures.intervals.coverage),
        Self.share(figures.intervals.medianRelativeWidth), Self.share(figures.stated),
        Self.share(figures.observed),
      ])
    }
    let groups = try GroupFigures.groups(of: plain) { $0.truth.folder }
    for group in groups { try add(Markdown.cell(group.name), group.photos) }
    if groups.count > 1 { try add("all", plain) }
    for round in rounds.dropFirst() where round.choice?.manner != .nowhere {
      try add("all, \(round.choice?.words ?? "")", round.photos)
    }
    guard !rows.isEmpty else { return ["No count came with an interval."] }
    return Markdown.table(
      [
        "photos", "with an interval", "it holds the truth", "median width / count",
        "stated: at most 5 % off", "observed",
      ], rows)
  }

  private func mistakeTable() -> [String] {
    let rows = rounds.compactMap { round -> [String]? in
      let photos = round.photos.filter { $0.mistakes != nil }
      guard !photos.isEmpty, round.choice?.manner != .nowhere else { return nil }
      return [round.choice?.words ?? "none", "\(photos.count)"] + photos.mistakeSums.map { "\($0)" }
    }
    guard !rows.isEmpty else { return [] }
    return Markdown.table(
      ["exemplars", "photos"] + CountMistakes.Kind.allCases.map(\.words), rows)
  }

  private func failureTable() -> [String] {
    let failures = plain.filter(\.isFailure)
    guard !failures.isEmpty else { return ["There are none."] }
    return Markdown.table(
      ["photo", "true", "counted", "interval", "what is wrong"],
      failures.map { photo in
        [
          Markdown.cell(photo.truth.title),
          "\(photo.truth.main)" + (photo.truth.tolerance > 0 ? " ± \(photo.truth.tolerance)" : ""),
          "\(photo.result.count)",
          photo.interval.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "",
          photo.mistakesInWords,
        ]
      })
  }

  private static func share(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 3) } ?? ""
  }
}
