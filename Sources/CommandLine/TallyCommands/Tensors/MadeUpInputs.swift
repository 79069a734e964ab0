import CommandKit
import ONNXRunner

/// Tensors for timing a model: right in shape and type, meaningless in content.
struct MadeUpInputs {
  /// The first side of every input; nil is as declared, or 1.
  let batch: Int?
  /// Shapes for single inputs.
  let shapes: [NamedShape]

  /// More elements than this in one input are taken for a slip of the pen.
  static let mostElements = 1 << 28

  /// A tensor for each input, the same at every call.
  ///
  /// Floating-point numbers lie in -1...1 and bytes in 0...255, pseudo-random; other integers are
  /// 0, which is an index that is always there; truth values are true.
  ///
  /// - Throws: ``UsageError`` for a shape whose input does not exist or that is too large.
  func tensors(for inputs: [ValueDescription]) throws -> [String: Tensor] {
    for shape in shapes where !inputs.contains(where: { $0.name == shape.name }) {
      let names = inputs.map(\.name)
      throw UsageError(
        "--shape names no input of the model: '\(shape.name)'; it takes \(Sentence.all(names))")
    }
    var tensors: [String: Tensor] = [:]
    for input in inputs { tensors[input.name] = try tensor(for: input) }
    return tensors
  }

  /// The shape for one input.
  ///
  /// Sides that the model leaves open become: the first one the batch, of four sides the second 3
  /// (channels) and the others 224 (an image), any other 16.
  func shape(for input: ValueDescription) throws -> [Int] {
    let shape: [Int]
    if let given = shapes.last(where: { $0.name == input.name }) {
      shape = given.shape
    } else if let declared = input.shape {
      shape = declared.enumerated().map { index, side in
        if index == 0, let batch { return batch }
        if case .fixed(let extent) = side { return extent }
        return index == 0 ? 1 : declared.count != 4 ? 16 : index == 1 ? 3 : 224
      }
    } else {
      throw UsageError(
        "the model does not say how many sides its input '\(input.name)' has; "
          + "give --shape \(input.name)=SHAPE")
    }
    var count = 1
    for side in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: side)
      guard !overflow, product <= Self.mostElements else {
        let text = shape.map(String.init).joined(separator: "x")
        throw UsageError(
          "input '\(input.name)' would be \(text), more than \(Self.mostElements) numbers")
      }
      count = product
    }
    return shape
  }

  private func tensor(for input: ValueDescription) throws -> Tensor {
    let shape = try shape(for: input)
    let count = shape.reduce(1, *)
    switch input.elementType {
    case .float32:
      return try Tensor(shape: shape, of: Float.self) { elements in
        var noise = Noise()
        for index in elements.indices { elements[index] = noise.next() }
      }
    case .uint8:
      var noise = Noise()
      return try Tensor(
        shape: shape, (0..<count).map { _ in UInt8((noise.next() + 1) * 127) })
    case let type where type.isFloatingPoint:
      var noise = Noise()
      return try Tensor(shape: shape, (0..<count).map { _ in noise.next() })
        .converted(to: input.elementType)
    case .bool:
      return try Tensor(shape: shape, [Bool](repeating: true, count: count))
    case .string:
      return try Tensor(shape: shape, strings: [String](repeating: "", count: count))
    default:
      return try Tensor(shape: shape, [Int64](repeating: 0, count: count))
        .converted(to: input.elementType)
    }
  }

  /// Numbers in -1...1 from a linear congruential generator (Knuth's MMIX constants).
  private struct Noise {
    private var state: UInt64 = 1

    mutating func next() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 32)) / 0x1p31
    }
  }
}
