import CommandKit
import Counting

/// The values of settings: the initial set, and thresholds that override it.
struct SettingsValues: Sendable, Equatable {
  var preset: CountingPreset?
  var configuration = CountingConfiguration.adaptive
}

/// One field of the settings: its name, its allowed values, and the place of its value.
struct SettingsField: Sendable {
  /// The counts that use a field.
  enum Scope: Sendable {
    /// The initial set.
    case set
    /// All counts.
    case all
    /// Counts by the adaptive set.
    case adaptive
    /// Counts by the sets of bands.
    case bands
  }

  /// The name; a field of an object has the form `adaptive.tilesPerSide`.
  let name: String
  let scope: Scope
  /// The options of `tally count` that override it.
  let options: [String]
  /// What the value must be, as the end of the sentence "it must be ...".
  let expectation: String
  /// Takes a value that a person typed; returns whether it is valid.
  let parse: @Sendable (String, inout SettingsValues) -> Bool
  /// The value as text for ``parse``.
  let text: @Sendable (SettingsValues) -> String
  /// The value in JSON.
  let json: @Sendable (SettingsValues) -> JSONText
  /// Copies the value from one to the other.
  let copy: @Sendable (_ source: SettingsValues, _ target: inout SettingsValues) -> Void

  /// The name within its object.
  var key: String { name.split(separator: ".").last.map(String.init) ?? name }
}

extension SettingsField {
  private init(_ field: CountingField) {
    let scope: Scope =
      switch field.scope {
      case .all: .all
      case .adaptive: .adaptive
      case .bands: .bands
      }
    let options = FieldOption(field).map { [$0.declaration] } ?? []
    switch field.value {
    case .number(let place, let range):
      let kind = ValueKind<Double>.number("X", in: range)
      self.init(
        field.name, scope, options, of: place, must: kind.expectation, parse: kind.parse,
        text: { NumberText.of($0) }, json: { .double($0) })
    case .switchable(let place, let range):
      let kind = ValueKind<Switchable>.numberOrOff("X", in: range)
      self.init(
        field.name, scope, options, of: place, must: kind.expectation,
        parse: { kind.parse($0).map(\.number) }, text: { $0.map(NumberText.of) ?? "off" },
        json: { $0.map { .double($0) } ?? .string("off") })
    case .whole(let place, let range):
      let kind = ValueKind<Int>.integer("N", in: range)
      self.init(
        field.name, scope, options, of: place, must: kind.expectation, parse: kind.parse,
        text: { "\($0)" }, json: { .integer($0) })
    case .flag(let place):
      self.init(
        field.name, scope, options, of: place, must: "true or false", parse: { Bool($0) },
        text: { "\($0)" }, json: { .bool($0) })
    }
  }

  /// A field whose value is at a place of the configuration.
  private init<Value>(
    _ name: String, _ scope: Scope, _ options: [any OptionDeclaration],
    of place: CountingField.Place<Value>, must expectation: String,
    parse: @escaping @Sendable (String) -> Value?, text: @escaping @Sendable (Value) -> String,
    json: @escaping @Sendable (Value) -> JSONText
  ) {
    self.name = name
    self.scope = scope
    self.options = options.map(\.name)
    self.expectation = expectation
    self.parse = { typed, values in
      guard let value = parse(typed) else { return false }
      values.configuration[keyPath: place] = value
      return true
    }
    self.text = { text($0.configuration[keyPath: place]) }
    self.json = { json($0.configuration[keyPath: place]) }
    copy = { source, target in
      target.configuration[keyPath: place] = source.configuration[keyPath: place]
    }
  }

  // MARK: All of them

  /// The fields, in the order in which they are printed.
  static let all: [SettingsField] =
    [set] + CountingField.all.map(SettingsField.init) + [
      aspect,
      SettingsField(
        "mergeFirst", .bands, [CountOptions.mergeFirst], of: \.mergeFirst,
        must: CountOptions.mergeFirst.kind.expectation, parse: CountOptions.mergeFirst.kind.parse,
        text: \.rawValue, json: { .string($0.rawValue) }),
    ]

  private static let set = SettingsField(
    name: "set", scope: .set, options: [CountOptions.set.name],
    expectation: CountOptions.set.kind.expectation,
    parse: { text, values in
      guard let preset = CountOptions.set.kind.parse(text) else { return false }
      values.preset = preset
      return true
    },
    text: { ($0.preset ?? .adaptive).rawValue },
    json: { .string(($0.preset ?? .adaptive).rawValue) }, copy: { $1.preset = $0.preset })

  private static let aspect = SettingsField(
    "aspect", .bands, [CountOptions.aspectSigma, CountOptions.aspectRange],
    of: \.aspect,
    must: "off, a number from 0 to 100 (of deviations), or two as 0.45:2.2 (a range)",
    parse: { text in
      if let range = CountOptions.aspectRange.kind.parse(text) {
        return .range(minimum: range.lowerBound, maximum: range.upperBound)
      }
      return CountOptions.aspectSigma.kind.parse(text)
        .map { $0.number.map { .sigma($0) } ?? .off }
    },
    text: { rule in
      switch rule {
      case .off: "off"
      case .sigma(let sigma): NumberText.of(sigma)
      case .range(let minimum, let maximum):
        "\(NumberText.of(minimum)):\(NumberText.of(maximum))"
      }
    },
    json: { rule in
      switch rule {
      case .off: .string("off")
      case .sigma(let sigma): .object([("sigma", .double(sigma))])
      case .range(let minimum, let maximum):
        .object([("range", .array([.double(minimum), .double(maximum)]))])
      }
    })

  // MARK: Finding one

  /// The field with this name.
  ///
  /// - Throws: ``UsageError`` with the field that was probably meant.
  static func named(_ name: String) throws(UsageError) -> SettingsField {
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
