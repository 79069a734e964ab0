import Foundation
import ONNXRunner

extension InferenceSession {
  /// What the model takes and gives, for messages.
  var signature: String {
    let inputs = inputs.map(\.description).joined(separator: ", ")
    let outputs = outputs.map(\.description).joined(separator: ", ")
    return "inputs \(inputs) and outputs \(outputs)"
  }

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
  /// The extent of a dimension where the model fixes it.
  func fixedExtent(_ axis: Int) -> Int? {
    guard let shape, shape.indices.contains(axis), case .fixed(let extent) = shape[axis] else {
      return nil
    }
    return extent
  }

  /// The shape where the model fixes all of it.
  var fixedShape: [Int]? {
    guard let shape else { return nil }
    let extents = shape.indices.compactMap { fixedExtent($0) }
    return extents.count == shape.count ? extents : nil
  }

  /// Why this is no input for a batch of RGB images, nil where it is one.
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
  /// The elements as `Float`, whatever kind of number they are.
  func floats() throws -> [Float] {
    try converted(to: .float32).array(of: Float.self)
  }
}
