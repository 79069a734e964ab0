import Counting

/// Two ways to divide a photo's objects into kinds, and a switch that colours the boxes by either.
struct KindsSwitch {
  /// The order of kinds in one division.
  ///
  /// The kind with most of the counted objects is first, then the largest first.
  struct Order: Hashable {
    /// The place of each object's kind.
    let places: [Int]
    /// The number of objects of each kind, by place.
    let sizes: [Int]

    init(_ reading: KindReading, of detections: [CountedDetection]) {
      var sizes: [Int: Int] = [:]
      var counted: [Int: Int] = [:]
      for (label, object) in zip(reading.labels, detections) {
        sizes[label, default: 0] += 1
        if object.isMain { counted[label, default: 0] += 1 }
      }
      let main = counted.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      let order = sizes.sorted { a, b in
        (a.key == main ? 0 : 1, -a.value, a.key) < (b.key == main ? 0 : 1, -b.value, b.key)
      }
      self.sizes = order.map(\.value)
      let ranks = Dictionary(
        order.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
      places = reading.labels.map { ranks[$0] ?? 0 }
    }
  }

  /// The division with fewer kinds.
  let coarser: Order
  /// The division with more kinds.
  let finer: Order
  private let asCounted: Order

  /// Nil if only one division is plausible.
  init?(_ result: CountingResult) {
    guard let readings = result.kindsAt else { return nil }
    let count = result.detections.count
    guard count > 0, readings.coarser.labels.count == count, readings.finer.labels.count == count
    else { return nil }
    coarser = Order(readings.coarser, of: result.detections)
    finer = Order(readings.finer, of: result.detections)
    asCounted = Order(
      KindReading(labels: result.detections.map(\.cluster)), of: result.detections)
  }

  /// The line that states both, and the switch, which is hidden until the script runs.
  var markup: Markup {
    var choices = [("coarser", "fewer kinds", coarser), ("finer", "more kinds", finer)]
    // A division that is the count's own needs no third choice.
    let own = choices.firstIndex { $0.2 == asCounted }
    if own == nil { choices.insert(("counted", "as counted", asCounted), at: 0) }
    return .all([
      .element(
        "p", ["id": "readings-words"],
        "The kinds can be read in two ways: fewer kinds, \(Self.words(coarser)); more kinds, "
          + "\(Self.words(finer))."),
      .element(
        "fieldset", ["id": "readings", "class": "tools", "hidden": "hidden"],
        [.element("legend", [:], "Colour the boxes by")]
          + choices.enumerated().map { place, choice in
            let isOn = place == own ?? 0
            return .element(
              "label", [:],
              [
                .element(
                  "input",
                  [
                    "type": "radio", "name": "reading", "value": choice.0,
                    "checked": isOn ? "checked" : nil,
                  ]),
                .text(" \(choice.1): \(Number.of(choice.2.sizes[0], "object", "objects"))"),
              ])
          }),
    ])
  }

  private static func words(_ order: Order) -> String {
    let main = Number.of(order.sizes[0], "object", "objects")
    let others = order.sizes.dropFirst().map { Number.text(Double($0)) }
    switch others.count {
    case 0: return "\(main) of one kind"
    case 1: return "\(main) of the main kind and \(others[0]) of another"
    default:
      let rest = others.count > 6 ? " and more" : ""
      return "\(main) of the main kind, and of the others "
        + others.prefix(6).joined(separator: ", ") + rest
    }
  }
}
