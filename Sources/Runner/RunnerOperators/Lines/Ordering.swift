import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that compare elements along an axis.
  package static let ordering: [Operator] = [
    Operator(
      "ArgMax", versions: [1, 11, 12, 13], inputs: 1...1, types: .numeric,
      attributes: ["axis": .int, "keepdims": .int, "select_last_index": .int], shape: .argument
    ) { node in
      try ArgumentOfExtreme(node, isMaximum: true)
    },
    Operator(
      "ArgMin", versions: [1, 11, 12, 13], inputs: 1...1, types: .numeric,
      attributes: ["axis": .int, "keepdims": .int, "select_last_index": .int], shape: .argument
    ) { node in
      try ArgumentOfExtreme(node, isMaximum: false)
    },
    Operator(
      "TopK", versions: [1, 10, 11, 24], inputs: 1...2, outputs: 1...2, types: .numeric,
      attributes: ["axis": .int, "k": .int, "largest": .int], shape: .topK
    ) { node in
      TopK(
        k: try node.int("k"), axis: try node.int("axis", default: -1),
        isLargest: try node.flag("largest", default: true))
    },
    Operator(
      "Unique", versions: [11], inputs: 1...1, outputs: 1...4, types: .numeric + .bool,
      attributes: ["axis": .int, "sorted": .int], shape: .dependsOnData
    ) { node in
      Unique(axis: try node.int("axis"), isSorted: try node.flag("sorted", default: true))
    },
    Operator(
      "CumSum", versions: [11, 14], inputs: 2...2,
      types: .real + ElementTypes([.int32, .int64, .uint32, .uint64]),
      attributes: ["exclusive": .int, "reverse": .int], shape: .likeFirst
    ) { node in
      CumulativeSum(
        isExclusive: try node.flag("exclusive"), isReversed: try node.flag("reverse"))
    },
  ]
}

extension ShapeRule {
  static let topK = ShapeRule { query in
    let input = try query.input(0)
    guard let count = try query.integers(1)?.first ?? query.info.int("k"), count >= 0 else {
      throw ShapeQuery.Unknown()
    }
    var shape = input.shape
    let axis = try query.normalizedAxis(query.info.int("axis", default: -1), rank: shape.count)
    guard count <= shape[axis] else { throw ShapeQuery.Unknown() }
    shape[axis] = count
    return [ValueFact(input.type, shape), ValueFact(.int64, shape)]
  }

  static let argument = ShapeRule { query in
    let input = try query.input(0)
    let axis = try query.normalizedAxis(query.info.int("axis", default: 0), rank: input.shape.count)
    return [
      try collapsed(
        ValueFact(.int64, input.shape), { $0 == axis },
        keeps: query.info.flag("keepdims", default: true))
    ]
  }
}

/// A tensor seen as lines along one axis.
package struct AxisLines {
  package let extent: Int
  package let stride: Int
  package let count: Int

  package init(_ shape: [Int], axis: Int) {
    extent = shape[axis]
    stride = shape[(axis + 1)...].reduce(1, *)
    count = shape[..<axis].reduce(1, *) * stride
  }

  /// The element at which a line starts; it goes on in steps of ``stride``.
  package func start(_ line: Int) -> Int {
    line / stride * stride * extent + line % stride
  }
}

extension KernelContext {
  /// Calls `body`, specialised, with the elements of a widened tensor.
  fileprivate func withComparable<Result>(
    _ tensor: Tensor, float32: (UnsafePointer<Float>) throws -> Result,
    float64: (UnsafePointer<Double>) throws -> Result,
    int64: (UnsafePointer<Int64>) throws -> Result,
    uint64: (UnsafePointer<UInt64>) throws -> Result
  ) throws -> Result {
    try withExtendedLifetime(tensor) {
      switch try computeType(of: tensor) {
      case .float32: return try float32(tensor.pointer(to: Float.self))
      case .float64: return try float64(tensor.pointer(to: Double.self))
      case .int64: return try int64(tensor.pointer(to: Int64.self))
      case .uint64: return try uint64(tensor.pointer(to: UInt64.self))
      }
    }
  }
}

