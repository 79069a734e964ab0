import Geometry
import Perception

/// An object that a person pointed at: what is like it is to be counted.
struct Exemplar: Sendable {
  /// The part of the person's box inside the image.
  let box: Box
  /// What is typical, as far as one object says.
  let typical: TypicalObject
  private let width: Int
  private let height: Int

  /// How many times larger or smaller things may be that the usual size is sought among: in a steep
  /// perspective the nearest object is several times the farthest.
  private static let reach = 2.5

  /// - Throws: ``CountingError/exemplarOutside(_:width:height:)`` where the box shows no pixel.
  init(_ box: Box, width: Int, height: Int) throws {
    guard CropStage.rect(of: box, width: width, height: height) != nil, box.isFinite else {
      throw CountingError.exemplarOutside(box, width: width, height: height)
    }
    self.box = box.clipped(toWidth: width, height: height)
    self.width = width
    self.height = height
    typical = TypicalObject(
      side: self.box.exactArea.squareRoot(),
      aspect: Double(self.box.width) / Double(self.box.height))
  }

  /// The detections that are like it in size and shape.
  ///
  /// What is usual among all things of roughly its size says more than one box, drawn by hand, can: how
  /// size changes with perspective, and by how much. It counts where the exemplar itself is usual by it.
  func selection(
    of detections: [Detection], by stage: TypicalObjectStage
  ) -> TypicalObjectStage.Selection {
    let near = detections.filter {
      let factor = $0.box.exactArea.squareRoot() / typical.side
      return factor > 1 / Self.reach && factor < Self.reach
    }
    if let usual = stage.select(near, width: width, height: height) {
      let itself = stage.select(
        [asDetection], like: usual.typical, width: width, height: height)
      if !itself.kept.isEmpty { return usual }
    }
    return stage.select(near, like: typical, width: width, height: height)
  }

  /// The detections with the exemplar's first: the one that overlaps it most, or else the person's box.
  func first(of detections: StageOutput<[Detection]>) -> StageOutput<[Detection]> {
    var items = detections.items
    let nearest = items.indices.max { items[$0].box.iou(box) < items[$1].box.iou(box) }
    if let nearest, items[nearest].box.iou(box) > 0.4 {
      items.insert(items.remove(at: nearest), at: 0)
    } else {
      items.insert(asDetection, at: 0)
    }
    return StageOutput(items, outOf: detections.itemsIn)
  }

  /// The person's box: there is no doubt about it.
  private var asDetection: Detection {
    Detection(box: box, score: 1, objectness: 1, classScore: 1, classID: 0)
  }
}
