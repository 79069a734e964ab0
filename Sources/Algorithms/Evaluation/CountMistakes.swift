import Geometry

/// What is wrong with a count, box by box and object by object, each with the name of its mistake.
///
/// Counted boxes are paired with the objects to count (``ObjectMatching``); the boxes and objects
/// that remain are looked at one by one. A count that is right to the last object may hold many
/// mistakes.
public struct CountMistakes: Hashable, Sendable, Codable {
  /// What can be wrong.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A counted box is a part of an object: by more than 0.7 it lies inside one that has more than
    /// 1.6 times its area.
    case part
    /// A counted box is several objects: it holds the centres of two or more.
    case merged
    /// A counted box is on an object that another box is already.
    case duplicate
    /// A counted box is near an object, and fits it too badly to be it.
    case loose
    /// A counted box is on nothing: its intersection over union with every object is below 0.1.
    case nothing
    /// An object to count was not found.
    case missed
    /// An object to count was found, and taken for one of another kind.
    case splitKind
    /// An object of another kind was counted.
    case mixedKind
  }

  /// One mistake.
  public struct Mistake: Hashable, Sendable, Codable {
    /// What is wrong.
    public let kind: Kind
    /// The index of the box; nil for an object that no box is.
    public let box: Int?
    /// The index of the object; nil for a box on nothing or on several objects.
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
  /// The least share of a part that lies inside its object.
  private static let leastInside = 0.7
  /// How many times the area of a part its object has at least.
  private static let leastLarger = 1.6

  /// Finds the mistakes of a count.
  ///
  /// - Parameters:
  ///   - boxes: the boxes of all kinds that were found.
  ///   - isCounted: whether each box was counted.
  ///   - objects: the boxes of all true objects.
  ///   - isMain: whether each object was to be counted.
  ///   - minimumIoU: the least intersection over union of a box that is an object, 0...1.
  /// - Complexity: that of two ``ObjectMatching``, and O(*n* *m*) for *n* boxes and *m* objects.
  /// - Throws: ``EvaluationError`` for a box that is not finite, a threshold outside 0...1, and if
  ///   there are not as many of one as of the other.
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
    // What is right comes first, so that no other pairing takes a right box its object.
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

  /// How many mistakes of a kind there are.
  ///
  /// Complexity: O(n).
  public func count(of kind: Kind) -> Int { mistakes.count { $0.kind == kind } }

  /// What is wrong with a counted box that is not an object.
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
