import Counting
import Geometry
import VisionProtocols

/// The photo with its boxes over it, and the choice of layers.
struct PhotoSection {
  let result: CountingResult
  let trace: CountTrace?
  let kinds: Kinds
  let names: ObjectNames
  let correction: CountCorrection?
  /// The count with them; nil if there are none.
  let corrected: CorrectedCount?
  /// A person's changes, in words; nil if there are none.
  let comparison: String?
  /// The photo as an address.
  let photoURL: String

  /// The greatest number of boxes drawn; the page says so if there are more.
  static let mostBoxes = 4000

  private var guide: GuideSection { GuideSection(result: result, guide: trace?.guide) }

  private var dropped: [TracedDetection] {
    (trace?.detections ?? []).filter { $0.droppedBy != nil && $0.detection.box.isFinite }
  }

  /// The section.
  var markup: Markup {
    .element(
      "section", ["aria-labelledby": "photo-title", "class": "photo"],
      [
        .element("h2", ["id": "photo-title"], "Photo")
      ] + choices + [
        .element("div", ["class": "viewer", "id": "viewer"], [drawing]),
        .element(
          "p", ["id": "readout", "role": "status", "class": "readout"],
          "Point at a box, or tap it, to see its score, kind and area."),
        // It is below the photo, which must not move when this line appears during a correction.
        .element(
          "p",
          [
            "id": "corrected", "class": "readout", "hidden": comparison == nil ? "hidden" : nil,
          ], comparison ?? ""),
        guide.words, KindsSwitch(result)?.markup ?? .none, hiddenBoxes, tools, guide.tools,
      ])
  }

  // MARK: What to show

  /// Checkboxes beside the photo's element and not around it, so that the style sheet alone can
  /// hide and show the layers.
  private var choices: [Markup] {
    let others = result.detections.count - result.count
    var boxes = [Markup.element("span", ["class": "choices"], "Boxes to show: ")]
    boxes += choice(
      "show-main", "main kind", count: corrected?.count ?? result.count, countID: "main-count",
      samples: [("box k0", "")], isOn: true)
    if others > 0 {
      boxes += choice("show-others", "other kinds", count: others, samples: otherKinds, isOn: true)
    }
    if guide.marks > 0 {
      boxes += choice(
        "show-pointed", "pointed at", count: guide.marks, samples: [("exemplar like", "")],
        isOn: true)
    }
    if !dropped.isEmpty {
      boxes += choice(
        "show-dropped", "dropped", count: dropped.count, samples: [("drop", "")], isOn: false)
    }
    if !result.detections.isEmpty { boxes += choice("show-numbers", "numbers", isOn: true) }
    return boxes
  }

  /// The boxes of the other kinds with the names of the kinds.
  private var otherKinds: [(mark: String, name: String)] {
    let others = kinds.sizes.dropFirst()
    return others.enumerated().prefix(Kinds.last).map { place, kind in
      let isRest = place + 1 == Kinds.last && others.count > Kinds.last
      return ("box k\(place + 1)", isRest ? "all others" : kinds.name(of: kind.label))
    }
  }

  /// A checkbox of a layer, with samples of its boxes and their number.
  private func choice(
    _ id: String, _ name: String, count: Int? = nil, countID: String? = nil,
    samples: [(mark: String, name: String)] = [], isOn: Bool
  ) -> [Markup] {
    // One sample stands before the name, several with their own names after it.
    let only = samples.count == 1 ? samples.first.map { [sample($0.mark), .text(" ")] } ?? [] : []
    var words: [Markup] = only + [.text(name)]
    if let count {
      words += [.text(" ("), .element("span", ["id": countID], "\(count)"), .text(")")]
    }
    if samples.count > 1 {
      words.append(.text(":"))
      for (mark, name) in samples { words += [.text(" "), sample(mark), .text(" \(name)")] }
    }
    return [
      .element(
        "input",
        ["type": "checkbox", "id": id, "checked": isOn ? "checked" : nil, "class": "choice"]),
      .element("label", ["for": id], words),
    ]
  }

