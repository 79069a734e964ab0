import Counting
import Geometry

/// The marks that a person made before the count, on the photo and in words, and the tools to add
/// more.
struct GuideSection {
  let result: CountingResult
  /// The guide of the count; nil if it was not kept.
  let guide: CountingGuide?

  /// A box that a person drew.
  private typealias Drawn = (box: Box, isLike: Bool)

  private var findings: [ExemplarFinding] { result.findings?.exemplars ?? [] }

  private var drawn: [Drawn] {
    findings.isEmpty
      ? (guide?.like ?? []).map { ($0, true) } + (guide?.unlike ?? []).map { ($0, false) }
      : findings.map { ($0.drawn, $0.isLike) }
  }

  // MARK: On the photo

  /// The region, the drawn boxes as dashed lines, and the detections assigned to them as solid
  /// lines.
  var layer: Markup {
    let taken = findings.enumerated().filter { $1.basis == .detection }.map { place, finding in
      rect(
        finding.taken, class: "taken \(name(finding.isLike))",
        title: "What box \(place + 1) was taken for: \(ObjectNames.size(of: finding.taken))")
    }
    let boxes = drawn.enumerated().map { place, drawn in
      rect(
        drawn.box, class: "exemplar \(name(drawn.isLike))",
        title: "Box \(place + 1), drawn: "
          + (drawn.isLike ? "count what is like this" : "leave out what is like this"))
    }
    return .all([
      .element("g", ["class": "layer pointed", "id": "taken"], taken),
      .element("g", ["class": "layer pointed", "id": "guide"], [casing] + region + boxes),
    ])
  }

  /// A dark line under all drawn marks, so that they show on any photo.
  private var casing: Markup {
    let corners =
      (guide?.region.map { [$0.corners] } ?? [])
      + drawn.filter { $0.box.isFinite }.map(\.box.corners)
    let outlines = corners.map { corners in
      "M"
        + corners.map { "\(Number.place($0.x)) \(Number.place($0.y))" }.joined(separator: "L") + "z"
    }
    return .element(
      "path", ["class": "casing", "id": "guide-casing", "d": outlines.joined()])
  }

  private var region: [Markup] {
    guard let region = guide?.region else { return [] }
    return [
      .element(
        "polygon",
        [
          "class": "region",
          "points": region.corners.map { "\(Number.place($0.x)),\(Number.place($0.y))" }
            .joined(separator: " "),
        ])
    ]
  }

  private func name(_ isLike: Bool) -> String { isLike ? "like" : "unlike" }

  private func rect(_ box: Box, class name: String, title: String) -> Markup {
    guard box.isFinite else { return .none }
    return .element(
      "rect",
      [
        "class": name, "x": Number.place(Double(box.minX)), "y": Number.place(Double(box.minY)),
        "width": Number.place(max(Double(box.width), 0)),
        "height": Number.place(max(Double(box.height), 0)),
      ], [.element("title", [:], title)])
  }

  /// The number of a person's marks; 0 if the count had no guide.
  var marks: Int { drawn.count + (guide?.region == nil ? 0 : 1) }

  // MARK: In words

  /// The result of each drawn box, one line each; empty if there was no guide.
  var words: Markup {
    var lines = findings.enumerated().map { place, finding in
      "Box \(place + 1), \(finding.isLike ? "to count" : "to leave out"): " + words(of: finding)
    }
    if guide?.region != nil {
      lines.append("Only objects whose centre lies in the outlined part were counted.")
    }
    if guide?.template != nil {
      lines.append("A template, made of other photos, said what to count.")
    }
    guard !lines.isEmpty else { return .none }
    return .all([
      .element("h3", [:], "What was pointed at"),
      .element("ul", ["class": "pointed"], lines.map { .element("li", [:], $0) }),
    ])
  }

  private func words(of finding: ExemplarFinding) -> String {
    switch finding.basis {
    case .detection:
      return "the detector sees an object there, and its box of "
        + "\(Self.size(of: finding.taken)) was taken in place of the drawn one of "
        + "\(Self.size(of: finding.drawn))."
    case .drawing:
      let use =
        finding.isLike
        ? "What looks like it was looked for; the drawn box itself does not count."
        : "What looks like it was left out."
      return "the detector sees no object there. \(use)"
    }
  }

  private static func size(of box: Box) -> String {
    "\(Number.text(Double(box.width))) \u{00D7} \(Number.text(Double(box.height))) px"
  }

  // MARK: Tools

  /// The buttons and the list, which need the script and are hidden until it runs.
  var tools: Markup {
    func button(_ id: String, _ text: String, isSwitch: Bool = true) -> Markup {
      .element(
        "button", ["type": "button", "id": id, "aria-pressed": isSwitch ? "false" : nil], text)
    }
    func help(_ id: String, _ text: String) -> Markup {
      .element("p", ["class": "note", "id": id, "hidden": "hidden"], text)
    }
    return .all([
      .element(
        "div",
        [
          "class": "tools", "id": "guide-tools", "hidden": "hidden", "role": "group",
          "aria-label": "Say what to count",
        ],
        [
          button("guide-like", "Count what is like this"),
          button("guide-unlike", "Leave out what is like this"),
          button("guide-region", "Count only in a part"),
        ]),
      help(
        "guide-help-box",
        "Drag a box around an object, or tap a box that is there. By keyboard: N and P go from box to "
          + "box, A takes the box or adds one, Shift and arrows move, Alt and arrows resize, Delete "
          + "removes, Escape ends."),
      help(
        "guide-help-region",
        "Drag a rectangle, or tap the corners of a polygon and at last the first one again. By keyboard: A "
          + "adds a rectangle, Shift and arrows move, Alt and arrows resize, Enter closes a polygon, "
          + "Escape ends. The numbers below may be typed, those of a polygon too."),
      .element(
        "div", ["id": "guide-panel", "class": "panel", "hidden": "hidden"],
        [
          .element("h3", [:], "The next count"),
          .element("ul", ["id": "guide-list"], [Markup]()),
          .element(
            "pre",
            [
              "id": "guide-command", "tabindex": "0", "role": "region",
              "aria-label": "Command line of the next count",
            ], [Markup]()), button("guide-copy", "Copy the command", isSwitch: false),
        ]),
    ])
  }
}
