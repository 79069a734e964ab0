import Foundation

/// Adds up where the time of one or more runs goes: pass it in ``RunOptions/profiler``.
///
/// Safe to share between runs on several threads.
public final class Profiler: @unchecked Sendable {
  // Unchecked: every access to the mutable state is under `lock`.

  /// Time spent in one node, or in all nodes of one operator.
  public struct Entry: Sendable, Equatable {
    /// The node's name, or the operator's.
    public let name: String
    /// The operator.
    public let operation: String
    /// How often it ran.
    public let calls: Int
    /// Seconds in all.
    public let seconds: Double
  }

  private let lock = NSLock()
  private var order: [String] = []
  private var totals: [String: (operation: String, calls: Int, nanoseconds: UInt64)] = [:]

  /// An empty profile.
  public init() {}

  /// Time per node, in the order of the first run.
  public var nodes: [Entry] {
    lock.lock()
    defer { lock.unlock() }
    return order.compactMap { name in
      totals[name].map {
        Entry(
          name: name, operation: $0.operation, calls: $0.calls,
          seconds: Double($0.nanoseconds) / 1e9)
      }
    }
  }

  /// Time per operator, the most expensive first.
  public var operators: [Entry] {
    var sums: [String: (calls: Int, seconds: Double)] = [:]
    for node in nodes {
      let sum = sums[node.operation] ?? (0, 0)
      sums[node.operation] = (sum.calls + node.calls, sum.seconds + node.seconds)
    }
    return sums.map {
      Entry(name: $0.key, operation: $0.key, calls: $0.value.calls, seconds: $0.value.seconds)
    }
    .sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) }
  }

  /// A table of operators, then of the `limit` most expensive nodes.
  public func table(nodes limit: Int = 20) -> String {
    let operators = self.operators
    let total = max(operators.reduce(0) { $0 + $1.seconds }, .leastNormalMagnitude)
    func row(_ name: String, _ calls: Int, _ seconds: Double) -> String {
      let share = String(format: "%10.3f %6.1f %6d  ", seconds * 1e3, seconds / total * 100, calls)
      return share + name
    }
    var lines = ["        ms      %  calls  operator"]
    lines += operators.map { row($0.name, $0.calls, $0.seconds) }
    lines += ["", "        ms      %  calls  node"]
    lines += nodes.sorted { $0.seconds > $1.seconds }.prefix(limit)
      .map { row("\($0.name) (\($0.operation))", $0.calls, $0.seconds) }
    return lines.joined(separator: "\n")
  }

  func record(node: String, operation: String, nanoseconds: UInt64) {
    lock.lock()
    defer { lock.unlock() }
    if let total = totals[node] {
      totals[node] = (operation, total.calls + 1, total.nanoseconds + nanoseconds)
    } else {
      order.append(node)
      totals[node] = (operation, 1, nanoseconds)
    }
  }
}
