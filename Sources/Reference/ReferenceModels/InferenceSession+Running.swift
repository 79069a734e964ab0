import Foundation
import ONNXRunner

extension InferenceSession {
  /// What the model takes and gives, for messages.
  var signature: String {
    let inputs = inputs.map(\.description).joined(separator: ", ")
    let outputs = outputs.map(\.description).joined(separator: ", ")
    return "inputs \(inputs) and outputs \(outputs)"
  }

  /// The input and the output of a network that turns an image of any size into `planes` planes.
  func planePorts(
    _ planes: Int
  ) throws(UnfitModel) -> (input: ValueDescription, output: ValueDescription) {
    guard inputs.count == 1, let input = inputs.first else {
      throw UnfitModel(reason: "it has \(inputs.count) inputs")
    }
    if let reason = input.reasonNotToTakeImages { throw UnfitModel(reason: reason) }
    if input.fixedExtent(2) != nil || input.fixedExtent(3) != nil {
      throw UnfitModel(reason: "its input has a fixed size")
    }
    guard outputs.count == 1, let output = outputs.first else {
      throw UnfitModel(reason: "it has \(outputs.count) outputs")
    }
    guard output.elementType.isFloatingPoint else {
      throw UnfitModel(reason: "it answers \(output.elementType)")
    }
    if let shape = output.shape, shape.count != 4 {
      throw UnfitModel(reason: "its output has \(shape.count) dimensions")
    }
    if let channels = output.fixedExtent(1), channels != planes {
      throw UnfitModel(reason: "its output has \(channels) channels")
    }
    return (input, output)
  }

  /// How many runs a caller that has many should have going at a time.
  ///
  /// Each holds memory of its own, hence no more than a few.
  var runsAtOnce: Int { min(threadCount, 4) }

  /// Runs the model in the current task, and stops with `CancellationError` soon after the task is
  /// cancelled.
  func runCancellably(_ inputs: [String: Tensor]) async throws -> [String: Tensor] {
    try Task.checkCancellation()
    // Nodes may be run by threads that belong to no task, so the task's state is carried over.
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try run(inputs, options: RunOptions(isCancelled: { flag.isSet }))
    } onCancel: {
      flag.set()
    }
  }
}

/// Why a network does another job.
struct UnfitModel: Error {
  let reason: String
}

/// Whether a task was cancelled, readable from any thread.
private final class CancellationFlag: @unchecked Sendable {
  // Unchecked: every access to `value` is under `lock`.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool {
    lock.lock()
    defer { lock.unlock() }
    return value
  }

  func set() {
    lock.lock()
    defer { lock.unlock() }
    value = true
  }
}

extension ValueDescription {
  /// The extent of a dimension if the model fixes it.
  func fixedExtent(_ axis: Int) -> Int? {
    guard let shape, shape.indices.contains(axis), case .fixed(let extent) = shape[axis] else {
      return nil
    }
    return extent
  }

  /// The shape if the model fixes all of it.
  var fixedShape: [Int]? {
    guard let shape else { return nil }
    let extents = shape.indices.compactMap { fixedExtent($0) }
    return extents.count == shape.count ? extents : nil
  }

  /// The reason why this input cannot take a batch of RGB images, nil if it can.
  var reasonNotToTakeImages: String? {
    guard elementType == .float32 || elementType == .float16 else {
      return "its input takes \(elementType)"
    }
    guard let shape else { return nil }
    guard shape.count == 4 else { return "its input has \(shape.count) dimensions" }
    if let channels = fixedExtent(1), channels != 3 { return "its input has \(channels) channels" }
    return nil
  }
}

extension Tensor {
  /// The elements as `Float`, from any type of number.
  func floats() throws -> [Float] {
    try converted(to: .float32).array(of: Float.self)
  }
}
