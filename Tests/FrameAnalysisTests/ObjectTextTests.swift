import Foundation
import FrameAnalysis
import Geometry
import Testing
import Tracking
import VisionProtocols

// H23, V43, SC-005: text within a frame's budget, read once on each tracked object.

@Suite("Text on objects, read beside the frames")
struct ObjectTextTests {
  /// A session that was shown objects in two frames, so that they are confirmed.
  private func session(
    _ objects: [ObjectRegion], _ configuration: FrameConfiguration = FrameConfiguration()
  ) throws -> FrameSession {
    var session = try FrameSession(configuration: configuration)
    for time in [0, 150] as [Int64] {
      _ = session.analyze(try observed(time, objects: objects))
    }
    return session
  }

  /// A reading of an object with a line in the upper half of its box.
  private func reading(
    _ object: FrameObject, _ words: String = "The Histories", confidence: Float = 0.95
  ) -> ObjectReading {
    let box = object.box
    return ObjectReading(
      of: object,
      texts: [
        text(
          words, x: box.x, y: box.y + box.height / 2, width: box.width, height: box.height / 2,
          confidence: confidence)
      ])
  }

  @Test("Unread objects come first, whole ones before cut ones, large ones before small ones")
  func order() throws {
    var session = FrameSession()
    let shelf = [
      object(x: 0, width: 0.2), object(x: 0.3, width: 0.05), object(x: 0.5, width: 0.1),
    ]
    #expect(session.objectToRead == nil)
    _ = session.analyze(try observed(0, objects: shelf))
    // A single sighting may be a slip of the detector.
    #expect(session.objectToRead == nil)
    _ = session.analyze(try observed(150, objects: shelf))
    var order: [Int] = []
    for _ in 0..<20 {
      guard let next = session.objectToRead else { break }
      order.append(next.id)
      session.add(reading(next, confidence: 0.6))
    }
    // Three readings of each, as none is sure.
    #expect(order == [3, 2, 1, 3, 2, 1, 3, 2, 1])
  }

  @Test("What was read moves with its object, and is there whenever the object is")
  func moving() throws {
    var session = try session([object()])
    let object = try #require(session.objectToRead)
    session.add(reading(object))
    #expect(session.objectToRead == nil)
    let moved = session.analyze(
      try observed(300, objects: [FrameAnalysisTests.object(x: 0.42, y: 0.12, height: 0.76)]))
    #expect(moved.objects.map(\.lines) == [["The Histories"]])
    #expect(moved.texts.map(\.text) == ["The Histories"] && moved.textIDs == [1])
    let box = try #require(moved.texts.first?.box)
    #expect(abs(box.x - 0.42) < 1e-9 && abs(box.y - 0.5) < 1e-9)
    #expect(abs(box.width - 0.05) < 1e-9 && abs(box.height - 0.38) < 1e-9)
    // A title along a spine: the guidance follows.
    #expect(moved.reading == .spineDetected)
    let away = session.analyze(try observed(450))
    #expect(away.texts.isEmpty && away.objects.isEmpty)
    let back = session.analyze(try observed(600, objects: [FrameAnalysisTests.object(x: 0.42)]))
    #expect(back.objects.map(\.id) == [object.id] && back.texts.count == 1)
  }