/// The place of the greatest or least element.
private struct ArgumentOfExtreme: Kernel {
  private let axis: Int
  private let keepsDimension: Bool
  private let picksLast: Bool
  private let isMaximum: Bool

  init(_ node: NodeInfo, isMaximum: Bool) throws {
    axis = try node.int("axis", default: 0)
    keepsDimension = try node.flag("keepdims", default: true)
    picksLast = try node.flag("select_last_index")
    self.isMaximum = isMaximum
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    guard input.shape[axis] > 0 else { throw context.failure("axis \(axis) is empty") }
    var shape = input.shape
    shape[axis] = 1
    let output = try context.allocate(.int64, shape)
    let lines = AxisLines(input.shape, axis: axis)
    let to = output.mutablePointer(to: Int64.self)
    guard output.count > 0 else { return [output] }
    func find<Element: Comparable>(_ from: UnsafePointer<Element>) {
      context.parallel(lines.count, grain: max(1, 16_384 / lines.extent)) { range in
        for line in range { to[line] = Int64(place(from + lines.start(line), lines)) }
      }
    }
    try context.withComparable(
      context.widened(input), float32: find, float64: find, int64: find, uint64: find)
    if !keepsDimension { shape.remove(at: axis) }
    return [output.viewed(as: shape)]
  }

  @inline(__always)
  private func place<Element: Comparable>(
    _ from: UnsafePointer<Element>, _ lines: AxisLines
  ) -> Int {
    var best = 0
    for index in 1..<max(lines.extent, 1) {
      let value = from[index * lines.stride]
      let known = from[best * lines.stride]
      let isBetter = isMaximum ? value > known : value < known
      if isBetter || picksLast && value == known { best = index }
    }
    return best
  }
}

/// The greatest or least elements and their places.
///
/// Equal ones come in the order of their places; NaN counts as the greatest.
private struct TopK: Kernel {
  let k: Int?
  let axis: Int
  let isLargest: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    let given = try context.optionalInput(1, of: inputs).map { try context.integers($0) }
    guard let k = given?.first ?? k, k >= 0, k <= input.shape[axis] else {
      throw context.failure("k is \(given?.first ?? k ?? -1), the axis has \(input.shape[axis])")
    }
    var shape = input.shape
    shape[axis] = k
    let places = try context.allocate(.int64, shape)
    let value = try context.widened(input)
    let chosen = try context.allocate(value.elementType, shape)
    guard chosen.count > 0 else {
      return [try context.converted(chosen, to: input.elementType), places]
    }
    let lines = AxisLines(input.shape, axis: axis)
    let results = AxisLines(shape, axis: axis)
    let order = places.mutablePointer(to: Int64.self)
    func choose<Element: Comparable & TensorScalar>(_ from: UnsafePointer<Element>) {
      let to = chosen.mutablePointer(to: Element.self)
      context.parallel(lines.count, grain: max(1, 4096 / max(lines.extent, 1))) { range in
        var first = FirstOfLine(k, isLargest: isLargest)
        for line in range {
          let source = from + lines.start(line)
          var target = results.start(line)
          func put(_ place: Int) {
            to[target] = source[place * lines.stride]
            order[target] = Int64(place)
            target += results.stride
          }
          if let floats = source as? UnsafePointer<Float>, lines.extent <= UInt32.max {
            first.places(floats, stride: lines.stride, count: lines.extent).forEach(put)
          } else {
            self.order(source, lines).prefix(k).forEach(put)
          }
        }
      }
    }
    try context.withComparable(
      value, float32: choose, float64: choose, int64: choose, uint64: choose)
    return [try context.converted(chosen, to: input.elementType), places]
  }

  private func order<Element: Comparable>(
    _ from: UnsafePointer<Element>, _ lines: AxisLines
  ) -> [Int] {
    func isBefore(_ a: Int, _ b: Int) -> Bool {
      let (x, y) = (from[a * lines.stride], from[b * lines.stride])
      if x == y { return a < b }
      // Only NaN differs from itself.
      if x != x || y != y {
        if x != x, y != y { return a < b }
        return (x != x) == isLargest
      }
      return isLargest ? x > y : x < y
    }
    return (0..<lines.extent).sorted(by: isBefore)
  }
}

