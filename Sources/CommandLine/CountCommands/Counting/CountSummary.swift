import CommandKit
import CountReport
import Counting

/// A count as text for people and as JSON for machines.
///
/// If a person corrected it, the person's number always comes first, and the machine's beside it.
struct CountSummary: PhotoReport {
  let path: String
  let result: CountingResult
  /// The count with a person's corrections; nil if there are none.
  var corrected: CorrectedCount?
  /// Whether steps and times are printed.
  var isVerbose = false
  /// The files that were written.
  var written: [String] = []
  /// The history that the count was saved in; nil if it was not saved.
  var history: String?

  var width: Int { result.width }
  var height: Int { result.height }
  /// The number of objects: the person's number, else the machine's.
  var found: Int { corrected?.count ?? result.count }
  /// What the interval says is about the machine's count; nil for a person's.
  private var confidence: CountConfidence? { corrected == nil ? result.confidence : nil }

  /// The steps that are printed, in order: all but the clusters.
  private var steps: [CountingStepReport] { result.steps.filter { $0.step != .clustered } }

  /// The seconds by stage, in order, the total last.
  private var seconds: [(name: String, value: Double)] {
    let seconds = result.seconds
    return [
      ("detecting", seconds.detecting), ("filtering", seconds.filtering),
      ("embedding", seconds.embedding), ("clustering", seconds.clustering),
      ("merging", seconds.merging), ("total", seconds.total),
    ]
  }

  // MARK: JSON

  /// One object, as the command's documentation describes it; a count of 0 has a `hint` too.
  ///
  /// `seconds` is only there if it is verbose, because it differs between runs.
  var json: JSONText {
    let sizes = result.clusterSizes.sorted { $0.key < $1.key }
    var members = JSONText.members(ofImage: path, width: result.width, height: result.height)
    members += [
      ("count", .integer(found)),
      ("mainCluster", .optional(result.mainCluster) { .integer($0) }),
      ("clusters", .object(sizes.map { ("\($0.key)", .integer($0.value)) })),
      (
        "stages",
        .object(steps.map { ($0.step.rawValue, .integer($0.itemsOut)) })
      ),
    ]
    if corrected != nil {
      members.insert(("machineCount", .integer(result.count)), at: 4)
    }
    if isVerbose {
      members.append(("seconds", .object(seconds.map { ($0.name, .seconds($0.value)) })))
    }
    members.append(
      (
        "detections",
        .array(
          zip(result.detections, ObjectNumbers(result).numbers).enumerated().map {
            JSONText.detection($1.0, number: $1.1, kindAt: result.kindAt($0))
          })
      ))
    if let confidence = result.confidence {
      let names =
        corrected == nil
        ? ["countConfidence", "countInterval"]
        : ["machineCountConfidence", "machineCountInterval"]
      members += [
        (names[0], .seconds(confidence.value)),
        (names[1], .array([.integer(confidence.least), .integer(confidence.greatest)])),
      ]
    }
    if let readings = result.kindsAt {
      members.append(
        (
          "kindsAt",
          .object([
            ("coarser", .array(readings.coarser.sizes.map { .integer($0) })),
            ("finer", .array(readings.finer.sizes.map { .integer($0) })),
            ("ties", .array(readings.ties.map { .array($0.sizes.map { .integer($0) }) })),
          ])
        ))
    }
    if let corrected {
      members.append(
        (
          "corrected",
          .object([
            ("count", .integer(corrected.count)),
            ("added", .integer(corrected.number(from: .person))),
            ("removed", .integer(corrected.removedCount)),
            ("moved", .integer(corrected.number(from: .moved))),
            (
              "objects",
              .array(
                corrected.objects.map {
                  .object([
                    ("box", .box($0.box)), ("number", .integer($0.number)),
                    ("by", .string($0.origin.rawValue)),
                  ])
                })
            ),
          ])
        ))
    }
    if let findings = result.findings { members.append(("adaptive", Self.json(of: findings))) }
    if let hint = result.hint { members.append(("hint", .string(hint.description))) }
    return .object(members)
  }

  /// The findings of the adaptive method, which help to understand an unexpected count.
  private static func json(of findings: AdaptiveFindings) -> JSONText {
    var members: [(String, JSONText)] = [
      ("side", .optional(findings.typical?.side) { .float(Float($0)) }),
      ("aspect", .optional(findings.typical?.aspect) { .float(Float($0)) }),
      (
        "slopes",
        .optional(findings.typical) {
          .array([.float(Float($0.slopeDown)), .float(Float($0.slopeAcross))])
        }
      ),
      ("tilesPerSide", .integer(findings.tilesPerSide)),
      ("triedTilesPerSide", .array(findings.triedTilesPerSide.map { .integer($0) })),
      ("silhouette", .optional(findings.silhouette) { .float(Float($0)) }),
      (
        "doubts",
        .optional(findings.doubts) { doubts in
          .object([
            ("cut", .float(Float(doubts.cut))), ("score", .float(Float(doubts.score))),
            ("views", .float(Float(doubts.views))), ("kinds", .float(Float(doubts.kinds))),
            ("frame", .float(Float(doubts.frame))), ("dropped", .float(Float(doubts.dropped))),
          ])
        }
      ),
    ]
    if !findings.exemplars.isEmpty {
      members.append(("exemplars", .array(findings.exemplars.map { json(of: $0) })))
    }
    return .object(members)
  }

