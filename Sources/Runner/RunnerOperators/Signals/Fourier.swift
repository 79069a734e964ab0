import Foundation
import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Spectra of signals.
  package static let spectra: [Operator] = [
    Operator(
      "DFT", versions: [17, 20], inputs: 1...3, types: .real,
      attributes: ["axis": .int, "inverse": .int, "onesided": .int], shape: .fourier,
      limits: "Not `inverse` and `onesided` together."
    ) { try DiscreteFourierTransform($0) },
    Operator(
      "STFT", versions: [17], inputs: 2...4, types: .real, attributes: ["onesided": .int],
      shape: .shortTimeFourier
    ) { ShortTimeFourierTransform(isOneSided: try $0.flag("onesided", default: true)) },
    Operator(
      "MelWeightMatrix", versions: [17], inputs: 5...5, types: ElementTypes([.int32, .int64]),
      attributes: ["output_datatype": .int], shape: .melWeights
    ) { MelWeightMatrix(type: try $0.elementType("output_datatype") ?? .float32) },
  ]
}

extension ShapeRule {
  fileprivate static let fourier = ShapeRule { query in
    let transform = try DiscreteFourierTransform(query.info)
    let input = try query.input(0)
    let axis = try transform.axis(of: query.integers(2), shape: input.shape, query)
    let length = try query.integers(1)?.first ?? input.shape[axis]
    guard length > 0 else { throw ShapeQuery.Unknown() }
    return [ValueFact(input.type, transform.shape(input.shape, axis: axis, length: length))]
  }

  fileprivate static let shortTimeFourier = ShapeRule { query in
    let input = try query.input(0)
    let window = query.isGiven(2) ? try query.shape(2).first : nil
    guard 2...3 ~= input.shape.count, let step = try query.integers(1)?.first,
      let length = try query.integers(3)?.first ?? window
    else { throw ShapeQuery.Unknown() }
    let form = ShortTimeFourierTransform(isOneSided: try query.info.flag("onesided", default: true))
    return [ValueFact(input.type, try form.shape(input.shape, step: step, length: length, query))]
  }

  fileprivate static let melWeights = ShapeRule { query in
    guard let bins = try query.integers(0)?.first, let length = try query.integers(1)?.first,
      bins >= 0, length >= 0
    else { throw ShapeQuery.Unknown() }
    return [
      ValueFact(try query.info.elementType("output_datatype") ?? .float32, [length / 2 + 1, bins])
    ]
  }
}

/// Transforms of one length, in `float64`.
///
/// For powers of two it uses Cooley and Tukey's method ("An algorithm for the machine calculation
/// of complex Fourier series", 1965). Other lengths are a convolution whose length is such a power
/// (Bluestein, "A linear filtering approach to the computation of discrete Fourier transform",
/// 1970).
private struct FourierTransform {
  /// The longest one.
  static let maximumLength = 1 << 28

  let length: Int
  /// The power of two that is transformed.
  let size: Int
  /// Real and imaginary parts one after the other, as in all memory here: half a turn in `size / 2` steps.
  private let roots: Tensor
  /// A turn that becomes faster from step to step, and the transform of its opposite; nil for powers of two.
  private let chirp: (Tensor, transform: Tensor)?

  init(length: Int, in context: KernelContext) throws {
    guard length > 0, length <= Self.maximumLength else {
      throw context.failure("a Fourier transform of \(length) elements")
    }
    self.length = length
    let isPower = length & (length - 1) == 0
    var size = 1
    while size < (isPower ? length : 2 * length - 1) { size *= 2 }
    self.size = size
    roots = try context.allocate(.float64, [max(size / 2, 1), 2])
    let root = roots.mutablePointer(to: Double.self)
    for index in 0..<max(size / 2, 1) {
      let angle = -2 * Double.pi * Double(index) / Double(size)
      (root[2 * index], root[2 * index + 1]) = (cos(angle), sin(angle))
    }
    guard !isPower else {
      chirp = nil
      return
    }
    let turns = try context.allocate(.float64, [length, 2])
    let transform = try context.allocate(.float64, [size, 2])
    let (turn, to) = (
      turns.mutablePointer(to: Double.self), transform.mutablePointer(to: Double.self)
    )
    to.update(repeating: 0, count: 2 * size)
    for index in 0..<length {
      let angle = -Double.pi * Double(index * index % (2 * length)) / Double(length)
      (turn[2 * index], turn[2 * index + 1]) = (cos(angle), sin(angle))
      for place in [index, (size - index) % size] {
        (to[2 * place], to[2 * place + 1]) = (cos(angle), -sin(angle))
      }
    }
    Self.transform(to, size, root)
    chirp = (turns, transform)
  }

  /// How many floats of scratch memory a transform takes.
  var scratchCount: Int { 4 * size }

