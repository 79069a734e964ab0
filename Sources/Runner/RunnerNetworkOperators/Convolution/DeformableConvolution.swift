import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Convolutions that look where another tensor says.
  package static let deformable: [Operator] = [
    Operator(
      "DeformConv", versions: [19, 22], inputs: 3...5, types: .real,
      attributes: [
        "dilations": .ints, "group": .int, "kernel_shape": .ints, "offset_group": .int,
        "pads": .ints, "strides": .ints,
      ],
      shape: .deformable, cost: .deformable, traits: [.widens],
      limits: "Two spatial dimensions."
    ) { try DeformableConvolution($0) }
  ]
}

extension ShapeRule {
  fileprivate static let deformable = ShapeRule { query in
    let form = try DeformableConvolution(query.info)
    let (input, weights) = (try query.input(0), try query.shape(1))
    guard input.shape.count == 4, weights.count == 4 else { throw ShapeQuery.Unknown() }
    let size = try form.outputSize(input.shape, weights, query)
    return [ValueFact(input.type, [input.shape[0], weights[0]] + size)]
  }
}

extension OperationCount {
  fileprivate static let deformable = OperationCount { query in
    query.shape(1).flatMap { product([2] + query.result + $0.dropFirst()) }
  }
}

/// A convolution in which every output pixel moves the elements of the kernel to places of its own.
///
/// The places are between pixels (Dai et al., "Deformable convolutional networks", 2017). Each
/// element may also have a weight there (Zhu et al., "Deformable ConvNets v2", 2018).
private struct DeformableConvolution: Kernel {
  private let group: Int
  private let offsetGroup: Int
  private let dilations: [Int]
  private let pads: [Int]
  private let strides: [Int]
  private let kernelShape: [Int]?

  /// The number of output pixels for which a thread gathers the kernel's inputs at a time.
  private static let piece = 256

  init(_ node: NodeInfo) throws {
    group = try node.int("group", default: 1)
    offsetGroup = try node.int("offset_group", default: 1)
    dilations = try node.ints("dilations") ?? [1, 1]
    pads = try node.ints("pads") ?? [0, 0, 0, 0]
    strides = try node.ints("strides") ?? [1, 1]
    kernelShape = try node.ints("kernel_shape")
    // What no sum or product of a few of overflows.
    let sizes = 1...1 << 24
    guard dilations.count == 2, strides.count == 2, pads.count == 4,
      ([group, offsetGroup] + dilations + strides).allSatisfy(sizes.contains),
      pads.allSatisfy({ $0 == 0 || sizes.contains($0) })
    else {
      throw node.unsupported(
        "groups \(group) and \(offsetGroup), strides \(strides), pads \(pads), dilations \(dilations)"
      )
    }
  }

