import Foundation
import FrameAnalysis
import Geometry
import TestSupport
import Testing
import Tracking

@Suite("Replay of recordings")
struct ReplayTests {
  /// A walk along a shelf, with everything that happens to a session.
  private func recording(seed: UInt64) throws -> FrameRecording {
    var generator = SeededGenerator(seed: seed)
    var recording = FrameRecording()
    var x = 0.0
    let shelf = (0..<40).map { index in
      (x: 0.1 * Double(index), width: 0.04 + 0.05 * generator.unit(), look: generator.unitFloat())
    }
    for frame in 0..<200 {
      let time = Int64(frame) * 40 + Int64(generator.unit() * 20)
      x += frame < 60 || frame > 140 ? 0 : 0.03
      recording.inputs.append(.offered(.milliseconds(time)))
      if frame == 70 { recording.inputs.append(.thermalState(.fair)) }
      if frame == 120 { recording.inputs.append(.resumed) }
      let objects = shelf.filter { $0.x - x > -0.02 && $0.x - x < 0.95 && generator.unit() > 0.1 }
        .map { book in
          ObjectRegion(
            box: NormalizedBox(x: book.x - x, y: 0.1, width: book.width, height: 0.7),
            confidence: 0.7 + 0.3 * generator.unitFloat(), appearance: [book.look, 1 - book.look])
        }
      let texts = frame % 7 == 0 ? [text(width: 0.1)] : frame > 150 ? [title] : []
      let barcodes = frame > 180 ? [barcode()] : []
      let visible = frame >= 20
      recording.inputs.append(
        .observed(
          try observed(
            time, texts: visible ? texts : [], barcodes: barcodes, objects: visible ? objects : []))
      )
    }
    return recording
  }

  private func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }

  @Test("A recording gives the same answers on every run, also after having been stored")
  func determinism() throws {
    for seed in 0..<4 as Range<UInt64> {
      let recording = try recording(seed: seed)
      let first = try json(recording.replay())
      #expect(try json(recording.replay()) == first)
      let stored = try JSONDecoder().decode(FrameRecording.self, from: json(recording))
      #expect(stored == recording)
      #expect(try json(stored.replay()) == first)
    }
  }

  @Test("The answers are the same in every process")
  func golden() throws {
    let outputs = try recording(seed: 1).replay()
    let analyses = outputs.compactMap { output -> AnalyzedFrame? in
      if case .analysis(let analysis) = output { return analysis }
      return nil
    }
    let letters = analyses.map { analysis in
      switch analysis.guidance {
      case .spineDetected: "s"
      case .moveCloser: "c"
      case .holdSteady: "h"
      case .noBook: "-"
      case nil: " "
      }
    }
    var runs: [(letter: String, count: Int)] = []
    for letter in letters {
      if runs.last?.letter == letter {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((letter, 1))
      }
    }
    let summary = runs.map { "\($0.count)\($0.letter)" }.joined(separator: ",")
    #expect(summary == "1 ,20-,44c,20h,2c,19h,2c,13h,4c,2h,2c,12h,11c,48s")
    // The last frames show up to 0.95 beyond 2.43, where the books stand 0.1 apart.
    #expect(analyses.last?.distinctObjects == 34)
    #expect(outputs.count { $0 == .admission(.analyze) } == 36)
  }

  @Test("Outputs survive being stored")
  func outputs() throws {
    let outputs = try recording(seed: 2).replay()
    #expect(try JSONDecoder().decode([FrameOutput].self, from: json(outputs)) == outputs)
  }

  @Test("A recording with a setting out of range is refused")
  func invalid() throws {
    var recording = FrameRecording()
    recording.configuration.framesToChange = 0
    #expect(
      throws: FrameConfigurationError.outOfRange(field: "framesToChange", value: 0, range: 1...100)
    ) { try recording.replay() }
  }
}
