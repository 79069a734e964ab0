import Foundation

/// Measures the time of nodes in one or more runs: pass it in `RunOptions.profiler`.
///
/// You can share it between runs on several threads.
public final class Profiler: @unchecked Sendable {
  // Unchecked: every access to the mutable state is under `lock`.

  /// Time spent in one node, or in all nodes of one operator.
  public struct Entry: Sendable, Equatable {
    /// The node's name, or the operator's.
    public let name: String
    /// The operator.
    public let operation: String
    /// The number of its runs.
    public let calls: Int
    /// The total seconds.
    public let seconds: Double
    /// The total number of floating-point operations of the textbook method; 0 if they are not
    /// counted.
    public let operationCount: Int

    /// Billions of floating-point operations per second; nil if they are not counted.
    public var gigaflops: Double? {
      operationCount > 0 && seconds > 0 ? Double(operationCount) / seconds / 1e9 : nil
    }
  }

  /// A thread's activity, for a trace.
  struct Event: Sendable, Equatable {
    package let name: String
    package let operation: String
    /// Its lane in the drawing: the run's first one, and one for each further thread.
    let lane: Int
    package let start: UInt64
    package let end: UInt64
    package var arguments: [String: Int] = [:]
  }

  private struct Total {
    var operation: String
    var calls = 0
    var nanoseconds: UInt64 = 0
    var operations = 0
  }

  private let lock = NSLock()
  private let keepsEvents: Bool
  private var order: [String] = []
  private var totals: [String: Total] = [:]
  private var events: [Event] = []
  private var runs = 0
  private var lanes: Set<Int> = []
  private var runNanoseconds: UInt64 = 0
  private var threadNanoseconds: UInt64 = 0
  /// Below zero while a run's own time is not counted yet.
  private var busyNanoseconds: Int64 = 0

  /// The number of lanes in a trace for each run.
  static let lanesPerRun = 256

  /// The greatest number of events that are kept.
  static let mostEvents = 1 << 20

  /// Makes an empty profile; `trace` keeps every event for ``chromeTrace()``.
  public init(trace: Bool = false) {
    keepsEvents = trace
  }

  // MARK: What was seen

  /// Time per node, in the order of the first run.
  public var nodes: [Entry] {
    locked {
      order.compactMap { name in
        totals[name].map {
          Entry(
            name: name, operation: $0.operation, calls: $0.calls,
            seconds: Double($0.nanoseconds) / 1e9, operationCount: $0.operations)
        }
      }
    }
  }

