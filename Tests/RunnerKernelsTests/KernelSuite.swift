import TestSupport
import Testing
import _RunnerKernels

/// All tests that switch the instruction set, which is a matter of the thread they are on.
@Suite("C kernels against plain Swift", .serialized)
struct KernelSuite {}

/// Runs `body` at every level that this machine has.
func atEveryLevel(_ body: (_ level: Int32) throws -> Void) rethrows {
  defer { vk_force_level(-1) }
  for level in 0...vk_best_level() {
    vk_force_level(level)
    try body(level)
  }
}

/// A buffer whose values start `offset` floats after an aligned address, with a guard value on
/// either side that kernels must leave alone.
struct Guarded {
  static let mark: Float = 12345.678
  private var storage: [Float]
  private let offset: Int
  let count: Int

  init(_ values: [Float], offset: Int) {
    self.offset = offset + 1
    count = values.count
    storage = [Float](repeating: Guarded.mark, count: values.count + offset + 18)
    storage.replaceSubrange(self.offset..<self.offset + count, with: values)
  }

  init(count: Int, offset: Int) {
    self.init([Float](repeating: -777, count: count), offset: offset)
  }

  var values: [Float] { Array(storage[offset..<offset + count]) }

  var isIntact: Bool {
    storage[..<offset].allSatisfy { $0 == Guarded.mark }
      && storage[(offset + count)...].allSatisfy { $0 == Guarded.mark }
  }

  mutating func withPointer<Result>(
    _ body: (UnsafeMutablePointer<Float>) throws -> Result
  ) rethrows -> Result {
    let offset = offset
    return try storage.withUnsafeMutableBufferPointer { buffer in
      try body(buffer.baseAddress! + offset)
    }
  }
}
