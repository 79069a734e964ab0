import VisionProtocols

/// What one stage of the pipeline let through, and how many items went in and came out.
public struct StageOutput<Items: Sendable>: Sendable {
  /// The items that came out.
  public let items: Items
  /// How many items went in.
  public let itemsIn: Int
  /// How many items came out.
  public let itemsOut: Int

  /// Makes an output.
  public init(items: Items, itemsIn: Int, itemsOut: Int) {
    self.items = items
    self.itemsIn = itemsIn
    self.itemsOut = itemsOut
  }
}

extension StageOutput {
  /// An output whose items are counted.
  init<Element>(_ items: [Element], outOf itemsIn: Int) where Items == [Element] {
    self.init(items: items, itemsIn: itemsIn, itemsOut: items.count)
  }
}

/// The steps whose items are counted, in the order they are taken; each method takes some of them.
public enum CountingStep: String, Hashable, Sendable, Codable, CaseIterable {
  /// Candidates of the detector in, detections after suppression out.
  case detected
  /// The size filter.
  case size
  /// The aspect filter.
  case aspect
  /// Cropping and the area consistency of the crops.
  case area
  /// Boxes that lie in others, by the adaptive method.
  case contained
  /// The cut by score, by the adaptive method.
  case scored
  /// Crops in, embeddings out.
  case embedded
  /// Embeddings in, clusters out.
  case clustered
  /// The merging of overlaps.
  case merged
}

/// How many items a step got and how many it let through.
public struct CountingStepReport: Hashable, Sendable, Codable {
  /// Which step.
  public let step: CountingStep
  /// How many items went in.
  public let itemsIn: Int
  /// How many items came out.
  public let itemsOut: Int

  /// Makes a report.
  public init(step: CountingStep, itemsIn: Int, itemsOut: Int) {
    self.step = step
    self.itemsIn = itemsIn
    self.itemsOut = itemsOut
  }
}

/// Told of every step of a count and the detections that are left after it.
public typealias SurvivorObserver = @Sendable (CountingStep, [Detection]) -> Void
