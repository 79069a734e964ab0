import Foundation
import Telemetry
import TestSupport
import Testing

@Suite("tally telemetry report")
struct TelemetryReportTests {
  /// Events a minute apart, from 2026-11-22 on.
  private func events(_ count: Int) throws -> [TelemetryEvent] {
    try (0..<count).map { (number: Int) throws -> TelemetryEvent in
      let seconds = 1_795_305_600 + 60 * Double(number)
      let confidence = Double(number % 10) / 10 + 0.05
      return try TelemetryEvent(
        time: Date(timeIntervalSince1970: seconds), confidence: confidence, width: 0.1, height: 0.5,
        aspectRatio: number % 4 == 0 ? 0.15 : 0.6, sawText: number % 2 == 0,
        sawBarcode: number % 5 == 0)
    }
  }

  private func folder(_ events: [TelemetryEvent]) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let log = try TelemetryLog(folder: folder.url)
    for event in events { log.record(event) }
    try await log.close()
    return folder
  }

  @Test("The figures of a folder, as text and as JSON")
  func report() async throws {
    let folder = try await folder(try events(2000))
    let run = await tally("telemetry", "report", folder.url.path)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.outputLines[0] == "2000 events in 1 file")
    #expect(run.output.contains("  from            2026-11-22T00:00:00Z\n"))
    #expect(run.output.contains("  with a barcode  0.200\n"))
    #expect(run.output.contains("2026-11-22    1440\n2026-11-23     560\n"))
    #expect(run.output.contains("0.1-0.2          500  0.250  ##########\n"))
    let json = try await tally("telemetry", "report", folder.url.path, "--json").json()
    #expect(json["events"] as? Int == 2000 && json["damagedLines"] as? Int == 0)
    #expect(json["textShare"] as? Double == 0.5 && json["barcodeShare"] as? Double == 0.2)
    #expect(json["days"] as? [String: Int] == ["2026-11-22": 1440, "2026-11-23": 560])
    #expect(json["first"] as? Int == 1_795_305_600_000)
    let confidence = try #require(json["confidence"] as? [String: Any])
    #expect(confidence["counts"] as? [Int] == [Int](repeating: 200, count: 10))
    #expect((confidence["quantiles"] as? [String: Double])?["0.5"] == 0.5)
    #expect(json["labels"] == nil && (json["variants"] as? [Any])?.isEmpty == true)
  }

  @Test("Events with a variant are grouped by it, as are labels")
  func variants() async throws {
    let events = try events(1000).enumerated().map { index, event in
      try TelemetryEvent(
        time: event.time, confidence: event.confidence, width: event.width, height: event.height,
        aspectRatio: event.aspectRatio, sawText: event.sawText, sawBarcode: event.sawBarcode,
        variant: index % 4 == 0 ? "new-finder" : index % 4 == 1 ? nil : "old")
    }
    let folder = try await folder(events)
    let plain = await tally("telemetry", "report", folder.url.path)
    let table = plain.outputLines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(table.contains("variant events mean confidence with text with a barcode"))
    #expect(table.contains("- 250 0.550 0.000 0.200"))
    #expect(table.contains("new-finder 250 0.450 1.000 0.200"))
    let labelled = events.enumerated().map { index, event in
      #"{"event":"\#(EventID(of: event))","right":\#(index % 4 != 0 || index % 8 == 0)}"#
    }
    let missed = (0..<30).map { #"{"missed":\#($0),"variant":"old"}"# }
    let labels = try folder.write(
      "labels.jsonl", text: (labelled + missed).joined(separator: "\n"))
    let run = await tally("telemetry", "report", folder.url.path, "--labels", labels)
    let rows = run.outputLines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(rows.contains("variant new-finder 125 125 0 0.500 1.000 fewer right"), "\(run)")
    #expect(rows.contains { $0.hasPrefix("variant old 500 0 30 1.000 0.943") }, "\(run)")
    let json = try await tally("telemetry", "report", folder.url.path, "--json").json()
    let variants = try #require(json["variants"] as? [[String: Any]])
    #expect(variants.map { $0["variant"] as? String } == [nil, "new-finder", "old"])
    #expect(variants.map { $0["events"] as? Int } == [250, 250, 500])
  }

  @Test("Damaged lines are passed over and counted")
  func damage() async throws {
    let folder = try await folder(try events(10))
    let name = try #require(try folder.names().first { $0.hasPrefix("events-") })
    let whole = try Data(contentsOf: folder.url.appendingPathComponent(name))
    try folder.write(name, whole.dropLast(5))
    let run = await tally("telemetry", "report", folder.url.path)
    #expect(run.outputLines[0] == "9 events in 1 file, and 1 damaged line passed over")
  }

  @Test("Labels tell which were right and what stands out")
  func labels() async throws {
    let events = try events(1000)
    let folder = try await folder(events)
    // Narrow ones are wrong half of the time, others never; some wide ones are missed.
    var lines = events.enumerated().map { index, event in
      let isRight = event.aspectRatio > 0.5 || index % 8 == 0
      return #"{"event":"\#(EventID(of: event))","right":\#(isRight)}"#
    }
    lines += (0..<40).map { #"{"missed":\#($0),"width":0.1,"height":0.5,"aspect":0.6}"# }
    let labels = try folder.write("labels.jsonl", text: lines.joined(separator: "\n"))
    let run = await tally("telemetry", "report", folder.url.path, "--labels", labels)
    #expect(run.code == .success, "\(run)")
    let rows = run.outputLines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(rows.contains("all all 875 125 40 0.875 0.956"))
    // What was missed has no confidence.
    #expect(rows.contains("confidence 0.1-0.2 100 0 0 1.000 - more right"))
    #expect(rows.contains("aspect ratio 0.1-0.2 125 125 0 0.500 1.000 fewer right, more found"))
    #expect(rows.contains("aspect ratio 0.5-0.75 750 0 40 1.000 0.949 more right, fewer found"))
    let json = try await tally(
      "telemetry", "report", folder.url.path, "--labels", labels, "--json"
    ).json()
    let aspect = (json["labels"] as? [String: Any])?["aspect ratio"] as? [[String: Any]]
    #expect(aspect?.first?["precisionVerdict"] as? String == "worse")
  }

  @Test("Folders and labels that are none")
  func badInput() async throws {
    let folder = try TemporaryFolder()
    let empty = await tally("telemetry", "report", folder.url.path)
    #expect(empty.code == .success && empty.output == "0 events in 0 files\n")
    #expect(await tally("telemetry", "report", folder.path("none")).failed(.noInput))
    let file = try folder.write("labels.jsonl", text: "{\"missed\":1}\nnonsense\n")
    #expect(await tally("telemetry", "report", file).failed(.noInput))
    let bad = await tally("telemetry", "report", folder.url.path, "--labels", file)
    #expect(bad.failed(.badData) && bad.errors.contains("\(file): line 2: "), "\(bad)")
    let missing = folder.path("none.jsonl")
    #expect(
      await tally("telemetry", "report", folder.url.path, "--labels", missing).failed(.noInput))
    try FileManager.default.createDirectory(
      atPath: folder.path("events-00000001-1.jsonl"), withIntermediateDirectories: false)
    #expect(await tally("telemetry", "report", folder.url.path).failed(.inputOutput))
    #expect(await tally("telemetry", "report").failed(.usage))
    #expect(await tally("telemetry").failed(.usage))
  }
}