  private func sample(_ mark: String) -> Markup {
    .element(
      "svg", ["class": "swatch boxes", "viewBox": "0 0 22 14", "aria-hidden": "true"],
      [
        .element("rect", ["class": "ground", "width": "22", "height": "14"]),
        .element(
          "rect", ["class": mark, "x": "3.5", "y": "3", "width": "15", "height": "8"]),
      ])
  }

  /// The buttons, which need the script and are hidden until it runs.
  private var tools: Markup {
    func button(_ id: String, _ text: String, _ label: String? = nil) -> Markup {
      .element("button", ["type": "button", "id": id, "aria-label": label], text)
    }
    return .all([
      .element(
        "div",
        [
          "class": "tools", "id": "zoom-tools", "hidden": "hidden", "role": "group",
          "aria-label": "Zoom",
        ],
        [
          button("zoom-in", "+", "Zoom in"), button("zoom-out", "\u{2212}", "Zoom out"),
          button("zoom-reset", "Whole photo"),
        ]),
      .element(
        "div",
        [
          "class": "tools", "id": "correct-tools", "hidden": "hidden", "role": "group",
          "aria-label": "Correct the count",
        ],
        [
          .element(
            "button", ["type": "button", "id": "correct", "aria-pressed": "false"],
            "Correct the count"),
          button("undo", "Undo"), button("save", "Save correction"),
          .element(
            "label", ["class": "file"],
            [
              .text("Open correction "),
              .element("input", ["type": "file", "id": "open", "accept": ".json"]),
            ]),
          button("save-coco", "Download COCO JSON"), button("save-yolo", "Download YOLO text"),
          button("save-csv", "Download CSV"),
        ]),
      .element(
        "p", ["class": "note", "id": "correct-help", "hidden": "hidden"],
        "Tap a box of the main kind to take it out or put it back, any other box to count it. Drag "
          + "in free space to add one; drag a box to move it, its lower right corner to resize it. "
          + "By keyboard: N and P go from box to box, Delete takes out or puts back, A adds one, "
          + "Shift and arrows move, Alt and arrows resize."),
    ])
  }

  private var hiddenBoxes: Markup {
    let hidden = result.detections.count - counted.count
    guard hidden > 0 else { return .none }
    return .element(
      "p", ["class": "note"],
      "\(Number.of(hidden, "box is", "boxes are")) not drawn: the photo shows "
        + "\(Number.text(Double(Self.mostBoxes))) at most, and none that is not finite.")
  }

  // MARK: Drawing

  /// An object, its number, and its place in the result.
  private typealias Numbered = (number: Int, place: Int, object: CountedDetection)

  /// The objects to draw, large ones first, so that small ones lie on top.
  private var counted: [Numbered] {
    let numbers = ObjectNumbers(result).numbers
    return result.detections.enumerated()
      .filter { $1.detection.box.isFinite }.prefix(Self.mostBoxes)
      .map { (number: numbers[$0], place: $0, object: $1) }
      .sorted {
        ($0.object.detection.box.exactArea, $1.number)
          > ($1.object.detection.box.exactArea, $0.number)
      }
  }

  private var drawing: Markup {
    let (width, height) = (max(result.width, 1), max(result.height, 1))
    // Large sides of the photo's ratio: the style sheet reduces them to the room that there is, and
    // the drawing is never wider or higher than its photo.
    let enlarging = 6000 / Double(max(width, height))
    let (counted, boxNumbers) = (counted, boxNumbers)
    return .element(
      "svg",
      [
        "id": "overlay", "viewBox": "0 0 \(width) \(height)",
        "width": Number.place(max(Double(width) * enlarging, 1)),
        "height": Number.place(max(Double(height) * enlarging, 1)), "role": "img",
        "aria-label": "The photo with a box around each of "
          + Number.of(result.detections.count, "object", "objects")
          + "; the table of objects below says the same in words.",
      ],
      [
        .element(
          "image",
          [
            "id": "picture", "width": "\(width)", "height": "\(height)",
            "preserveAspectRatio": "none", "href": photoURL,
          ]),
        .element("g", ["class": "layer dropped", "id": "dropped"], droppedBoxes),
        .element(
          "g", ["class": "layer others", "id": "others"],
          boxes(counted.filter { !$0.object.isMain }, numbers: boxNumbers)),
        .element(
          "g",
          [
            "class": "layer main", "id": "main", "data-number-size": boxNumbers.size,
            "data-numbers": "\(result.detections.count)",
          ], boxes(counted.filter(\.object.isMain), numbers: boxNumbers) + added(boxNumbers)),
        guide.layer,
      ])
  }

