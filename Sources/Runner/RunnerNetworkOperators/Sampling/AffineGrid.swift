import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Grids of places to sample at.
  package static let grids: [Operator] = [
    Operator(
      "AffineGrid", versions: [20], inputs: 2...2, types: .real,
      attributes: ["align_corners": .int], shape: .affineGrid
    ) { node in
      AffineGrid(alignsCorners: try node.flag("align_corners"))
    }
  ]
}

extension ShapeRule {
  fileprivate static let affineGrid = ShapeRule { query in
    guard let size = try query.integers(1), 4...5 ~= size.count else { throw ShapeQuery.Unknown() }
    return [ValueFact(try query.input(0).type, [size[0]] + size[2...] + [size.count - 2])]
  }
}

/// Where each pixel of an image comes from: its place, each axis from -1 to 1, through a matrix.
private struct AffineGrid: Kernel {
  let alignsCorners: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let size = try context.integers(try context.input(1, of: inputs))
    let axes = size.count - 2
    guard axes == 2 || axes == 3, given.shape == [size[0], axes, axes + 1] else {
      throw context.failure("matrices of shape \(given.shape) for a size of \(size)")
    }
    let extents = Array(size.dropFirst(2))
    let output = try context.allocate(.float64, [size[0]] + extents + [axes])
    guard output.count > 0 else { return [try context.converted(output, to: given.elementType)] }
    let matrices = try context.converted(given, to: .float64).array(of: Double.self)
    let to = output.mutablePointer(to: Double.self)
    let pixels = extents.reduce(1, *)
    // Innermost first, as the matrix wants them, and a one for the shift.
    var place = [Double](repeating: 1, count: axes + 1)
    for item in 0..<size[0] {
      for pixel in 0..<pixels {
        var rest = pixel
        for axis in 0..<axes {
          let extent = extents[axes - 1 - axis]
          place[axis] = coordinate(rest % extent, of: extent)
          rest /= extent
        }
        for row in 0..<axes {
          let matrixRow = (item * axes + row) * (axes + 1)
          to[(item * pixels + pixel) * axes + row] = place.indices.reduce(0) {
            $0 + matrices[matrixRow + $1] * place[$1]
          }
        }
      }
    }
    return [try context.converted(output, to: given.elementType)]
  }

  private func coordinate(_ index: Int, of extent: Int) -> Double {
    if alignsCorners { return extent > 1 ? 2 * Double(index) / Double(extent - 1) - 1 : 0 }
    return (2 * Double(index) + 1) / Double(extent) - 1
  }
}
