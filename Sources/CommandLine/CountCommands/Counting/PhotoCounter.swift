import CommandKit
import Counting
import Foundation
import Raster
import ReferenceModels

/// Counts several photos at once, with one pair of models and within a memory budget.
struct PhotoCounter: Sendable {
  /// The number of photos at once, and their memory.
  let capacity: PhotoCapacity
  /// The thresholds.
  var configuration: CountingConfiguration { counter.configuration }
  /// The guide for each photo.
  let guide: PhotoGuide

  private let counter: PhotoObjectCounter
  private let isTraced: Bool

  /// Loads the models that a command line names, once for all photos.
  ///
  /// - Parameters:
  ///   - photos: the number of photos; nil if it is not known.
  ///   - isTraced: whether the trace of every detection is needed.
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
  /// - Parameter show: called with the progress of the count, in words.
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
