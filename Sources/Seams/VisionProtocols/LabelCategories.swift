/// The few categories that the many labels of a classifier belong to, such as `electronics` for
/// `laptop`.
///
/// ```swift
/// let categories = try LabelCategories([
///   "electronics": ["laptop", "notebook computer", "television"],
///   "furniture": ["desk", "folding chair"],
/// ])
/// print(categories.category(of: "laptop, laptop computer") ?? "none")  // electronics
/// ```
///
/// Labels are compared without case, with underscores as spaces, and with one space for several. A
/// label may name its synonyms with commas, as those of ImageNet do: then each is a label of its own.
///
/// As JSON it is an object of lists: `{"electronics": ["laptop"], "furniture": ["desk"]}`.
public struct LabelCategories: Hashable, Sendable {
  /// The categories, in the order of their names.
  public let categories: [String]
  /// The labels of each category, as they were given.
  public let labels: [String: [String]]
  /// The place of each label's category, by the label's plain form.
  private let places: [String: Int]

  /// Makes categories of their labels.
  ///
  /// - Throws: ``LabelCategoryError`` if a category has no name or no label, or if a label is empty
  ///   or belongs to two categories.
  public init(_ labels: [String: [String]]) throws(LabelCategoryError) {
    let categories = labels.keys.sorted()
    var places: [String: Int] = [:]
    for (place, category) in categories.enumerated() {
      guard !Self.plain(category[...]).isEmpty else { throw .noName }
      guard let own = labels[category], !own.isEmpty else { throw .noLabels(category: category) }
      for label in own {
        let synonyms = Self.synonyms(of: label)
        guard !synonyms.isEmpty else { throw .emptyLabel(category: category) }
        for synonym in synonyms {
          if let other = places.updateValue(place, forKey: synonym), other != place {
            throw .twoCategories(label: label, first: categories[other], second: category)
          }
        }
      }
    }
    self.categories = categories
    self.labels = labels
    self.places = places
  }

  /// The category of a label; nil if it is in none.
  ///
  /// If a label's synonyms belong to several categories, the first synonym that has one decides.
  public func category(of label: String) -> String? {
    place(of: label).map { categories[$0] }
  }

  /// The categories of classes, each with the sum of its classes' confidences, the most confident
  /// first.
  ///
  /// A classifier is often sure of the category and not of the class: of `laptop` and `notebook` at
  /// 0.45 each, it is `electronics` at 0.9. Classes of no category are left out. A sum is at most 1
  /// if the confidences are probabilities. The index is the place in ``categories``; of equal
  /// confidences the lower one comes first. A confidence that is not a number or negative counts as 0.
  ///
  /// - Complexity: O(*n*) for *n* classes.
  public func grouped(_ classes: [Classification]) -> [Classification] {
    var sums: [Int: Float] = [:]
    for kind in classes {
      guard let place = place(of: kind.label) else { continue }
      // NaN is not above 0.
      sums[place, default: 0] += kind.confidence > 0 ? kind.confidence : 0
    }
    return sums.map {
      Classification(label: categories[$0.key], index: $0.key, confidence: $0.value)
    }.sorted { ($1.confidence, $0.index) < ($0.confidence, $1.index) }
  }

  private func place(of label: String) -> Int? {
    for synonym in Self.synonyms(of: label) {
      if let place = places[synonym] { return place }
    }
    return nil
  }

  private static func synonyms(of label: String) -> [String] {
    label.split(separator: ",").map(plain).filter { !$0.isEmpty }
  }

  /// The label in lower case, its words separated by single spaces.
  private static func plain(_ label: Substring) -> String {
    label.lowercased().split { $0.isWhitespace || $0 == "_" }.joined(separator: " ")
  }
}

extension LabelCategories: Codable {
  /// Reads the object of lists.
  ///
  /// - Throws: `DecodingError`, also for what ``init(_:)`` refuses.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode([String: [String]].self))
    } catch let error as LabelCategoryError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the object of lists.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(labels)
  }
}

/// The reason why there cannot be such ``LabelCategories``.
public enum LabelCategoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A category has an empty name.
  case noName
  /// A category has no labels.
  case noLabels(category: String)
  /// A label is empty.
  case emptyLabel(category: String)
  /// A label belongs to two categories.
  case twoCategories(label: String, first: String, second: String)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .noName:
      "a category has no name; each needs one"
    case .noLabels(let category):
      "the category '\(category)' has no labels; it needs one at least"
    case .emptyLabel(let category):
      "a label of the category '\(category)' is empty; each must have a letter or another sign"
    case .twoCategories(let label, let first, let second):
      "the label '\(label)' is in the categories '\(first)' and '\(second)'; it must be in one"
    }
  }
}
