import Geometry
import VisionProtocols
import _CLibrary

/// The objects that a person pointed at in a photo, and what they were taken for.
struct Exemplars: Sendable {
  /// The drawn boxes around objects to count, clipped to the photo.
  let like: [Box]
  /// The drawn boxes around objects not to count, clipped to the photo.
  let unlike: [Box]
  private let width: Int
  private let height: Int
  private let fit: ExemplarFit

  /// How many times larger or smaller things may be that the perspective is read off: in a steep
  /// one the nearest object is several times the farthest.
  private static let reach = 2.5
  /// The factor by which an object's side may differ from an exemplar's.
  ///
  /// An exemplar has one of many sizes, and the detector's boxes vary too. The part above 1 is
  /// divided by the square root of the number of exemplars.
  private static let sizeFactor = 1.9
  /// By what factor a ratio of width to height may differ from those pointed at.
  private static let aspectFactor = 2.4

  /// - Throws: ``CountingError/exemplarOutside(_:width:height:)`` if a box shows no pixel.
  init(_ guide: CountingGuide, width: Int, height: Int, leastSure: Double = 0.3) throws {
    func clipped(_ box: Box) throws -> Box {
      guard box.isFinite, CropStage.rect(of: box, width: width, height: height) != nil else {
        throw CountingError.exemplarOutside(box, width: width, height: height)
      }
      return box.clipped(toWidth: width, height: height)
    }
    like = try guide.like.map(clipped)
    unlike = try guide.unlike.map(clipped)
    self.width = width
    self.height = height
    fit = ExemplarFit(leastSure: leastSure)
  }

  /// The middle of the drawn sides, in pixels; nil if nothing to count was drawn.
  var drawnSide: Double? { Self.middle(like.map { $0.exactArea.squareRoot() }) }

  /// The middle of the sides that the drawn boxes were taken for; nil if nothing to count was
  /// drawn.
  static func side(of findings: [ExemplarFinding]) -> Double? {
    middle(findings.filter(\.isLike).map { $0.taken.exactArea.squareRoot() })
  }

  private static func middle(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  /// The object that each drawn box is meant for: the detection that fits best, or its own pixels.
  ///
  /// A person's box may be loose, tight or a little off. So it fits a detection if both overlap by
  /// a third, or if each contains the centre of the other and their sizes are similar. If several
  /// fit, the most confident and nearest one is used. If none fits, it is a sure detection that
  /// contains the box or that the box contains, about the same centre.
  ///
  /// Complexity: O(n k) for n detections and k boxes.
  func findings(among detections: [Detection]) -> [ExemplarFinding] {
    like.map { finding(of: $0, isLike: true, among: detections) }
      + unlike.map { finding(of: $0, isLike: false, among: detections) }
  }

  private func finding(
    of drawn: Box, isLike: Bool, among detections: [Detection]
  ) -> ExemplarFinding {
    let best =
      Self.best(of: detections) { fit.worth(of: $0, near: drawn) }
      ?? Self.best(of: detections) { fit.looseWorth(of: $0, near: drawn) }
    return ExemplarFinding(
      drawn: drawn, taken: best?.box ?? drawn, basis: best == nil ? .drawing : .detection,
      isLike: isLike)
  }

  /// The first detection of the greatest worth, of those that have any.
  private static func best(
    of detections: [Detection], worth: (Detection) -> Double?
  ) -> Detection? {
    var best: (detection: Detection, worth: Double)?
    for detection in detections {
      guard let worth = worth(detection), worth > best?.worth ?? -1 else { continue }
      best = (detection, worth)
    }
    return best?.detection
  }

  /// Whether each box to count lies well on an object that the detector is sure of.
  func areWellDrawn(_ findings: [ExemplarFinding], among detections: [Detection]) -> Bool {
    findings.allSatisfy { finding in
      !finding.isLike
        || detections.contains {
          $0.box == finding.taken && fit.isWellDrawn(finding.drawn, around: $0)
        }
    }
  }

  /// How well the boxes to count fit what they were taken for, each by at most 1.
  func worth(of findings: [ExemplarFinding], among detections: [Detection]) -> Double {
    findings.filter { $0.isLike && $0.basis == .detection }.reduce(0) { sum, finding in
      let taken = detections.first { $0.box == finding.taken }
      return sum
        + (taken.flatMap {
          fit.worth(of: $0, near: finding.drawn) ?? fit.looseWorth(of: $0, near: finding.drawn)
        } ?? 0)
    }
  }

  /// The detections that are similar to the exemplars in size and shape.
  ///
  /// Size and shape come from the exemplars. The change of size over the photo comes from all
  /// detections of roughly that size, if the exemplars are usual among them.
  func selection(
    of detections: [Detection], like findings: [ExemplarFinding], by stage: TypicalObjectStage
  ) -> TypicalObjectStage.Selection? {
    let boxes = findings.filter(\.isLike).map(\.taken)
    guard let side = Self.side(of: findings) else { return nil }
    let near = detections.filter {
      let factor = $0.box.exactArea.squareRoot() / side
      return factor > 1 / Self.reach && factor < Self.reach
    }
    let slopes = slopes(of: near, like: boxes, by: stage)
    let level = TypicalObject(
      side: 1, slopeDown: slopes.down, slopeAcross: slopes.across, aspect: 1)
    let sides = boxes.map {
      $0.exactArea.squareRoot() / level.side(at: $0.center, width: width, height: height)
    }
    // A shape may lie along or across.
    let aspects = boxes.map { abs(log(Double($0.width) / Double($0.height))) }
    guard let least = sides.min(), let most = sides.max(), let round = aspects.min(),
      let long = aspects.max()
    else { return nil }
    var wide = stage
    // The more of them there are, the less lies beyond the smallest and the largest.
    let margin = 1 + (Self.sizeFactor - 1) / Double(boxes.count).squareRoot()
    wide.sizeFactor = margin * (most / least).squareRoot()
    wide.aspectFactor = Self.aspectFactor * exp((long - round) / 2)
    wide.liesAnyWay = true
    return wide.select(
      near,
      like: TypicalObject(
        side: (least * most).squareRoot(), slopeDown: slopes.down, slopeAcross: slopes.across,
        aspect: exp((long + round) / 2)), width: width, height: height)
  }

  /// The perspective of things of roughly the size, 0 if the objects pointed at do not follow it.
  private func slopes(
    of near: [Detection], like boxes: [Box], by stage: TypicalObjectStage
  ) -> (down: Double, across: Double) {
    guard let usual = stage.select(near, width: width, height: height) else { return (0, 0) }
    let follow = boxes.allSatisfy { box in
      let expected = usual.typical.side(at: box.center, width: width, height: height)
      return abs(log(box.exactArea.squareRoot() / expected)) <= log(Self.sizeFactor)
    }
    return follow ? (usual.typical.slopeDown, usual.typical.slopeAcross) : (0, 0)
  }
}