  @Test("A sure reading ends it; a better one replaces, a worse one does not")
  func better() throws {
    var session = try session([object()])
    func next() throws -> FrameObject { try #require(session.objectToRead) }
    func lines(at time: Int64) throws -> [String] {
      session.analyze(try observed(time, objects: [object()])).objects.flatMap(\.lines)
    }
    session.add(reading(try next(), "The Hist", confidence: 0.7))
    #expect(try lines(at: 300) == ["The Hist"])
    session.add(reading(try next(), "Hist", confidence: 0.8))
    #expect(try lines(at: 450) == ["The Hist"])
    session.add(reading(try next(), "The Histories", confidence: 0.95))
    #expect(try lines(at: 600) == ["The Histories"])
    #expect(session.objectToRead == nil)
  }

  @Test("What is larger than at its last reading is read again, unless it was sure")
  func growth() throws {
    var configuration = FrameConfiguration()
    configuration.maximumReadings = 1
    var session = try session([object(x: 0.2, width: 0.05), object(x: 0.6)], configuration)
    let sure = try #require(session.objectToRead)
    session.add(reading(sure))
    let unsure = try #require(session.objectToRead)
    session.add(reading(unsure, confidence: 0.6))
    #expect(session.objectToRead == nil)
    // Both are 1.2, then 1.3 times as large as at first.
    _ = session.analyze(
      try observed(300, objects: [object(x: 0.2, width: 0.072), object(x: 0.6, width: 0.072)]))
    #expect(session.objectToRead == nil)
    _ = session.analyze(
      try observed(450, objects: [object(x: 0.2, width: 0.085), object(x: 0.6, width: 0.085)]))
    #expect(session.objectToRead?.id == unsure.id)
  }

  @Test("Lines that are not sure enough are kept back")
  func confidence() throws {
    var session = try session([object()])
    session.add(reading(try #require(session.objectToRead), confidence: 0.5))
    let frame = session.analyze(try observed(300, objects: [object()]))
    #expect(frame.texts.isEmpty && frame.objects.map(\.lines) == [[]])
  }

  @Test("Forgotten by clearing, by a reset, by switching off and by time")
  func forgotten() throws {
    for forget in [
      { $0.clear() }, { $0.reset() },
      { session in
        session.isEnabled = false
        session.isEnabled = true
      },
    ] as [(inout FrameSession) -> Void] {
      var session = try session([object()])
      session.add(reading(try #require(session.objectToRead)))
      forget(&session)
      #expect(session.objectToRead == nil)
      let after = session.analyze(try observed(300, objects: [object()]))
      #expect(after.texts.isEmpty)
    }
    var late = try session([object()])
    late.add(reading(try #require(late.objectToRead)))
    #expect(late.analyze(try observed(60_000, objects: [object()])).texts.isEmpty)
  }

  @Test("A session that is off takes no reading in")
  func off() throws {
    var session = try session([object()])
    let object = try #require(session.objectToRead)
    session.isEnabled = false
    session.add(reading(object))
    session.isEnabled = true
    _ = session.analyze(try observed(300, objects: [FrameAnalysisTests.object()]))
    #expect(
      session.analyze(try observed(450, objects: [FrameAnalysisTests.object()])).texts.isEmpty)
  }

  @Test("Readings of impossible boxes and lines change nothing")
  func hostile() throws {
    var session = try session([object()])
    let object = try #require(session.objectToRead)
    let lines = [
      text("a", width: .nan), text("b", confidence: .nan), text("c", width: -1), text(""),
    ]
    session.add(ObjectReading(of: object, texts: lines))
    // A recording may hold any box.
    let stored = String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
    let flat = stored.replacingOccurrences(of: "\"width\":", with: "\"width\":0,\"was\":")
    session.add(reading(try JSONDecoder().decode(FrameObject.self, from: Data(flat.utf8))))
    let frame = session.analyze(try observed(300, objects: [FrameAnalysisTests.object()]))
    #expect(frame.texts.isEmpty && frame.objects.count == 1)
  }

  @Test("The text of as many objects out of view is kept as the tracker remembers")
  func memory() throws {
    var configuration = FrameConfiguration()
    configuration.tracking.maximumRemembered = 2
    var session = try FrameSession(configuration: configuration)
    var time: Int64 = 0
    func show(_ look: Int) throws -> AnalyzedFrame {
      time += 150
      var vector = [Float](repeating: 0, count: 8)
      vector[look] = 1
      var region = object(x: 0.3 + 0.05 * Double(look % 2))
      region.appearance = vector
      return session.analyze(try observed(time, objects: [region]))
    }
    for look in 0..<6 {
      for _ in 0..<2 { _ = try show(look) }
      session.add(reading(try #require(session.objectToRead), "Book number \(look)"))
      #expect(try show(look).texts.map(\.text) == ["Book number \(look)"])
    }
    // Long enough out of view for all to be lost.
    for _ in 0..<10 {
      time += 150
      _ = session.analyze(try observed(time))
    }
    #expect(try show(5).texts.map(\.text) == ["Book number 5"])
  }

  @Test("Readings are replayed with the rest, also after having been stored")
  func replay() throws {
    var session = FrameSession()
    var recording = FrameRecording()
    func handle(_ input: FrameInput) -> FrameOutput? {
      recording.inputs.append(input)
      return session.handle(input)
    }
    var outputs: [FrameOutput] = []
    for frame in 0..<6 {
      let seen = try observed(Int64(frame) * 150, objects: [object(), object(x: 0.7)])
      outputs += [handle(.observed(seen))].compactMap(\.self)
      if let next = session.objectToRead { _ = handle(.readObject(reading(next))) }
    }
    #expect(recording.inputs.count == 8)
    #expect(try recording.replay() == outputs)
    let data = try JSONEncoder().encode(recording)
    let stored = try JSONDecoder().decode(FrameRecording.self, from: data)
    let replayed = try stored.replay()
    #expect(stored == recording && replayed == outputs)
  }
}

@Suite("A scanner that reads objects")
struct ObjectReadingTests {
  /// A frame of 1000 by 500 pixels with two books, and a line on each and beside both.
  private var picture: Picture {
    let books = [
      Box(x: 100, y: 50, width: 60, height: 400), Box(x: 400, y: 50, width: 80, height: 400),
    ]
    let lines = [
      ("Dracula", books[0]), ("Emma", books[1]),
      ("EXIT", Box(x: 700, y: 50, width: 200, height: 50)),
    ]
    return Picture(
      texts: lines.map {
        RecognizedText(outline: Quadrilateral($1), text: $0, confidence: 0.95)
      },
      outlines: books.map { DetectedOutline(outline: Quadrilateral($0), confidence: 0.8) })
  }

  private func scanner(_ reader: Reader = Reader()) -> FrameScanner<Picture> {
    FrameScanner(
      analyzer: FrameAnalyzer<Picture>().detectingObjects(with: Reader())
        .recognizingTextOnObjects(with: reader))
  }

  @Test("One object is read after another, and what stands beside them is not")
  func oneByOne() async throws {
    let scanner = scanner()
    var seen: [[String]] = []
    for frame in 0..<5 {
      let analyzed = try #require(
        try await scanner.analysis(of: picture, at: .milliseconds(150 * Int64(frame))))
      seen.append(analyzed.texts.map(\.text))
      await scanner.waitForReading()
    }
    // Confirmed by the second frame; the larger book first.
    #expect(seen == [[], [], ["Emma"], ["Dracula", "Emma"], ["Dracula", "Emma"]])
  }

  @Test("Frames go on while an object is read, and no other one is begun")
  func beside() async throws {
    let (gate, calls) = (Gate(), Numbers())
    let scanner = scanner(
      Reader(before: {
        calls.add(1)
        await gate.pass()
      }))
    for frame in 0..<10 {
      let analyzed = try #require(
        try await scanner.analysis(of: picture, at: .milliseconds(150 * Int64(frame))))
      #expect(analyzed.texts.isEmpty && analyzed.objects.count == 2)
    }
    await gate.open()
    await scanner.waitForReading()
    #expect(calls.values.count == 1)
    let next = try #require(try await scanner.analysis(of: picture, at: .milliseconds(1500)))
    #expect(next.texts.map(\.text) == ["Emma"])
  }

  @Test("What was being read when all was forgotten does not come back")
  func forgotten() async throws {
    let gate = Gate()
    let scanner = scanner(Reader(before: { await gate.pass() }))
    for time in [0, 150] as [Int64] {
      _ = try await scanner.analysis(of: picture, at: .milliseconds(time))
    }
    await scanner.clear()
    await gate.open()
    await scanner.waitForReading()
    for time in [300, 450] as [Int64] {
      let frame = try #require(try await scanner.analysis(of: picture, at: .milliseconds(time)))
      #expect(frame.texts.isEmpty && frame.failures.isEmpty)
    }
    // Those of the new session are read.
    await scanner.waitForReading()
    let frame = try #require(try await scanner.analysis(of: picture, at: .milliseconds(600)))
    #expect(frame.texts.map(\.text) == ["Emma"])
  }

  @Test("A failure is told by the next frame, and the object is tried again three times at most")
  func failure() async throws {
    let calls = Numbers()
    let scanner = scanner(
      Reader(failure: Failure(description: "no model"), before: { calls.add(1) }))
    var failures = 0
    for frame in 0..<12 {
      let analyzed = try #require(
        try await scanner.analysis(of: picture, at: .milliseconds(150 * Int64(frame))))
      #expect(analyzed.objects.count == 2 && analyzed.texts.isEmpty)
      failures += analyzed.failures.count
      if let failure = analyzed.failures.first {
        #expect(failure.recognizer == .text && failure.reason == "no model")
      }
      await scanner.waitForReading()
    }
    #expect(calls.values.count == 6 && failures == 6)
    #expect(await scanner.statistics.failures == 6)
  }

  @Test("The recognizer sees the stored frame, and lines are turned as objects are")
  func orientation() async throws {
    for orientation in Orientation.allCases {
      let scanner = scanner()
      var last: AnalyzedFrame?
      for frame in 0..<4 {
        last = try await scanner.analysis(
          of: picture, at: .milliseconds(150 * Int64(frame)), orientation: orientation)
        await scanner.waitForReading()
      }
      let frame = try #require(last)
      #expect(Set(frame.texts.map(\.text)) == ["Dracula", "Emma"])
      for object in frame.objects {
        // A book's line fills it.
        let line = try #require(frame.texts.first { [$0.text] == object.lines })
        #expect(abs(line.box.x - object.box.x) < 1e-9 && abs(line.box.y - object.box.y) < 1e-9)
        #expect(abs(line.box.area - object.box.area) < 1e-9)
      }
    }
  }

  @Test("Without such a recognizer nothing is read; the later kind of reading counts")
  func without() async throws {
    let reader = Reader()
    let frame = try #require(try await scanner().analysis(of: picture, at: .zero))
    let object = try #require(frame.objects.first)
    let whole = FrameAnalyzer<Picture>().recognizingTextOnObjects(with: reader)
      .recognizingText(with: reader)
    #expect(await whole.reading(of: object, in: picture) == nil)
    #expect(try await whole.observations(in: picture, at: .zero).texts.count == 3)
    let onObjects = FrameAnalyzer<Picture>().recognizingText(with: reader)
      .recognizingTextOnObjects(with: reader)
    #expect(await onObjects.reading(of: object, in: picture)?.texts.map(\.text) == ["Dracula"])
    #expect(try await onObjects.observations(in: picture, at: .zero).texts.isEmpty)
    #expect(await onObjects.reading(of: object, in: Picture(width: 0)) == nil)
  }
}
