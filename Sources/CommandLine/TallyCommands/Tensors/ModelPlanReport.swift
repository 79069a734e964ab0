import CommandKit
import Foundation
import ONNXRunner

/// The output of `tally model inspect --plan`: the steps of a run, and their memory.
struct ModelPlanReport {
  let plan: PlanDescription

  // MARK: Text

  /// A table of steps, then the totals.
  var lines: [String] {
    var table = TextTable([
      ("step", .right), ("node", .left), ("operator", .left), ("kernel and why", .left),
      ("output", .left), ("bytes", .right), ("offset", .right),
    ])
    for (index, step) in plan.steps.enumerated() {
      for (place, output) in step.outputs.enumerated() {
        let isFirst = place == 0
        table.add([
          isFirst ? "\(index + 1)" : "", isFirst ? Self.shortened(step.name) : "",
          isFirst ? step.operation : "", isFirst ? step.method : "", Self.text(output),
          output.byteCount.map { "\($0)" } ?? "?", output.arenaOffset.map { "\($0)" } ?? "-",
        ])
      }
    }
    return table.lines + [""] + totals.map { "\($0.title): \($0.text)" }
  }

  private var totals: [(title: String, text: String)] {
    let reuse =
      plan.arenaByteCount.map { bytes in
        "\(bytes) bytes in one block (\(plan.unsharedByteCount) without reuse)"
      } ?? "not planned"
    var totals = [
      ("activations", reuse), ("packed weights", "\(plan.packedWeightByteCount) bytes"),
    ]
    if operations > 0 {
      let work = NumberText.fixed(Double(operations) / 1e9, digits: 3)
      totals.append(("work", "\(work) GFLOP a run"))
    }
    return totals
  }

  private var operations: Int {
    plan.steps.reduce(0) { $0 &+ ($1.operationCount ?? 0) }
  }

  private static func text(_ output: PlanDescription.Output) -> String {
    guard let type = output.elementType, let shape = output.shape else { return "seen in a run" }
    return "\(type)\(shape)"
  }

  /// Exporters make names of whole paths; their end says most.
  private static func shortened(_ name: String) -> String {
    name.count > 40 ? "..." + name.suffix(37) : name
  }

  // MARK: JSON

  var json: JSONText {
    .object([
      ("steps", .array(plan.steps.map(Self.json))),
      ("arenaBytes", plan.arenaByteCount.map { .integer($0) } ?? .null),
      ("unsharedBytes", .integer(plan.unsharedByteCount)),
      ("packedWeightBytes", .integer(plan.packedWeightByteCount)),
      ("operations", .integer(operations)),
    ])
  }

  private static func json(_ step: PlanDescription.Step) -> JSONText {
    .object([
      ("node", .string(step.name)), ("operator", .string(step.operation)),
      ("kernel", .string(step.method)),
      ("operations", step.operationCount.map { .integer($0) } ?? .null),
      (
        "outputs",
        .array(
          step.outputs.map { output in
            .object([
              ("type", output.elementType.map { .string($0.description) } ?? .null),
              ("shape", output.shape.map { .array($0.map { .integer($0) }) } ?? .null),
              ("bytes", output.byteCount.map { .integer($0) } ?? .null),
              ("offset", output.arenaOffset.map { .integer($0) } ?? .null),
            ])
          })
      ),
    ])
  }
}