  /// Transforms the first `length` numbers in place; there is room for `size` of them.
  func callAsFunction(_ values: UnsafeMutablePointer<Double>) {
    let root = roots.pointer(to: Double.self)
    guard let chirp else {
      Self.transform(values, size, root)
      return
    }
    let turn = chirp.0.pointer(to: Double.self)
    let kernel = chirp.transform.pointer(to: Double.self)
    for index in 0..<length { Self.multiply(values, turn, index) }
    (values + 2 * length).update(repeating: 0, count: 2 * (size - length))
    Self.transform(values, size, root)
    // The way back is the way there with the sign of the imaginary part changed before and after.
    for index in 0..<size {
      Self.multiply(values, kernel, index)
      values[2 * index + 1].negate()
    }
    Self.transform(values, size, root)
    let factor = 1 / Double(size)
    for index in 0..<length {
      values[2 * index] *= factor
      values[2 * index + 1] *= -factor
      Self.multiply(values, turn, index)
    }
  }

  @inline(__always)
  private static func multiply(
    _ values: UnsafeMutablePointer<Double>, _ others: UnsafePointer<Double>, _ index: Int
  ) {
    let (a, b) = (values[2 * index], values[2 * index + 1])
    let (c, d) = (others[2 * index], others[2 * index + 1])
    values[2 * index] = a * c - b * d
    values[2 * index + 1] = a * d + b * c
  }

  private static func transform(
    _ values: UnsafeMutablePointer<Double>, _ size: Int, _ root: UnsafePointer<Double>
  ) {
    var reversed = 0
    for index in 1..<max(size, 1) {
      var bit = size >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed {
        swap(&values[2 * index], &values[2 * reversed])
        swap(&values[2 * index + 1], &values[2 * reversed + 1])
      }
    }
    var half = 1
    while half < size {
      let step = size / (2 * half)
      for start in stride(from: 0, to: size, by: 2 * half) {
        for index in 0..<half {
          let (c, d) = (root[2 * index * step], root[2 * index * step + 1])
          let (first, second) = (2 * (start + index), 2 * (start + index + half))
          let real = values[second] * c - values[second + 1] * d
          let imaginary = values[second] * d + values[second + 1] * c
          (values[second], values[second + 1]) = (
            values[first] - real, values[first + 1] - imaginary
          )
          (values[first], values[first + 1]) = (values[first] + real, values[first + 1] + imaginary)
        }
      }
      half *= 2
    }
  }
}

/// The spectrum of a signal along one axis, or the signal of a spectrum.
private struct DiscreteFourierTransform: Kernel {
  private let isInverse: Bool
  private let isOneSided: Bool
  /// Opset 20 made it an input.
  private let fixedAxis: Int?

  init(_ node: NodeInfo) throws {
    isInverse = try node.flag("inverse")
    isOneSided = try node.flag("onesided")
    fixedAxis = node.opset < 20 ? try node.int("axis", default: 1) : nil
    if isInverse, isOneSided { throw node.unsupported("inverse and onesided together") }
  }

  func axis<Context: ShapeContext>(
    of given: [Int]?, shape: [Int], _ context: Context
  ) throws -> Int {
    guard shape.count >= 2, let parts = shape.last, parts == 1 || parts == 2,
      !isOneSided || parts == 1
    else { throw context.failure("a signal of shape \(shape)") }
    let axis = try context.normalizedAxis(fixedAxis ?? given?.first ?? -2, rank: shape.count)
    guard axis < shape.count - 1 else {
      throw context.failure("axis \(axis) holds the parts of numbers")
    }
    return axis
  }

  func shape(_ input: [Int], axis: Int, length: Int) -> [Int] {
    var shape = input
    shape[axis] = isOneSided ? length / 2 + 1 : length
    shape[shape.count - 1] = 2
    return shape
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    guard given.elementType.isFloatingPoint else {
      throw context.failure("elements are \(given.elementType)")
    }
    let axis = try axis(
      of: context.optionalInput(2, of: inputs).map { try context.integers($0) },
      shape: given.shape, context)
    let length =
      try context.optionalInput(1, of: inputs).map { try context.integer($0) }
      ?? given.shape[axis]
    let transform = try FourierTransform(length: length, in: context)
    let input = try context.converted(given, to: .float64)
    let output = try context.allocate(
      .float64, shape(given.shape, axis: axis, length: length))
    let parts = given.shape[given.rank - 1]
    let lines = AxisLines(Array(given.shape.dropLast()), axis: axis)
    let results = AxisLines(Array(output.shape.dropLast()), axis: axis)
    let known = min(length, lines.extent)
    let (from, to) = (input.pointer(to: Double.self), output.mutablePointer(to: Double.self))
    let factor = isInverse ? 1 / Double(length) : 1
    try context.parallel(lines.count, scratch: transform.scratchCount) { line, scratch in
      let values = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Double.self)
      values.update(repeating: 0, count: 2 * length)
      let (start, target) = (lines.start(line), results.start(line))
      for index in 0..<known {
        let place = (start + index * lines.stride) * parts
        values[2 * index] = from[place]
        if parts == 2 { values[2 * index + 1] = isInverse ? -from[place + 1] : from[place + 1] }
      }
      transform(values)
      for index in 0..<results.extent {
        let place = (target + index * results.stride) * 2
        to[place] = values[2 * index] * factor
        to[place + 1] = (isInverse ? -values[2 * index + 1] : values[2 * index + 1]) * factor
      }
    }
    return [
      try withExtendedLifetime(input) { try context.converted(output, to: given.elementType) }
    ]
  }
}

