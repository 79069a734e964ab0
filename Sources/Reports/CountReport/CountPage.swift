import Counting
import Foundation
import Raster
import VisionProtocols

/// A self-contained web page of a count.
///
/// It has the photo with its boxes, the steps, the kinds, the bands, the objects and the settings.
///
/// ```swift
/// let count = try await counter.tracedCount(in: photo)
/// let page = CountPage(
///   name: "tray.jpg", count: count, configuration: counter.configuration)
/// try page.html(photo: photo).write(to: url)
/// ```
///
/// The page does not need or use a network. It can be read without its script, which adds zoom, a
/// readout and corrections. It follows the reader's choice of a dark or light screen. Names are
/// escaped; control characters and marks that reorder text are written as codes.
public struct CountPage: Sendable {
  /// The name of the photo; any text.
  public var name: String
  /// The result of the count.
  public var result: CountingResult
  /// The trace of every detection; without it there are no dropped boxes, no map and no bands.
  public var trace: CountTrace?
  /// The settings of the count.
  public var configuration: CountingConfiguration
  /// A person's changes; nil if there are none.
  public var correction: CountCorrection?
  /// The greatest size of a page in bytes; the photo gets the rest of it.
  public var maximumBytes = 3_000_000
  /// Whether a server shows the page.
  ///
  /// The page then has buttons that send what a person draws and corrects to its own address.
  package var isServed = false

  /// The greatest number of rows in the table of objects; the page says so if there are more.
  static let mostRows = 2000

  /// Makes a page.
  public init(
    name: String, result: CountingResult, trace: CountTrace? = nil,
    configuration: CountingConfiguration, correction: CountCorrection? = nil
  ) {
    self.name = name
    self.result = result
    self.trace = trace
    self.configuration = configuration
    self.correction = correction
  }

  /// Makes a page of a traced count.
  public init(
    name: String, count: TracedCount, configuration: CountingConfiguration,
    correction: CountCorrection? = nil
  ) {
    self.init(
      name: name, result: count.result, trace: count.trace, configuration: configuration,
      correction: correction)
  }

  /// The page as UTF-8.
  ///
  /// - Parameter photo: the upright photo that was counted; it is embedded as a JPEG, smaller if it
  ///   would not fit.
  /// - Complexity: a few JPEGs of the photo, and a singular value decomposition of up to 1,000
  ///   embeddings.
  /// - Throws: ``CountPageError``; ``CountCorrectionError`` if the correction is of another count;
  ///   errors of encoding the photo.
  public func html(photo: Raster) throws -> Data {
    guard photo.width == result.width, photo.height == result.height else {
      throw CountPageError.photo(
        width: photo.width, height: photo.height, expectedWidth: result.width,
        expectedHeight: result.height)
    }
    let kinds = Kinds(result)
    let corrected = try correction.map { correction throws(CountCorrectionError) in
      try CorrectedCount(result, correctedBy: correction)
    }
    let sections = try [
      StageSection(result: result).markup, looks(of: photo, kinds: kinds), measures(),
      objects(kinds: kinds), SettingsSection(configuration: configuration).markup(),
    ]
    func page(photoURL: String) -> Data {
      let photo = PhotoSection(
        result: result, trace: trace, kinds: kinds, names: ObjectNames(kinds: kinds),
        correction: correction, corrected: corrected, comparison: corrected.map(comparison),
        photoURL: photoURL
      ).markup
      return Data(document([header(corrected), .element("main", [:], [photo] + sections)]).utf8)
    }
    let rest = page(photoURL: "").count
    return page(
      photoURL: try PhotoEncoding.url(
        of: photo, mostBytes: maximumBytes - rest, limit: maximumBytes))
  }

