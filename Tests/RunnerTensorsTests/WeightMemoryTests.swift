import TestSupport
import Testing

@testable import RunnerTensors

@Suite struct WeightMemoryTests {
  /// Every byte belongs to one tensor, whether small ones share a piece or large ones have their own.
  @Test func seededRequestsNeverOverlap() {
    let memory = WeightMemory()
    var generator = SeededGenerator(seed: 12)
    var held: [(storage: TensorStorage, mark: UInt8)] = []
    for round in 0..<300 {
      let most = round % 10 == 0 ? 5 << 20 : 200_000
      let count = Int(generator.next() % UInt64(most))
      let storage = memory.storage(byteCount: count)
      #expect(storage.byteCount == count)
      #expect(UInt(bitPattern: storage.base) % 64 == 0)
      let mark = UInt8(truncatingIfNeeded: round)
      storage.base.initializeMemory(as: UInt8.self, repeating: mark, count: count)
      held.append((storage, mark))
      if round % 3 == 0 { held.remove(at: Int(generator.next() % UInt64(held.count))) }
    }
    for (storage, mark) in held {
      let bytes = UnsafeRawBufferPointer(start: storage.base, count: storage.byteCount)
      #expect(bytes.allSatisfy { $0 == mark })
    }
  }

  /// What was announced lies side by side, in pieces no larger than that.
  @Test func takesWhatIsExpected() {
    let memory = WeightMemory()
    let sizes = (1...40).map { $0 * 4000 + 1 }
    for size in sizes { memory.expect(byteCount: size) }
    memory.expect(byteCount: .max)
    let all = sizes.map { memory.storage(byteCount: $0) }
    for (one, next) in zip(all, all.dropFirst()) {
      #expect(one.base + (one.byteCount + 63) / 64 * 64 == next.base)
    }
  }

  @Test func outlivesItsMaker() {
    var memory: WeightMemory? = WeightMemory()
    let storage = memory?.storage(byteCount: 1000)
    storage?.base.initializeMemory(as: UInt8.self, repeating: 7, count: 1000)
    memory = nil
    let bytes = UnsafeRawBufferPointer(start: storage?.base, count: 1000)
    #expect(bytes.allSatisfy { $0 == 7 })
  }

  @Test func fromManyTasks() async {
    let memory = WeightMemory()
    let all = await withTaskGroup(of: [TensorStorage].self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<200).map { memory.storage(byteCount: 64 * ($0 % 9 + 1)) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let ranges = all.map {
      UInt(bitPattern: $0.base)..<UInt(bitPattern: $0.base) + UInt($0.byteCount)
    }
    .sorted { $0.lowerBound < $1.lowerBound }
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    withExtendedLifetime(all) {}
  }
}
