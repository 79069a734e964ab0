import Geometry
import VisionProtocols

/// The numbers of a result's objects, the same in drawings, reports and files.
///
/// The counted objects have 1 to the count, in the order in which they are read: rows from top to
/// bottom, each from left to right. The objects of other kinds follow, in the same order.
public struct ObjectNumbers: Hashable, Sendable {
  /// The number of each object, in the result's order.
  public let numbers: [Int]
  /// The objects in the order of their numbers, as places in the result.
  public let order: [Int]
  private let known: [Detection: Int]

  /// Numbers a result's objects.
  ///
  /// - Complexity: O(n log n).
  public init(_ result: CountingResult) { self.init(result.detections) }

  /// Numbers objects.
  public init(_ objects: [CountedDetection]) {
    let order = [true, false].flatMap { isMain in
      let places = objects.indices.filter { objects[$0].isMain == isMain }
      return Self.readingOrder(of: places.map { objects[$0].detection.box }).map { places[$0] }
    }
    var numbers = [Int](repeating: 0, count: objects.count)
    for (number, place) in order.enumerated() { numbers[place] = number + 1 }
    self.order = order
    self.numbers = numbers
    known = Dictionary(
      order.map { (objects[$0].detection, numbers[$0]) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of a detection; nil if it is not in the result.
  public func number(of detection: Detection) -> Int? { known[detection] }

  /// The order in which boxes are read, as indices: rows from top to bottom, each from left to
  /// right.
  ///
  /// A row holds what lies, from one box to the next below, less than half the median height under
  /// the mean middle of those that it has. Boxes that are not finite come last, as they came.
  ///
  /// - Complexity: O(n log n).
  static func readingOrder(of boxes: [Box]) -> [Int] {
    let finite = boxes.indices.filter { boxes[$0].isFinite }
    let heights = finite.map { Double(boxes[$0].height).magnitude }.sorted()
    guard !heights.isEmpty else { return Array(boxes.indices) }
    let reach = heights[heights.count / 2] / 2
    let middles = boxes.map { Double($0.minY) / 2 + Double($0.maxY) / 2 }
    let lefts = boxes.map { Double($0.minX) / 2 + Double($0.maxX) / 2 }
    var rows: [(sum: Double, members: [Int])] = []
    for index in finite.sorted(by: { (middles[$0], $0) < (middles[$1], $1) }) {
      if let row = rows.last, middles[index] - row.sum / Double(row.members.count) <= reach {
        rows[rows.count - 1].sum += middles[index]
        rows[rows.count - 1].members.append(index)
      } else {
        rows.append((middles[index], [index]))
      }
    }
    return rows.flatMap { row in
      row.members.sorted { (lefts[$0], middles[$0], $0) < (lefts[$1], middles[$1], $1) }
    } + boxes.indices.filter { !boxes[$0].isFinite }
  }
}