  /// Time per operator, the most expensive first.
  public var operators: [Entry] {
    var sums: [String: (calls: Int, seconds: Double, operations: Int)] = [:]
    for node in nodes {
      let sum = sums[node.operation] ?? (0, 0, 0)
      sums[node.operation] = (
        sum.calls + node.calls, sum.seconds + node.seconds, sum.operations &+ node.operationCount
      )
    }
    return sums.map {
      Entry(
        name: $0.key, operation: $0.key, calls: $0.value.calls, seconds: $0.value.seconds,
        operationCount: $0.value.operations)
    }
    .sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) }
  }

  /// The number of runs that ended.
  public var runCount: Int { locked { runs } }

  /// The seconds from the starts of the runs to their ends.
  public var seconds: Double { locked { Double(runNanoseconds) / 1e9 } }

  /// The share of idle time of the runs' threads, 0...1.
  ///
  /// Threads are idle during work that cannot be split, and while they wait for the last one to
  /// end.
  public var idleShare: Double {
    locked {
      guard threadNanoseconds > 0 else { return 0 }
      return max(0, 1 - max(0, Double(busyNanoseconds)) / Double(threadNanoseconds))
    }
  }

  /// A table of operators, then of the `limit` most expensive nodes.
  public func table(nodes limit: Int = 20) -> String {
    let operators = self.operators
    let total = max(operators.reduce(0) { $0 + $1.seconds }, .leastNormalMagnitude)
    func row(_ entry: Entry, _ name: String) -> String {
      let rate = entry.gigaflops.map { String(format: "%8.1f", $0) } ?? "       -"
      return String(format: "%10.3f %6.1f ", entry.seconds * 1e3, entry.seconds / total * 100)
        + rate + String(format: " %6d  ", entry.calls) + name
    }
    var lines = ["        ms      %  GFLOP/s  calls  operator"]
    lines += operators.map { row($0, $0.name) }
    lines += ["", "        ms      %  GFLOP/s  calls  node"]
    lines += nodes.sorted { $0.seconds > $1.seconds }.prefix(limit)
      .map { row($0, "\($0.name) (\($0.operation))") }
    let counted = operators.reduce(0) { $0 &+ $1.operationCount }
    lines += ["", summary(counted)]
    return lines.joined(separator: "\n")
  }

  private func summary(_ operationCount: Int) -> String {
    let seconds = self.seconds
    var text = String(format: "%d runs, %.3f ms", runCount, seconds * 1e3)
    if operationCount > 0, seconds > 0 {
      text += String(
        format: ", %.2f GFLOP, %.1f GFLOP/s", Double(operationCount) / 1e9,
        Double(operationCount) / seconds / 1e9)
    }
    return text + String(format: ", threads idle %.1f %% of the time", idleShare * 100)
  }

  /// All events as a trace in the JSON format of Chrome's `about:tracing` and of Perfetto.
  ///
  /// Nodes are in the lane of the thread that started the run, and the work of other threads for
  /// them is in lanes below. The trace is empty if the profile was made without `trace`.
  public func chromeTrace() -> String {
    let events = locked { self.events }
    let origin = events.map(\.start).min() ?? 0
    func quoted(_ text: String) -> String {
      let data = try? JSONEncoder().encode([text])
      return String(String(decoding: data ?? Data("[]".utf8), as: UTF8.self).dropFirst().dropLast())
    }
    var rows: [String] = []
    for lane in Set(events.map(\.lane)).sorted() {
      let (run, thread) = (lane / Self.lanesPerRun, lane % Self.lanesPerRun)
      let name = thread == 0 ? "run \(run), caller" : "run \(run), thread \(thread)"
      rows.append(
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":\(lane),"
          + "\"args\":{\"name\":\(quoted(name))}}")
    }
    for event in events.sorted(by: { $0.start < $1.start }) {
      let arguments = event.arguments.sorted { $0.key < $1.key }
        .map { "\(quoted($0.key)):\($0.value)" }.joined(separator: ",")
      // Times are microseconds.
      let start = Double(event.start - origin) / 1e3
      let length = Double(event.end - event.start) / 1e3
      rows.append(
        "{\"name\":\(quoted(event.name)),\"cat\":\(quoted(event.operation)),\"ph\":\"X\","
          + String(format: "\"ts\":%.3f,\"dur\":%.3f,", start, length)
          + "\"pid\":1,\"tid\":\(event.lane),\"args\":{\(arguments)}}")
    }
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + rows.joined(separator: ",\n")
      + "\n]}\n"
  }

  // MARK: For runs

  /// One run's access to the profile.
  package struct Run: Sendable {
    package let profiler: Profiler
    let lane: Int
    package let threadCount: Int
    package let start: UInt64
  }

  package func beginRun(threadCount: Int) -> Run {
    let lane = locked {
      let free = (0...lanes.count).first { !lanes.contains($0) } ?? 0
      lanes.insert(free)
      return free
    }
    return Run(
      profiler: self, lane: lane * Self.lanesPerRun, threadCount: threadCount, start: Self.now())
  }

  package func end(_ run: Run) {
    let length = Self.now() &- run.start
    locked {
      lanes.remove(run.lane / Self.lanesPerRun)
      runs += 1
      runNanoseconds += length
      threadNanoseconds += length * UInt64(run.threadCount)
      // The caller works from start to end, except while it waits for others.
      busyNanoseconds += Int64(length)
    }
  }

  package func record(
    node name: String, _ operation: String, operations: Int, from start: UInt64, to end: UInt64,
    in run: Run
  ) {
    locked {
      if totals[name] == nil {
        order.append(name)
        totals[name] = Total(operation: operation)
      }
      totals[name]?.calls += 1
      totals[name]?.nanoseconds += end - start
      totals[name]?.operations += operations
      if keepsEvents, events.count < Self.mostEvents {
        events.append(
          Event(
            name: name, operation: operation, lane: run.lane, start: start, end: end,
            arguments: operations > 0 ? ["operations": operations] : [:]))
      }
    }
  }

  /// One thread's work for one job.
  private struct Span {
    var start: UInt64 = 0
    var end: UInt64 = 0
    var busy: UInt64 = 0
    var items = 0
  }

  /// Runs a job on `threads`, and records the work of each thread.
  package func forEach(
    _ threads: ThreadPool, count: Int, node: String, operation: String, in run: Run,
    _ body: (_ index: Int, _ thread: Int) -> Void
  ) {
    let spans = UnsafeMutableBufferPointer<Span>.allocate(capacity: threads.threadCount)
    defer { spans.deallocate() }
    spans.initialize(repeating: Span())
    let start = Self.now()
    threads.forEach(count: count) { index, thread in
      let start = Self.now()
      body(index, thread)
      let end = Self.now()
      // Each thread has its own span.
      if spans[thread].items == 0 { spans[thread].start = start }
      spans[thread].end = end
      spans[thread].busy += end - start
      spans[thread].items += 1
    }
    let length = Self.now() - start
    locked {
      // It was counted as busy throughout so far.
      busyNanoseconds -= Int64(length)
      for (thread, span) in spans.enumerated() where span.items > 0 {
        busyNanoseconds += Int64(span.busy)
        guard thread > 0, keepsEvents, events.count < Self.mostEvents else { continue }
        events.append(
          Event(
            name: node, operation: operation, lane: run.lane + thread, start: span.start,
            end: span.end, arguments: ["items": span.items]))
      }
    }
  }

  package static func now() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}
