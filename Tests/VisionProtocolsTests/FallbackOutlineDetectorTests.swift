import Foundation
import Geometry
import Testing
import VisionProtocols

@Suite("Two detectors of outlines")
struct FallbackOutlineDetectorTests {
  /// Finds one outline of a confidence of its own, or fails.
  private struct Detector: OutlineDetector {
    let confidence: Float
    var failure: ModelNotLoadedError?
    var isBlind = false

    func outlines(in image: Int) async throws -> [DetectedOutline] {
      if let failure { throw failure }
      if isBlind { return [] }
      let box = Box(minX: 0, minY: 0, maxX: 1, maxY: 2)
      return [DetectedOutline(outline: Quadrilateral(box), confidence: confidence)]
    }
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []

    func add(_ error: any Error) { lock.withLock { all.append("\(error)") } }
    var values: [String] { lock.withLock { all } }
  }

  private let first = Detector(confidence: 0.25)
  private let fallback = Detector(confidence: 0.75)
  private let lost = ModelNotLoadedError(model: "spines")

  private func found(
    _ detector: FallbackOutlineDetector<Int>
  ) async throws -> [Float] {
    try await detector.outlines(in: 7).map(\.confidence)
  }

  @Test("The first is used while it is on and does not fail")
  func normal() async throws {
    let failures = Failures()
    let detector = FallbackOutlineDetector(first, fallback: fallback, onFailure: failures.add)
    #expect(try await found(detector) == [0.25] && failures.values.isEmpty)
  }

  @Test("If the first fails, the fallback answers, and the failure is told")
  func failing() async throws {
    let failures = Failures()
    let detector = FallbackOutlineDetector(
      Detector(confidence: 0.25, failure: lost), fallback: fallback, onFailure: failures.add)
    #expect(try await found(detector) == [0.75])
    #expect(failures.values == ["\(lost)"])
  }

  @Test("The first that finds nothing has not failed")
  func nothingFound() async throws {
    let blind = Detector(confidence: 0.25, isBlind: true)
    #expect(try await found(FallbackOutlineDetector(blind, fallback: fallback)).isEmpty)
  }

  @Test("Switched off, the first is not asked; the switch is asked for every image")
  func switchedOff() async throws {
    let failures = Failures()
    let isOn = Failures()
    let detector = FallbackOutlineDetector(
      Detector(confidence: 0.25, failure: lost), fallback: fallback,
      isOn: {
        isOn.add(CancellationError())
        return isOn.values.count > 1
      }, onFailure: failures.add)
    #expect(try await found(detector) == [0.75] && failures.values.isEmpty)
    #expect(try await found(detector) == [0.75] && failures.values.count == 1)
  }

  @Test("If both fail, the error is the fallback's")
  func bothFail() async throws {
    let failures = Failures()
    let other = ModelNotLoadedError(model: "rectangles")
    let detector = FallbackOutlineDetector(
      Detector(confidence: 0.25, failure: lost), fallback: Detector(confidence: 0, failure: other),
      onFailure: failures.add)
    await #expect(throws: other) { try await detector.outlines(in: 7) }
    #expect(failures.values == ["\(lost)"])
  }

  @Test("A cancelled task is not given the fallback")
  func cancelled() async throws {
    let failures = Failures()
    let detector = FallbackOutlineDetector(
      Detector(confidence: 0.25, failure: lost), fallback: fallback, onFailure: failures.add)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await detector.outlines(in: 7)
    }
    task.cancel()
    await #expect(throws: lost) { try await task.value }
    #expect(failures.values.isEmpty)
  }
}
