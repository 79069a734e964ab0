extension CountingStage {
  /// The key to translate the text by: `counting.` and the name of the case.
  public var textKey: String { "counting.\(rawValue)" }

  /// What to tell the person who waits, in English.
  public var englishText: String {
    switch self {
    case .detecting: "Finding objects"
    case .filtering: "Leaving out odd ones"
    case .embedding: "Looking at each"
    case .clustering: "Grouping them by kind"
    case .merging: "Counting"
    case .done: "Done"
    }
  }
}
