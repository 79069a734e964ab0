import CommandKit
import Counting
import Foundation
import Raster
import ReferenceModels

/// Counts photos side by side, with one pair of models and within a budget of memory.
struct PhotoCounter: Sendable {
  /// How many photos at once, and in how much memory.
  let capacity: PhotoCapacity
  /// The thresholds.
  var configuration: CountingConfiguration { counter.configuration }
  /// What is counted in each photo.
  let guide: PhotoGuide

  private let counter: PhotoObjectCounter
  private let isTraced: Bool

  /// Loads the models that a command line names, once for all photos.
  ///
  /// - Parameters:
  ///   - photos: how many photos there are; nil if that is not known.
  ///   - isTraced: whether those who use counts need the way of every detection.
  init(
    _ arguments: ParsedArguments, photos: Int? = nil, isTraced: Bool = false, console: Console
  ) throws {
    capacity = PhotoCapacity(arguments, photos: photos)
    guide = try PhotoGuide(arguments, console: console)
    counter = try LoadedModels.counter(
      capacity.shared(arguments), settings: SettingsInputs.inForce(arguments, console),
      console: console)
    self.isTraced = isTraced
  }

  /// Counts in a photo.
  ///
  /// - Parameter show: is told how far the count is, in words.
  func count(
    in image: Raster, at path: String, show: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> TracedCount {
    try await counter.count(
      in: image, guide: guide.checked(for: image, at: path), isTraced: isTraced
    ) { report in
      guard report.stage != .done else { return }
      show("\(report.stage.rawValue) \(Int((report.fraction * 100).rounded())) %")
    }
  }
}
