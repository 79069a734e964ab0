import Counting

/// The value of one field of the settings.
public enum SettingsValue: Hashable, Sendable {
  /// A part of the method that is switched off.
  case off
  /// A number.
  case number(Double)
  /// A whole number.
  case whole(Int)
  /// A switch.
  case flag(Bool)
  /// One of a few words.
  case word(String)
  /// A number of standard deviations.
  case deviations(Double)
  /// A range, bounds included.
  case range(minimum: Double, maximum: Double)
}

/// The values of settings: the initial set, and thresholds that override it.
package struct SettingsValues: Sendable, Equatable {
  package var preset: CountingPreset?
  package var configuration: CountingConfiguration

  package init(
    preset: CountingPreset? = nil, configuration: CountingConfiguration = .adaptive
  ) {
    self.preset = preset
    self.configuration = configuration
  }
}
