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

  @Test func poolsShareLargeBuffers() throws {
    let large = LargeBuffers.leastBytes
    let (first, second) = (BufferPool(limit: 8 * large), BufferPool(limit: 3 * large))
    // Other tests may take and return buffers at any time, hence what is asked is only how much.
    var held = try #require(first.storage(byteCount: 4 * large))
    #expect(held.byteCount == 4 * large)
    #expect(second.storage(byteCount: 4 * large) == nil)
    held = try #require(second.storage(byteCount: 2 * large + 1))
    #expect(held.byteCount == 2 * large + 64)
    #expect(second.storage(byteCount: large) == nil)
    #expect(first.peakBytesInUse == 4 * large)
    #expect(second.peakBytesInUse == 2 * large + 64)
    held.base.storeBytes(of: 7, toByteOffset: 2 * large, as: UInt8.self)
  }

  @Test func largeBuffersGoOn() {
    let buffers = LargeBuffers()
    let first = buffers.take(5 << 20)
    buffers.take(back: first)
    // Half as large is near enough, a third is not.
    #expect(buffers.take(3 << 20) == first)
    buffers.take(back: first)
    let other = buffers.take(2 << 20)
    #expect(buffers.bytes == (inUse: 2 << 20, free: 0))
    let second = buffers.take(3 << 20)
    buffers.take(back: second)
    #expect(buffers.bytes == (inUse: 2 << 20, free: 3 << 20))
    buffers.trim()
    #expect(buffers.bytes == (inUse: 2 << 20, free: 0))
    // What comes back after that goes on too.
    buffers.take(back: other)
    #expect(buffers.take(1 << 20) == other)
    buffers.take(back: other)
    buffers.trim()
  }

  @Test(arguments: [100_000, 3_000_000] as [UInt64])
  func seededRequestsNeverOverlap(size: UInt64) {
    let pool = BufferPool(limit: 1 << 24)
    var generator = SeededGenerator(seed: 5)
    var held: [TensorStorage] = []
    for _ in 0..<2000 {
      if generator.next() % 3 == 0, !held.isEmpty {
        held.remove(at: Int(generator.next() % UInt64(held.count)))
      } else if let storage = pool.storage(byteCount: Int(generator.next() % size)) {
        held.append(storage)
      }
      let ranges = held.map { Int(bitPattern: $0.base)..<Int(bitPattern: $0.base) + $0.byteCount }
        .sorted { $0.lowerBound < $1.lowerBound }
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
    #expect(pool.peakBytesInUse <= 1 << 24)
  }
}
