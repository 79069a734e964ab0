import RunnerTensors
import _RunnerKernels

/// The weights of an integer product in the kernel's form.
struct PackedBytes: Sendable {
  let outputs: Int
  let inputs: Int
  let taps: Int
  /// Signed weights; see `rk_q8_pack_weights`.
  let storage: TensorStorage
  /// The sum of each output's weights.
  let sums: [Int32]
  /// Each output's zero point; nil if all are zero.
  let zeros: TensorStorage?

  /// The distances between neighbouring outputs, inputs and taps, in bytes.
  struct Steps {
    var output: Int
    var input: Int
    var tap: Int
  }

  /// Packs 8-bit weights; `zeros` are none, one, or one per output.
  init(
    _ weights: UnsafePointer<UInt8>, isSigned: Bool, steps: Steps, zeros given: [Int32],
    outputs: Int, inputs: Int, taps: Int
  ) {
    self.outputs = outputs
    self.inputs = inputs
    self.taps = taps
    // Unsigned weights become signed if 128 is subtracted from them and from their zero point.
    let shift: Int32 = isSigned ? 0 : 128
    let padded = (outputs + 15) / 16 * 16
    let each = (0..<padded).map { output -> Int32 in
      guard output < outputs else { return 0 }
      return (given.count == 1 ? given[0] : given.isEmpty ? 0 : given[output]) - shift
    }
    zeros = each.allSatisfy { $0 == 0 } ? nil : TensorStorage(copying: each)
    storage = TensorStorage(
      allocating: rk_q8_packed_size(outputs, inputs, taps, zeros == nil ? 0 : 1))
    var sums = [Int32](repeating: 0, count: padded)
    rk_q8_pack_weights(
      weights, steps.output, steps.input, steps.tap, isSigned ? 0 : 128,
      storage.base.assumingMemoryBound(to: Int8.self), &sums, outputs, inputs, taps,
      zeros == nil ? 0 : 1)
    self.sums = sums
  }

  var pointer: UnsafePointer<Int8> {
    UnsafePointer(storage.base.assumingMemoryBound(to: Int8.self))
  }

  var zerosPointer: UnsafePointer<Int32>? {
    zeros.map { UnsafePointer($0.base.assumingMemoryBound(to: Int32.self)) }
  }

  /// The offsets of sums over inputs whose zero point is `zero`, including the bias, in blocks of 16.
  func offsets(inputZero zero: Int32, bias: UnsafePointer<Int32>? = nil) -> [Int32] {
    let count = Int32(truncatingIfNeeded: inputs * taps)
    let zeros = zerosPointer
    return sums.indices.map { output -> Int32 in
      // (x - a) (w - b) = x w - a w - b x + a b, of which the sum over b x depends on the input.
      var offset = 0 &- zero &* sums[output]
      if let zeros { offset = offset &+ count &* zero &* zeros[output] }
      if let bias, output < outputs { offset = offset &+ bias[output] }
      return offset
    }
  }
}

extension TensorStorage {
  /// Makes bytes that contain `values`.
  convenience init<Value: BitwiseCopyable>(copying values: [Value]) {
    self.init(allocating: values.count * MemoryLayout<Value>.stride)
    values.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress { base.copyMemory(from: source, byteCount: bytes.count) }
    }
  }
}

/// The conversion of sums of 8-bit products.
struct ProductFinish: Sendable {
  enum Result: Sendable {
    case sums
    /// Scaled, with a bias if there is one.
    case floats(scale: TensorStorage, bias: TensorStorage?)
    /// Scaled, rounded, moved by the zero point and clamped to a type's range.
    case bytes(scale: TensorStorage, zero: Int32, range: ClosedRange<Int32>)
  }

  let result: Result
  let offsets: TensorStorage
  /// The weights' zero points, if they are not all zero.
  let weightZeros: TensorStorage?

  /// The kernels' form of this value, valid while it lives.
  var kernelForm: rk_q8_finish {
    func floats(_ storage: TensorStorage) -> UnsafePointer<Float> {
      UnsafePointer(storage.base.assumingMemoryBound(to: Float.self))
    }
    var finish = rk_q8_finish()
    finish.offset = UnsafePointer(offsets.base.assumingMemoryBound(to: Int32.self))
    finish.weight_zero = weightZeros.map {
      UnsafePointer($0.base.assumingMemoryBound(to: Int32.self))
    }
    finish.activation = vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0)
    finish.inverse = 1
    switch result {
    case .sums: finish.result = RK_Q8_INT32
    case .floats(let scale, let bias):
      finish.result = RK_Q8_FLOAT
      finish.scale = floats(scale)
      finish.bias = bias.map(floats)
    case .bytes(let scale, let zero, let range):
      finish.result = RK_Q8_BYTE
      finish.scale = floats(scale)
      finish.zero = zero
      finish.low = range.lowerBound
      finish.high = range.upperBound
    }
    return finish
  }
}
