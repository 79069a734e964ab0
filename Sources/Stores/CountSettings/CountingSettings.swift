import Counting
import Foundation

/// A person's settings for all counts: some fields of a configuration.
///
/// ```swift
/// let file = SettingsFile("settings.json")
/// let settings = try file.read() ?? CountingSettings()
/// let configuration = settings.configuration()
/// ```
///
/// As JSON it is valid for the command's `--config`.
public struct CountingSettings: Sendable, Equatable {
  /// The values of the fields that are set; the others are arbitrary.
  package private(set) var values = SettingsValues()
  /// The names of the fields that are set.
  public private(set) var names: Set<String> = []
  /// Whether the adaptive method is switched off without naming another set.
  public private(set) var isAdaptiveOff = false

  /// Makes empty settings.
  public init() {}

  /// Reads a JSON object.
  ///
  /// - Throws: `CountingConfigurationError`, which names the field.
  public init(json: Data) throws {
    do {
      values.configuration = try CountingConfiguration(
        json: json, basis: .adaptive, presets: { _ in .adaptive })
    } catch CountingConfigurationError.notJSON(let reason) {
      throw CountingConfigurationError.notJSON(reason: Self.place(in: json) ?? reason)
    }
    guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
      throw CountingConfigurationError.notJSON(reason: "it must be an object in braces")
    }
    names = Set(object.keys).subtracting(["adaptive"])
    if let fields = object["adaptive"] as? [String: Any] {
      names.formUnion(fields.keys.map { "adaptive.\($0)" })
    } else {
      isAdaptiveOff = object["adaptive"] != nil
    }
    values.preset = (object["set"] as? String).flatMap(CountingPreset.init)
    if isAdaptiveOff, values.preset == .adaptive {
      throw CountingConfigurationError.wrongKind(
        field: "adaptive", expected: "an object of adaptive settings where set is \"adaptive\"")
    }
  }

  /// The place where a text stops being JSON, if the parser reports it; nil if it is JSON.
  private static func place(in json: Data) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
      return nil
    } catch {
      let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      return reason.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    }
  }

  /// Whether nothing is set.
  public var isEmpty: Bool { names.isEmpty && !isAdaptiveOff }

  /// The fields that are set, in the order in which they are shown.
  public var fields: [SettingsField] { SettingsField.all.filter { names.contains($0.name) } }

  // MARK: Changing

  /// The value of a field; nil if it is not set.
  public func value(of field: SettingsField) -> SettingsValue? {
    names.contains(field.name) ? field.value(in: values) : nil
  }

  /// Sets a field.
  ///
  /// - Throws: ``SettingsError/invalidValue(_:field:)`` if the field cannot have the value.
  public mutating func set(
    _ field: SettingsField, to value: SettingsValue
  ) throws(SettingsError) {
    guard field.put(value, into: &values) else {
      throw .invalidValue(value, field: field.name)
    }
    names.insert(field.name)
    // Naming a set, or setting a field of the adaptive one, switches the adaptive method on again.
    if field.scope == .set || field.scope == .adaptive { isAdaptiveOff = false }
  }

  /// Takes fields out; `adaptive` stands for all of its object.
  mutating func forget(_ forgotten: Set<String>) {
    names.subtract(forgotten)
    if forgotten.contains("set") { values.preset = nil }
    guard forgotten.contains("adaptive") else { return }
    names = names.filter { !$0.hasPrefix("adaptive.") }
    isAdaptiveOff = false
  }

  // MARK: In a count

  /// The configuration of a count.
  ///
  /// - Parameters:
  ///   - presets: the configuration of a set; with the bundled models
  ///     `{ $0.configuration.suitedToBundledModels() }`.
  ///   - bands: the configuration if the adaptive method is switched off without naming a set.
  public func configuration(
    presets: CountingConfiguration.Presets = { $0.configuration },
    bands: CountingConfiguration = .standard
  ) -> CountingConfiguration {
    over(basis(isAdaptive: nil, presets: presets, bands: bands))
  }

  /// The initial configuration if a command line names no set.
  ///
  /// Settings change the method only by their set; their thresholds are used when a count's method
  /// uses them.
  ///
  /// - Parameters:
  ///   - isAdaptive: the method that an option of the command line requests, nil for none.
  ///   - presets: the configuration of a set.
  ///   - bands: the configuration of bands if that method is requested without a set.
  package func basis(
    isAdaptive: Bool?, presets: CountingConfiguration.Presets, bands: CountingConfiguration
  ) -> CountingConfiguration {
    switch (isAdaptive, values.preset) {
    case (true, _): presets(.adaptive)
    case (nil, let preset?): presets(preset)
    case (false, let preset?) where preset != .adaptive: presets(preset)
    case (false, _): bands
    case (nil, nil): isAdaptiveOff ? bands : presets(.adaptive)
    }
  }

  /// A configuration overridden by the fields that its method uses.
  public func over(_ basis: CountingConfiguration) -> CountingConfiguration {
    var result = SettingsValues(configuration: basis)
    for field in fields where field.isUsed(in: basis) {
      _ = field.put(field.value(in: values), into: &result)
    }
    return result.configuration
  }

  // MARK: Writing

  /// The settings as JSON, one field per line, in the order in which they are shown.
  public var text: String {
    var members = fields.filter { $0.scope != .adaptive }.map {
      ($0.key, $0.value(in: values).json)
    }
    let adaptive = fields.filter { $0.scope == .adaptive }
      .map { "    \"\($0.key)\": \($0.value(in: values).json)" }
    if !adaptive.isEmpty {
      members.append(("adaptive", "{\n\(adaptive.joined(separator: ",\n"))\n  }"))
    } else if isAdaptiveOff {
      members.append(("adaptive", "\"off\""))
    }
    guard !members.isEmpty else { return "{}\n" }
    return "{\n" + members.map { "  \"\($0)\": \($1)" }.joined(separator: ",\n") + "\n}\n"
  }

  /// Whether both set the same fields to the same values.
  public static func == (one: CountingSettings, other: CountingSettings) -> Bool {
    one.text == other.text
  }
}

extension SettingsValue {
  /// The value as JSON.
  fileprivate var json: String {
    switch self {
    case .off: "\"off\""
    case .number(let number): Self.json(number)
    case .deviations(let number): "{\"sigma\":\(Self.json(number))}"
    case .whole(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .word(let word): "\"\(word)\""
    case .range(let minimum, let maximum):
      "{\"range\":[\(Self.json(minimum)),\(Self.json(maximum))]}"
    }
  }

  /// The fewest digits that read back as the same number, a whole one without a point.
  fileprivate static func json(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
