import Counting
import Geometry

/// A count with a person's corrections, beside the machine's result.
public struct CorrectedCount: Hashable, Sendable {
  /// The origin of an object in a corrected count.
  public enum Origin: String, Hashable, Sendable, Codable {
    /// The machine found it, and it was not changed.
    case machine
    /// The machine found it, and a person changed its box.
    case moved
    /// A person added it.
    case person
  }

  /// An object of a corrected count.
  public struct Object: Hashable, Sendable {
    /// Its box, in pixels of the upright photo.
    public let box: Box
    /// The machine's object; nil for one that a person added.
    public let machine: CountedDetection?
    /// Its origin.
    public let origin: Origin
    /// Its number in drawings, on pages and in files.
    ///
    /// The machine's objects keep their `ObjectNumbers`. Added ones follow after all objects of the
    /// result, in the correction's order.
    public let number: Int
  }

  /// The machine's result.
  public let machine: CountingResult
  /// The objects of the main kind: the machine's in its order, then the added ones.
  public let objects: [Object]

  /// The number of objects of the main kind.
  public var count: Int { objects.count }

  /// The number of objects with this origin.
  public func number(from origin: Origin) -> Int { objects.count { $0.origin == origin } }

  /// The number of the machine's objects that a person removed.
  public var removedCount: Int {
    machine.detections.count(where: \.isMain) - number(from: .machine) - number(from: .moved)
  }

  /// Uses a machine's result without corrections.
  public init(_ machine: CountingResult) {
    self.machine = machine
    objects = zip(machine.detections, ObjectNumbers(machine).numbers).filter(\.0.isMain).map {
      Object(box: $0.detection.box, machine: $0, origin: .machine, number: $1)
    }
  }

  /// Applies a correction to a machine's result.
  ///
  /// - Throws: ``CountCorrectionError`` if the correction is of another photo or count: its boxes
  ///   must be the result's to within half a pixel.
  /// - Complexity: O(n k) for n objects and k changes.
  public init(_ machine: CountingResult, correctedBy correction: CountCorrection)
    throws(CountCorrectionError)
  {
    guard correction.width == machine.width, correction.height == machine.height else {
      throw .photo(
        width: correction.width, height: correction.height, expectedWidth: machine.width,
        expectedHeight: machine.height)
    }
    var taken: Set<Int> = []
    for box in correction.removed {
      guard let index = machine.mainIndex(at: box, besides: taken) else {
        throw .unknownObject(box)
      }
      taken.insert(index)
    }
    var moves: [Int: Box] = [:]
    for move in correction.moved {
      guard let index = machine.mainIndex(at: move.from, besides: taken.union(moves.keys)) else {
        throw .unknownObject(move.from)
      }
      moves[index] = move.to
    }
    self.machine = machine
    let numbers = ObjectNumbers(machine).numbers
    objects =
      machine.detections.indices.compactMap { index in
        let object = machine.detections[index]
        guard object.isMain, !taken.contains(index) else { return nil }
        return Object(
          box: moves[index] ?? object.detection.box, machine: object,
          origin: moves[index] == nil ? .machine : .moved, number: numbers[index])
      }
      + correction.added.enumerated().map {
        Object(box: $1, machine: nil, origin: .person, number: numbers.count + $0 + 1)
      }
  }
}

extension CountingResult {
  /// The index of the object of the main kind whose box is `box` to within half a pixel.
  fileprivate func mainIndex(at box: Box, besides taken: Set<Int>) -> Int? {
    detections.indices.first { index in
      let own = detections[index].detection.box
      return detections[index].isMain && !taken.contains(index)
        && [
          (own.minX, box.minX), (own.minY, box.minY), (own.maxX, box.maxX), (own.maxY, box.maxY),
        ].allSatisfy { abs($0 - $1) <= 0.5 }
    }
  }
}

extension CountCorrection {
  /// The indices of the removed objects, without those that the result does not have.
  func removedIndices(in result: CountingResult) -> Set<Int> {
    var taken: Set<Int> = []
    for box in removed {
      if let index = result.mainIndex(at: box, besides: taken) { taken.insert(index) }
    }
    return taken
  }

  /// The new boxes of the moved objects, by index, without those that the result does not have.
  func movedBoxes(in result: CountingResult) -> [Int: Box] {
    var taken = removedIndices(in: result)
    var boxes: [Int: Box] = [:]
    for move in moved {
      if let index = result.mainIndex(at: move.from, besides: taken) {
        taken.insert(index)
        boxes[index] = move.to
      }
    }
    return boxes
  }
}