  private func document(_ body: [Markup]) -> String {
    let head = Markup.element(
      "head", [:],
      [
        .element("meta", ["charset": "utf-8"]),
        .element(
          "meta",
          [
            "http-equiv": "Content-Security-Policy",
            "content": ContentPolicy.text(isServed: isServed),
          ]),
        .element(
          "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        .element("meta", ["name": "color-scheme", "content": "light dark"]),
        .element("meta", ["name": "referrer", "content": "no-referrer"]),
        .element("title", [:], title),
        .embedded("style", .style),
      ])
    let page = Markup.element(
      "html", ["lang": "en"],
      [
        head,
        .element(
          "body", [:],
          body + [.embedded("script", .script)]
            + (isServed ? [.embedded("script", .servedScript)] : [])),
      ])
    return "<!DOCTYPE html>\n\(page.html)\n"
  }

  private var title: String {
    "\(Number.of(result.count, "object", "objects"))\(interval.map { " \($0)" } ?? ""): \(name)"
  }

  // MARK: Sections

  private func header(_ corrected: CorrectedCount?) -> Markup {
    let count = corrected?.count ?? result.count
    var lines: [Markup] = [
      .element(
        "h1", [:],
        [
          .element(
            "span",
            [
              "id": "count", "data-machine": "\(result.count)",
            ], Number.text(Double(count))),
          .text(" "), .element("span", ["id": "noun"], count == 1 ? "object" : "objects"),
        ]
          // The interval is about the machine's count, not about a person's.
          + (corrected == nil
            ? interval.map { [.text(" "), .element("span", ["id": "interval"], $0)] } ?? [] : [])),
      .element(
        "p", ["class": "name"],
        [
          .element("bdi", ["id": "name"], name),
          .text(" \u{00B7} \(result.width) \u{00D7} \(result.height) pixels"),
        ]),
    ]
    if let corrected {
      lines.append(.element("p", ["id": "comparison"], comparison(corrected)))
    }
    if corrected == nil, let sureness {
      lines.append(.element("p", ["id": "sureness"], sureness))
    }
    if let hint = result.hint { lines.append(.element("p", ["class": "hint"], hint.description)) }
    return .element("header", [:], lines)
  }

  /// A person's changes, in words.
  private func comparison(_ corrected: CorrectedCount) -> String {
    "Corrected by a person; the machine counted \(corrected.machine.count). "
      + "Added \(correction?.added.count ?? 0), taken out \(correction?.removed.count ?? 0), moved "
      + "\(correction?.moved.count ?? 0)."
  }

  /// The interval of the count, in brackets; nil if it is not known.
  private var interval: String? {
    result.confidence.map {
      "(\(Number.text(Double($0.least))) to \(Number.text(Double($0.greatest))))"
    }
  }

  private var sureness: String? {
    guard let confidence = result.confidence else {
      // The findings about the photo predict the error of a count only for models that were
      // measured.
      return result.count > 0 && result.findings?.doubts != nil
        ? "How far off the count may be is not known: it was not measured with these models." : nil
    }
    return "The count is at most 5 % off with a probability of "
      + "\(Number.text(100 * confidence.value)) %. In 9 of 10 cases the true count is from "
      + "\(Number.text(Double(confidence.least))) to \(Number.text(Double(confidence.greatest)))."
  }

  private func looks(of photo: Raster, kinds: Kinds) throws -> Markup {
    guard !kinds.sizes.isEmpty else { return .none }
    let map = try trace.flatMap { try EmbeddingMap(of: $0) }
    let figure = try map?.figure(of: photo, kinds: kinds, numbers: ObjectNumbers(result))
    let table = DataTable(
      caption: "How many objects each kind has",
      head: ["kind", "objects"],
      rows: kinds.sizes.prefix(Self.mostRows).map { kind in
        [
          .all([
            KindMark(rank: kinds.rank(of: kind.label)).swatch, .text(" "),
            .text(kinds.name(of: kind.label)),
          ]),
          .text(Number.text(Double(kind.size))),
        ]
      }
    ).markup
    return .element(
      "section", ["aria-labelledby": "kinds-title"],
      [
        .element("h2", ["id": "kinds-title"], "Kinds"),
        .element(
          "div", ["class": "beside"],
          [
            .element("div", [:], [table]),
            figure
              ?? .element(
                "p", ["class": "note"],
                "There is no similarity map: the count needed no embeddings, or they were not "
                  + "kept."),
          ]),
      ])
  }

  private func measures() -> Markup {
    guard let trace, !trace.detections.isEmpty else { return .none }
    let measures = CountMeasures(
      of: TracedCount(result: result, trace: trace), configuration: configuration)
    return .element(
      "section", ["aria-labelledby": "measures-title"],
      [
        .element("h2", ["id": "measures-title"], "Sizes, shapes and scores"),
        .element(
          "div", ["class": "plots"],
          zip(["area", "aspect", "score"], measures.all).map { id, measure in
            HistogramPlot(
              title: measure.title, unit: measure.unit.isEmpty ? "" : " \(measure.unit)",
              kept: measure.kept, dropped: measure.dropped, band: measure.band, note: measure.note,
              id: id
            ).figure
          }),
      ])
  }

  private func objects(kinds: Kinds) -> Markup {
    guard !result.detections.isEmpty else { return .none }
    let numbers = ObjectNumbers(result)
    let rows = numbers.order.prefix(Self.mostRows).map { place in
      let (object, number) = (result.detections[place], numbers.numbers[place])
      let (box, score) = (object.detection.box, Double(object.detection.score))
      let isDrawn = box.isFinite && place < PhotoSection.mostBoxes
      return [
        isDrawn
          ? Markup.element("a", ["href": "#box-\(number)"], "\(number)") : .text("\(number)"),
        .text(kinds.name(of: object.cluster)), .text(Number.text(score, digits: 3)),
        .text(Number.text(Double(box.minX))), .text(Number.text(Double(box.minY))),
        .text(Number.text(Double(box.width))), .text(Number.text(Double(box.height))),
        .text(Number.text(box.exactArea)), .text(ObjectNames.ratio(of: box)),
      ]
    }
    let rest = result.detections.count - rows.count
    return .element(
      "section", ["aria-labelledby": "objects-title"],
      [
        .element("h2", ["id": "objects-title"], "Objects"),
        DataTable(
          caption: "All objects, in pixels of the photo"
            + (rest > 0 ? "; \(Number.text(Double(rest))) more are not listed" : ""),
          head: [
            "object", "kind", "score", "left", "top", "width", "height", "area", "width/height",
          ], rows: rows
        ).folded(summary: "Table of \(Number.of(result.detections.count, "object", "objects"))"),
      ])
  }
}

/// The reason why a page cannot be made.
public enum CountPageError: Error, Equatable, CustomStringConvertible {
  /// The photo is not the counted one.
  case photo(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int)
  /// The page has no room for even the smallest photo.
  case tooLarge(bytes: Int, limit: Int)

  /// The wrong value and the expected one, in one line.
  public var description: String {
    switch self {
    case .photo(let width, let height, let expectedWidth, let expectedHeight):
      "the photo has \(width) x \(height) pixels; the count is of one of \(expectedWidth) x "
        + "\(expectedHeight)"
    case .tooLarge(let bytes, let limit):
      "the page would take \(bytes) bytes with the smallest photo; the limit is \(limit)"
    }
  }
}
