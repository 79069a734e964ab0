import CommandKit
import Foundation
import ModelQuantization

/// The result of quantizing a model, for people and for machines.
struct QuantizationText {
  let model: String
  let path: String
  let report: QuantizationReport
  /// The outputs on photos that ranges do not come from; nil if there are none.
  var checked: [QuantizationReport.Output]?
  /// The times of a run of the float and of the int8 model.
  var milliseconds: (before: Double, after: Double)?

  /// The greatest number of names of nodes that are printed; --json has all.
  private static let mostNames = 4

  // MARK: Text

  var lines: [String] {
    var text = ReportText()
    text.add(
      "int8",
      "\(report.quantizedCount) of \(report.nodes.count) nodes with weights, from "
        + Sentence.count(report.exampleCount, "example", "examples"))
    for (reason, nodes) in stays { text.add("float", "\(nodes): \(reason)") }
    text.add(
      "bytes", "\(report.bytesBefore) before, \(report.bytesAfter) after")
    if let milliseconds {
      let (before, after) = (milliseconds.before, milliseconds.after)
      text.add(
        "run",
        "\(NumberText.fixed(before, digits: 2)) ms before, \(NumberText.fixed(after, digits: 2)) ms after"
      )
    }
    for output in report.outputs { text.add("output", Self.text(output)) }
    for output in checked ?? [] { text.add("checked", Self.text(output)) }
    return [PrintableText.of(path)] + text.lines
  }

  /// Nodes that stay in floating point, those of one reason together.
  private var stays: [(reason: String, nodes: String)] {
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    for node in report.nodes {
      guard let reason = node.reason else { continue }
      if names[reason] == nil { reasons.append(reason) }
      names[reason, default: []].append("\(node.name) (\(node.operation))")
    }
    return reasons.map { reason in
      let all = names[reason] ?? []
      let more = all.count > Self.mostNames ? " and \(all.count - Self.mostNames) more" : ""
      return (reason, all.prefix(Self.mostNames).joined(separator: ", ") + more)
    }
  }

  private static func text(_ output: QuantizationReport.Output) -> String {
    let ratio =
      output.signalToNoise == .infinity
      ? "as before"
      : "\(NumberText.fixed(output.signalToNoise, digits: 1)) dB signal to noise, largest difference "
        + NumberText.of(output.largestDifference)
    return "\(output.name): \(ratio)"
  }

  // MARK: JSON

  var json: JSONText {
    .object([
      ("model", .string(model)), ("file", .string(path)),
      ("examples", .integer(report.exampleCount)),
      ("bytesBefore", .integer(report.bytesBefore)), ("bytesAfter", .integer(report.bytesAfter)),
      ("millisecondsBefore", .optional(milliseconds) { .milliseconds($0.before) }),
      ("millisecondsAfter", .optional(milliseconds) { .milliseconds($0.after) }),
      ("outputs", .array(report.outputs.map(Self.json))),
      ("checked", .optional(checked) { .array($0.map(Self.json)) }),
      (
        "nodes",
        .array(
          report.nodes.map { node in
            .object([
              ("name", .string(node.name)), ("operator", .string(node.operation)),
              ("weights", .integer(node.weightCount)),
              ("floatBecause", .optional(node.reason) { .string($0) }),
            ])
          })
      ),
      (
        "activations",
        .array(
          report.activations.map { value in
            .object([
              ("name", .string(value.name)), ("least", .float(value.least)),
              ("greatest", .float(value.greatest)), ("scale", .float(value.scale)),
              ("zeroPoint", .integer(Int(value.zeroPoint))),
              ("signalToNoise", .optional(value.signalToNoise) { .double($0) }),
            ])
          })
      ),
    ])
  }

  private static func json(_ output: QuantizationReport.Output) -> JSONText {
    .object([
      ("name", .string(output.name)), ("signalToNoise", .double(output.signalToNoise)),
      ("largestDifference", .float(output.largestDifference)),
    ])
  }
}
