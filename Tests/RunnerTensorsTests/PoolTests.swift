import TestSupport
import Testing

@testable import RunnerTensors

@Suite struct PoolTests {
  @Test(arguments: [1, 2, 3, 8]) func eachItemOnce(threads: Int) {
    let pool = ThreadPool(threadCount: threads)
    for count in [0, 1, 2, 7, 100, 5000] {
      let counts = UnsafeMutableBufferPointer<Int32>.allocate(capacity: max(count, 1))
      defer { counts.deallocate() }
      counts.initialize(repeating: 0)
      for _ in 0..<20 {
        pool.forEach(count: count) { index, thread in
          counts[index] += thread < threads ? 1 : 1000
        }
      }
      #expect(counts.prefix(count).allSatisfy { $0 == 20 })
    }
  }

  @Test func jobsFromManyTasks() async {
    let pool = ThreadPool(threadCount: 3)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<6 {
        group.addTask {
          var sum = 0
          for round in 0..<200 {
            let squares = UnsafeMutableBufferPointer<Int>.allocate(capacity: 50)
            defer { squares.deallocate() }
            pool.forEach(count: 50) { index, _ in squares[index] = index * index + round }
            sum += squares.reduce(0, +)
          }
          return sum
        }
      }
      for await sum in group { #expect(sum == 200 * 40425 + 50 * 19900) }
    }
  }

  @Test func buffersComeBack() throws {
    let pool = BufferPool(limit: 10_000)
    var first = pool.storage(byteCount: 5000)
    let base = try #require(first).base
    #expect(pool.storage(byteCount: 6000) == nil)
    #expect(pool.storage(byteCount: .max) == nil)
    first = nil
    let second = try #require(pool.storage(byteCount: 4000))
    #expect(second.base == base)
    #expect(pool.peakBytesInUse == 5056)
    withExtendedLifetime(second) {}
  }

  @Test func seededRequestsNeverOverlap() {
    let pool = BufferPool(limit: 1 << 22)
    var generator = SeededGenerator(seed: 5)
    var held: [TensorStorage] = []
    for _ in 0..<2000 {
      if generator.next() % 3 == 0, !held.isEmpty {
        held.remove(at: Int(generator.next() % UInt64(held.count)))
      } else if let storage = pool.storage(byteCount: Int(generator.next() % 100_000)) {
        held.append(storage)
      }
      let ranges = held.map { Int(bitPattern: $0.base)..<Int(bitPattern: $0.base) + $0.byteCount }
        .sorted { $0.lowerBound < $1.lowerBound }
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
    #expect(pool.peakBytesInUse <= 1 << 22)
  }
}
