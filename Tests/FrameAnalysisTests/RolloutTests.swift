import ABTesting
import Foundation
import FrameAnalysis
import Geometry
import Testing
import Tracking
import VisionProtocols

// H44, H50: a new detector for a share of all users, taken back while frames come.

@Suite("A detector that is rolled out")
struct RolloutTests {
  /// A rollout that may change while frames are analysed.
  private final class Flags: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Rollout

    init(_ rollout: Rollout) { stored = rollout }

    var rollout: Rollout {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }

  /// A picture with an object, of which the two detectors are differently sure.
  private func picture(_ confidence: Float) -> Picture {
    var picture = Picture.book
    picture.outlines[0].confidence = confidence
    return picture
  }

  /// Sees another picture than the one it is given.
  private struct Surer: OutlineDetector {
    let outlines: [DetectedOutline]
    var failure: Failure?

    func outlines(in image: Picture) async throws -> [DetectedOutline] {
      if let failure { throw failure }
      return outlines
    }
  }

  private func scanner(
    _ flags: Flags, user: String, failure: Failure? = nil
  ) -> FrameScanner<Picture> {
    FrameScanner(
      analyzer: FrameAnalyzer<Picture>().detectingObjects(
        with: FallbackOutlineDetector(
          Surer(outlines: picture(0.95).outlines, failure: failure), fallback: Reader(),
          isOn: { flags.rollout.includes(user) })))
  }

  @Test("Users in the share have the new detector until it is rolled back, and keep their ids")
  func rollout() async throws {
    let flags = Flags(try Rollout(salt: "new-spine-finder", share: 0.5))
    let users = (0..<40).map { "user-\($0)" }
    let included = users.filter(flags.rollout.includes)
    #expect(!included.isEmpty && included.count < users.count)
    let scanners = users.map { scanner(flags, user: $0) }
    for (step, share) in [0.5, 0, 1].enumerated() {
      try flags.rollout.set(share: share)
      for (user, scanner) in zip(users, scanners) {
        let frame = try #require(
          try await scanner.analysis(of: picture(0.8), at: .milliseconds(Int64(150 * step))))
        let isNew = share == 1 || (share == 0.5 && included.contains(user))
        #expect(frame.objects.map(\.confidence) == [isNew ? 0.95 : 0.8])
        #expect(frame.objects.map(\.id) == [1] && frame.failures.isEmpty)
      }
    }
  }

  @Test("A new detector that fails costs no frame")
  func failing() async throws {
    let flags = Flags(try Rollout(salt: "s", share: 1))
    let scanner = scanner(flags, user: "u", failure: Failure(description: "no model"))
    let frame = try #require(try await scanner.analysis(of: picture(0.8), at: .zero))
    #expect(frame.objects.map(\.confidence) == [0.8] && frame.failures.isEmpty)
  }
}
