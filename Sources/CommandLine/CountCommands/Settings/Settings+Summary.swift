import CommandKit

extension Settings {
  /// The settings in one line.
  package var summary: String {
    var set = fields.map { "\($0.name) \($0.text(values))" }
    if isAdaptiveOff { set.append("adaptive off") }
    return set.joined(separator: ", ")
  }
}