  private var droppedBoxes: [Markup] {
    dropped.prefix(Self.mostBoxes).map { traced in
      rect(
        traced.detection.box, class: "drop", id: nil, number: nil,
        title: "Dropped " + StageNames.dropping(traced.droppedBy) + ": "
          + ObjectNames.measures(of: traced.detection))
    }
  }

  /// A dark line under all boxes of a layer, so that they show on any photo, then the boxes, then
  /// their numbers.
  private func boxes(_ objects: [Numbered], numbers: BoxNumbers) -> [Markup] {
    let removed = correction?.removedIndices(in: result) ?? []
    let moved = correction?.movedBoxes(in: result) ?? [:]
    let outlines = objects.filter { !removed.contains($0.place) }.map { entry in
      let box = moved[entry.place] ?? entry.object.detection.box
      let (x, y) = (Number.place(Double(box.minX)), Number.place(Double(box.minY)))
      return "M\(x) \(y)h\(Number.place(Double(box.width)))v\(Number.place(Double(box.height)))"
        + "h\(Number.place(-Double(box.width)))z"
    }
    let casing: [Markup] =
      outlines.isEmpty ? [] : [.element("path", ["class": "casing", "d": outlines.joined()])]
    let readings = KindsSwitch(result)
    return casing
      + objects.map { entry in
        let isRemoved = removed.contains(entry.place)
        let place = moved[entry.place]
        return rect(
          place ?? entry.object.detection.box,
          class: "box k\(kinds.rank(of: entry.object.cluster))"
            + (isRemoved ? " removed" : "") + (place == nil ? "" : " moved"),
          id: "box-\(entry.number)", number: entry.number,
          title: names.title(of: entry.object, number: entry.number)
            + (isRemoved ? "; taken out by a person" : "")
            + (place == nil ? "" : "; moved by a person"),
          from: place == nil ? nil : entry.object.detection.box,
          kinds: readings.map { ($0.coarser.places[entry.place], $0.finer.places[entry.place]) })
      }
      + objects.map { entry in
        numbers.markup(
          of: moved[entry.place] ?? entry.object.detection.box, number: entry.number,
          isOut: removed.contains(entry.place))
      }
  }

  private func added(_ numbers: BoxNumbers) -> [Markup] {
    let added = (corrected?.objects ?? []).filter { $0.origin == .person }
    return added.enumerated().map { place, object in
      rect(
        object.box, class: "box added", id: "added-\(place + 1)", number: nil,
        title: "Object \(object.number), added by a person: \(ObjectNames.size(of: object.box))")
    } + added.map { numbers.markup(of: $0.box, number: $0.number, isAdded: true) }
  }

  private var boxNumbers: BoxNumbers {
    BoxNumbers(
      counted.map { ($0.object.detection.box, $0.number) }, photoWidth: result.width,
      photoHeight: result.height)
  }

  private func rect(
    _ box: Box, class name: String, id: String?, number: Int?, title: String,
    from machine: Box? = nil, kinds: (coarser: Int, finer: Int)? = nil
  ) -> Markup {
    .element(
      "rect",
      [
        "class": name, "id": id, "x": Number.place(Double(box.minX)),
        "y": Number.place(Double(box.minY)),
        "width": Number.place(max(Double(box.width), 0)),
        "height": Number.place(max(Double(box.height), 0)),
        "data-object": number.map(String.init),
        "data-machine": machine.map { box in
          [box.minX, box.minY, box.maxX, box.maxY].map { Number.place(Double($0)) }
            .joined(separator: " ")
        }, "data-coarser": kinds.map { "\($0.coarser)" },
        "data-finer": kinds.map { "\($0.finer)" },
      ], [.element("title", [:], title)])
  }
}
