import Foundation
import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Windows for signals: sums of cosines.
  package static let windows: [Operator] = [
    window("HannWindow", [0.5, -0.5]),
    window("HammingWindow", [25.0 / 46, -21.0 / 46]),
    window("BlackmanWindow", [0.42, -0.5, 0.08]),
  ]

  private static func window(_ name: String, _ factors: [Double]) -> Operator {
    Operator(
      name, versions: [17], inputs: 1...1, types: ElementTypes([.int32, .int64]),
      attributes: ["output_datatype": .int, "periodic": .int], shape: .cosineWindow
    ) { node in
      CosineWindow(
        factors: factors, isPeriodic: try node.flag("periodic", default: true),
        type: try node.elementType("output_datatype") ?? .float32)
    }
  }
}

extension ShapeRule {
  fileprivate static let cosineWindow = ShapeRule { query in
    guard let size = try query.integers(0), size.count == 1 else { throw ShapeQuery.Unknown() }
    return [ValueFact(try query.info.elementType("output_datatype") ?? .float32, size)]
  }
}

/// A constant, and cosines of one turn, of two, and so on over the window.
private struct CosineWindow: Kernel {
  let factors: [Double]
  let isPeriodic: Bool
  let type: ElementType

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let size = try context.integer(context.input(0, of: inputs))
    let output = try context.allocate(.float64, [size])
    let to = output.mutablePointer(to: Double.self)
    let length = Double(isPeriodic ? size : max(size - 1, 1))
    for index in 0..<size {
      let turn = 2 * Double.pi * Double(index) / length
      to[index] = factors.indices.reduce(0) { $0 + factors[$1] * cos(Double($1) * turn) }
    }
    return [try context.converted(output, to: type)]
  }
}
