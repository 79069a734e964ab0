import FrameAnalysis
import Testing
import Tracking

/// Timed rows of what is seen, and of what shows then.
@Suite("What frames say one after the other")
struct TimedRulesTests {
  /// Guidance by its first letter, as ``Sight`` has it: s, c, h, and - for no book; a blank for none.
  private func letter(_ guidance: Guidance?) -> Character {
    switch guidance {
    case .spineDetected: "s"
    case .moveCloser: "c"
    case .holdSteady: "h"
    case .noBook: "-"
    case nil: " "
    }
  }

  @Test(
    "A change shows with the second like frame in a row",
    arguments: [
      // One letter a frame: what is seen, and what shows.
      ("-", " "), ("--", " -"), ("ss", " s"), ("s-s-s-", "      "), ("sscc", " ssc"),
      ("sscss", " ssss"), ("ss-ss--", " sssss-"), ("sschcc", " ssssc"), ("ssch-c", " sssss"),
      ("sissi", " ssss"), ("hh-s-ss", " hhhhhs"), ("cchhss--", " cchhss-"),
    ])
  func debouncing(seen: String, shown: String) throws {
    for interval in [1, 33, 149, 150, 151, 500] as [Int64] {
      var session = FrameSession()
      var guidance = ""
      for (index, sight) in seen.enumerated() {
        let sight = try #require(Sight(rawValue: sight))
        let analyzed = session.analyze(try sight.observations(at: Int64(index) * interval))
        guidance.append(letter(analyzed.guidance))
      }
      #expect(guidance == shown)
    }
  }

  @Test("At the nominal interval a change shows exactly 150 ms after its first frame")
  func latency() throws {
    var session = FrameSession()
    var shownAt: FrameTime?
    // A camera of 100 frames a second; the spine comes into view at 1.2 s, a frame that is looked at.
    for milliseconds in stride(from: 0 as Int64, through: 2000, by: 10) {
      let time = FrameTime.milliseconds(milliseconds)
      guard session.admit(frameAt: time) == .analyze else { continue }
      let sight = milliseconds < 1200 ? Sight.nothing : .spine
      let analyzed = session.analyze(try sight.observations(at: milliseconds))
      if analyzed.guidance == .spineDetected, shownAt == nil { shownAt = time }
    }
    #expect(shownAt == .milliseconds(1350))
  }

  @Test("A change needs as many like frames as the setting says", arguments: 1...5)
  func framesToChange(count: Int) throws {
    var configuration = FrameConfiguration()
    configuration.framesToChange = count
    var session = try FrameSession(configuration: configuration)
    for frame in 1...6 {
      let analyzed = session.analyze(try Sight.spine.observations(at: Int64(frame) * 150))
      #expect(analyzed.guidance == (frame >= count ? .spineDetected : nil))
    }
  }

  @Test(
    "A message hides after 3 s unchanged",
    arguments: [
      (150, true), (151, true), (3149, true), (3150, false), (3151, false), (60_000, false),
    ] as [(Int64, Bool)])
  func hiding(milliseconds: Int64, isShown: Bool) throws {
    var session = FrameSession()
    // The second frame, at 150 ms, brings the message.
    for time in [0, 150] { _ = session.analyze(try Sight.spine.observations(at: Int64(time))) }
    #expect(session.message(at: .milliseconds(milliseconds)) == (isShown ? .spineDetected : nil))
    // Seeing the same again does not show it longer, and the guidance itself stays.
    for time in stride(from: 300, to: milliseconds, by: 150) {
      _ = session.analyze(try Sight.spine.observations(at: time))
    }
    let analyzed = session.analyze(try Sight.spine.observations(at: milliseconds))
    #expect(analyzed.message == (isShown ? .spineDetected : nil))
    #expect(analyzed.guidance == .spineDetected)
  }

  @Test("A hidden message shows again only after a change")
  func showingAgain() throws {
    var session = FrameSession()
    var messages = ""
    let seen = "ss" + String(repeating: "s", count: 5) + "c" + "s" + "cc" + "ss"
    for (index, sight) in seen.enumerated() {
      let sight = try #require(Sight(rawValue: sight))
      messages.append(
        letter(session.analyze(try sight.observations(at: Int64(index) * 1000)).message))
    }
    // Shown at 1 s, hidden at 4 s; one odd frame changes nothing, two do.
    #expect(messages == " sss   " + "  " + " c" + "cs")
  }

  @Test(
    "Events come once until there is no book, at least 2 s apart",
    arguments: [
      // Milliseconds between frames, what is seen, and the events: S spine, I ISBN.
      (150, "s", "."), (150, "ss", ".S"), (150, "ssssssssssssssssssss", ".S.................."),
      (150, "i", "I"), (150, "sc-c", "...."),
      // The ISBN comes first; the spine it proves 2 s later, exactly.
      (1000, "iiii", "I.S."), (999, "iiii", "I..S"), (2000, "iiii", "IS.."),
      // Both once: other guidance in between does not matter.
      (2000, "ssiccssii", ".SI......"),
      // No book, for two frames, begins anew; one such frame does not.
      (2000, "ss-ss", ".S..."), (2000, "ss--ss", ".S...S"), (2000, "ii--ii", "IS..IS"),
      // A second session within 2 s has to wait.
      (500, "ss--sss", ".S...S."), (499, "ss--ss", ".S...."),
      (499, "ss--sss", ".S....S"),
    ] as [(Int64, String, String)])
  func feedback(interval: Int64, seen: String, expected: String) throws {
    var session = FrameSession()
    var events = ""
    for (index, sight) in seen.enumerated() {
      let sight = try #require(Sight(rawValue: sight))
      let analyzed = session.analyze(try sight.observations(at: Int64(index) * interval))
      #expect(analyzed.events.count <= 1)
      switch analyzed.events.first {
      case .spineFound: events.append("S")
      case .isbnFound: events.append("I")
      case nil: events.append(".")
      }
    }
    #expect(events == expected)
  }

  @Test("After a pause frames are not compared with those before it")
  func resuming() throws {
    var session = FrameSession()
    for time in [0, 150] {
      _ = session.analyze(try observed(Int64(time), objects: [object(x: 0.1, width: 0.4)]))
    }
    let spine = session.analyze(try Sight.spine.observations(at: 300))
    #expect(spine.reading == .spineDetected && spine.guidance == .holdSteady)
    session.resume()
    // Without the pause this were the second like frame, and the object had moved.
    let first = session.analyze(try Sight.spine.observations(at: 450))
    #expect(first.guidance == .holdSteady)
    #expect(session.analyze(try Sight.spine.observations(at: 600)).guidance == .spineDetected)
    let moved = session.analyze(
      try observed(750, objects: [object(x: 0.3, width: 0.4, confidence: 0.95)]))
    #expect(moved.shift == 0 || moved.shift == nil)
  }
}
