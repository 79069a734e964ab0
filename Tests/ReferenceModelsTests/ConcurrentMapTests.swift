import Foundation
import Testing

@testable import ReferenceModels

@Suite("Several elements at a time")
struct ConcurrentMapTests {
  /// How many callers are inside, and the most there were.
  private actor Crowd {
    private(set) var most = 0
    private(set) var entered = 0
    private var inside = 0

    func enter() {
      inside += 1
      entered += 1
      most = max(most, inside)
    }

    func leave() { inside -= 1 }
  }

  struct Failure: Error, Equatable {
    let element: Int
  }

  @Test("Results are in the elements' order, and no more run at a time", arguments: [1, 2, 5, 100])
  func order(limit: Int) async throws {
    let crowd = Crowd()
    let results = try await mapConcurrently(Array(0..<40), limit: limit) { element in
      await crowd.enter()
      // Later ones end earlier.
      try await Task.sleep(nanoseconds: UInt64(40 - element) * 20_000)
      await crowd.leave()
      return element * element
    }
    #expect(results == (0..<40).map { $0 * $0 })
    let most = await crowd.most
    #expect(most <= limit)
    #expect(try await mapConcurrently([Int](), limit: limit) { $0 }.isEmpty)
  }

  @Test("An error ends it, and what has not begun does not begin", arguments: [1, 3])
  func errors(limit: Int) async throws {
    let crowd = Crowd()
    await #expect(throws: Failure(element: 4)) {
      try await mapConcurrently(Array(0..<1000), limit: limit) { element in
        await crowd.enter()
        if element == 4 { throw Failure(element: 4) }
        try await Task.sleep(nanoseconds: 100_000)
      }
    }
    let entered = await crowd.entered
    #expect(entered < 1000)
  }

  @Test("It ends if its task is cancelled", arguments: [1, 3])
  func cancellation(limit: Int) async {
    let task = Task {
      try await mapConcurrently(Array(0..<1000), limit: limit) { _ in
        try await Task.sleep(nanoseconds: 50_000_000)
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
