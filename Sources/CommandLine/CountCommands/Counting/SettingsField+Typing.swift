import CommandKit
import CountSettings
import Counting

// The fields of the settings as a person types and reads them.

extension SettingsField {
  /// The options of `tally count` that override it.
  var options: [String] {
    switch name {
    case "set": [CountOptions.set.name]
    case "aspect": [CountOptions.aspectSigma.name, CountOptions.aspectRange.name]
    case "mergeFirst": [CountOptions.mergeFirst.name]
    default: CountingField.all.first { $0.name == name }?.option.map { [$0.name] } ?? []
    }
  }

  /// What the value must be, as the end of the sentence "it must be ...".
  var expectation: String {
    switch kind {
    case .number(let range): ValueKind<Double>.number("X", in: range).expectation
    case .numberOrOff(let range): ValueKind<Switchable>.numberOrOff("X", in: range).expectation
    case .whole(let range): ValueKind<Int>.integer("N", in: range).expectation
    case .flag: "true or false"
    case .words:
      scope == .set
        ? CountOptions.set.kind.expectation : CountOptions.mergeFirst.kind.expectation
    case .aspect: "off, a number from 0 to 100 (of deviations), or two as 0.45:2.2 (a range)"
    }
  }

  /// The value that a person typed; nil if it is not valid.
  func typed(_ text: String) -> SettingsValue? {
    switch kind {
    case .number(let range):
      ValueKind<Double>.number("X", in: range).parse(text).map { .number($0) }
    case .numberOrOff(let range):
      ValueKind<Switchable>.numberOrOff("X", in: range).parse(text).map(SettingsValue.init)
    case .whole(let range): ValueKind<Int>.integer("N", in: range).parse(text).map { .whole($0) }
    case .flag: Bool(text).map { .flag($0) }
    case .words(let words): words.contains(text) ? .word(text) : nil
    case .aspect:
      CountOptions.aspectRange.kind.parse(text)
        .map { .range(minimum: $0.lowerBound, maximum: $0.upperBound) }
        ?? CountOptions.aspectSigma.kind.parse(text)
        .map { $0.number.map { .deviations($0) } ?? .off }
    }
  }

  /// The value as text for ``typed(_:)``.
  func text(_ values: SettingsValues) -> String {
    switch value(in: values) {
    case .off: "off"
    case .number(let number), .deviations(let number): NumberText.of(number)
    case .whole(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .word(let word): word
    case .range(let minimum, let maximum):
      "\(NumberText.of(minimum)):\(NumberText.of(maximum))"
    }
  }

  /// The value in JSON.
  func json(_ values: SettingsValues) -> JSONText {
    switch value(in: values) {
    case .off: .string("off")
    case .number(let number): .double(number)
    case .deviations(let number): .object([("sigma", .double(number))])
    case .whole(let number): .integer(number)
    case .flag(let flag): .bool(flag)
    case .word(let word): .string(word)
    case .range(let minimum, let maximum):
      .object([("range", .array([.double(minimum), .double(maximum)]))])
    }
  }

  // MARK: Finding one

  /// The field with a name that a person typed.
  ///
  /// - Throws: ``UsageError`` with the field that was probably meant.
  static func typed(_ name: String) throws(UsageError) -> SettingsField {
    if let field = all.first(where: { $0.name == name }) { return field }
    throw UsageError(
      "there is no field '\(name)'\(proposal(for: name)) (see 'tally settings show')")
  }

  /// `; did you mean 'X'?`, or nothing.
  static func proposal(for name: String) -> String {
    // If the object is left out, or the name is that of an option, the field itself is proposed and
    // not one with a similar name.
    let word = name.lowercased()
    let meant = all.first { field in
      field.key.lowercased() == word || word.hasPrefix("\(field.name.lowercased()).")
        || field.options.contains { $0 == word || "--\($0)" == word }
    }
    if let meant { return "; did you mean '\(meant.name)'?" }
    let nearest = Suggestion.text(for: name, among: all.map(\.name))
    guard nearest.isEmpty,
      let key = Suggestion.nearest(to: name, among: all.map(\.key)),
      let field = all.first(where: { $0.key == key })
    else { return nearest }
    return "; did you mean '\(field.name)'?"
  }
}

extension SettingsValue {
  init(_ value: Switchable) { self = value.number.map { .number($0) } ?? .off }
}

extension CountingSettings {
  /// Sets a field to a person's text.
  ///
  /// - Throws: ``UsageError`` if the text is not a valid value.
  mutating func set(_ field: SettingsField, to text: String) throws {
    guard let value = field.typed(text) else {
      let words = field.scope == .set ? CountOptions.set.kind.choices : []
      throw UsageError(
        "\(field.name) is '\(text)'; it must be \(field.expectation)"
          + Suggestion.text(for: text, among: words))
    }
    try set(field, to: value)
  }
}

extension SettingsError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .noField, .invalidValue: .usage
    case .damaged, .tooLarge: .badData
    case .unopenable: .noInput
    case .unreadable, .unwritable, .locked: .inputOutput
    }
  }

  package var report: CommandError {
    switch self {
    case .damaged(let path, let error):
      if case .unknownField(let name, _) = error {
        CommandError(exitCode, at: path, "\(error)" + SettingsField.proposal(for: name))
      } else {
        CommandError(exitCode, at: path, "\(error)")
      }
    case .tooLarge(let path, let limit):
      CommandError(
        exitCode, at: path, "it has more than \(limit) bytes; settings are a small file")
    case .unopenable(let path, let reason): CommandError(exitCode, at: path, reason)
    case .unreadable(let path, let reason): .unreadable(path, reason)
    case .unwritable(let path, let reason): .unwritable(path, reason)
    case .locked(let path):
      CommandError(exitCode, at: path, "another process is changing it; try again")
    case .noField, .invalidValue: CommandError(exitCode, "\(self)")
    }
  }
}
