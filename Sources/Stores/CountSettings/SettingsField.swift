import Counting

/// One field of the settings: its name, what it is, and the values that it may have.
///
/// ```swift
/// for field in SettingsField.all {
///   guard let slider = field.slider else { continue }
///   print(field.title, slider.range, slider.step, field.help)
/// }
/// ```
public struct SettingsField: Sendable, Identifiable {
  /// The counts that use a field.
  public enum Scope: Hashable, Sendable {
    /// The initial set.
    case set
    /// All counts.
    case all
    /// Counts by the adaptive set.
    case adaptive
    /// Counts by the sets of bands.
    case bands
  }

  /// The values that a field may have.
  public enum Kind: Hashable, Sendable {
    /// A number.
    case number(in: ClosedRange<Double>)
    /// A number, or ``SettingsValue/off``.
    case numberOrOff(in: ClosedRange<Double>)
    /// A whole number.
    case whole(in: ClosedRange<Int>)
    /// True or false.
    case flag
    /// One of some words.
    case words([String])
    /// ``SettingsValue/deviations(_:)``, a range of ratios, or ``SettingsValue/off``.
    case aspect(deviations: ClosedRange<Double>, ratios: ClosedRange<Double>)
  }

  /// What a slider needs.
  public struct Slider: Hashable, Sendable {
    /// The values that are of use; within those that the field may have.
    public let range: ClosedRange<Double>
    /// The distance of two neighbouring values.
    public let step: Double
  }

  /// The name; a field of an object has the form `adaptive.tilesPerSide`.
  public let name: String
  /// The counts that use it.
  public let scope: Scope
  /// The values that it may have.
  public let kind: Kind
  /// What it is, for the label of a control.
  public let title: String
  /// The unit of the value, as in `px`; empty if it has none.
  public let unit: String
  /// What it does, in a sentence.
  public let help: String
  /// What a slider needs; nil if the values are not numbers.
  public let slider: Slider?

  private let get: @Sendable (SettingsValues) -> SettingsValue
  private let put: @Sendable (SettingsValue, inout SettingsValues) -> Bool

  /// The name.
  public var id: String { name }
  /// The name within its object.
  public var key: String { name.split(separator: ".").last.map(String.init) ?? name }
  /// The value if nobody sets it and the models are not the bundled ones.
  ///
  /// For the bundled models take that of their configuration,
  /// `field.value(in: .adaptive.suitedToBundledModels())`.
  public var defaultValue: SettingsValue { value(in: scope == .bands ? .standard : .adaptive) }

  /// The value in a configuration.
  ///
  /// A configuration does not hold the name of its set: of `set` it is the set that it equals, or
  /// the one of its method.
  public func value(in configuration: CountingConfiguration) -> SettingsValue {
    let preset = CountingPreset.allCases.first { $0.configuration == configuration }
    return value(
      in: SettingsValues(
        preset: preset ?? (configuration.adaptive == nil ? .standard : .adaptive),
        configuration: configuration))
  }

  /// Whether a count by this configuration uses the field.
  public func isUsed(in configuration: CountingConfiguration) -> Bool {
    switch scope {
    case .set, .all: true
    case .adaptive: configuration.adaptive != nil
    case .bands: configuration.adaptive == nil
    }
  }

  /// The value in settings.
  package func value(in values: SettingsValues) -> SettingsValue { get(values) }

  /// Puts a value in its place; returns whether it is valid.
  package func put(_ value: SettingsValue, into values: inout SettingsValues) -> Bool {
    put(value, &values)
  }
}

