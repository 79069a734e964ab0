import CommandKit

/// What is known or was found out about an image: a label, a text, payloads or dates.
enum AnswerKind: Sendable {
  /// The label of its class; those of a prediction are ranked, best first.
  case label
  /// Its text, in lines.
  case text
  /// What its barcodes say.
  case payloads
  /// The dates in its text, in ISO 8601.
  case dates

  /// The column of a table.
  var column: String {
    switch self {
    case .label: "label"
    case .text: "text"
    case .payloads: "payload"
    case .dates: "date"
    }
  }

  /// The key of the plain form in JSON.
  var key: String {
    switch self {
    case .label: "label"
    case .text: "text"
    case .payloads: "payloads"
    case .dates: "dates"
    }
  }

  /// Options for the files, the same for every kind.
  static let truth = Option(
    "truth", .path("FILE"), help: "What is known of the images: JSON lines or CSV.")
  static let predictions = Option(
    "predictions", .path("FILE"), help: "What was found out about them: JSON lines or CSV.")
  static let files = OptionGroup("Files", [truth, predictions])
  static let requiredUsage = "--truth FILE --predictions FILE"

  /// Reads both files and joins them.
  ///
  /// - Throws: `UsageError` if one is not named, ``CommandError`` for one that cannot be used.
  func answers(_ arguments: ParsedArguments, of command: CommandSpecification) throws
    -> JoinedAnswers
  {
    func path(_ option: Option<String>) throws(UsageError) -> String {
      if let path = arguments[option] { return path }
      throw UsageError(
        "--\(option.name) is needed: --\(option.name) FILE (see '\(command.invocation) --help')")
    }
    let (truthPath, predictionsPath) = (try path(Self.truth), try path(Self.predictions))
    let truth = try AnswerFile(truthPath, kind: self)
    try truth.checkTruth()
    return try JoinedAnswers(AnswerFile(predictionsPath, kind: self), truth: truth)
  }
}

/// What a file says about an image.
struct Answer: Sendable, Equatable {
  /// The values; an empty text is not one of them.
  var values: [String]
  /// Whether the first of ranked labels is the answer, and not only the best guess.
  var isSure = true

  init(_ values: [String], isSure: Bool = true) {
    self.values = values.filter { !$0.isEmpty }
    self.isSure = isSure && !self.values.isEmpty
  }
}
