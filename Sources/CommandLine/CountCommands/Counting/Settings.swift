import CommandKit
import Counting
import Foundation

/// A person's settings for all counts: some fields of a configuration.
///
/// As JSON it is valid for `--config`.
package struct Settings: Sendable, Equatable {
  /// The values of the fields that are set; the others are arbitrary.
  private(set) var values = SettingsValues()
  /// The names of the fields that are set.
  private(set) var names: Set<String> = []
  /// Whether the adaptive method is switched off without naming another set.
  private(set) var isAdaptiveOff = false

  /// Makes empty settings.
  init() {}

  /// Reads a JSON object.
  ///
  /// - Throws: `CountingConfigurationError`, which names the field.
  init(json: Data) throws {
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
  package var isEmpty: Bool { names.isEmpty && !isAdaptiveOff }

  /// The fields that are set, in the order in which they are printed.
  var fields: [SettingsField] { SettingsField.all.filter { names.contains($0.name) } }

  /// The names of fields that a count without options does not use, in the order in which they are
  /// printed.
  package var unusedNames: [String] {
    let configuration = SettingsInputs.configuration(with: self)
    return fields.filter { !$0.isUsed(in: configuration) }.map(\.name)
  }

  // MARK: Changing

  /// Sets a field to a person's text.
  ///
  /// - Throws: ``UsageError`` if the text is not a valid value.
  mutating func set(_ field: SettingsField, to text: String) throws(UsageError) {
    guard field.parse(text, &values) else {
      let words = field.scope == .set ? CountOptions.set.kind.choices : []
      throw UsageError(
        "\(field.name) is '\(text)'; it must be \(field.expectation)"
          + Suggestion.text(for: text, among: words))
    }
    names.insert(field.name)
    // Naming a set, or setting a field of the adaptive one, switches the adaptive method on again.
    if field.scope == .set || field.scope == .adaptive { isAdaptiveOff = false }
  }

  // MARK: In a count

  /// The initial configuration if a command line names no set.
  ///
  /// Settings change the method only by their set; their thresholds are used when a count's method
  /// uses them.
  ///
  /// - Parameters:
  ///   - isAdaptive: the method that an option of the command line requests, nil for none.
  ///   - presets: the configuration of a set.
  ///   - bands: the configuration of bands if that method is requested without a set.
  func basis(
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
  func over(_ basis: CountingConfiguration) -> CountingConfiguration {
    var result = SettingsValues(configuration: basis)
    for field in fields where field.isUsed(in: basis) { field.copy(values, &result) }
    return result.configuration
  }

  // MARK: Writing

  /// The object with one field per line, in the order in which they are printed.
  var text: String {
    var members = fields.filter { $0.scope != .adaptive }.map { ($0.key, $0.json(values).text) }
    let adaptive = fields.filter { $0.scope == .adaptive }
      .map { "    \"\($0.key)\": \($0.json(values).text)" }
    if !adaptive.isEmpty {
      members.append(("adaptive", "{\n\(adaptive.joined(separator: ",\n"))\n  }"))
    } else if isAdaptiveOff {
      members.append(("adaptive", "\"off\""))
    }
    guard !members.isEmpty else { return "{}\n" }
    return "{\n" + members.map { "  \"\($0)\": \($1)" }.joined(separator: ",\n") + "\n}\n"
  }

  package static func == (one: Settings, other: Settings) -> Bool { one.text == other.text }
}

extension SettingsField {
  /// Whether a count by this configuration uses the field.
  func isUsed(in configuration: CountingConfiguration) -> Bool {
    switch scope {
    case .set, .all: true
    case .adaptive: configuration.adaptive != nil
    case .bands: configuration.adaptive == nil
    }
  }
}
