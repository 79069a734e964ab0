/// The labels that wait for their dates.
///
/// Labels with only words between them wait together, and the next dates take them in order. A
/// number that is not a date separates labels: those before it are less important than one after
/// it.
struct DateLabelQueue {
  private var waiting: [DateLabel] = []
  /// The end of the last label, or of the last date since.
  private var anchor = 0
  private var isStale = false

  /// The reach of a label in characters.
  private static let reach = 32
  /// The reach of a label in line ends.
  private static let lines = 2
  /// The greatest number of labels side by side.
  private static let most = 4

  /// Records a label that ends here.
  mutating func add(_ label: DateLabel, end: Int) {
    if isStale { waiting = [] }
    isStale = false
    anchor = end
    // "Best before / Meilleur avant" is one label.
    if waiting.last == label { return }
    waiting.append(label)
    if waiting.count > Self.most { waiting.removeFirst() }
  }

  /// Records a number that is not a date.
  mutating func sawNumber() {
    isStale = true
  }

  /// The label of a date that begins here.
  func label(at start: Int, in text: FoldedText) -> DateLabel? {
    guard let first = waiting.first, start - anchor <= Self.reach else { return nil }
    var lines = 0
    for place in anchor..<max(start, anchor) where text[place] == 0x0A { lines += 1 }
    return lines <= Self.lines ? first : nil
  }

  /// Takes the label of a date, or of an impossible date, that ends here.
  mutating func take(end: Int) {
    if !waiting.isEmpty { waiting.removeFirst() }
    anchor = end
    isStale = true
  }
}