extension SettingsField {
  private init(_ field: CountingField) {
    name = field.name
    scope = Scope(field.scope)
    title = field.title
    unit = field.unit
    help = field.help
    slider = field.slider.map { Slider(range: $0.range, step: $0.step) }
    switch field.value {
    case .number(let place, let range):
      kind = .number(in: range)
      get = { .number($0.configuration[keyPath: place]) }
      put = { value, values in
        guard case .number(let number) = value, range.contains(number) else { return false }
        values.configuration[keyPath: place] = number
        return true
      }
    case .switchable(let place, let range):
      kind = .numberOrOff(in: range)
      get = { $0.configuration[keyPath: place].map { .number($0) } ?? .off }
      put = { value, values in
        switch value {
        case .off: values.configuration[keyPath: place] = nil
        case .number(let number) where range.contains(number):
          values.configuration[keyPath: place] = number
        default: return false
        }
        return true
      }
    case .whole(let place, let range):
      kind = .whole(in: range)
      get = { .whole($0.configuration[keyPath: place]) }
      put = { value, values in
        guard case .whole(let number) = value, range.contains(number) else { return false }
        values.configuration[keyPath: place] = number
        return true
      }
    case .flag(let place):
      kind = .flag
      get = { .flag($0.configuration[keyPath: place]) }
      put = { value, values in
        guard case .flag(let flag) = value else { return false }
        values.configuration[keyPath: place] = flag
        return true
      }
    }
  }

  // MARK: All of them

  /// The fields, in the order in which they are shown.
  public static let all: [SettingsField] =
    [set] + CountingField.all.map(SettingsField.init) + [aspect, mergeFirst]

  /// The field with a name, such as `confidence` or `adaptive.tilesPerSide`.
  ///
  /// - Throws: ``SettingsError/noField(_:)``.
  public static func named(_ name: String) throws(SettingsError) -> SettingsField {
    guard let field = all.first(where: { $0.name == name }) else { throw .noField(name) }
    return field
  }

  private static let set = SettingsField(
    name: "set", scope: .set, kind: .words(CountingPreset.allCases.map(\.rawValue)),
    title: "Set of thresholds", unit: "", help: "The thresholds to begin with.", slider: nil,
    get: { .word(($0.preset ?? .adaptive).rawValue) },
    put: { value, values in
      guard case .word(let word) = value, let preset = CountingPreset(rawValue: word) else {
        return false
      }
      values.preset = preset
      return true
    })

  private static let deviations = 0.0...100.0
  private static let ratios = 0.0...1000.0

  private static let aspect = SettingsField(
    name: "aspect", scope: .bands, kind: .aspect(deviations: deviations, ratios: ratios),
    title: "Width/height", unit: "",
    help: "Keep boxes whose width/height is within this many standard deviations of the median, "
      + "or in a range.", slider: nil,
    get: { values in
      switch values.configuration.aspect {
      case .off: .off
      case .sigma(let sigma): .deviations(sigma)
      case .range(let minimum, let maximum): .range(minimum: minimum, maximum: maximum)
      }
    },
    put: { value, values in
      switch value {
      case .off: values.configuration.aspect = .off
      case .deviations(let sigma) where deviations.contains(sigma):
        values.configuration.aspect = .sigma(sigma)
      case .range(let minimum, let maximum)
      where ratios.contains(minimum) && ratios.contains(maximum) && minimum <= maximum:
        values.configuration.aspect = .range(minimum: minimum, maximum: maximum)
      default: return false
      }
      return true
    })

  private static let mergeFirst = SettingsField(
    name: "mergeFirst", scope: .bands, kind: .words(MergePriority.allCases.map(\.rawValue)),
    title: "The box that counts of two", unit: "",
    help: "Which of two overlapping boxes counts: the main kind's, or the one with the higher "
      + "score.", slider: nil,
    get: { .word($0.configuration.mergeFirst.rawValue) },
    put: { value, values in
      guard case .word(let word) = value, let priority = MergePriority(rawValue: word) else {
        return false
      }
      values.configuration.mergeFirst = priority
      return true
    })
}

extension SettingsField.Scope {
  fileprivate init(_ scope: CountingField.Scope) {
    self =
      switch scope {
      case .all: .all
      case .adaptive: .adaptive
      case .bands: .bands
      }
  }
}
