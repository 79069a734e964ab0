import Foundation
import FuzzSupport

@testable import Telemetry

extension Target {
  /// A file of events, the checks of whose lines are put right, unless the first byte says not to.
  static let events = Target(
    "events",
    seeds: {
      var lines: [UInt8] = [0]
      for (index, width) in [0.0, 0.1234567, 1].enumerated() {
        let event = try TelemetryEvent(
          time: Date(timeIntervalSince1970: 1_732_272_012.345 + Double(index)),
          confidence: width, width: width, height: 0.5, aspectRatio: 0.25, sawText: index == 1,
          sawBarcode: index == 2, variant: index == 1 ? nil : "new-finder.\(index)")
        EventLine.append(event, to: &lines)
      }
      return [lines, lines + [EventLine.newline], Array(lines.dropLast(30))]
    }
  ) { bytes in
    let lines = bytes.dropFirst().split(
      separator: EventLine.newline, omittingEmptySubsequences: false
    ).map { bytes[0] & 1 == 0 ? repaired(Array($0)) : Array($0) }
    var sound = 0
    for line in lines {
      guard let read = line.withUnsafeBytes({ EventLine.event(in: $0) }) else { continue }
      sound += 1
      var again: [UInt8] = []
      EventLine.append(read.event, to: &again)
      expect(again == line + [EventLine.newline], "a line is read that is not what is written")
      expect(EventLine.check(of: read.event) == read.check, "the check of \(read.event)")
    }

    let file = Array(lines.joined(separator: [EventLine.newline]))
    let folder = try Scratch.emptyFolder("events")
    let name = EventFile(number: 12, begun: 1_732_272_012_345).name
    try Scratch.write(file, to: "events/\(name)")
    let report = try TelemetryReport(of: TelemetryReader(folder: folder))
    expect(report.summary.bytes == file.count, "\(report.summary) of \(file.count) bytes")
    // A last line without an end was cut, whatever it says.
    let isCut = lines.last.map { line in line.withUnsafeBytes { EventLine.event(in: $0) } } != nil
    let cut = isCut && lines.last?.isEmpty == false ? 1 : 0
    expect(
      (sound - cut...sound).contains(report.summary.events),
      "\(report.summary) of \(sound) sound lines")
  }

  /// A line with the check that it should have.
  private static func repaired(_ line: [UInt8]) -> [UInt8] {
    let key = Array(",\"check\":\"".utf8)
    guard line.count >= key.count,
      let start = (0...(line.count - key.count)).last(where: { line[$0...].starts(with: key) })
    else { return line }
    let check = String(Checksums.fnv1a(line[..<start]), radix: 16)
    let digits = String(repeating: "0", count: 16 - check.count) + check
    return line[..<start] + key + Array(digits.utf8) + Array("\"}".utf8)
  }
}
