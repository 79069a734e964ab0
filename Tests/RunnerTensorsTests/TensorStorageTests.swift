import Foundation
import Testing

@testable import RunnerTensors

/// Bytes that are there, and bytes that are made when somebody asks for them.
@Suite struct TensorStorageTests {
  private final class Counter: @unchecked Sendable {
    // Unchecked: the count is only touched under the lock.
    private let lock = NSLock()
    private var value = 0

    var count: Int { lock.withLock { value } }
    func add() { lock.withLock { value += 1 } }
  }

  /// Small ones come from the allocator, large ones from the system.
  @Test(arguments: [0, 1, 100, 256 << 10, (1 << 20) + 3])
  func holdsWhatIsWritten(byteCount: Int) {
    let storage = TensorStorage(allocating: byteCount)
    #expect(UInt(bitPattern: storage.base) % 64 == 0)
    #expect(storage.isInMemory)
    storage.base.initializeMemory(as: UInt8.self, repeating: 9, count: byteCount)
    let bytes = UnsafeRawBufferPointer(start: storage.base, count: byteCount)
    #expect(bytes.allSatisfy { $0 == 9 })
    #expect(storage.readyForOneUse() === storage)
  }

  @Test func makesBytesOnce() async {
    let calls = Counter()
    let storage = TensorStorage(byteCount: 1000) { bytes in
      calls.add()
      bytes.initializeMemory(as: UInt8.self, repeating: 5, count: 1000)
    }
    #expect(!storage.isInMemory)
    #expect(calls.count == 0)
    let copy = storage.readyForOneUse()
    #expect(copy !== storage && calls.count == 1)
    #expect(UnsafeRawBufferPointer(start: copy.base, count: 1000).allSatisfy { $0 == 5 })
    let bases = await withTaskGroup(of: UInt.self) { group in
      for _ in 0..<8 { group.addTask { UInt(bitPattern: storage.base) } }
      return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
    }
    #expect(bases.count == 1 && calls.count == 2)
    #expect(storage.raw == storage.base)
  }

  @Test func copiesWhatLiesAtAnOddAddress() {
    let owner = TensorStorage(allocating: 64)
    for index in 0..<64 {
      owner.base.storeBytes(of: UInt8(index), toByteOffset: index, as: UInt8.self)
    }
    let odd = TensorStorage(
      borrowing: owner.base + 1, byteCount: 40, elementSize: 4, from: owner)
    #expect(odd.isInMemory)
    #expect(odd.raw == owner.base + 1)
    #expect(odd.base != odd.raw && UInt(bitPattern: odd.base) % 4 == 0)
    #expect((0..<40).allSatisfy { odd.base.load(fromByteOffset: $0, as: UInt8.self) == $0 + 1 })
    let even = TensorStorage(
      borrowing: owner.base + 4, byteCount: 40, elementSize: 4, from: owner)
    #expect(even.base == owner.base + 4)
  }
}
