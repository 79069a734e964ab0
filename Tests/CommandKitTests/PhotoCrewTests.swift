import TestSupport
import Testing

@testable import CommandKit

@Suite("The crew of many photos")
struct PhotoCrewTests {
  /// Keeps rows, or refuses those from one on.
  struct Rows: RowSink {
    var paths: [String] = []
    var last = Int.max

    mutating func put(_ row: PhotoRow) throws {
      if paths.count == last { throw OutputFailure.readerLeft }
      paths.append(row.path ?? "")
    }
  }

  /// Numbers that go up.
  actor Numbers {
    private var next = 0
    private let end: Int

    init(to end: Int) {
      self.end = end
    }

    func take() -> (index: Int, item: Int)? {
      guard next < end else { return nil }
      defer { next += 1 }
      return (next, next)
    }
  }

  private static func row(_ item: Int) -> PhotoRow {
    .failed("\(item)", CommandError(.badData, "bad"))
  }

  @Test("Rows come in order, in whatever order they are finished", arguments: [1, 2, 3, 8])
  func order(workers: Int) async throws {
    let numbers = Numbers(to: 500)
    let rows = try await PhotoCrew.work(
      workers, into: Rows(), next: { await numbers.take() },
      row: { item, index in
        #expect(item == index)
        // Some take a long while: others run into the end of the window.
        var generator = SeededGenerator(seed: UInt64(item))
        let wait = item % 100 == 0 ? 20_000_000 : UInt64.random(in: 0...20_000, using: &generator)
        try await Task.sleep(nanoseconds: wait)
        return Self.row(item)
      })
    #expect(rows.paths == (0..<500).map(String.init))
  }

  @Test("What the sink throws ends all workers, and is what is thrown", arguments: [1, 4])
  func sinkFails(workers: Int) async throws {
    let numbers = Numbers(to: 500)
    await #expect(throws: OutputFailure.readerLeft) {
      try await PhotoCrew.work(
        workers, into: Rows(last: 50), next: { await numbers.take() },
        row: { item, _ in
          try await Task.sleep(nanoseconds: UInt64(item % 7) * 100_000)
          return Self.row(item)
        })
    }
  }

  @Test("A cancelled crew ends, though the first row never comes")
  func cancelled() async throws {
    let numbers = Numbers(to: 500)
    let task = Task {
      try await PhotoCrew.work(
        4, into: Rows(), next: { await numbers.take() },
        row: { item, _ in
          if item == 0 { try await Task.sleep(nanoseconds: 3_600_000_000_000) }
          return Self.row(item)
        })
    }
    try await Task.sleep(nanoseconds: 20_000_000)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A budget lets in what fits, in order, and one thing whatever its size")
  func budget() async {
    let budget = MemoryBudget(bytes: 10)
    await budget.take(100)
    let log = MemorySink()
    let tasks = await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await budget.take(6)
          try? log.write("+")
          await Task.yield()
          try? log.write("-")
          await budget.give(6)
        }
      }
      try? await Task.sleep(nanoseconds: 5_000_000)
      #expect(log.text.isEmpty)
      await budget.give(100)
      await group.waitForAll()
      return log.text
    }
    // Two do not fit at once.
    #expect(tasks == String(repeating: "+-", count: 20))
  }
}
