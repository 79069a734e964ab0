extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Analyses the newest frame each time the one before is done, and drops the frames in between.
  ///
  /// At any time, at most one frame is analysed and one waits; the next frame replaces the waiting
  /// one. A result holds no frame, and a frame is released when its analysis ends.
  ///
  /// Frames are fetched from the first call of the iterator's `next()` on, in a separate task. That
  /// task ends with the frames, with the iterating task, or with the iterator. Each frame is
  /// analysed in the iterating task while it waits for the next result. Results are not stored, so
  /// a slow consumer gets fewer of them.
  ///
  /// If `analyze` throws an error, it is that frame's result, and the next frame follows. An error
  /// of the frames themselves is the last result. Cancelling ends the sequence without an error,
  /// and cancels the task of a running analysis.
  ///
  /// - Parameters:
  ///   - onDrop: gets every frame that is dropped because a newer one came, in the task that
  ///     fetches frames. The next frame is fetched when it returns, so it should be quick.
  ///   - analyze: the analysis of a frame.
  public func analyses<Output: Sendable>(
    onDrop: @escaping @Sendable (Element) async -> Void = { _ in },
    analyze: @escaping @Sendable (Element) async throws -> Output
  ) -> FrameAnalyses<Self, Output> {
    FrameAnalyses(frames: self, onDrop: onDrop, analyze: analyze)
  }
}

/// The results of the newest frames; see ``_Concurrency/AsyncSequence/analyses(onDrop:analyze:)``.
public struct FrameAnalyses<Frames: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence,
  Sendable
where Frames.Element: Sendable {
  /// A frame's output, or the error of its analysis.
  public typealias Element = Result<Output, any Error>

  let frames: Frames
  let onDrop: @Sendable (Frames.Element) async -> Void
  let analyze: @Sendable (Frames.Element) async throws -> Output

  /// Starts with the frames from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(frames: frames, onDrop: onDrop, analyze: analyze)
  }

  /// Fetches frames and analyses the newest.
  public struct Iterator: AsyncIteratorProtocol {
    private let frames: Frames
    private let onDrop: @Sendable (Frames.Element) async -> Void
    private let analyze: @Sendable (Frames.Element) async throws -> Output
    private var newest: AsyncThrowingStream<Frames.Element, any Error>.Iterator?
    private var isFinished = false

    fileprivate init(
      frames: Frames, onDrop: @escaping @Sendable (Frames.Element) async -> Void,
      analyze: @escaping @Sendable (Frames.Element) async throws -> Output
    ) {
      self.frames = frames
      self.onDrop = onDrop
      self.analyze = analyze
    }

    /// The next result; nil if there are no more frames, or the task is cancelled.
    public mutating func next() async -> Result<Output, any Error>? {
      if isFinished { return nil }
      if newest == nil { newest = Self.newest(of: frames, onDrop: onDrop).makeAsyncIterator() }
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

    /// The frames; at most one waits, and a newer one replaces it.
    private static func newest(
      of frames: Frames, onDrop: @escaping @Sendable (Frames.Element) async -> Void
    ) -> AsyncThrowingStream<Frames.Element, any Error> {
      AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let task = Task {
          do {
            for try await frame in frames {
              switch continuation.yield(frame) {
              case .terminated: return
              case .dropped(let older): await onDrop(older)
              default: break
              }
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
