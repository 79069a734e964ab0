/// Finds outlines with one detector, and with another one if the first fails or is switched off.
///
/// ```swift
/// let detector = FallbackOutlineDetector(
///   SpineOutlineDetector(model: model), fallback: RectangleOutlineDetector(),
///   isOn: { rollout.includes(userID) }, onFailure: { error in print(error) })
/// ```
///
/// So a new detector can be given to a part of all users and be taken back, without a new session.
/// A first detector that finds nothing has not failed. One that fails in every frame costs its time
/// in every frame; `isOn` may end that.
public struct FallbackOutlineDetector<Image: Sendable>: OutlineDetector {
  private let first: @Sendable (Image) async throws -> [DetectedOutline]
  private let fallback: @Sendable (Image) async throws -> [DetectedOutline]
  private let isOn: @Sendable () -> Bool
  private let onFailure: @Sendable (any Error) -> Void

  /// Makes a detector of two.
  ///
  /// - Parameters:
  ///   - first: the detector to use.
  ///   - fallback: the detector for images in which the first fails, or is not used.
  ///   - isOn: whether the first is used; it is asked for every image, for example a `Rollout`.
  ///   - onFailure: gets what the first detector throws, before the fallback looks.
  public init(
    _ first: some OutlineDetector<Image>, fallback: some OutlineDetector<Image>,
    isOn: @escaping @Sendable () -> Bool = { true },
    onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    self.first = { try await first.outlines(in: $0) }
    self.fallback = { try await fallback.outlines(in: $0) }
    self.isOn = isOn
    self.onFailure = onFailure
  }

  /// What the first detector finds, or else the fallback.
  ///
  /// - Throws: what the fallback throws; if the task is cancelled, what the first throws, as the
  ///   fallback is then not asked.
  public func outlines(in image: Image) async throws -> [DetectedOutline] {
    if isOn() {
      do {
        return try await first(image)
      } catch {
        if Task.isCancelled { throw error }
        onFailure(error)
      }
    }
    return try await fallback(image)
  }
}
