import Foundation
import TestSupport
import Testing

@testable import Telemetry

/// A folder of a test's own, removed with the value.
final class ScratchFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("tally-telemetry-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The files with events, in order.
  func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      .filter { $0.hasPrefix("events-") }.map { url.appendingPathComponent($0) }
  }

  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: url.appendingPathComponent(name))
  }

  /// All events, in order, and what was passed over.
  func read() throws -> (events: [TelemetryEvent], summary: TelemetryReader.Summary) {
    var events: [TelemetryEvent] = []
    let summary = try TelemetryReader(folder: url).forEachEvent { event, id in
      #expect(id == EventID(of: event))
      events.append(event)
    }
    #expect(summary.events == events.count)
    return (events, summary)
  }
}

/// A clock that stands where it is put.
final class Clock: @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var seconds: Double

  init(_ seconds: Double) { self.seconds = seconds }

  var now: Date { Date(timeIntervalSince1970: lock.withLock { seconds }) }

  func advance(_ step: Double) { lock.withLock { seconds += step } }
}

extension TelemetryEvent {
  /// Event number `number` of a test; `Tests/TelemetryWriter` makes the same.
  static func numbered(_ number: Int) throws -> TelemetryEvent {
    try TelemetryEvent(
      time: Date(timeIntervalSince1970: Double(number)),
      confidence: Double(number % 1001) / 1000, width: Double(number % 97) / 100,
      height: Double(number % 89) / 100, aspectRatio: Double(number % 1013) / 100,
      sawText: number % 2 == 0, sawBarcode: number % 3 == 0)
  }

  /// Whether it has all the values of the event of its number.
  var isAsNumbered: Bool { self == (try? .numbered(number)) }

  /// The number it was made with.
  var number: Int { Int(milliseconds / 1000) }

  static func random(_ generator: inout SeededGenerator) throws -> TelemetryEvent {
    let number = Int(generator.next() % 4_000_000_000)
    return try TelemetryEvent(
      time: Date(timeIntervalSince1970: Double(number) / 16), confidence: generator.unit(),
      width: generator.unit() * 1.2, height: generator.unit(), aspectRatio: generator.unit() * 20,
      sawText: generator.unit() < 0.5, sawBarcode: generator.unit() < 0.5,
      variant: [nil, "control", "new-finder"][Int(generator.next() % 3)])
  }

  var line: [UInt8] {
    var bytes: [UInt8] = []
    EventLine.append(self, to: &bytes)
    return bytes
  }
}

/// What one line means, without its end.
func parsed(_ line: some Sequence<UInt8>) -> TelemetryEvent? {
  Array(line).withUnsafeBytes { EventLine.event(in: $0)?.event }
}

/// The program that writes events in a process of its own.
enum Writer {
  /// Starts it.
  static func start(
    _ folder: ScratchFolder, first: Int, count: Int, batch: Int, fileBytes: Int,
    diskBytes: Int? = nil
  ) throws -> ChildProcess {
    let numbers = [first, count, batch, fileBytes] + (diskBytes.map { [$0] } ?? [])
    return try ChildProcess("TelemetryWriter", [folder.url.path] + numbers.map(String.init))
  }
}
