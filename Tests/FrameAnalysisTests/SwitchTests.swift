import FrameAnalysis
import Geometry
import ISBN
import Testing
import Tracking

// H13, V18, V23, V42: switched off and on, cleared, reset, and cleared by time.

@Suite("Switching off, clearing, and resetting")
struct SwitchTests {
  /// A session that has seen a spine with an ISBN, and two objects, in two frames.
  private func seasoned() throws -> FrameSession {
    var session = FrameSession()
    for time in [0, 150] as [Int64] {
      #expect(session.admit(frameAt: .milliseconds(time)) == .analyze)
      _ = session.analyze(try seen(time), took: .milliseconds(20))
    }
    return session
  }

  private func seen(_ milliseconds: Int64) throws -> FrameObservations {
    try observed(
      milliseconds, texts: [title], barcodes: [barcode()],
      objects: [object(x: 0.1), object(x: 0.6)])
  }

  @Test("A session that is off admits nothing, and what still comes changes nothing")
  func off() throws {
    var session = try seasoned()
    session.isEnabled = false
    for time in [300, 5000, 500_000] as [Int64] {
      #expect(session.admit(frameAt: .milliseconds(time)) == .switchedOff)
      let late = session.analyze(try seen(time))
      #expect(late.findings.isEmpty && late.message == nil && late.events.isEmpty)
      #expect(late.distinctObjects == 2)
      #expect(session.message(at: .milliseconds(time)) == nil)
    }
    session.isEnabled = true
    // At once, although the last frame let through is not old.
    #expect(session.admit(frameAt: .milliseconds(500_001)) == .analyze)
    let first = session.analyze(try seen(500_001))
    #expect(first.objects.map(\.id) == [3, 4] && first.guidance == nil && first.shift == nil)
  }

  @Test("Switching to what it is already changes nothing")
  func sameSwitch() throws {
    var session = try seasoned()
    session.isEnabled = true
    let next = session.analyze(try seen(300))
    #expect(next.objects.map(\.id) == [1, 2] && next.guidance == .spineDetected)
    session.isEnabled = false
    session.isEnabled = false
    session.isEnabled = true
    #expect(session.analyze(try seen(450)).objects.map(\.id) == [3, 4])
  }

  @Test("Heat and being off are two things")
  func heat() throws {
    var session = FrameSession()
    session.thermalState = .critical
    session.isEnabled = false
    #expect(session.admit(frameAt: .zero) == .switchedOff)
    session.isEnabled = true
    #expect(session.admit(frameAt: .milliseconds(1)) == .offBecauseOfHeat)
  }

  @Test("Cleared: no guidance, no message, no motion, new ids that nobody had; the rest stays")
  func clearing() throws {
    var session = try seasoned()
    #expect(session.message(at: .milliseconds(300)) == .spineDetected)
    session.clear()
    #expect(session.message(at: .milliseconds(300)) == nil)
    #expect(session.preScanned.isbn == (try ISBN13("9780306406157")))
    #expect(session.statistics.analyzed == 2)
    // The throttle goes on: the next frame is not due before its time.
    #expect(session.admit(frameAt: .milliseconds(200)) == .wait(until: .milliseconds(300)))

    let moved = session.analyze(
      try observed(300, texts: [title], objects: [object(x: 0.5, width: 0.3)]))
    #expect(moved.shift == nil && moved.guidance == nil && moved.message == nil)
    #expect(moved.objects.map(\.id) == [3] && moved.textIDs == [2])
    let next = session.analyze(
      try observed(450, texts: [title], objects: [object(x: 0.5, width: 0.3)]))
    #expect(next.objects.map(\.isConfirmed) == [true])
    // Two before and one after.
    #expect(next.distinctObjects == 3)
  }

  @Test("After clearing, feedback comes again, but no sooner than its spacing")
  func feedback() throws {
    var session = FrameSession()
    #expect(session.analyze(try Sight.isbn.observations(at: 0)).events == [.isbnFound])
    session.clear()
    #expect(session.analyze(try Sight.isbn.observations(at: 1999)).events.isEmpty)
    #expect(session.analyze(try Sight.isbn.observations(at: 2000)).events == [.isbnFound])
  }

  @Test("Reset: as a new session with the same configuration, as hot and as much on")
  func resetting() throws {
    var configuration = FrameConfiguration()
    configuration.framesToChange = 1
    var session = try FrameSession(configuration: configuration)
    session.thermalState = .serious
    _ = session.admit(frameAt: .milliseconds(1000))
    session.dropFrame()
    _ = session.analyze(try seen(1000), took: .milliseconds(5))
    session.reset()
    #expect(session.thermalState == .serious && session.configuration == configuration)
    #expect(session.preScanned.isbn == nil)
    #expect(session.statistics == FrameSession().statistics)
    // Times may start again, too.
    #expect(session.admit(frameAt: .zero) == .analyze)
    let first = session.analyze(try seen(0))
    #expect(first.objects.map(\.id) == [1, 2] && first.events == [.isbnFound])
    session.isEnabled = false
    session.reset()
    #expect(!session.isEnabled && session.admit(frameAt: .zero) == .switchedOff)
  }

