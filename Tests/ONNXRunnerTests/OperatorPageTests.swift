import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph

/// `Docs/Operators.md` is made from the operator table.
@Suite struct OperatorPageTests {
  @Test func pageIsCurrent() throws {
    try checkFile("Docs/Operators.md", OperatorPage().text)
  }

  /// The fuzzer of graphs gives nodes these attributes: by name, with ONNX's number of its kind.
  @Test func attributeListIsCurrent() throws {
    let lines = OperatorPage.families.flatMap(\.operators).sorted { $0.name < $1.name }.map {
      ([$0.name] + $0.attributes.map { "\($0):\($1.number)" }.sorted()).joined(separator: " ")
    }
    try checkFile("Tests/Fuzz/attributes.txt", lines.joined(separator: "\n") + "\n")
  }

  /// What is made from the table is as in the repository, or becomes so.
  private func checkFile(_ path: String, _ text: String) throws {
    let file = Folders.package.appendingPathComponent(path)
    if ProcessInfo.processInfo.environment["TALLY_RENEW"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let isCurrent = try String(contentsOf: file, encoding: .utf8) == text
    #expect(
      isCurrent, "\(path) is stale; TALLY_RENEW=1 swift test --filter OperatorPageTests renews it")
  }

  @Test func listsAreWhole() {
    let operators = OperatorPage.families.flatMap(\.operators)
    #expect(operators.count > 150)
    for operation in operators {
      #expect(!operation.types.list.isEmpty, "\(operation.name)")
      #expect(operation.versions == operation.versions.sorted(), "\(operation.name)")
    }
    let names = OperatorTable.families.flatMap(\.operators).map { $0.domain + " " + $0.name }
    #expect(Set(names).count == names.count)
  }

  /// Whoever adds an operator writes its rule: nothing after one without can be planned before a
  /// run.
  @Test func operatorsHaveShapeRules() {
    for operation in OperatorPage.families.flatMap(\.operators) {
      if case .seenInRun = operation.shape.form { Issue.record("\(operation.name)") }
    }
  }

  /// A constant that is computed once is right for operators only whose result is always the same.
  @Test func operatorsOfChanceSaySo() {
    let ofChance = ["Bernoulli", "Multinomial", "Random"]
    for operation in OperatorTable.families.flatMap(\.operators) {
      let isOfChance = ofChance.contains { operation.name.hasPrefix($0) }
      #expect(operation.traits.contains(.random) == isOfChance, "\(operation.name)")
    }
  }
}

/// The page's text.
private struct OperatorPage {
  /// What a file may name: not what passes over the graph make.
  static let families = OperatorTable.families.map { family in
    (
      name: family.name,
      operators: family.operators.filter { !$0.domain.hasPrefix(OperatorDomain.ownPrefix) }
    )
  }.filter { !$0.operators.isEmpty }

  var text: String {
    let count = Self.families.reduce(0) { $0 + $1.operators.count }
    let opsets = Operator.opsets
    var text = """
      # Operators

      This page lists the \(count) operators that the ONNX runner computes, for models of opset \(opsets.lowerBound) to \
      \(opsets.upperBound).
      Read it if a model is refused, or before you export one.
      To list the operators of a model, type `tally model inspect FILE`. It also reads models that are refused.

      A model that needs anything else is refused when it is loaded.
      The error names all operators that are missing, or the node and what is wrong with it.
      `tally model test DIR` runs tests in ONNX's form.

      This page is made from the runner's table of operators, and a test fails if it is out of date.
      `TALLY_RENEW=1 swift test --filter OperatorPageTests` renews it.

      - **Opsets** are those of a model that may use the operator. The versions after it are the opsets in which ONNX
        introduced or changed it; each is computed by its own rules.
      - **Types** are the element types of the operator's first input, or of its data if that is something else. *real*:
        float16, bfloat16, float32 and float64; *integer*: int8 to int64 and uint8 to uint64; *numeric*: real and integer;
        *any*: numeric, bool and string. float16 and bfloat16 are computed in float32 and rounded. So is float64 in
        convolutions, in pooling other than MaxPool, in Resize between pixels, in softmax and in normalizations. *float8*: float8e4m3fn,
        float8e4m3fnuz, float8e5m2 and float8e5m2fnuz. These, float8e8m0, float4e2m1, int4 and uint4 are stored, moved, converted and
        quantised; each element takes a byte in memory. Complex numbers are not known.
      - **Limits** are what ONNX allows and the runner refuses.

      Broadcasting, negative axes, optional inputs and outputs, scalars and tensors without elements are as in ONNX.
      Training is not supported, except for what is listed. Of `com.microsoft`, ONNX Runtime's domain, most operators are written out as
      ONNX's when a model is loaded.

      """
    for family in Self.families {
      text += "\n## \(family.name)\n\n| Operator | Opsets | Versions | Types | Limits |\n"
      text += "| --- | --- | --- | --- | --- |\n"
      for operation in family.operators.sorted(by: { $0.name < $1.name }) {
        text += row(of: operation)
      }
    }
    return text + Self.disputed
  }

  private func row(of operation: Operator) -> String {
    var name = "`\(operation.name)`"
    var opsets = "from \(operation.versions.first ?? 1)"
    if let last = operation.lastOpset { opsets = "\(operation.versions.first ?? 1) to \(last)" }
    if !operation.domain.isEmpty { name += " of `\(operation.domain)`" }
    let versions = operation.versions.map(String.init).joined(separator: ", ")
    return "| \(name) | \(opsets) | \(versions) | \(operation.types.description) | "
      + "\(operation.limits ?? "") |\n"
  }

  private static let disputed = """

    ## Where ONNX's own expected values are not followed

    Eight folders of the node tests of onnx 1.19.1 hold values that contradict the text of the operator's specification. The
    runner follows the text, as ONNX Runtime 1.31.1 does, whose results on all but `test_adam_multiple` are the runner's own.

    - `test_qlinearmatmul_2D_int8_float16`, `test_qlinearmatmul_2D_int8_float32`, `test_qlinearmatmul_3D_int8_float16`,
      `test_qlinearmatmul_3D_int8_float32`: the specification says `y = saturate((x / y_scale) + y_zero_point)`. Sums that
      are too small for int8 have wrapped around in the expected values (20 where saturation gives -128).
    - `test_resize_downsample_scales_linear_align_corners`, `test_resize_downsample_scales_cubic_align_corners`: for
      `align_corners` the specification divides by `length_resized - 1`, with `length_resized` "the length of the resized
      tensor". The expected values divide by the length before it is rounded down (2.4 - 1 instead of 2 - 1).
    - `test_l2normalization_axis_0`: the text of later versions says that zeros stay zeros if their norm is zero. The
      expected values are NaN.
    - `test_adam_multiple`: the node leaves `epsilon` to its default, which is 1e-6. The expected values were made with 1e-2.

    Two more, `test_dft_inverse` and `test_dft_inverse_opset19`, hold the rounding errors of NumPy's `float32` transform (up to
    1.9e-7) where the exact result, and the runner's, is 0. Six, `test_bernoulli` and those whose names begin so, hold one throw of
    dice.

    """
}
