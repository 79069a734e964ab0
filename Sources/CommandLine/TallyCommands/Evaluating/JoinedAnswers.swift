import CommandKit

/// The images of a truth, with what was predicted for each.
struct JoinedAnswers: Sendable {
  /// An image of the truth.
  struct Image: Sendable {
    let name: String
    let truth: Answer
    /// What was predicted; without values if nothing was.
    let prediction: Answer
    /// Whether the predictions have the image, and no command failed on it.
    let isAnswered: Bool

    /// The true class of an image with labels.
    var trueLabel: String { truth.values.first ?? "" }
    /// The class that was predicted for it; nil if there is none.
    var predictedLabel: String? { prediction.isSure ? prediction.values.first : nil }
  }

  /// The images, in the truth's order.
  let images: [Image]
  /// The images without an entry in the predictions.
  let missing: [String]
  /// The images on which a command failed, with the reason.
  let failed: [(image: String, reason: String)]
  /// The images of the predictions that the truth does not name.
  let surplus: [String]

  /// Joins two files by the names of images.
  ///
  /// - Throws: ``CommandError`` if the predictions have two entries for one image.
  init(_ predictions: AnswerFile, truth: AnswerFile) throws(CommandError) {
    let places = ImagePlaces(truth.images.map(\.name))
    var found = [AnswerFile.Image?](repeating: nil, count: truth.images.count)
    var surplus: [String] = []
    for image in predictions.images {
      guard let place = places.place(of: image.name) else {
        surplus.append(image.name)
        continue
      }
      if let other = found[place] {
        throw CommandError(
          .badData, at: predictions.path,
          "has \"\(other.name)\" and \"\(image.name)\", which are one image of \(truth.path)")
      }
      found[place] = image
    }
    images = zip(truth.images, found).map { own, other in
      Image(
        name: own.name, truth: own.answer, prediction: other?.answer ?? Answer([]),
        isAnswered: other.map { $0.error == nil } ?? false)
    }
    missing = zip(truth.images, found).compactMap { $1 == nil ? $0.name : nil }
    failed = zip(truth.images, found).compactMap { own, other in
      other?.error.map { (own.name, $0) }
    }
    self.surplus = surplus
  }

  // MARK: Reports

  /// The most entries of a list for people; machines get all.
  static let longestList = 20

  /// The first entries of a list, and how many there are besides.
  static func listed<Entry>(_ entries: [Entry], _ lines: (Entry) -> [String]) -> [String] {
    entries.prefix(longestList).flatMap(lines) + rest(of: entries.count)
  }

  /// How many entries of a list there are besides those that are listed; empty if there are none.
  static func rest(of count: Int) -> [String] {
    count > longestList ? ["... and \(count - longestList) more; --json has all"] : []
  }

  /// Which images do not fit, for people, with an empty line before; empty if all do.
  var notes: [String] {
    func list(_ title: String, _ entries: [String]) -> [String] {
      entries.isEmpty
        ? [] : ["", title] + Self.listed(entries) { ["  " + PrintableText.of($0)] }
    }
    return list("missing from the predictions, and counted as wrong:", missing)
      + list(
        "failed, and counted as wrong:", failed.map { "\($0.image): \($0.reason)" })
      + list("not in the truth, and left out:", surplus)
  }

  /// The same for machines.
  var members: [(String, JSONText)] {
    [
      ("missing", .array(missing.map { .string($0) })),
      (
        "failed",
        .array(
          failed.map {
            .object([("image", .string($0.image)), ("error", .string($0.reason))])
          })
      ),
      ("surplus", .array(surplus.map { .string($0) })),
    ]
  }
}

/// Figures of a report.
enum FigureText {
  /// A share to three digits; a dash if there is none.
  static func share(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 3) } ?? "-"
  }

  /// The same for machines.
  static func json(_ value: Double?) -> JSONText { .optional(value) { .double($0) } }
}
