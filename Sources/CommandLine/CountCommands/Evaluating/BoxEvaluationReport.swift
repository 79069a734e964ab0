import ABTesting
import CommandKit
import Evaluation

/// The comparison of boxes with the true ones, as tables for people and as JSON for machines.
struct BoxEvaluationReport {
  let settings: BoxEvaluation.Settings
  let predictions: BoxEvaluation
  let against: BoxEvaluation?
  let significance: Double

  private var sides: [BoxEvaluation] { [predictions] + (against.map { [$0] } ?? []) }

  /// The two shares for which a verdict is possible.
  private func shares() throws -> [(key: String, what: String, shares: [Proportion])] {
    [
      ("recall", "objects found", try sides.map { try $0.found }),
      ("precision", "boxes right", try sides.map { try $0.right }),
    ]
  }

  // MARK: Text

  func lines() throws -> [String] {
    try imageTable() + [""] + figureTable() + [""] + verdictLines()
  }

  private func imageTable() -> [String] {
    let columns = ["predicted", "right", "wrong", "missed", "precision", "recall", "F1"]
    var table = TextTable(
      [("image", .left), ("objects", .right)]
        + (against == nil ? columns : columns + columns.map { "\($0) B" }).map { ($0, .right) })
    for index in predictions.images.indices {
      let image = predictions.images[index]
      table.add(
        [image.name, "\(image.present)"] + sides.flatMap { Self.cells(of: $0.images[index].score) })
    }
    if predictions.images.count > 1 {
      let objects = predictions.images.reduce(0) { $0 + $1.present }
      table.add(["together", "\(objects)"] + sides.flatMap { Self.cells(of: $0.score) })
    }
    return table.lines
  }

  private static func cells(of score: DetectionScore) -> [String] {
    [
      "\(score.truePositives + score.falsePositives)", "\(score.truePositives)",
      "\(score.falsePositives)", "\(score.falseNegatives)", share(score.precision),
      share(score.recall), share(score.f1),
    ]
  }

  private func figureTable() -> [String] {
    var table = TextTable(
      [("figure", .left), (against == nil ? "value" : "A", .right)]
        + (against == nil ? [] : [("B", .right), ("A - B", .right)]))
    for figure in Self.figures(minimumIoU: settings.minimumIoU) {
      let values = sides.map(figure.value)
      var cells = [figure.name] + values.map { Self.text($0, digits: figure.digits) }
      if let a = values[0], let b = values.last ?? nil, values.count == 2 {
        cells.append((a > b ? "+" : "") + NumberText.fixed(a - b, digits: figure.digits))
      }
      table.add(cells)
    }
    return table.lines
  }

  private func verdictLines() throws -> [String] {
    var lines: [String] = []
    for (_, what, shares) in try shares() {
      let texts = try shares.map { proportion in
        let interval = try WilsonInterval(proportion, confidence: 1 - significance)
        return "\(proportion.successes) of \(proportion.trials) ("
          + "\(Self.share(interval.lower)) to \(Self.share(interval.upper)))"
      }
      var line = "\(what): \(texts.joined(separator: " against "))"
      if shares.count == 2 {
        let verdict = try Verdict(shares[0], against: shares[1], significance: significance)
        line += ": \(verdict.rawValue)"
        if let test = TwoProportionTest(shares[0], against: shares[1]) {
          line += ", p = \(Self.probability(test.pValue))"
        }
      }
      lines.append(line)
    }
    return lines
  }

  /// A probability to three digits.
  private static func probability(_ p: Double) -> String {
    p < 0.0001 ? "below 0.0001" : NumberText.fixed(p, digits: 4)
  }

  private static func share(_ value: Double?) -> String { text(value, digits: 3) }

  private static func text(_ value: Double?, digits: Int) -> String {
    value.map { NumberText.fixed($0, digits: digits) } ?? "-"
  }

  // MARK: Figures

