import Foundation
import TestSupport
import Testing

@testable import Telemetry

@Suite("Events and their lines")
struct EventTests {
  private func event(
    time: Double = 1, confidence: Double = 0.5, width: Double = 0.1, height: Double = 0.2,
    aspectRatio: Double = 0.5, variant: String? = nil
  ) throws -> TelemetryEvent {
    try TelemetryEvent(
      time: Date(timeIntervalSince1970: time), confidence: confidence, width: width,
      height: height, aspectRatio: aspectRatio, sawText: true, sawBarcode: false, variant: variant)
  }

  @Test("A line is this text, byte for byte")
  func format() throws {
    let usual = try event(
      time: 1_732_272_012.345, confidence: 0.9123, width: 0.123, height: 0.5512,
      aspectRatio: 0.2239)
    #expect(
      String(decoding: usual.line, as: UTF8.self)
        == #"{"time":1732272012345,"confidence":0.91230,"width":0.12300,"height":0.55120,"#
        + #""aspect":0.22390,"text":true,"barcode":false,"check":"0fac8de0cf3d94c5"}"# + "\n")
    let extreme = try TelemetryEvent(
      time: Date(timeIntervalSince1970: 0), confidence: 0, width: 100, height: 0.00001,
      aspectRatio: 10_000, sawText: false, sawBarcode: true)
    #expect(
      String(decoding: extreme.line, as: UTF8.self)
        == #"{"time":0,"confidence":0.00000,"width":100.00000,"height":0.00001,"#
        + #""aspect":10000.00000,"text":false,"barcode":true,"check":"a7114cb268e45db9"}"# + "\n")
  }

