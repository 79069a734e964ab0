extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Analyses the newest frame each time the one before is done, and drops those that come meanwhile.
  ///
  /// At any time there is at most one frame in analysis and one that waits, which the next to come
  /// replaces. A result holds no frame, and a frame is let go of when its analysis ends.
  ///
  /// Frames are fetched from the first call of the iterator's `next()` on, in a task of its own, which ends
  /// with the frames, with the task that iterates, or with the iterator. Each frame is analysed in the task
  /// that iterates, while that waits for the next result: who takes results slowly gets fewer of them, none
  /// are stored.
  ///
  /// An error that `analyze` throws is that frame's result, and the next frame follows. An error of the
  /// frames themselves is the last result. Cancelling ends the sequence without one; an analysis that is
  /// under way sees its task cancelled.
  ///
  /// - Parameter analyze: what to do with a frame.
  public func analyses<Output: Sendable>(
    analyze: @escaping @Sendable (Element) async throws -> Output
  ) -> FrameAnalyses<Self, Output> {
    FrameAnalyses(frames: self, analyze: analyze)
  }
}

/// The results of the newest frames; see ``Swift/AsyncSequence/analyses(analyze:)``.
public struct FrameAnalyses<Frames: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence,
  Sendable
where Frames.Element: Sendable {
  /// A frame's output, or the error of its analysis.
  public typealias Element = Result<Output, any Error>

  let frames: Frames
  let analyze: @Sendable (Frames.Element) async throws -> Output

  /// Starts with the frames from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(frames: frames, analyze: analyze)
  }

  /// Fetches frames and analyses the newest.
  public struct Iterator: AsyncIteratorProtocol {
    private let frames: Frames
    private let analyze: @Sendable (Frames.Element) async throws -> Output
    private var newest: AsyncThrowingStream<Frames.Element, any Error>.Iterator?
    private var isFinished = false

    fileprivate init(
      frames: Frames, analyze: @escaping @Sendable (Frames.Element) async throws -> Output
    ) {
      self.frames = frames
      self.analyze = analyze
    }

    /// The next result; nil if there are no more frames, or the task is cancelled.
    public mutating func next() async -> Result<Output, any Error>? {
      if isFinished { return nil }
      if newest == nil { newest = Self.newest(of: frames).makeAsyncIterator() }
      let result = await nextResult()
      if result == nil || Task.isCancelled {
        isFinished = true
        // Ends the task that fetches.
        newest = nil
        return nil
      }
      return result
    }

    private mutating func nextResult() async -> Result<Output, any Error>? {
      let frame: Frames.Element
      do {
        guard let next = try await newest?.next() else { return nil }
        frame = next
      } catch {
        isFinished = true
        return .failure(error)
      }
      do {
        return .success(try await analyze(frame))
      } catch {
        return .failure(error)
      }
    }

    /// The frames, of which one waits at most.
    private static func newest(
      of frames: Frames
    ) -> AsyncThrowingStream<Frames.Element, any Error> {
      AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let task = Task {
          do {
            for try await frame in frames {
              if case .terminated = continuation.yield(frame) { return }
            }
            continuation.finish()
          } catch {
            continuation.finish(throwing: error)
          }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
  }
}
