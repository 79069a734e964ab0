import Geometry

/// The mistakes of a count, by box and by object, each with its kind.
///
/// Counted boxes are paired with the objects to count (``ObjectMatching``); the remaining boxes and
/// objects are examined one by one. A count that is exactly right may contain many mistakes.
public struct CountMistakes: Hashable, Sendable, Codable {
  /// The kinds of mistakes.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A counted box is a part of an object: more than 0.7 of it is inside an object of more than
    /// 1.6 times its area.
    case part
    /// A counted box covers several objects: it contains the centres of two or more.
    case merged
    /// A counted box is on an object that already has another box.
    case duplicate
    /// A counted box is near an object, but does not fit it well enough.
    case loose
    /// A counted box is not on an object: its intersection over union with every object is below
    /// 0.1.
    case nothing
    /// An object to count was not found.
    case missed
    /// An object to count was found, but assigned to another kind.
    case splitKind
    /// An object of another kind was counted.
    case mixedKind
  }

  /// One mistake.
  public struct Mistake: Hashable, Sendable, Codable {
    /// The kind of the mistake.
    public let kind: Kind
    /// The index of the box; nil for an object without a box.
    public let box: Int?
    /// The index of the object; nil for a box on no object or on several.
    public let object: Int?

    /// Makes a mistake.
    public init(kind: Kind, box: Int?, object: Int?) {
      self.kind = kind
      self.box = box
      self.object = object
    }
  }

  /// The mistakes: those of boxes in their order, then those of objects in theirs.
  public let mistakes: [Mistake]

  /// The least intersection over union of a box that is near an object.
  private static let leastNear = 0.1
  /// The least share of a part inside its object.
  private static let leastInside = 0.7
  /// The least ratio between the areas of an object and its part.
  private static let leastLarger = 1.6

  /// Finds the mistakes of a count.
  ///
  /// - Parameters:
  ///   - boxes: the boxes of all kinds that were found.
  ///   - isCounted: whether each box was counted.
  ///   - objects: the boxes of all true objects.
  ///   - isMain: whether each object should be counted.
  ///   - minimumIoU: the least intersection over union of a box and its object, 0...1.
  /// - Complexity: that of two ``ObjectMatching``, and O(*n* *m*) for *n* boxes and *m* objects.
  /// - Throws: ``EvaluationError`` for a box that is not finite, a threshold outside 0...1, and if
  ///   numbers of values differ.
  public init(
    boxes: [Box], isCounted: [Bool], objects: [Box], isMain: [Bool], minimumIoU: Double = 0.5
  ) throws(EvaluationError) {
    guard boxes.count == isCounted.count else {
      throw .countMismatch(what: "marks of boxes", expected: boxes.count, got: isCounted.count)
    }
    guard objects.count == isMain.count else {
      throw .countMismatch(what: "marks of objects", expected: objects.count, got: isMain.count)
    }
    func pairs(_ some: [Int], _ others: [Int]) throws(EvaluationError) -> [(box: Int, object: Int)]
    {
      let matching = try ObjectMatching(
        boxes: some.map { boxes[$0] },
        objects: .boxes(others.map { objects[$0] }, minimumIoU: minimumIoU))
      return matching.objectOfBox.enumerated().compactMap { box, object in
        object.map { (some[box], others[$0]) }
      }
    }
    var objectOfBox = [Int?](repeating: nil, count: boxes.count)
    var boxOfObject = [Int?](repeating: nil, count: objects.count)
    func note(_ pairs: [(box: Int, object: Int)]) {
      for pair in pairs {
        objectOfBox[pair.box] = pair.object
        boxOfObject[pair.object] = pair.box
      }
    }
    // Correct pairs come first, so that no other pairing takes their objects.
    note(try pairs(boxes.indices.filter { isCounted[$0] }, objects.indices.filter { isMain[$0] }))
    note(
      try pairs(
        boxes.indices.filter { objectOfBox[$0] == nil },
        objects.indices.filter { boxOfObject[$0] == nil }))

    var found: [Mistake] = []
    for index in boxes.indices where isCounted[index] {
      if let object = objectOfBox[index] {
        if !isMain[object] { found.append(Mistake(kind: .mixedKind, box: index, object: object)) }
      } else {
        found.append(Self.mistake(of: boxes[index], at: index, objects, minimumIoU))
      }
    }
    for index in objects.indices where isMain[index] {
      guard let box = boxOfObject[index] else {
        found.append(Mistake(kind: .missed, box: nil, object: index))
        continue
      }
      if !isCounted[box] { found.append(Mistake(kind: .splitKind, box: box, object: index)) }
    }
    mistakes = found
  }

  /// The number of mistakes of a kind.
  ///
  /// - Complexity: O(n).
  public func count(of kind: Kind) -> Int { mistakes.count { $0.kind == kind } }

  /// The mistake of a counted box that is not an object.
  private static func mistake(
    of box: Box, at index: Int, _ objects: [Box], _ minimumIoU: Double
  ) -> Mistake {
    let overlaps = objects.map { box.exactIoU($0) }
    let nearest = overlaps.indices.max { overlaps[$0] < overlaps[$1] }
    if let nearest, overlaps[nearest] > 0, overlaps[nearest] >= minimumIoU {
      return Mistake(kind: .duplicate, box: index, object: nearest)
    }
    if objects.count(where: { box.contains($0.center) }) >= 2 {
      return Mistake(kind: .merged, box: index, object: nil)
    }
    let whole = objects.indices.filter {
      objects[$0].exactArea > leastLarger * box.exactArea
        && box.shareInside(objects[$0]) > leastInside
    }.max { box.shareInside(objects[$0]) < box.shareInside(objects[$1]) }
    if let whole { return Mistake(kind: .part, box: index, object: whole) }
    guard let nearest, overlaps[nearest] >= leastNear else {
      return Mistake(kind: .nothing, box: index, object: nil)
    }
    return Mistake(kind: .loose, box: index, object: nearest)
  }
}
