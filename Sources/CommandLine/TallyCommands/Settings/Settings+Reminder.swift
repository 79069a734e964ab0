import Counting

extension Settings {
  /// Lines for the count of a photo: what is set, where nothing was counted and it may be the reason.
  func reminder(of result: CountingResult) -> [String] {
    guard result.count == 0, !isEmpty else { return [] }
    var report = ReportText()
    var set = fields.map { "\($0.name) \($0.text(values))" }
    if isAdaptiveOff { set.append("adaptive off") }
    report.add("settings", "\(set.joined(separator: ", ")) (see 'tally settings show')")
    return report.lines
  }
}
