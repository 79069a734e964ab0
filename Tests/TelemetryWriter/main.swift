import Foundation
import Telemetry
import TestSupport

// Writes events until it is killed, or as many as it is told, for the tests of the module: a test's own
// process cannot be killed at any moment, nor be given too little disk.
//
//   TelemetryWriter FOLDER FIRST COUNT BATCH FILE-BYTES [DISK-BYTES]
//
// Event number n, from FIRST on, has values that follow from n. Prints one line when it begins, and
// one in the end: what became of the events. With DISK-BYTES no file can grow beyond that, as on a
// full disk.

let arguments = CommandLine.arguments
guard (6...7).contains(arguments.count), let first = Int(arguments[2]),
  let count = Int(arguments[3]), let batch = Int(arguments[4]), let fileBytes = Int(arguments[5])
else {
  print("TelemetryWriter FOLDER FIRST COUNT BATCH FILE-BYTES [DISK-BYTES]")
  exit(64)
}
ChildProgram.limitFiles(to: arguments.dropFirst(6).first.flatMap { rlim_t($0) })

do {
  let limits = try TelemetryLimits(
    fileBytes: fileBytes, batchEvents: batch, delay: 0.001, waitingEvents: max(batch, 4096))
  let log = try TelemetryLog(folder: URL(fileURLWithPath: arguments[1]), limits: limits)
  ChildProgram.say("writing")
  for number in first..<(first + count) {
    log.record(
      try TelemetryEvent(
        time: Date(timeIntervalSince1970: Double(number)),
        confidence: Double(number % 1001) / 1000, width: Double(number % 97) / 100,
        height: Double(number % 89) / 100, aspectRatio: Double(number % 1013) / 100,
        sawText: number % 2 == 0, sawBarcode: number % 3 == 0))
    if number % batch == 0 { try? log.flushAndWait() }
  }
  try? log.flushAndWait()
  let status = log.status
  let failure = status.lastFailure.map { "\($0)" } ?? "none"
  ChildProgram.say(
    "recorded \(status.recorded) written \(status.written) dropped \(status.dropped) "
      + "declined \(status.declined) failure \(failure)")
} catch {
  ChildProgram.say("failed: \(error)")
  exit(1)
}
