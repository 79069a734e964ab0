import CommandKit
import CountSettings
import Counting
import Evaluation

/// A tuning as text for people and as JSON for machines.
struct TuningReport {
  let cases: [TunedCase]
  /// The thresholds by name, before and after.
  let thresholds: [(field: SettingsField, before: SettingsValues, after: SettingsValues)]
  let verdict: TuningVerdict
  /// The path of the written settings; nil if they were not written.
  let written: String?
  /// The reason why nothing was written, or the use of the file.
  let conclusion: String

  // MARK: Text

  var lines: [String] {
    caseTable + [""] + thresholdTable + [""]
      + (verdict.sentences + [conclusion]).flatMap { HelpText.wrapped($0) }
  }

  private var caseTable: [String] {
    let knowsBoxes = cases.contains { $0.before.f1 != nil }
    var table = TextTable(
      [
        ("photo", .left), ("main", .right), ("before", .right), ("accuracy", .right),
        ("after", .right), ("accuracy", .right),
      ] + (knowsBoxes ? [("F1 before", .right), ("F1 after", .right)] : []))
    for one in cases {
      table.add(
        [
          one.truth.name, "\(one.truth.main)", "\(one.before.count)", share(one.before.accuracy),
          "\(one.after.count)", share(one.after.accuracy),
        ] + (knowsBoxes ? [share(one.before.f1), share(one.after.f1)] : []))
    }
    table.add(
      [
        "mean", "", "", share(mean { $0.before.accuracy }), "", share(mean { $0.after.accuracy }),
      ] + (knowsBoxes ? [share(mean { $0.before.f1 }), share(mean { $0.after.f1 })] : []))
    return table.lines
  }

  private var thresholdTable: [String] {
    var table = TextTable([("threshold", .left), ("before", .right), ("after", .right)])
    for (field, before, after) in thresholds {
      table.add([field.name, field.text(before), field.text(after)])
    }
    return table.lines
  }

  private func mean(_ value: (TunedCase) -> Double?) -> Double? {
    let values = cases.compactMap(value)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private func share(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 3) } ?? "-"
  }

  // MARK: JSON

  /// One object.
  var json: JSONText {
    func json(_ score: TuningScore) -> JSONText {
      .object([
        ("count", .integer(score.count)), ("accuracy", .double(score.accuracy)),
        ("f1", .optional(score.f1) { .double($0) }),
      ])
    }
    return .object([
      (
        "photos",
        .array(
          cases.map { one in
            .object([
              ("image", .string(one.truth.path)), ("name", .string(one.truth.name)),
              ("main", .integer(one.truth.main)), ("before", json(one.before)),
              ("after", json(one.after)), ("onAll", json(one.onAll)),
            ])
          })
      ),
      ("before", .double(verdict.before)), ("after", .double(verdict.after)),
      ("onAll", .double(verdict.onAll)),
      (
        "thresholds",
        .object(
          thresholds.map { field, before, after in
            (field.name, .object([("before", field.json(before)), ("after", field.json(after))]))
          })
      ),
      ("gained", .bool(verdict.isGained)), ("confirmed", .bool(verdict.isConfirmed)),
      ("enoughPhotos", .bool(verdict.isEnough)), ("file", .optional(written) { .string($0) }),
    ])
  }
}