  func outputSize<Context: ShapeContext>(
    _ input: [Int], _ weights: [Int], _ context: Context
  ) throws -> [Int] {
    try (0..<2).map { axis in
      let (kernel, extent) = (weights[2 + axis], input[2 + axis])
      guard kernel > 0, kernel <= 1 << 24, extent <= 1 << 40 else {
        throw context.failure("a kernel of shape \(weights) for an input of \(input)")
      }
      let room = extent + pads[axis] + pads[2 + axis] - (kernel - 1) * dilations[axis] - 1
      guard room >= 0 else {
        throw context.failure("a kernel of shape \(weights) does not fit an input of \(input)")
      }
      return room / strides[axis] + 1
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let tensors = try inputs.map { try $0.map { try real($0, in: context) } }
    let input = try context.input(0, of: tensors)
    let weights = try context.input(1, of: tensors)
    let offsets = try context.input(2, of: tensors)
    guard input.rank == 4, weights.rank == 4,
      kernelShape ?? [] == [] || kernelShape == Array(weights.shape[2...]),
      input.shape[1] % group == 0, input.shape[1] / group == weights.shape[1],
      weights.shape[0] % group == 0,
      input.shape[1] % offsetGroup == 0, weights.shape[0] > 0, weights.shape[1] > 0
    else {
      throw context.failure(
        "an input of \(input.shape), weights of \(weights.shape) and \(group) groups")
    }
    let size = try outputSize(input.shape, weights.shape, context)
    let taps = weights.shape[2] * weights.shape[3]
    let (batch, channels) = (input.shape[0], weights.shape[0])
    let bias = context.optionalInput(3, of: tensors)
    let mask = context.optionalInput(4, of: tensors)
    guard offsets.shape == [batch, offsetGroup * taps * 2] + size,
      mask.map({ $0.shape == [batch, offsetGroup * taps] + size }) ?? true,
      bias.map({ $0.shape == [channels] }) ?? true
    else {
      throw context.failure(
        "offsets of \(offsets.shape), mask of \(mask?.shape ?? []), bias of \(bias?.shape ?? []) for "
          + "\(offsetGroup) groups of \(taps) and an output of \(size)")
    }
    let output = try context.allocate(.float32, [batch, channels] + size)
    guard output.count > 0 else { return [try context.converted(output, to: given.elementType)] }
    let depth = weights.shape[1] * taps
    let (rows, pixels) = (channels / group, size[0] * size[1])
    guard max(rows, depth, pixels) <= GEMM.maximumExtent else {
      throw context.failure("the tensors are too large")
    }
    let pieces = (pixels - 1) / Self.piece + 1
    let target = output.mutablePointer(to: Float.self)
    try context.parallel(batch * group * pieces, scratch: depth * Self.piece) { item, scratch in
      let first = item % pieces * Self.piece
      let range = first..<min(first + Self.piece, pixels)
      let (image, part) = (item / pieces / group, item / pieces % group)
      gather(
        input, offsets, mask, image: image,
        channels: part * weights.shape[1]..<(part + 1) * weights.shape[1],
        weights.shape, size, range, to: scratch)
      let to = target + (image * channels + part * rows) * pixels + first
      if let bias {
        let values = bias.pointer(to: Float.self) + part * rows
        for row in 0..<rows {
          (to + row * pixels).update(repeating: values[row], count: range.count)
        }
      }
      GEMM.multiply(
        rows: rows, columns: range.count, depth: depth,
        .init(pointer: weights.pointer(to: Float.self) + part * rows * depth, stride: depth),
        .init(pointer: scratch, stride: Self.piece), beta: bias == nil ? 0 : 1, into: to,
        stride: pixels)
    }
    return [try context.converted(output, to: given.elementType)]
  }

  private func real(_ tensor: Tensor, in context: KernelContext) throws -> Tensor {
    guard tensor.elementType.isFloatingPoint else {
      throw context.failure("elements are \(tensor.elementType)")
    }
    return try context.converted(tensor, to: .float32)
  }

  /// The place at which an element of the kernel looks for one output pixel; all channels of a group
  /// have the same.
  private struct Place {
    /// The pixel above and left of it, if all four around it are in the image; otherwise negative.
    var index: Int
    var y: Float
    var x: Float
    /// The share of the lower and of the right pixels.
    var down: Float
    var right: Float
    var factor: Float
  }

  /// What the kernel sees of some channels at the output pixels of `range`: a row for each of its elements.
  private func gather(
    _ input: Tensor, _ offsets: Tensor, _ mask: Tensor?, image: Int, channels: Range<Int>,
    _ weights: [Int], _ size: [Int], _ range: Range<Int>, to target: UnsafeMutablePointer<Float>
  ) {
    let (height, width) = (input.shape[2], input.shape[3])
    let taps = weights[2] * weights[3]
    let perGroup = input.shape[1] / offsetGroup
    let planes = input.pointer(to: Float.self) + image * input.shape[1] * height * width
    withUnsafeTemporaryAllocation(of: Place.self, capacity: range.count) { places in
      var channel = channels.lowerBound
      while channel < channels.upperBound {
        let end = min((channel / perGroup + 1) * perGroup, channels.upperBound)
        for tap in 0..<taps {
          find(
            places, offsets, mask, image: image, group: channel / perGroup, tap: tap,
            kernel: weights, input: input.shape, size, range)
          for member in channel..<end {
            let plane = planes + member * height * width
            let row = target + ((member - channels.lowerBound) * taps + tap) * Self.piece
            for (index, place) in places.enumerated() {
              row[index] = place.factor * sample(plane, height, width, place)
            }
          }
        }
        channel = end
      }
    }
  }

  /// The places where an element of the kernel looks for the output pixels of `range`.
  private func find(
    _ places: UnsafeMutableBufferPointer<Place>, _ offsets: Tensor, _ mask: Tensor?, image: Int,
    group: Int, tap: Int, kernel: [Int], input: [Int], _ size: [Int], _ range: Range<Int>
  ) {
    let (height, width) = (input[2], input[3])
    let (taps, pixels) = (kernel[2] * kernel[3], size[0] * size[1])
    let place = (image * offsetGroup + group) * taps + tap
    let shifts = offsets.pointer(to: Float.self) + 2 * place * pixels
    let factors = mask.map { $0.pointer(to: Float.self) + place * pixels }
    for (index, pixel) in range.enumerated() {
      let row = pixel / size[1] * strides[0] - pads[0] + tap / kernel[3] * dilations[0]
      let column = pixel % size[1] * strides[1] - pads[1] + tap % kernel[3] * dilations[1]
      let (y, x) = (Float(row) + shifts[pixel], Float(column) + shifts[pixels + pixel])
      var found = Place(index: -1, y: y, x: x, down: 0, right: 0, factor: factors?[pixel] ?? 1)
      // Comparisons with NaN are false.
      if y >= 0, x >= 0, y < Float(height - 1), x < Float(width - 1) {
        let (top, left) = (Int(y), Int(x))
        found.index = top * width + left
        (found.down, found.right) = (y - Float(top), x - Float(left))
      }
      places.initializeElement(at: index, to: found)
    }
  }

  /// The value at a place.
  @inline(__always)
  private func sample(
    _ plane: UnsafePointer<Float>, _ height: Int, _ width: Int, _ place: Place
  ) -> Float {
    guard place.index >= 0 else { return sample(plane, height, width, place.y, place.x) }
    let (upper, lower) = (plane + place.index, plane + place.index + width)
    let (down, right) = (place.down, place.right)
    return (1 - down) * ((1 - right) * upper[0] + right * upper[1])
      + down * ((1 - right) * lower[0] + right * lower[1])
  }

  /// The value between pixels; what lies outside is 0.
  private func sample(
    _ plane: UnsafePointer<Float>, _ height: Int, _ width: Int, _ y: Float, _ x: Float
  ) -> Float {
    guard y > -1, y < Float(height), x > -1, x < Float(width) else { return 0 }
    let (top, left) = (Int(y.rounded(.down)), Int(x.rounded(.down)))
    let (down, right) = (y - Float(top), x - Float(left))
    func pixel(_ row: Int, _ column: Int) -> Float {
      row >= 0 && row < height && column >= 0 && column < width ? plane[row * width + column] : 0
    }
    return (1 - down) * ((1 - right) * pixel(top, left) + right * pixel(top, left + 1))
      + down * ((1 - right) * pixel(top + 1, left) + right * pixel(top + 1, left + 1))
  }
}
