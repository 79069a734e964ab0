import RunnerGraph
import RunnerTensors

/// A copy of a tensor with margins, row by row.
struct Margins {
  private let input: [Int]
  private let output: [Int]
  /// How wide the margins before each dimension are; negative ones cut.
  private let before: [Int]
  /// The place within an extent that stands for one that may be outside of it; -1 for the constant.
  private let place: (_ place: Int, _ extent: Int) -> Int
  /// The last dimension that changes: what lies within each of its places is copied as it is.
  private let axis: Int
  /// Elements within one of its places.
  private let inner: Int

  init(
    input: [Int], output: [Int], before: [Int],
    place: @escaping (_ place: Int, _ extent: Int) -> Int
  ) {
    self.input = input
    self.output = output
    self.before = before
    self.place = place
    axis =
      input.indices.last { before[$0] != 0 || output[$0] != input[$0] } ?? max(input.count - 1, 0)
    inner = input.isEmpty ? 1 : input[(axis + 1)...].reduce(1, *)
  }

  /// Fills `output`; `filler` is the constant.
  func fill(
    _ output: Tensor, from source: Tensor, filler: UnsafeRawPointer?, in context: KernelContext
  ) {
    switch source.elementType.byteCount {
    case 1: fill(output, source, filler, UInt8.self, in: context)
    case 2: fill(output, source, filler, UInt16.self, in: context)
    case 4: fill(output, source, filler, UInt32.self, in: context)
    default: fill(output, source, filler, UInt64.self, in: context)
    }
  }

  private func fill<Element: BitwiseCopyable>(
    _ output: Tensor, _ tensor: Tensor, _ filler: UnsafeRawPointer?, _: Element.Type,
    in context: KernelContext
  ) {
    let to = output.mutableBytes.assumingMemoryBound(to: Element.self)
    let from = tensor.bytes.assumingMemoryBound(to: Element.self)
    let constant = filler.map { $0.loadUnaligned(as: Element.self) }
    guard !input.isEmpty else {
      to[0] = from[0]
      return
    }
    let (columns, extent, shift) = (self.output[axis], input[axis], before[axis])
    // Places that lie on the input; with wide cuts there may be none.
    let first = min(max(shift, 0), columns)
    let last = max(first, min(columns, shift + extent))
    // The places that the sides repeat, if they are worth noting.
    let isNoted = first + columns - last <= 1 << 12
    let noted = isNoted ? sides(0..<first) + sides(last..<columns) : []
    let width = columns * inner
    let rows = output.count / width
    context.parallel(rows, grain: max(1, 32_768 / width)) { range in
      for row in range {
        let line = to + row * width
        guard let start = inputRow(of: row) else {
          if let constant { line.update(repeating: constant, count: width) }
          continue
        }
        let values = from + start * extent * inner
        func copy(_ column: Int, _ place: Int) {
          let target = line + column * inner
          if inner == 1 {
            if place >= 0 {
              target[0] = values[place]
            } else if let constant {
              target[0] = constant
            }
          } else if place >= 0 {
            target.update(from: values + place * inner, count: inner)
          } else if let constant {
            target.update(repeating: constant, count: inner)
          }
        }
        for (column, place) in noted { copy(column, place) }
        if first < last {
          (line + first * inner).update(
            from: values + (first - shift) * inner, count: (last - first) * inner)
        }
        guard !isNoted else { continue }
        for column in 0..<first { copy(column, place(column - shift, extent)) }
        for column in last..<columns { copy(column, place(column - shift, extent)) }
      }
    }
  }

  /// Places of the output along the axis with those that they repeat.
  private func sides(_ columns: Range<Int>) -> [(column: Int, place: Int)] {
    columns.map { ($0, place($0 - before[axis], input[axis])) }
  }

  /// The input's row for one of the output; nil for one of the constant.
  private func inputRow(of row: Int) -> Int? {
    var rest = row
    var source = 0
    var stride = 1
    for axis in (0..<axis).reversed() {
      let place = place(rest % output[axis] - before[axis], input[axis])
      guard place >= 0 else { return nil }
      source += place * stride
      stride *= input[axis]
      rest /= output[axis]
    }
    return source
  }
}
