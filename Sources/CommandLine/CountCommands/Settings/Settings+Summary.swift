import CommandKit
import CountSettings

extension CountingSettings {
  /// The settings in one line.
  package var summary: String {
    var set = fields.map { "\($0.name) \($0.text(values))" }
    if isAdaptiveOff { set.append("adaptive off") }
    return set.joined(separator: ", ")
  }

  /// The names of fields that a count without options does not use, in the order in which they are
  /// shown.
  package var unusedNames: [String] {
    let configuration = SettingsInputs.configuration(with: self)
    return fields.filter { !$0.isUsed(in: configuration) }.map(\.name)
  }
}
