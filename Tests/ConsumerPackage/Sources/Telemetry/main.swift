import ABTesting
import Foundation
import Stats
import Support
import Telemetry

let folder = FileManager.default.temporaryDirectory
  .appendingPathComponent("tally-consumer-\(UUID().uuidString)")
let log = try TelemetryLog(folder: folder)
log.record(
  try TelemetryEvent(
    time: Date(timeIntervalSince1970: 1_795_305_600), confidence: 0.9, width: 0.1, height: 0.5,
    aspectRatio: 0.2, sawText: true, sawBarcode: false))
try log.flushAndWait()
let reader = try TelemetryReader(folder: folder)
let summary = try reader.forEachEvent { _, _ in }
// D7: the product brings the modules whose types its interface speaks.
let histogram: Histogram = try TelemetryReport(of: reader).confidence.histogram
let verdicts: [Verdict] = [.tooFew]
try? FileManager.default.removeItem(at: folder)
guard summary.events == 1, summary.damagedLines == 0, histogram.total == 1,
  verdicts.count == 1
else {
  exit(because: "one event was recorded")
}
print("Telemetry: one event written and read back")
