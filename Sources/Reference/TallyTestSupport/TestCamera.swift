import Tracking

/// A camera whose frames are those of a test.
///
/// ```swift
/// let camera = TestCamera(images, interval: .milliseconds(33))
/// for await frame in camera {
///   let analyzed = try await scanner.analysis(of: frame.image, at: frame.time)
/// }
/// ```
///
/// One task reads it.
public struct TestCamera<Image: Sendable>: AsyncSequence, Sendable {
  /// A frame, and its time.
  public struct Frame: Sendable {
    /// What it shows.
    public let image: Image
    /// When it was taken.
    public let time: FrameTime

    /// Makes a frame.
    public init(_ image: Image, at time: FrameTime) {
      self.image = image
      self.time = time
    }
  }

  /// The frames.
  public typealias Element = Frame

  private let frames: AsyncStream<Frame>
  private let sink: AsyncStream<Frame>.Continuation

  /// Makes a camera that takes what ``take(_:at:)`` gives it.
  public init() {
    (frames, sink) = AsyncStream.makeStream()
  }

  /// Makes a camera that takes some images, then ends.
  ///
  /// - Parameters:
  ///   - images: what it sees, in order.
  ///   - interval: the time between two frames; the first one is at the start.
  public init(_ images: some Sequence<Image>, interval: FrameDuration) {
    self.init()
    var time = FrameTime.zero
    for image in images {
      take(image, at: time)
      time = time + interval
    }
    finish()
  }

  /// Takes a frame.
  public func take(_ image: Image, at time: FrameTime) { sink.yield(Frame(image, at: time)) }

  /// Ends after the frames that were taken.
  public func finish() { sink.finish() }

  /// The frames that are not yet read, then those that are taken later.
  public func makeAsyncIterator() -> AsyncStream<Frame>.Iterator { frames.makeAsyncIterator() }
}