/// The spectra of pieces of a signal, which may overlap and may be weighted by a window.
private struct ShortTimeFourierTransform: Kernel {
  let isOneSided: Bool

  /// How many numbers an element of a signal `[batch, length, parts]` has.
  ///
  /// Exporters leave the last dimension of a real signal out, and ONNX Runtime takes that.
  private static func parts(of input: [Int]) -> Int { input.count == 3 ? input[2] : 1 }

  func shape<Context: ShapeContext>(
    _ input: [Int], step: Int, length: Int, _ context: Context
  ) throws -> [Int] {
    let parts = Self.parts(of: input)
    guard 2...3 ~= input.count, parts == 1 || parts == 2, step > 0, length > 0,
      length <= input[1], !isOneSided || parts == 1
    else {
      throw context.failure(
        "pieces of \(length) every \(step) elements of a signal of shape \(input)")
    }
    return [input[0], (input[1] - length) / step + 1, isOneSided ? length / 2 + 1 : length, 2]
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let step = try context.integer(context.input(1, of: inputs))
    let window = try context.optionalInput(2, of: inputs).map {
      try context.converted($0, to: .float64)
    }
    guard
      let length = try context.optionalInput(3, of: inputs).map({ try context.integer($0) })
        ?? window?.count
    else { throw context.failure("neither a window nor the length of pieces is given") }
    guard given.elementType.isFloatingPoint, window?.count ?? length == length else {
      throw context.failure(
        "elements are \(given.elementType), the window has \(window?.count ?? 0) for \(length)")
    }
    let shape = try shape(given.shape, step: step, length: length, context)
    let transform = try FourierTransform(length: length, in: context)
    let input = try context.converted(given, to: .float64)
    let output = try context.allocate(.float64, shape)
    let parts = Self.parts(of: given.shape)
    let (pieces, bins) = (shape[1], shape[2])
    let (from, to) = (input.pointer(to: Double.self), output.mutablePointer(to: Double.self))
    let weights = window?.pointer(to: Double.self)
    try context.parallel(shape[0] * pieces, scratch: transform.scratchCount) { item, scratch in
      let values = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Double.self)
      let start = item / pieces * given.shape[1] + item % pieces * step
      for index in 0..<length {
        let weight = weights?[index] ?? 1
        values[2 * index] = from[(start + index) * parts] * weight
        values[2 * index + 1] = parts == 2 ? from[(start + index) * 2 + 1] * weight : 0
      }
      transform(values)
      (to + item * bins * 2).update(from: values, count: bins * 2)
    }
    return [
      try withExtendedLifetime((input, window)) {
        try context.converted(output, to: given.elementType)
      }
    ]
  }
}

/// Triangles over the bins of a spectrum that are of equal width to the ear.
///
/// Its scale is 2595 log10(1 + f / 700) (O'Shaughnessy, "Speech communication", 1987).
private struct MelWeightMatrix: Kernel {
  let type: ElementType

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let numbers = try (0..<5).map { index -> Double in
      let tensor = try context.input(index, of: inputs)
      guard tensor.count == 1 else { throw context.failure("input \(index) is not one number") }
      return try context.converted(tensor, to: .float64).array(of: Double.self)[0]
    }
    let (bins, length) = (
      Int(Int64(clampingValue: numbers[0])), Int(Int64(clampingValue: numbers[1]))
    )
    let (rate, low, high) = (numbers[2], numbers[3], numbers[4])
    let sizes = 0...1 << 30
    guard sizes.contains(bins), sizes.contains(length), rate > 0, low >= 0, high >= low,
      high.isFinite
    else { throw context.failure("\(bins) bins of \(length) samples at \(rate) a second") }
    let rows = length / 2 + 1
    let output = try context.allocate(.float64, [rows, bins])
    let to = output.mutablePointer(to: Double.self)
    to.update(repeating: 0, count: output.count)
    func mel(_ frequency: Double) -> Double { 2595 * log10(1 + frequency / 700) }
    let step = (mel(high) - mel(low)) / Double(bins + 2)
    func edge(_ index: Int) -> Int {
      let frequency = 700 * (pow(10, (mel(low) + Double(index) * step) / 2595) - 1)
      return Int(Int64(clampingValue: (Double(length + 1) * frequency / rate).rounded(.down)))
    }
    for bin in 0..<bins {
      let (first, center, last) = (edge(bin), edge(bin + 1), edge(bin + 2))
      // The formula with its last bin not reached, as ONNX has it.
      guard first >= 0, last <= rows, center < rows else {
        throw context.failure("frequencies up to \(high) of signals of \(rate) samples a second")
      }
      if first == center {
        to[center * bins + bin] = 1
      } else {
        for row in first...center {
          to[row * bins + bin] = Double(row - first) / Double(center - first)
        }
      }
      for row in center..<max(center, last) {
        to[row * bins + bin] = Double(last - row) / Double(last - center)
      }
    }
    return [try context.converted(output, to: type)]
  }
}