  private static func json(of exemplar: ExemplarFinding) -> JSONText {
    .object([
      ("drawn", .box(exemplar.drawn)), ("taken", .box(exemplar.taken)),
      ("basis", .string(exemplar.basis.rawValue)), ("like", .bool(exemplar.isLike)),
    ])
  }

  // MARK: Text

  /// One line, for one of many images.
  var line: String {
    let others = result.detections.count - result.count
    let rest = others > 0 ? ", \(Sentence.count(others, "other", "others"))" : ""
    return "\(PrintableText.of(path)): \(CountWords.headline(result, corrected: corrected))\(rest)"
  }

  var linesAmongMany: [String] { [line] }

  /// A paragraph for a single image; if it is verbose, with the steps of the count.
  var lines: [String] {
    var report = ReportText()
    if isVerbose { report.add("photo", "\(result.width) x \(result.height) pixels") }
    if let confidence {
      report.add("chance", CountWords.chance(confidence))
    } else if corrected == nil, result.count > 0 {
      report.add(
        "chance",
        result.findings == nil
          ? "not known: only the adaptive set has an interval"
          : "not known: no interval is calibrated for these models")
    }
    for exemplar in result.findings?.exemplars ?? [] {
      if let note = CountWords.note(on: exemplar) {
        report.add(exemplar.isLike ? "like" : "unlike", note)
      }
    }
    if let hint = result.hint { report.add("hint", hint.description) }
    if let corrected {
      report.add(
        "corrected",
        "by a person: \(corrected.number(from: .person)) added, "
          + "\(corrected.removedCount) taken out, \(corrected.number(from: .moved)) moved")
    }
    if isVerbose || result.clusterSizes.count > 1 { report.add("kinds", kinds) }
    for other in CountWords.otherKinds(result) { report.add("or", other) }
    if let advice { report.add("wrong?", advice) }
    if isVerbose {
      report.add(
        "stages",
        steps.map { "\($0.itemsOut) \($0.step.outcome)" }
          .joined(separator: ", "))
      report.add(
        "time",
        "\(NumberText.fixed(result.seconds.total, digits: 2)) s: "
          + seconds.dropLast().map { "\($0.name) \(NumberText.fixed($0.value, digits: 2))" }
          .joined(separator: ", "))
    }
    for (index, path) in written.enumerated() { report.add(index == 0 ? "wrote" : "", path) }
    if let history { report.add("saved", "in \(history)") }
    return ["\(PrintableText.of(path)): \(CountWords.headline(result, corrected: corrected))"]
      + report.lines
  }

  /// Advice if the count may be wrong; nil if there is no sign of that.
  private var advice: String? {
    guard corrected == nil, result.count > 0 else { return nil }
    let isDoubtful = result.confidence.map { $0.value < Self.doubtful } ?? false
    guard isDoubtful || result.clusterSizes.count > 1 else { return nil }
    // Only the adaptive set takes an exemplar.
    let takesExemplar = result.findings?.exemplars.isEmpty ?? false
    return (takesExemplar ? "name one right object with --like X,Y,WIDTH,HEIGHT, or " : "")
      + "look and correct with --report page.html"
  }

  /// A count is doubtful if its probability of being right to 5 % is below this.
  static let doubtful = 0.75

  // MARK: Tables

  static let isList = false
  static let columns = [
    "count", "least", "greatest", "confidence", "kinds", "others", "machineCount",
  ]

  var records: [[String]] {
    [
      [
        "\(found)", confidence.map { "\($0.least)" } ?? "",
        confidence.map { "\($0.greatest)" } ?? "",
        confidence.map { JSONText.seconds($0.value).text } ?? "", "\(result.clusterSizes.count)",
        "\(result.detections.count - result.count)", corrected == nil ? "" : "\(result.count)",
      ]
    ]
  }

  static let tableColumns: [(title: String, alignment: TextTable.Alignment)] = [
    ("count", .right), ("from", .right), ("to", .right), ("others", .right),
  ]

  var tableRows: [[String]] {
    let note = corrected.map { _ in "corrected; the machine counted \(result.count)" }
    return [
      [
        "\(found)", confidence.map { "\($0.least)" } ?? "",
        confidence.map { "\($0.greatest)" } ?? "",
        "\(result.detections.count - result.count)", note ?? result.hint?.description ?? "",
      ]
    ]
  }

  /// The sizes of all kinds, the main kind first, the largest of the others next.
  private var kinds: String {
    let kinds = Kinds(result)
    return kinds.sizes.map { "\(kinds.name(of: $0.label)): \($0.size)" }.joined(separator: ", ")
  }
}

extension CountingResult {
  /// The kind of a detection in the coarser and in the finer division; nil if there is only one.
  fileprivate func kindAt(_ index: Int) -> (coarser: Int, finer: Int)? {
    guard let kindsAt, kindsAt.coarser.labels.indices.contains(index),
      kindsAt.finer.labels.indices.contains(index)
    else { return nil }
    return (kindsAt.coarser.labels[index], kindsAt.finer.labels[index])
  }
}
