import Foundation
import FrameAnalysis
import Geometry
import ISBN
import Testing
import Tracking
import VisionProtocols

// H23, C7: barcodes within a frame's budget.

@Suite("Barcodes that are read beside the frames")
struct BarcodesBesideTests {
  private let shelf = [0.1, 0.3, 0.5].map { object(x: $0) }

  private func shifted(by shift: Double) -> [ObjectRegion] {
    [0.1, 0.3, 0.5].map { object(x: $0 + shift) }
  }

  @Test("They move with the picture, from the frame that was read on")
  func moving() throws {
    var session = FrameSession()
    for frame in 0..<4 {
      let seen = try observed(
        Int64(frame) * 150, objects: shifted(by: 0.02 * Double(frame)))
      #expect(session.analyze(seen).barcodes.isEmpty)
    }
    // Read in the second frame, which showed them 0.02 further right than the first.
    session.add(BarcodeReading(at: .milliseconds(150), barcodes: [barcode()]))
    let frame = session.analyze(try observed(600, objects: shifted(by: 0.08)))
    let box = try #require(frame.barcodes.first?.box)
    #expect(abs(box.x - 0.56) < 1e-3 && abs(box.y - 0.5) < 1e-3 && box.width == 0.2)
    #expect(frame.isbn == (try ISBN13("9780306406157")) && frame.events == [.isbnFound])
    #expect(session.preScanned.isbn == frame.isbn)
  }

  @Test("What has left the frame is not shown, and comes back with the picture")
  func leaving() throws {
    var session = FrameSession()
    var time: Int64 = 0
    func codes(at shift: Double) throws -> Int {
      time += 150
      let seen = [0.1, 0.2].map { object(x: $0 + shift) }
      return session.analyze(try observed(time, objects: seen)).barcodes.count
    }
    #expect(try codes(at: 0) == 0)
    session.add(BarcodeReading(at: .milliseconds(150), barcodes: [barcode()]))
    var counts: [Int] = []
    for step in 1...30 { counts.append(try codes(at: 0.02 * Double(step))) }
    // It begins at 0.5, so that it leaves after 25 steps.
    #expect(counts.prefix(23).allSatisfy { $0 == 1 } && counts.suffix(4).allSatisfy { $0 == 0 })
    for step in (0..<30).reversed() { counts.append(try codes(at: 0.02 * Double(step))) }
    #expect(counts.last == 1)
  }

  @Test("The next reading replaces them, also one that saw none")
  func replaced() throws {
    var session = FrameSession()
    func codes(at time: Int64) throws -> [String] {
      session.analyze(try observed(time, objects: shelf)).barcodes.map(\.payload)
    }
    #expect(try codes(at: 0) == [])
    session.add(BarcodeReading(at: .zero, barcodes: [barcode()]))
    #expect(try codes(at: 150) == ["9780306406157"] && codes(at: 300) == ["9780306406157"])
    session.add(BarcodeReading(at: .milliseconds(150), barcodes: []))
    #expect(try codes(at: 450) == [])
  }

  @Test("A frame that is not known any more moves nothing, and impossible boxes are left out")
  func unknown() throws {
    var session = FrameSession()
    _ = session.analyze(try observed(0, objects: shelf))
    let wrong = BarcodeRegion(
      box: NormalizedBox(x: .nan, y: 0, width: 1, height: 1), payload: "1", symbology: .ean13)
    session.add(BarcodeReading(at: .milliseconds(77), barcodes: [wrong, barcode()]))
    let frame = session.analyze(try observed(150, objects: shifted(by: 0.02)))
    #expect(frame.barcodes == [barcode()])
  }

