import Foundation
import Testing
import VisionProtocols

// C14: the category that a label belongs to.

@Suite("Categories of labels")
struct LabelCategoriesTests {
  private let household = [
    "books": ["comic book", "book_jacket"],
    "electronics": ["laptop, laptop computer", "Notebook", "mouse, computer mouse"],
    "furniture": ["desk", "folding  chair"],
  ]

  private func kind(_ label: String, _ confidence: Float) -> Classification {
    Classification(label: label, index: 9, confidence: confidence)
  }

  @Test(
    "A label has its category, whatever its case, its spaces and its synonyms",
    arguments: [
      ("laptop", "electronics"), ("LAPTOP COMPUTER", "electronics"), (" Laptop , x", "electronics"),
      ("computer_mouse", "electronics"), ("folding chair", "furniture"), ("Book Jacket", "books"),
      ("nothing, comic book", "books"), ("desk, laptop", "furniture"), ("table", nil), ("", nil),
      (",", nil), ("lap top", nil), ("laptop computer x", nil),
    ])
  func category(label: String, expected: String?) throws {
    let categories = try LabelCategories(household)
    #expect(categories.categories == ["books", "electronics", "furniture"])
    #expect(categories.category(of: label) == expected)
  }

  @Test("Confidences of a category add up, and the most confident comes first")
  func grouped() throws {
    let categories = try LabelCategories(household)
    let groups = categories.grouped([
      kind("desk", 0.375), kind("laptop", 0.25), kind("notebook", 0.25), kind("banana", 0.125),
    ])
    #expect(
      groups == [
        Classification(label: "electronics", index: 1, confidence: 0.5),
        Classification(label: "furniture", index: 2, confidence: 0.375),
      ])
    let tie = categories.grouped([kind("desk", 0.5), kind("comic book", 0.5)])
    #expect(tie.map(\.label) == ["books", "furniture"])
    #expect(categories.grouped([]).isEmpty && categories.grouped([kind("banana", 1)]).isEmpty)
    let odd = categories.grouped([kind("desk", .nan), kind("desk", -1), kind("laptop", 0.25)])
    #expect(odd.map(\.confidence) == [0.25, 0])
  }

  @Test("Categories without a name or a label, and labels of two, are refused")
  func refused() {
    let bad: [([String: [String]], LabelCategoryError)] = [
      (["": ["a"]], .noName), (["_ ": ["a"]], .noName), (["a": []], .noLabels(category: "a")),
      (["a": ["x", " ,"]], .emptyLabel(category: "a")),
      (
        ["a": ["mouse"], "b": ["rat, MOUSE"]],
        .twoCategories(label: "rat, MOUSE", first: "a", second: "b")
      ),
    ]
    for (labels, error) in bad {
      #expect(throws: error) { try LabelCategories(labels) }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(LabelCategories.self, from: JSONEncoder().encode(labels))
      }
    }
    #expect(throws: Never.self) { try LabelCategories(["a": ["x", "X", "x, y"]]) }
  }

  @Test("They are the JSON of their documentation, and read back")
  func json() throws {
    let text = #"{"electronics": ["laptop"], "furniture": ["desk"]}"#
    let categories = try JSONDecoder().decode(LabelCategories.self, from: Data(text.utf8))
    #expect(categories.labels == ["electronics": ["laptop"], "furniture": ["desk"]])
    let again = try JSONDecoder().decode(
      LabelCategories.self, from: JSONEncoder().encode(categories))
    #expect(again == categories)
    for bad in ["[]", #"{"a": "b"}"#, #"{"a": [1]}"#, "{}x"] {
      #expect(throws: DecodingError.self, "\(bad)") {
        try JSONDecoder().decode(LabelCategories.self, from: Data(bad.utf8))
      }
    }
  }

  /// Answers the same classes for every image, up to the number that is asked for.
  private struct Classifier: ImageClassifier {
    let answer: [Classification]

    func classifications(of image: Int, maximumCount: Int) async throws -> [Classification] {
      if image < 0 { throw ModelNotLoadedError(model: "classes") }
      return Array(answer.prefix(maximumCount))
    }
  }

  @Test("A classifier of categories adds up the classes of another one")
  func classifier() async throws {
    let base = Classifier(answer: [
      kind("desk", 0.4), kind("laptop", 0.25), kind("notebook", 0.25), kind("comic book", 0.1),
    ])
    let categories = try LabelCategories(household)
    let kinds = CategoryClassifier(base, categories: categories)
    #expect(
      try await kinds.classifications(of: 1, maximumCount: 2).map(\.label)
        == ["electronics", "furniture"])
    #expect(try await kinds.classifications(of: 1, maximumCount: 9).count == 3)
    #expect(try await kinds.classifications(of: 1, maximumCount: 0).isEmpty)
    #expect(try await kinds.classifications(of: 1, maximumCount: -3).isEmpty)
    let hasty = CategoryClassifier(base, categories: categories, classCount: -1)
    #expect(try await hasty.classifications(of: 1, maximumCount: 9).map(\.label) == ["furniture"])
    await #expect(throws: ModelNotLoadedError(model: "classes")) {
      try await kinds.classifications(of: -1, maximumCount: 1)
    }
  }
}