  @Test("The line of a variant is this text, and that of no variant is as it ever was")
  func variantFormat() throws {
    let tried = try TelemetryEvent(
      time: Date(timeIntervalSince1970: 1_732_272_012.345), confidence: 0.9123, width: 0.123,
      height: 0.5512, aspectRatio: 0.2239, sawText: true, sawBarcode: false, variant: "new-finder")
    let line = String(decoding: tried.line, as: UTF8.self)
    #expect(
      line.hasPrefix(
        #"{"time":1732272012345,"confidence":0.91230,"width":0.12300,"height":0.55120,"#
          + #""aspect":0.22390,"text":true,"barcode":false,"variant":"new-finder","check":""#))
    #expect(parsed(tried.line.dropLast()) == tried)
    // What versions before variants wrote.
    let old =
      #"{"time":1732272012345,"confidence":0.91230,"width":0.12300,"height":0.55120,"#
      + #""aspect":0.22390,"text":true,"barcode":false,"check":"0fac8de0cf3d94c5"}"#
    let read = try #require(parsed(old.utf8))
    #expect(read.variant == nil && read.confidence == 0.9123)
    #expect(EventID(of: read).description == "0fac8de0cf3d94c5")
    #expect(EventID(of: tried) != EventID(of: read))
  }

  @Test("The longest event of the longest variant fits into a line")
  func longest() throws {
    let event = try TelemetryEvent(
      time: Date(timeIntervalSince1970: 253_402_300_799), confidence: 1, width: 100, height: 100,
      aspectRatio: 10_000, sawText: false, sawBarcode: false,
      variant: String(repeating: "v", count: 32))
    #expect(event.line.count < EventLine.longest)
    #expect(parsed(event.line.dropLast()) == event)
  }

  @Test("Texts that are no names of variants are refused")
  func badVariants() throws {
    for name in ["a", "A.b-c_9", "0", String(repeating: "x", count: 32)] {
      #expect(try event(variant: name).variant == name)
    }
    for name in [
      "", "-", ".a", "_a", "a b", "a\"b", "a\\b", "é", "a\n", "a\u{0}", "日本",
      String(repeating: "x", count: 33), String(repeating: "x", count: 100_000),
    ] {
      let error = #expect(throws: TelemetryError.self) { _ = try event(variant: name) }
      #expect(error == .invalidVariant(name) && "\(error as Any)".utf8.count < 400)
    }
  }

  @Test("Nothing but time, geometry, two truths, a variant and the check is in a line")
  func schema() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let line = try TelemetryEvent.random(&generator).line
      #expect(line.count <= EventLine.longest)
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      let keys: Set = [
        "time", "confidence", "width", "height", "aspect", "text", "barcode", "check",
      ]
      #expect(Set((object ?? [:]).keys).subtracting(["variant"]) == keys)
      let pattern =
        #"^\{"time":\d{1,15},"confidence":[01]\.\d{5},"width":\d{1,3}\.\d{5},"#
        + #""height":\d{1,3}\.\d{5},"aspect":\d{1,5}\.\d{5},"text":(true|false),"#
        + #""barcode":(true|false)(,"variant":"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")?,"#
        + #""check":"[0-9a-f]{16}"\}\n$"#
      let text = String(decoding: line, as: UTF8.self)
      #expect(text.range(of: pattern, options: .regularExpression) != nil, "\(text)")
    }
  }

  @Test("A line reads back as the event, and the event keeps five decimals")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let event = try TelemetryEvent.random(&generator)
      #expect(parsed(event.line.dropLast()) == event)
    }
    let kept = try event(confidence: 0.123456, aspectRatio: 9999.999996)
    #expect(kept.confidence == 0.12346 && kept.aspectRatio == 10_000)
    #expect(try event(time: 12.3456).time == Date(timeIntervalSince1970: 12.346))
    #expect(try abs(event(width: 0.5, height: 0.5).area - 0.25) < 1e-12)
  }

  @Test("A line cut or with a changed byte, at every place, is no event")
  func damage() throws {
    var generator = SeededGenerator(seed: 3)
    let line = Array(try TelemetryEvent.random(&generator).line.dropLast())
    for length in 0..<line.count { #expect(parsed(line.prefix(length)) == nil, "\(length)") }
    for start in 1..<line.count { #expect(parsed(line.dropFirst(start)) == nil, "\(start)") }
    for place in line.indices {
      for bit in 0..<8 {
        var changed = line
        changed[place] ^= 1 << UInt8(bit)
        #expect(parsed(changed) == nil, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test("The beginning of one line and the end of another are no event")
  func splices() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<40 {
      let first = try TelemetryEvent.random(&generator).line.dropLast()
      let second = try TelemetryEvent.random(&generator).line.dropLast()
      for cut in 1..<first.count {
        for start in [cut, cut - 1, cut + 1, Int(generator.next() % UInt64(second.count))]
        where start > 0 && start < second.count {
          let splice = Array(first.prefix(cut)) + second.dropFirst(start)
          // Where both begin or end alike, the splice is one of them.
          let isWhole = splice == Array(first) || splice == Array(second)
          #expect((parsed(splice) != nil) == isWhole)
        }
      }
      #expect(parsed(first + second) == nil)
    }
  }

  @Test("A line that verifies and says something else is no event")
  func otherSchemas() throws {
    let valid = String(decoding: try event().line, as: UTF8.self)
    let body = String(valid.prefix(upTo: try #require(valid.range(of: ",\"check\"")).lowerBound))
    func line(_ body: String) -> [UInt8] {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in body.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      let digits = String(hash, radix: 16)
      let padding = String(repeating: "0", count: 16 - digits.count)
      return Array((body + ",\"check\":\"\(padding)\(digits)\"}").utf8)
    }
    #expect(parsed(line(body)) == (try event()))
    #expect(parsed(line(body + ",\"variant\":\"a\"")) == (try event(variant: "a")))
    for other in [
      "", "{", body + " ", body + ",\"title\":\"x\"", body + ",\"variant\":\"\"",
      body + ",\"variant\":\"-x\"", body + ",\"variant\":\"a b\"", body + ",\"variant\":\"a",
      body + ",\"variant\":\"\u{FC}\"", body + ",\"variant\":\"a\"}", body + ",\"variant\":null",
      body + ",\"variant\":\"a\",\"variant\":\"b\"",
      body.replacingOccurrences(of: ",\"text\"", with: ",\"variant\":\"a\",\"text\""),
      body + ",\"variant\":\"" + String(repeating: "x", count: 33) + "\"",
      body.replacingOccurrences(of: "0.50000", with: "1.50000"),
      body.replacingOccurrences(of: "0.50000", with: "0.5"),
      body.replacingOccurrences(of: "0.50000", with: "-0.50000"),
      body.replacingOccurrences(of: "0.10000", with: "99999999999999999999.00000"),
      body.replacingOccurrences(of: "1000,", with: "999999999999999,"),
      body.replacingOccurrences(of: "\"time\":", with: "\"time\":0"),
      body.replacingOccurrences(of: "0.50000", with: "00.50000"),
      body.replacingOccurrences(of: "true", with: "null"),
      body.replacingOccurrences(of: "time", with: "Time"),
    ] {
      #expect(parsed(line(other)) == nil, "\(other)")
    }
  }

  @Test("Values that are none, or outside, are refused by name")
  func refused() throws {
    for value in [-0.001, 1.001, .infinity, -.infinity] {
      let expected = TelemetryError.valueOutOfRange(
        name: "confidence", value: value, range: "0...1")
      #expect(throws: expected) { try event(confidence: value) }
    }
    #expect(throws: TelemetryError.self) { try event(confidence: .nan) }
    for value in [-0.001, 100.01, .nan, .infinity] {
      #expect(throws: TelemetryError.self) { try event(width: value) }
      #expect(throws: TelemetryError.self) { try event(height: value) }
    }
    for value in [-1, 10_000.1, .nan, .infinity] {
      #expect(throws: TelemetryError.self) { try event(aspectRatio: value) }
    }
    for value in [-1, 253_402_300_800, .nan, .infinity] {
      #expect(throws: TelemetryError.self) { try event(time: value) }
    }
  }

  @Test("Ids are 16 hexadecimal digits")
  func ids() throws {
    let id = EventID(of: try event())
    #expect(EventID(id.description) == id && id.description.utf8.count == 16)
    #expect(EventID("000000000000000F")?.description == "000000000000000f")
    for text in ["", "0", "00000000000000000", "000000000000000g", "+00000000000000f", "𝟎𝟎𝟎𝟎"] {
      #expect(EventID(text) == nil, "\(text)")
    }
  }
}