  @Test("Forgotten by clearing, by a reset and by switching off; nothing is taken in while off")
  func forgotten() throws {
    for forget in [
      { $0.clear() }, { $0.reset() },
      { session in
        session.isEnabled = false
        session.add(BarcodeReading(at: .zero, barcodes: [barcode()]))
        session.isEnabled = true
      },
    ] as [(inout FrameSession) -> Void] {
      var session = FrameSession()
      _ = session.analyze(try observed(0, objects: shelf))
      session.add(BarcodeReading(at: .zero, barcodes: [barcode()]))
      forget(&session)
      let frame = session.analyze(try observed(150, objects: shelf))
      #expect(frame.barcodes.isEmpty)
    }
  }

  @Test("A recording has them, also after having been stored")
  func replay() throws {
    var recording = FrameRecording()
    recording.inputs = [
      .observed(try observed(0, objects: shelf)),
      .readBarcodes(BarcodeReading(at: .zero, barcodes: [barcode()])),
      .observed(try observed(150, objects: shelf)),
    ]
    let stored = try JSONDecoder().decode(
      FrameRecording.self, from: JSONEncoder().encode(recording))
    #expect(stored == recording)
    guard case .analysis(let last) = try #require(try stored.replay().last) else { return }
    #expect(last.barcodes == [barcode()])
  }

  @Test("A scanner reads barcodes and objects in turns, beside the frames")
  func scanner() async throws {
    let (codes, texts) = (Numbers(), Numbers())
    let scanner = FrameScanner(
      analyzer: FrameAnalyzer<Picture>().detectingObjects(with: Reader())
        .readingBarcodesBesideFrames(with: Reader(before: { codes.add(1) }))
        .recognizingTextOnObjects(with: Reader(before: { texts.add(1) })))
    var seen: [(codes: Int, texts: Int)] = []
    for frame in 0..<6 {
      let analyzed = try #require(
        try await scanner.analysis(of: Picture.book, at: .milliseconds(150 * Int64(frame))))
      await scanner.waitForReading()
      seen.append((codes.values.count, texts.values.count))
      #expect(analyzed.barcodes.count == (frame == 0 ? 0 : 1))
    }
    // The book is confirmed by the second frame; its text is not on it, so three readings end it.
    #expect(seen.map(\.codes) == [1, 1, 2, 2, 3, 3])
    #expect(seen.map(\.texts) == [0, 1, 1, 2, 2, 3])
    #expect(await scanner.preScanned.isbn == (try ISBN13("9780306406157")))
  }

  @Test("A reader that fails is told by the next frame")
  func failure() async throws {
    let scanner = FrameScanner(
      analyzer: FrameAnalyzer<Picture>().detectingObjects(with: Reader())
        .readingBarcodesBesideFrames(with: Reader(failure: Failure(description: "no lens"))))
    _ = try await scanner.analysis(of: Picture.book, at: .zero)
    await scanner.waitForReading()
    let next = try #require(
      try await scanner.analysis(of: Picture.book, at: .milliseconds(150)))
    #expect(next.failures.map(\.reason) == ["no lens"] && next.objects.count == 1)
    #expect(next.failures.map(\.recognizer) == [.barcodes])
  }

  @Test("The later kind of reading counts, and codes are turned as objects are")
  func kinds() async throws {
    let reader = Reader()
    let beside = FrameAnalyzer<Picture>().readingBarcodes(with: reader)
      .readingBarcodesBesideFrames(with: reader)
    #expect(try await beside.observations(in: Picture.book, at: .zero).barcodes.isEmpty)
    let every = FrameAnalyzer<Picture>().readingBarcodesBesideFrames(with: reader)
      .readingBarcodes(with: reader)
    #expect(await every.barcodeReading(in: Picture.book, at: .zero) == nil)
    for orientation in Orientation.allCases {
      let reading = await beside.barcodeReading(
        in: Picture.book, at: .zero, orientation: orientation)
      let direct = try await every.observations(
        in: Picture.book, at: .zero, orientation: orientation)
      #expect(reading?.barcodes == direct.barcodes && direct.barcodes.count == 1)
    }
    #expect(await beside.barcodeReading(in: Picture(width: 0), at: .zero) == nil)
  }
}