/// The different elements, or slices along an axis, sorted or in order of appearance.
///
/// With them come where they are first, which of them each element is, and how often each comes.
private struct Unique: Kernel {
  let axis: Int?
  let isSorted: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    var input = try context.input(0, of: inputs)
    if axis == nil { input = input.viewed(as: [input.count]) }
    let axis = try context.normalizedAxis(axis ?? 0, rank: input.rank)
    let lines = AxisLines(input.shape, axis: axis)
    // Slices become rows of elements that lie together.
    let order = [axis] + (0..<input.rank).filter { $0 != axis }
    let value = try context.widened(context.transposed(input, order))
    let width = lines.count
    let found = try context.withComparable(
      value, float32: { groups($0, lines.extent, width) },
      float64: { groups($0, lines.extent, width) }, int64: { groups($0, lines.extent, width) },
      uint64: { groups($0, lines.extent, width) })
    let firsts = try Tensor(shape: [found.first.count], found.first.map { Int64($0) })
    let values = try Gather(axis: axis).run([input, firsts], in: context)
    return [
      values[0], firsts, try Tensor(shape: [found.group.count], found.group),
      try Tensor(shape: [found.count.count], found.count),
    ]
  }

  private func groups<Element: Comparable>(
    _ from: UnsafePointer<Element>, _ rows: Int, _ width: Int
  ) -> (first: [Int], group: [Int64], count: [Int64]) {
    func compare(_ a: Int, _ b: Int) -> Int {
      for index in 0..<width {
        let (x, y) = (from[a * width + index], from[b * width + index])
        if x < y { return -1 }
        if x > y { return 1 }
        // NaN comes last, and no NaN is another.
        if x != y { return x == x ? -1 : y == y ? 1 : (a < b ? -1 : a > b ? 1 : 0) }
      }
      return 0
    }
    let sorted = (0..<rows).sorted { a, b in
      let order = compare(a, b)
      return order == 0 ? a < b : order < 0
    }
    var first: [Int] = []
    var members: [[Int]] = []
    for row in sorted {
      if let last = first.last, compare(last, row) == 0 {
        members[members.count - 1].append(row)
      } else {
        first.append(row)
        members.append([row])
      }
    }
    if !isSorted {
      let order = first.indices.sorted { first[$0] < first[$1] }
      first = order.map { first[$0] }
      members = order.map { members[$0] }
    }
    var group = [Int64](repeating: 0, count: rows)
    for (number, rows) in members.enumerated() {
      for row in rows { group[row] = Int64(number) }
    }
    return (first, group, members.map { Int64($0.count) })
  }
}

/// Running sums.
private struct CumulativeSum: Kernel {
  let isExclusive: Bool
  let isReversed: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard let given = try context.integers(context.input(1, of: inputs)).first else {
      throw context.failure("the axis is missing")
    }
    let axis = try context.normalizedAxis(given, rank: input.rank)
    let lines = AxisLines(input.shape, axis: axis)
    let value = try context.widened(input)
    let sums = try context.allocate(value.elementType, input.shape)
    guard sums.count > 0 else { return [try context.converted(sums, to: input.elementType)] }
    func sum<Element: TensorScalar>(
      _ zero: Element, _ from: UnsafePointer<Element>, _ add: (Element, Element) -> Element
    ) {
      let to = sums.mutablePointer(to: Element.self)
      for line in 0..<lines.count {
        let start = lines.start(line)
        var total = zero
        for step in 0..<lines.extent {
          let place = start + (isReversed ? lines.extent - 1 - step : step) * lines.stride
          let next = add(total, from[place])
          to[place] = isExclusive ? total : next
          total = next
        }
      }
    }
    try context.withComparable(
      value, float32: { sum(0, $0, +) }, float64: { sum(0, $0, +) },
      int64: { sum(0, $0, &+) }, uint64: { sum(0, $0, &+) })
    return [try context.converted(sums, to: input.elementType)]
  }
}
