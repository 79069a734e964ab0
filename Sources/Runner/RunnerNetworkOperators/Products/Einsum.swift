import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Sums of products in Einstein's notation, and determinants.
  package static let tensorAlgebra: [Operator] = [
    Operator(
      "Einsum", versions: [12], inputs: 1...Operator.many, types: .numeric,
      attributes: ["equation": .string], shape: .einsum
    ) { node in
      Einsum(equation: try EinsumEquation(node))
    },
    Operator("Det", versions: [11, 22], inputs: 1...1, types: .real, shape: .determinant) { _ in
      Determinant()
    },
  ]
}

extension ShapeRule {
  fileprivate static let einsum = ShapeRule { query in
    let shapes = try query.inputs.indices.map { try query.shape($0) }
    let terms = try EinsumEquation(query.info).terms(for: shapes, in: query.info)
    return [ValueFact(try query.input(0).type, terms.result.compactMap { terms.extents[$0] })]
  }

  /// A number for each matrix.
  fileprivate static let determinant = ShapeRule { query in
    let input = try query.input(0)
    return [ValueFact(input.type, Array(input.shape.dropLast(2)))]
  }
}

/// The letters of each operand and of the result.
///
/// The dimensions of an ellipsis are numbered from the right, as negative numbers.
private struct EinsumEquation: Sendable {
  /// A dimension's name: its letter's code, or a negative number in an ellipsis.
  typealias Label = Int

  private static let ellipsis = Label.max

  let operands: [[Label]]
  /// nil if the rule applies: letters that come once, in alphabetical order.
  let result: [Label]?

  init(_ node: NodeInfo) throws {
    guard let equation = try node.string("equation") else {
      throw node.failure("attribute 'equation' is missing")
    }
    let count = node.inputCount
    let sides = equation.filter { $0 != " " }.components(separatedBy: "->")
    func labels(_ term: String) throws -> [Label] {
      var labels: [Label] = []
      let parts = term.components(separatedBy: "...")
      guard parts.count <= 2 else { throw node.failure("equation '\(equation)'") }
      for (index, part) in parts.enumerated() {
        if index > 0 { labels.append(Self.ellipsis) }
        for letter in part.unicodeScalars {
          guard letter.isASCII, letter.properties.isAlphabetic else {
            throw node.failure("equation '\(equation)'")
          }
          labels.append(Label(letter.value))
        }
      }
      return labels
    }
    guard sides.count <= 2 else { throw node.failure("equation '\(equation)'") }
    operands = try sides[0].components(separatedBy: ",").map(labels)
    result = sides.count == 2 ? try labels(sides[1]) : nil
    guard operands.count == count else {
      throw node.failure("equation '\(equation)' for \(count) inputs")
    }
  }

  /// The labels of the operands, of the given shapes, and of the result, and how many elements each
  /// stands for.
  func terms(
    for shapes: [[Int]], in context: some NodeFailures
  ) throws -> (operands: [[Label]], result: [Label], extents: [Label: Int]) {
    var widest = 0
    let all = try zip(operands, shapes.map(\.count)).map { labels, rank -> [Label] in
      let hidden = rank - labels.count + 1
      guard labels.contains(Self.ellipsis) ? hidden >= 0 : hidden == 1 else {
        throw context.failure("a term of the equation does not fit rank \(rank)")
      }
      if labels.contains(Self.ellipsis) { widest = max(widest, hidden) }
      return labels.flatMap { $0 == Self.ellipsis ? Array(-hidden..<0) : [$0] }
    }
    var extents: [Label: Int] = [:]
    for (shape, labels) in zip(shapes, all) {
      for (extent, label) in zip(shape, labels) {
        let known = extents[label] ?? 1
        guard known == 1 || extent == 1 || known == extent else {
          throw context.failure("a dimension has both \(known) and \(extent) elements")
        }
        extents[label] = known == 1 ? extent : known
      }
    }
    let hidden = Array(-widest..<0)
    let letters = all.joined().filter { $0 >= 0 }
    let once = Set(letters).filter { letter in letters.filter { $0 == letter }.count == 1 }
    let labels = result?.flatMap { $0 == Self.ellipsis ? hidden : [$0] } ?? hidden + once.sorted()
    guard Set(labels).count == labels.count, labels.allSatisfy({ extents[$0] != nil }) else {
      throw context.failure("the result repeats a letter, or has one of its own")
    }
    return (all, labels, extents)
  }
}

/// Operands are contracted from left to right, each pair as a batched matrix product.
private struct Einsum: Kernel {
  typealias Label = EinsumEquation.Label

  let equation: EinsumEquation

  private struct Term {
    var tensor: Tensor
    var labels: [Label]
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let tensors = try inputs.indices.map { try context.input($0, of: inputs) }
    try context.requireSameType(tensors)
    let type = tensors[0].elementType
    guard type != .bool, type != .string else { throw context.failure("elements are \(type)") }
    let labels = try equation.terms(for: tensors.map(\.shape), in: context)
    var terms = try zip(tensors, labels.operands).map { tensor, own in
      try plain(context.widened(tensor), own, labels.extents, in: context)
    }
    var total = terms.removeFirst()
    while !terms.isEmpty {
      let next = terms.removeFirst()
      let needed = Set(labels.result + terms.flatMap(\.labels))
      total = try product(total, next, keeping: needed, in: context)
    }
    total = try summed(total, keeping: Set(labels.result), in: context)
    let result = try ordered(total, labels.result, labels.extents, in: context)
    return [try context.converted(result, to: type)]
  }

