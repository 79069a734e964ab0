/// A classifier that answers categories in place of the classes of another one.
///
/// ```swift
/// let classifier = try ImageClassificationModel(contentsOf: url)
/// let kinds = CategoryClassifier(classifier, categories: categories)
/// let router = RecognitionRouter<Raster>().classifying(with: kinds)
/// ```
public struct CategoryClassifier<Base: ImageClassifier>: ImageClassifier {
  /// The classifier that is asked.
  public let base: Base
  /// The categories of its labels.
  public let categories: LabelCategories
  /// How many of its best classes are added up.
  public let classCount: Int

  /// Makes a classifier of categories.
  ///
  /// - Parameters:
  ///   - base: the classifier to ask.
  ///   - categories: the categories of its labels.
  ///   - classCount: how many of its best classes are added up; 1 if it is less. All of them give the
  ///     exact sums.
  public init(_ base: Base, categories: LabelCategories, classCount: Int = 1000) {
    self.base = base
    self.categories = categories
    self.classCount = max(classCount, 1)
  }

  /// The most probable categories, see ``LabelCategories/grouped(_:)``.
  ///
  /// The answer is empty if no class has a category.
  ///
  /// - Throws: what the base throws.
  public func classifications(
    of image: Base.Image, maximumCount: Int
  ) async throws -> [Classification] {
    let classes = try await base.classifications(of: image, maximumCount: classCount)
    return Array(categories.grouped(classes).prefix(max(maximumCount, 0)))
  }
}
