import Foundation
import RunnerTensors

/// A constant in the form a kernel wants, made once and shared by all plans of a session.
///
/// It is made when somebody first asks for it. From then on the original is not needed, and where
/// it lies in a mapped file its pages go back to the system.
package final class PackedWeights: @unchecked Sendable {
  // Unchecked: `made` is only touched under `lock`, and what it holds is never written again.
  private let lock = NSLock()
  private let source: Tensor
  private let make: @Sendable (Tensor, WeightMemory) -> TensorStorage
  private let memory: WeightMemory
  private let takesAnyAddress: Bool
  private var made: TensorStorage?

  /// What the packed form may take at most, before it is made.
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

  /// The same as numbers.
  ///
  /// It takes a lock, so that work on several threads asks in advance.
  package var floats: UnsafePointer<Float> {
    UnsafePointer(storage.base.assumingMemoryBound(to: Float.self))
  }

  /// Bytes of the packed form; 0 if nobody needed it yet.
  package var byteCount: Int {
    lock.lock()
    defer { lock.unlock() }
    return made?.byteCount ?? 0
  }
}

/// The packed weights of a session, by constant and form.
///
/// It does not keep them: with the last plan that uses them they go.
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

  /// `tensor` as `make` packs it; `form` tells the ways to pack a tensor apart.
  package func weights(
    _ tensor: Tensor, form: String, mostBytes: Int, takesAnyAddress: Bool = false,
    make: @escaping @Sendable (Tensor, WeightMemory) -> TensorStorage
  ) -> PackedWeights {
    // The weights hold the tensor, so that no other storage can have its address meanwhile.
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

  /// All weights that some plan uses.
  package var all: [PackedWeights] {
    lock.lock()
    defer { lock.unlock() }
    return entries.values.compactMap(\.weights)
  }
}

extension NodeInfo {
  /// A constant input as `make` packs it, shared with whoever asks for the same `form` of it.
  ///
  /// `form` must name everything that `make` depends on besides the tensor; `mostBytes` is what the
  /// form may take, without it the tensor's bytes with its outer two extents rounded up to whole
  /// blocks. A `make` that takes any address reads the tensor's ``Tensor/rawBytes`` alone.
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
