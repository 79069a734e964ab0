import Foundation

/// A constant in the form a kernel wants, made once and shared by all plans of a session.
///
/// It is made when somebody first asks for it. From then on the original is not needed, and where it
/// lies in a mapped file its pages go back to the system.
final class PackedWeights: @unchecked Sendable {
  // Unchecked: `made` is only touched under `lock`, and what it holds is never written again.
  private let lock = NSLock()
  private let source: Tensor
  private let make: @Sendable (Tensor) -> TensorStorage
  private var made: TensorStorage?

  init(_ source: Tensor, make: @escaping @Sendable (Tensor) -> TensorStorage) {
    self.source = source
    self.make = make
  }

  /// The packed bytes; they live as long as this object.
  var storage: TensorStorage {
    lock.lock()
    defer { lock.unlock() }
    if let made { return made }
    let storage = make(source)
    made = storage
    source.releasePages()
    return storage
  }

  /// Bytes of the packed form; 0 where nobody needed it yet.
  var byteCount: Int {
    lock.lock()
    defer { lock.unlock() }
    return made?.byteCount ?? 0
  }
}

/// The packed weights of a session, by constant and form.
///
/// It does not keep them: with the last plan that uses them they go.
final class PackedWeightsCache: @unchecked Sendable {
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
  private var entries: [Key: Entry] = [:]

  /// `tensor` as `make` packs it; `form` tells the ways to pack a tensor apart.
  func weights(
    _ tensor: Tensor, form: String, make: @escaping @Sendable (Tensor) -> TensorStorage
  ) -> PackedWeights {
    // The weights hold the tensor, so that no other storage can have its address meanwhile.
    let key = Key(
      storage: ObjectIdentifier(tensor.storage), offset: tensor.byteOffset, shape: tensor.shape,
      form: form)
    lock.lock()
    defer { lock.unlock() }
    if let known = entries[key]?.weights { return known }
    if entries.count % 256 == 255 { entries = entries.filter { $0.value.weights != nil } }
    let weights = PackedWeights(tensor, make: make)
    entries[key] = Entry(weights: weights)
    return weights
  }

  /// All weights that some plan uses.
  var all: [PackedWeights] {
    lock.lock()
    defer { lock.unlock() }
    return entries.values.compactMap(\.weights)
  }
}

extension NodeInfo {
  /// A constant input as `make` packs it, shared with whoever asks for the same `form` of it.
  ///
  /// `form` must name everything that `make` depends on besides the tensor.
  func packed(
    _ tensor: Tensor, as form: String, make: @escaping @Sendable (Tensor) -> TensorStorage
  ) -> PackedWeights {
    packedWeights?.weights(tensor, form: form, make: make) ?? PackedWeights(tensor, make: make)
  }
}
