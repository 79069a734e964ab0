import Foundation
import RunnerTensors

/// A constant in the form of a kernel, made once and shared by all plans of a session.
///
/// It is made when it is first needed. From then on the original is not needed, and if it is in a
/// mapped file, its pages are released.
package final class PackedWeights: @unchecked Sendable {
  // Unchecked: `made` is only touched under `lock`, and its content is never written again.
  private let lock = NSLock()
  private let source: Tensor
  private let make: @Sendable (Tensor, WeightMemory) -> TensorStorage
  private let memory: WeightMemory
  private let takesAnyAddress: Bool
  private var made: TensorStorage?

  /// The greatest size of the packed form, before it is made.
  package let mostBytes: Int

  package init(
    _ source: Tensor, mostBytes: Int, in memory: WeightMemory, takesAnyAddress: Bool = false,
    make: @escaping @Sendable (Tensor, WeightMemory) -> TensorStorage
  ) {
    self.source = source
    self.mostBytes = mostBytes
    self.make = make
    self.memory = memory
    self.takesAnyAddress = takesAnyAddress
  }

  /// The packed bytes; they live as long as this object.
  package var storage: TensorStorage {
    lock.lock()
    defer { lock.unlock() }
    if let made { return made }
    let readsSource = takesAnyAddress && source.storage.isInMemory
    let storage = make(readsSource ? source : source.readyForOneUse(), memory)
    made = storage
    source.releasePages()
    return storage
  }

  /// The packed bytes as numbers.
  ///
  /// It takes a lock, so work on several threads reads it in advance.
  package var floats: UnsafePointer<Float> {
    UnsafePointer(storage.base.assumingMemoryBound(to: Float.self))
  }

  /// The bytes of the packed form; 0 if it was not needed yet.
  package var byteCount: Int {
    lock.lock()
    defer { lock.unlock() }
    return made?.byteCount ?? 0
  }
}

/// The packed weights of a session, by constant and form.
///
/// It does not keep them: they are released with the last plan that uses them.
package final class PackedWeightsCache: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.
  private struct Key: Hashable {
    let storage: ObjectIdentifier
    let offset: Int
    let shape: [Int]
    let form: String
  }

  private struct Entry {
    weak var weights: PackedWeights?
  }

  private let lock = NSLock()
  private let memory = WeightMemory()
  private var entries: [Key: Entry] = [:]

  package init() {}

  /// `tensor` as packed by `make`; `form` distinguishes the ways to pack a tensor.
  package func weights(
    _ tensor: Tensor, form: String, mostBytes: Int, takesAnyAddress: Bool = false,
    make: @escaping @Sendable (Tensor, WeightMemory) -> TensorStorage
  ) -> PackedWeights {
    // The weights hold the tensor, so that no other storage can have its address in that time.
    let key = Key(
      storage: ObjectIdentifier(tensor.storage), offset: tensor.byteOffset, shape: tensor.shape,
      form: form)
    lock.lock()
    defer { lock.unlock() }
    if let known = entries[key]?.weights { return known }
    if entries.count % 256 == 255 { entries = entries.filter { $0.value.weights != nil } }
    let weights = PackedWeights(
      tensor, mostBytes: mostBytes, in: memory, takesAnyAddress: takesAnyAddress, make: make)
    entries[key] = Entry(weights: weights)
    memory.expect(byteCount: mostBytes)
    return weights
  }

  /// Throws if the packed weights of all plans, once they are made, may take more than `limit`.
  package func check(limit: Int) throws {
    let total = all.reduce(0.0) { $0 + Double($1.mostBytes) }
    guard total <= Double(limit) else {
      throw ModelError.memoryLimit(
        node: "the model's packed weights", requested: total < 0x1p62 ? Int(total) : .max,
        limit: limit)
    }
  }

  /// All weights that a plan uses.
  package var all: [PackedWeights] {
    lock.lock()
    defer { lock.unlock() }
    return entries.values.compactMap(\.weights)
  }
}

extension NodeInfo {
  /// A constant input as packed by `make`, shared by all users of the same `form`.
  ///
  /// `form` must name everything that `make` depends on besides the tensor. `mostBytes` is the
  /// greatest size of the form; the default is the tensor's bytes with its outer two extents
  /// rounded up to whole blocks. A `make` without alignment needs reads only the tensor's
  /// ``Tensor/rawBytes``.
  package func packed(
    _ tensor: Tensor, as form: String, mostBytes: Int? = nil, takesAnyAddress: Bool = false,
    make: @escaping @Sendable (Tensor, WeightMemory) -> TensorStorage
  ) -> PackedWeights {
    let most = mostBytes ?? tensor.paddedByteCount
    return packedWeights?.weights(
      tensor, form: form, mostBytes: most, takesAnyAddress: takesAnyAddress, make: make)
      ?? PackedWeights(
        tensor, mostBytes: most, in: WeightMemory(), takesAnyAddress: takesAnyAddress, make: make)
  }
}

extension Tensor {
  /// Bytes with the outer two extents rounded up to whole blocks of sixteen.
  fileprivate var paddedByteCount: Int {
    shape.enumerated().reduce(max(elementType.byteCount, 1)) { product, dimension in
      let extent = dimension.offset < 2 ? (dimension.element + 15) & ~15 : dimension.element
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      return overflow ? .max : next
    }
  }
}
