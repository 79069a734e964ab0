import Tracking

extension FrameConfiguration: Codable {
  private enum Field: String, CodingKey, CaseIterable {
    case minimumTextConfidence, priority, spineText, tracking, maximumReadings
    case sureReadingConfidence, readingGrowth, minimumTextCoverage, maximumShift
    case stabilityResults, sureObjectConfidence, framesToChange, messageLifetime, feedbackSpacing
    case nominalInterval, fairInterval, seriousInterval, idleInterval, idleAfter
    case staleAfter, smoothing, redrawShift, redrawConfidence
  }

  /// Reads a configuration; absent fields keep their defaults.
  ///
  /// - Throws: ``FrameConfigurationError`` for an unknown field, a value of the wrong kind or out
  ///   of range.
  public init(from decoder: any Decoder) throws {
    self.init()
    let fields = try FieldReader<Field>(decoder)
    let kinds = FindingPriority.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    try fields.read(.minimumTextConfidence, into: &minimumTextConfidence, as: "a number")
    if fields.has(.priority) {
      var order: [FindingPriority.Kind] = []
      try fields.read(.priority, into: &order, as: "an array of \(kinds)")
      priority = try FindingPriority(order)
    }
    if fields.has(.spineText) {
      spineText = try SpineTextRule(from: fields.decoder(of: .spineText))
    }
    if fields.has(.tracking) {
      tracking = try TrackerConfiguration(overriding: tracking, from: fields.decoder(of: .tracking))
    }
    try fields.read(.maximumReadings, into: &maximumReadings, as: "a whole number")
    try fields.read(.sureReadingConfidence, into: &sureReadingConfidence, as: "a number")
    try fields.read(.readingGrowth, into: &readingGrowth, as: "a number")
    try fields.read(.minimumTextCoverage, into: &minimumTextCoverage, as: "a number")
    try fields.read(.maximumShift, into: &maximumShift, as: "a number")
    try fields.read(.stabilityResults, into: &stabilityResults, as: "a whole number")
    try fields.read(.sureObjectConfidence, into: &sureObjectConfidence, as: "a number")
    try fields.read(.framesToChange, into: &framesToChange, as: "a whole number")
    let seconds = "a number of seconds"
    try fields.read(.messageLifetime, into: &messageLifetime, as: seconds)
    try fields.read(.feedbackSpacing, into: &feedbackSpacing, as: seconds)
    try fields.read(.nominalInterval, into: &nominalInterval, as: seconds)
    try fields.read(.fairInterval, into: &fairInterval, as: seconds)
    try fields.read(.seriousInterval, into: &seriousInterval, as: seconds)
    try fields.read(.idleInterval, into: &idleInterval, as: seconds)
    try fields.read(.idleAfter, into: &idleAfter, as: seconds)
    try fields.read(.staleAfter, into: &staleAfter, as: seconds)
    try fields.read(.smoothing, into: &smoothing, as: seconds)
    try fields.read(.redrawShift, into: &redrawShift, as: "a number")
    try fields.read(.redrawConfidence, into: &redrawConfidence, as: "a number")
    self = try validated()
  }

  /// Writes every field.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(minimumTextConfidence, forKey: .minimumTextConfidence)
    try fields.encode(priority, forKey: .priority)
    try fields.encode(spineText, forKey: .spineText)
    try fields.encode(tracking, forKey: .tracking)
    try fields.encode(maximumReadings, forKey: .maximumReadings)
    try fields.encode(sureReadingConfidence, forKey: .sureReadingConfidence)
    try fields.encode(readingGrowth, forKey: .readingGrowth)
    try fields.encode(minimumTextCoverage, forKey: .minimumTextCoverage)
    try fields.encode(maximumShift, forKey: .maximumShift)
    try fields.encode(stabilityResults, forKey: .stabilityResults)
    try fields.encode(sureObjectConfidence, forKey: .sureObjectConfidence)
    try fields.encode(framesToChange, forKey: .framesToChange)
    try fields.encode(messageLifetime, forKey: .messageLifetime)
    try fields.encode(feedbackSpacing, forKey: .feedbackSpacing)
    try fields.encode(nominalInterval, forKey: .nominalInterval)
    try fields.encode(fairInterval, forKey: .fairInterval)
    try fields.encode(seriousInterval, forKey: .seriousInterval)
    try fields.encode(idleInterval, forKey: .idleInterval)
    try fields.encode(idleAfter, forKey: .idleAfter)
    try fields.encode(staleAfter, forKey: .staleAfter)
    try fields.encode(smoothing, forKey: .smoothing)
    try fields.encode(redrawShift, forKey: .redrawShift)
    try fields.encode(redrawConfidence, forKey: .redrawConfidence)
  }
}

extension TrackerConfiguration {
  private enum Field: String, CodingKey, CaseIterable {
    case minimumIoU, minimumSimilarity, appearanceWeight, confirmingHits, maximumMisses
    case recognitionSimilarity, duplicateIoU, maximumRemembered
    case frame
  }

  /// The settings with the given fields changed.
  ///
  /// The frame is always the whole, and skipped.
  fileprivate init(overriding basis: TrackerConfiguration, from decoder: any Decoder) throws {
    self = basis
    let fields = try FieldReader<Field>(decoder)
    try fields.read(.minimumIoU, into: &minimumIoU, as: "a number")
    try fields.read(.minimumSimilarity, into: &minimumSimilarity, as: "a number")
    try fields.read(.appearanceWeight, into: &appearanceWeight, as: "a number")
    try fields.read(.confirmingHits, into: &confirmingHits, as: "a whole number")
    try fields.read(.maximumMisses, into: &maximumMisses, as: "a whole number")
    try fields.read(.recognitionSimilarity, into: &recognitionSimilarity, as: "a number")
    try fields.read(.duplicateIoU, into: &duplicateIoU, as: "a number")
    try fields.read(.maximumRemembered, into: &maximumRemembered, as: "a whole number")
  }
}
