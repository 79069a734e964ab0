import Foundation
import Telemetry
import Testing

/// What an app relies on, wherever its events go (P17).
@Suite("Sinks of events")
struct SinkTests {
  @Test("a log and memory have every event, in order, after a flush", arguments: [true, false])
  func contract(isLog: Bool) async throws {
    let scratch = try ScratchFolder()
    let memory = MemoryTelemetry()
    let sink: any TelemetrySink = isLog ? try TelemetryLog(folder: scratch.url) : memory
    let events = try (0..<20).map(TelemetryEvent.numbered)
    for event in events { sink.record(event) }
    try await sink.flush()
    #expect(try (isLog ? scratch.read().events : memory.events) == events)
  }

  @Test("memory takes events from many tasks")
  func manyTasks() async throws {
    let memory = MemoryTelemetry()
    let events = try (0..<100).map(TelemetryEvent.numbered)
    await withTaskGroup(of: Void.self) { group in
      for event in events { group.addTask { memory.record(event) } }
    }
    #expect(memory.events.count == events.count)
    #expect(Set(memory.events) == Set(events))
  }
}