  /// A term whose letters all differ: diagonals are taken, repeated dimensions of one element dropped.
  private func plain(
    _ tensor: Tensor, _ labels: [Label], _ extents: [Label: Int], in context: KernelContext
  ) throws -> Term {
    var kept: [Label] = []
    var shape: [Int] = []
    var strides: [Int] = []
    for (dimension, stride) in Shapes.strides(of: tensor.shape).enumerated() {
      let label = labels[dimension]
      if tensor.shape[dimension] == 1, extents[label] != 1 { continue }
      if let place = kept.firstIndex(of: label) {
        strides[place] += stride
      } else {
        kept.append(label)
        shape.append(tensor.shape[dimension])
        strides.append(stride)
      }
    }
    if kept.count == labels.count { return Term(tensor: tensor, labels: labels) }
    return Term(
      tensor: try context.gathered(tensor, shape: shape, strides: strides), labels: kept)
  }

  private func summed(
    _ term: Term, keeping needed: Set<Label>, in context: KernelContext
  ) throws -> Term {
    let axes = term.labels.indices.filter { !needed.contains(term.labels[$0]) }
    if axes.isEmpty { return term }
    return Term(
      tensor: try context.perform(
        "ReduceSum", attributes: ["keepdims": .int(0)], [term.tensor, context.axes(axes)]),
      labels: term.labels.filter { needed.contains($0) })
  }

  private func product(
    _ left: Term, _ right: Term, keeping needed: Set<Label>, in context: KernelContext
  ) throws -> Term {
    let left = try summed(left, keeping: needed.union(right.labels), in: context)
    let right = try summed(right, keeping: needed.union(left.labels), in: context)
    let shared = left.labels.filter { right.labels.contains($0) }
    let batch = shared.filter { needed.contains($0) }
    let inner = shared.filter { !needed.contains($0) }
    let rows = left.labels.filter { !shared.contains($0) }
    let columns = right.labels.filter { !shared.contains($0) }
    func arranged(_ term: Term, _ labels: [[Label]]) throws -> Tensor {
      let order = labels.joined().compactMap { term.labels.firstIndex(of: $0) }
      let tensor =
        order == Array(order.indices)
        ? term.tensor
        : try context.transposed(term.tensor, order)
      var start = 0
      let shape = labels.map { group -> Int in
        defer { start += group.count }
        return tensor.shape[start..<start + group.count].reduce(1, *)
      }
      return tensor.viewed(as: shape)
    }
    let a = try arranged(left, [batch, rows, inner])
    let b = try arranged(right, [batch, inner, columns])
    let result = try context.perform("MatMul", of: OperatorFamilies.matrixProduct, [a, b])
    func extents(_ term: Term, _ labels: [Label]) -> [Int] {
      labels.compactMap { term.labels.firstIndex(of: $0) }.map { term.tensor.shape[$0] }
    }
    let shape = extents(left, batch) + extents(left, rows) + extents(right, columns)
    return Term(tensor: result.viewed(as: shape), labels: batch + rows + columns)
  }

  private func ordered(
    _ term: Term, _ result: [Label], _ extents: [Label: Int], in context: KernelContext
  ) throws -> Tensor {
    if term.labels == result { return term.tensor }
    // A letter that was dropped, as all its operands had one element, is put back.
    let own = Shapes.strides(of: term.tensor.shape)
    return try context.gathered(
      term.tensor, shape: result.map { extents[$0] ?? 1 },
      strides: result.map { label in term.labels.firstIndex(of: label).map { own[$0] } ?? 0 })
  }
}

/// Determinants of square matrices, by elimination with row pivots.
private struct Determinant: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.rank >= 2, let size = input.shape.last, input.shape[input.rank - 2] == size,
      input.elementType.isFloatingPoint
    else { throw context.failure("\(input.elementType)\(input.shape) holds no square matrices") }
    let value = try context.converted(input, to: .float64)
    let shape = Array(input.shape.dropLast(2))
    let output = try context.allocate(.float64, shape)
    let to = output.mutablePointer(to: Double.self)
    let from = value.pointer(to: Double.self)
    for index in 0..<output.count {
      let start = from + index * size * size
      to[index] = determinant((0..<size * size).map { start[$0] }, size)
    }
    return [try context.converted(output, to: input.elementType)]
  }

  private func determinant(_ matrix: [Double], _ size: Int) -> Double {
    var rows = matrix
    var result = 1.0
    for column in 0..<size {
      var pivot = column
      for row in column..<size
      where abs(rows[row * size + column]) > abs(rows[pivot * size + column]) {
        pivot = row
      }
      let value = rows[pivot * size + column]
      if value == 0 { return 0 }
      if pivot != column {
        for k in 0..<size { rows.swapAt(pivot * size + k, column * size + k) }
        result = -result
      }
      result *= value
      for row in (column + 1)..<max(size, column + 1) {
        let factor = rows[row * size + column] / value
        if factor == 0 { continue }
        for k in column..<size { rows[row * size + k] -= factor * rows[column * size + k] }
      }
    }
    return result
  }
}
