import FrameAnalysis
import Testing
import Tracking

@Suite("Throttle")
struct ThrottleTests {
  /// When frames are let through that come every `step` ms; something is seen from `seenFrom` on.
  private func admitted(
    _ throttle: inout FrameThrottle, from start: Int64 = 0, until end: Int64, step: Int64 = 10,
    seenFrom: Int64 = .max
  ) -> [Int64] {
    stride(from: start, through: end, by: Int(step)).filter { milliseconds in
      let time = FrameTime.milliseconds(milliseconds)
      guard throttle.admit(frameAt: time) == .analyze else { return false }
      if milliseconds >= seenFrom { throttle.sawSomething(at: time) }
      return true
    }
  }

  @Test(
    "At most one frame an interval, by how hot the device is; exactly the interval is enough",
    arguments: [
      (ThermalState.nominal, 150), (.fair, 250), (.serious, 500),
    ] as [(ThermalState, Int64)])
  func intervals(state: ThermalState, interval: Int64) throws {
    var throttle = try FrameThrottle()
    throttle.thermalState = state
    #expect(throttle.admit(frameAt: .zero) == .analyze)
    let due = FrameTime.milliseconds(interval)
    #expect(throttle.admit(frameAt: .milliseconds(1)) == .wait(until: due))
    #expect(
      throttle.admit(frameAt: FrameTime(nanoseconds: interval * 1_000_000 - 1))
        == .wait(until: due))
    #expect(throttle.admit(frameAt: due) == .analyze)
    #expect(throttle.interval(at: due) == .milliseconds(interval))
    let times = admitted(&throttle, from: 2 * interval, until: 10_000, seenFrom: 0)
    #expect(times == Array(stride(from: 2 * interval, through: 10_000, by: Int(interval))))
  }

  @Test("Too hot: off, and says so, until it has cooled down")
  func critical() throws {
    var throttle = try FrameThrottle()
    #expect(throttle.admit(frameAt: .zero) == .analyze)
    throttle.thermalState = .critical
    for time in [0, 150, 10_000, 1_000_000] as [Int64] {
      #expect(throttle.admit(frameAt: .milliseconds(time)) == .offBecauseOfHeat)
      #expect(throttle.interval(at: .milliseconds(time)) == nil)
    }
    throttle.thermalState = .serious
    #expect(throttle.admit(frameAt: .milliseconds(1_000_001)) == .analyze)
  }

  @Test("Nothing seen for exactly 3 s: one frame in 500 ms")
  func idle() throws {
    var throttle = try FrameThrottle()
    // The frame at 3.00 s would be due by the short interval, and comes at the instant at which the long
    // one begins.
    let times = admitted(&throttle, until: 5000)
    #expect(times == Array(stride(from: 0, through: 2850, by: 150)) + [3350, 3850, 4350, 4850])
    #expect(throttle.isIdle(at: .milliseconds(3000)))
    #expect(!throttle.isIdle(at: .milliseconds(2999)))
  }

  @Test("Anything seen: back at once", arguments: [ThermalState.nominal, .fair, .serious])
  func awake(state: ThermalState) throws {
    var throttle = try FrameThrottle()
    throttle.thermalState = state
    _ = admitted(&throttle, until: 10_000)
    let before = throttle.interval(at: .milliseconds(10_000))
    #expect(before == .milliseconds(500))
    throttle.sawSomething(at: .milliseconds(10_000))
    let own: [ThermalState: Int64] = [.nominal: 150, .fair: 250, .serious: 500]
    #expect(throttle.interval(at: .milliseconds(10_001)) == .milliseconds(own[state] ?? 0))
    #expect(throttle.interval(at: .milliseconds(12_999)) == .milliseconds(own[state] ?? 0))
    #expect(throttle.interval(at: .milliseconds(13_000)) == .milliseconds(500))
  }

  @Test("Resuming resets: the next frame is looked at, and the 3 s start with it")
  func resume() throws {
    var throttle = try FrameThrottle()
    _ = admitted(&throttle, until: 10_000)
    #expect(throttle.isIdle(at: .milliseconds(10_000)))
    throttle.resume()
    #expect(throttle.admit(frameAt: .milliseconds(10_001)) == .analyze)
    #expect(throttle.interval(at: .milliseconds(13_000)) == .milliseconds(150))
    #expect(throttle.interval(at: .milliseconds(13_001)) == .milliseconds(500))
  }

  @Test("A frame that comes late, or twice, is not looked at")
  func late() throws {
    var throttle = try FrameThrottle()
    #expect(throttle.admit(frameAt: .milliseconds(1000)) == .analyze)
    for time in [1000, 999, 0, -5] as [Int64] {
      #expect(
        throttle.admit(frameAt: .milliseconds(time)) == .wait(until: .milliseconds(1150)))
    }
    #expect(throttle.admit(frameAt: FrameTime(nanoseconds: .min)) != .analyze)
    #expect(throttle.admit(frameAt: FrameTime(nanoseconds: .max)) == .analyze)
  }

  @Test("A session is idle by what it sees, and lets frames through again at once")
  func session() throws {
    var session = FrameSession()
    var times: [Int64] = []
    for time in stride(from: 0 as Int64, through: 6000, by: 50) {
      guard session.admit(frameAt: .milliseconds(time)) == .analyze else { continue }
      times.append(time)
      let sight = time >= 4500 ? Sight.large : .nothing
      _ = session.analyze(try sight.observations(at: time))
    }
    // Idle from 3 s on; the frame at 4.85 s sees something, and the next comes 150 ms later.
    #expect(times.filter { $0 >= 2850 && $0 < 5200 } == [2850, 3350, 3850, 4350, 4850, 5000, 5150])
  }

  @Test("Barcodes, objects and sure text are something; unsure text is nothing")
  func something() throws {
    let rows: [(FrameObservations, Bool)] = [
      (try observed(3000), false), (try observed(3000, texts: [text(confidence: 0.5)]), false),
      (try observed(3000, texts: [text(confidence: 0.51)]), true),
      (try observed(3000, barcodes: [barcode("4006381333931")]), true),
      (try observed(3000, objects: [object(confidence: 0.1)]), true),
      (try observed(3000, objects: [object(width: 0)]), false),
    ]
    for (observations, isSomething) in rows {
      var session = FrameSession()
      #expect(session.admit(frameAt: .zero) == .analyze)
      _ = session.analyze(observations)
      #expect(session.admit(frameAt: .milliseconds(3000)) == .analyze)
      let next = session.admit(frameAt: .milliseconds(3150))
      #expect(next == (isSomething ? .analyze : .wait(until: .milliseconds(3500))))
    }
  }

  @Test("A camera's clock that starts anew does not stop the session")
  func restartedClock() throws {
    var session = FrameSession()
    #expect(session.admit(frameAt: .milliseconds(100_000)) == .analyze)
    _ = session.analyze(try Sight.spine.observations(at: 100_000))
    // A little late: not looked at. Three seconds back: a new clock, which goes on from here.
    #expect(
      session.admit(frameAt: .milliseconds(97_001)) == .wait(until: .milliseconds(100_150)))
    #expect(session.admit(frameAt: .milliseconds(10)) == .wait(until: .milliseconds(160)))
    #expect(session.admit(frameAt: .milliseconds(160)) == .analyze)
    let analyzed = session.analyze(try Sight.spine.observations(at: 160))
    #expect(analyzed.guidance == .spineDetected)
    #expect(session.message(at: .milliseconds(3159)) == .spineDetected)
    #expect(session.message(at: .milliseconds(3160)) == nil)
  }
}
