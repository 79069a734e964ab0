import Foundation
import TestSupport
import Testing
import Tracking

@Suite("Moments and durations")
struct FrameTimeTests {
  @Test("Arithmetic is exact, and stays at the ends of the range")
  func arithmetic() {
    #expect(FrameTime.milliseconds(150) - .milliseconds(20) == .milliseconds(130))
    #expect(FrameTime.milliseconds(20) - .milliseconds(150) == .milliseconds(-130))
    #expect(FrameTime.milliseconds(20) + .milliseconds(150) == .milliseconds(170))
    let first = FrameTime(nanoseconds: .min)
    let last = FrameTime(nanoseconds: .max)
    #expect(last - first == FrameDuration(nanoseconds: .max))
    #expect(first - last == FrameDuration(nanoseconds: .min))
    #expect(last + .milliseconds(1) == last)
    #expect(first + .milliseconds(-1) == first)
    #expect(FrameDuration.milliseconds(.max).nanoseconds == .max)
    #expect(FrameDuration.milliseconds(.min).nanoseconds == .min)
    #expect(FrameDuration.milliseconds(1) + FrameDuration(nanoseconds: .max) > .zero)
    #expect(first < .zero && FrameDuration.milliseconds(-1) < .zero)
  }

  @Test("Seconds are rounded to nanoseconds; what is no number is no time")
  func seconds() {
    #expect(FrameDuration.seconds(0.15) == .milliseconds(150))
    #expect(FrameTime.seconds(-2.5) == .milliseconds(-2500))
    for value in [Double.nan, .infinity, -.infinity, 1e10, -1e300] {
      #expect(FrameDuration.seconds(value) == nil)
      #expect(FrameTime.seconds(value) == nil)
    }
  }

  @Test("JSON is seconds, and gives back every nanosecond of 26 days")
  func coding() throws {
    #expect(
      String(decoding: try JSONEncoder().encode([FrameTime.milliseconds(150)]), as: UTF8.self)
        == "[0.15]")
    var generator = SeededGenerator(seed: 5)
    let times = (0..<2000).map { _ in
      FrameTime(nanoseconds: Int64(generator.unit() * 26 * 86_400 * 1e9))
    }
    let data = try JSONEncoder().encode(times)
    #expect(try JSONDecoder().decode([FrameTime].self, from: data) == times)
    for text in ["[1e300]", "[\"x\"]", "[-1e12]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([FrameDuration].self, from: Data(text.utf8))
      }
    }
  }
}