  private struct Figure {
    let key, name: String
    let digits: Int
    let value: (BoxEvaluation) -> Double?
  }

  private static func figures(minimumIoU: Double) -> [Figure] {
    func figure(
      _ key: String, _ name: String, digits: Int = 3, _ value: @escaping (BoxEvaluation) -> Double?
    ) -> Figure {
      Figure(key: key, name: name, digits: digits, value: value)
    }
    let at = " at IoU \(NumberText.of(minimumIoU))"
    return [
      figure("precision", "precision" + at) { $0.score.precision },
      figure("recall", "recall" + at) { $0.score.recall },
      figure("f1", "F1" + at) { $0.score.f1 },
      figure("ap", "AP@[.5:.95]") { $0.precision?.mean },
      figure("ap50", "AP50") { $0.precision?.at50 },
      figure("ap75", "AP75") { $0.precision?.at75 },
      figure("countAccuracy", "count accuracy") { $0.counts.meanAccuracy },
      figure("exactCounts", "share of exact counts") { $0.counts.exactShare },
      figure("countMAE", "count MAE", digits: 2) { $0.counts.meanAbsoluteError },
      figure("countBias", "count bias", digits: 2) { $0.counts.bias },
    ]
  }

  // MARK: JSON

  func json() throws -> JSONText {
    var members: [(String, JSONText)] = [
      ("iou", .double(settings.minimumIoU)), ("confidence", .double(settings.confidence)),
      ("maxDetections", .integer(settings.maximumDetections)),
      ("predictions", json(of: predictions)),
    ]
    if let against { members.append(("against", json(of: against))) }
    members.append(("significance", .double(significance)))
    for (key, _, shares) in try shares() { members.append((key, try json(of: shares))) }
    return .object(members)
  }

  private func json(of evaluation: BoxEvaluation) -> JSONText {
    let figures = Self.figures(minimumIoU: settings.minimumIoU).map { figure in
      (figure.key, JSONText.optional(figure.value(evaluation)) { .double($0) })
    }
    let classes = evaluation.precision.map { precision -> JSONText in
      .object(
        precision.classes.sorted { $0.key < $1.key }.map { ($0.key, .double($0.value.mean)) })
    }
    return .object(
      figures + [
        ("apByClass", classes ?? .null),
        ("images", .array(evaluation.images.map(Self.json))),
      ])
  }

  private static func json(of image: BoxEvaluation.Image) -> JSONText {
    .object([
      ("image", .string(image.name)), ("objects", .integer(image.present)),
      ("predicted", .integer(image.predicted)), ("right", .integer(image.score.truePositives)),
      ("wrong", .integer(image.score.falsePositives)),
      ("missed", .integer(image.score.falseNegatives)),
      ("precision", .optional(image.score.precision) { .double($0) }),
      ("recall", .optional(image.score.recall) { .double($0) }),
      ("f1", .optional(image.score.f1) { .double($0) }),
    ])
  }

  /// Successes and interval of each side, and the verdict if there are two.
  private func json(of shares: [Proportion]) throws -> JSONText {
    let sides = try shares.map { proportion -> JSONText in
      let interval = try WilsonInterval(proportion, confidence: 1 - significance)
      return .object([
        ("successes", .integer(proportion.successes)), ("trials", .integer(proportion.trials)),
        ("share", .optional(proportion.share) { .double($0) }),
        ("interval", .array([.double(interval.lower), .double(interval.upper)])),
      ])
    }
    var members = Array(zip(["predictions", "against"], sides))
    if shares.count == 2 {
      let verdict = try Verdict(shares[0], against: shares[1], significance: significance)
      let test = TwoProportionTest(shares[0], against: shares[1])
      members += [
        ("z", .optional(test?.z) { .double($0) }),
        ("pValue", .optional(test?.pValue) { .double($0) }),
        ("verdict", .string(verdict.rawValue)),
      ]
    }
    return .object(members)
  }
}