  @Test(
    "What was seen is stale after exactly the time that is set",
    arguments: [(9999, false), (10_000, true), (60_000, true)] as [(Int64, Bool)])
  func stale(after milliseconds: Int64, isStale: Bool) throws {
    var configuration = FrameConfiguration()
    // A message that outlives what it speaks of.
    configuration.messageLifetime = .milliseconds(100_000)
    var session = try FrameSession(configuration: configuration)
    #expect(!session.isStale(at: .milliseconds(milliseconds)))
    for time in [0, 150] as [Int64] { _ = session.analyze(try seen(time)) }
    let time = FrameTime.milliseconds(150 + milliseconds)
    #expect(session.isStale(at: time) == isStale)
    #expect(session.message(at: time) == (isStale ? nil : .spineDetected))
    let next = session.analyze(try seen(150 + milliseconds))
    #expect(next.objects.map(\.id) == (isStale ? [3, 4] : [1, 2]))
    #expect(next.guidance == (isStale ? nil : .spineDetected))
    #expect(!session.isStale(at: time))
  }

  @Test("Resuming after a short pause keeps the ids, after a long one it does not")
  func resuming() throws {
    for (pause, ids) in [(9000, [1, 2]), (20_000, [3, 4])] as [(Int64, [Int])] {
      var session = try seasoned()
      session.resume()
      #expect(session.admit(frameAt: .milliseconds(150 + pause)) == .analyze)
      #expect(session.analyze(try seen(150 + pause)).objects.map(\.id) == ids)
    }
  }

  @Test("A clock that starts again makes nothing stale")
  func restartedClock() throws {
    var session = FrameSession()
    for time in [100_000, 100_150] as [Int64] { _ = session.analyze(try seen(time)) }
    #expect(!session.isStale(at: .milliseconds(10)))
    #expect(session.analyze(try seen(10)).objects.map(\.id) == [1, 2])
  }

  @Test("The limit of staleness has a range, and can be stored")
  func limit() throws {
    for milliseconds in [999, 3_600_001, -1] as [Int64] {
      var configuration = FrameConfiguration()
      configuration.staleAfter = .milliseconds(milliseconds)
      #expect(
        throws: FrameConfigurationError.outOfRange(
          field: "staleAfter", value: Double(milliseconds) / 1000, range: 1...3600)
      ) { try FrameSession(configuration: configuration) }
    }
  }

  @Test("A recording replays switches, clearing and resets")
  func replay() throws {
    var recording = FrameRecording()
    recording.inputs = [
      .offered(.zero), .observed(try seen(0)), .dropped, .cleared, .observed(try seen(150)),
      .enabled(false), .offered(.milliseconds(300)), .observed(try seen(300)), .enabled(true),
      .reset, .offered(.milliseconds(450)), .observed(try seen(450)),
    ]
    let outputs = try recording.replay()
    let ids = outputs.compactMap { output -> [Int]? in
      if case .analysis(let frame) = output { return frame.objects.map(\.id) }
      return nil
    }
    #expect(ids == [[1, 2], [3, 4], [], [1, 2]])
    let admissions = outputs.compactMap { output -> FrameAdmission? in
      if case .admission(let admission) = output { return admission }
      return nil
    }
    #expect(admissions == [.analyze, .switchedOff, .analyze])
  }
}

@Suite("Switching a scanner")
struct ScannerSwitchTests {
  @Test("It answers nothing while it is off, and starts afresh when it is on again")
  func switching() async throws {
    let scanner = FrameScanner(analyzer: fakeAnalyzer())
    let first = try #require(try await scanner.analysis(of: .book, at: .zero))
    #expect(first.objects.map(\.id) == [1])
    #expect(await scanner.isEnabled)
    await scanner.setEnabled(false)
    #expect(await !scanner.isEnabled)
    #expect(try await scanner.analysis(of: .book, at: .milliseconds(150)) == nil)
    await scanner.setEnabled(true)
    let next = try #require(try await scanner.analysis(of: .book, at: .milliseconds(151)))
    #expect(next.objects.map(\.id) == [2] && next.guidance == nil)
    await scanner.clear()
    let later = try #require(try await scanner.analysis(of: .book, at: .milliseconds(400)))
    #expect(later.objects.map(\.id) == [3])
    #expect(await scanner.isStale(at: .milliseconds(10_400)))
    #expect(await !scanner.isStale(at: .milliseconds(10_399)))
    await scanner.reset()
    let new = try #require(try await scanner.analysis(of: .book, at: .milliseconds(401)))
    #expect(new.objects.map(\.id) == [1])
    #expect(await scanner.statistics.analyzed == 1)
  }

  @Test(
    "A frame that was in work when all was forgotten does not come back",
    arguments: ["off", "off and on", "cleared", "reset", "on", "resumed"])
  func inWork(change: String) async throws {
    let (started, gate) = (Gate(), Gate())
    let reader = Reader(before: {
      await started.open()
      await gate.pass()
    })
    let scanner = FrameScanner(analyzer: FrameAnalyzer<Picture>().detectingObjects(with: reader))
    let analysis = Task { try await scanner.analysis(of: .book, at: .zero) }
    await started.pass()
    switch change {
    case "off": await scanner.setEnabled(false)
    case "off and on":
      await scanner.setEnabled(false)
      await scanner.setEnabled(true)
    case "cleared": await scanner.clear()
    case "reset": await scanner.reset()
    case "on": await scanner.setEnabled(true)
    default: await scanner.resume()
    }
    await gate.open()
    let isKept = change == "on" || change == "resumed"
    #expect(try await analysis.value?.objects.map(\.id) == (isKept ? [1] : nil))
    #expect(await scanner.statistics.analyzed == (isKept ? 1 : 0))
  }
}
