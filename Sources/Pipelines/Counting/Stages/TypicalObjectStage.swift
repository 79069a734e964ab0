import Geometry
import Stats
import VisionProtocols
import _CLibrary

/// Estimates the usual size and shape of the objects of a photo, and keeps the detections that fit.
///
/// Similar objects of one photo have similar boxes, while parts, groups and false detections have
/// all sizes. So the usual size is where the detections, weighted by the square root of their
/// scores, are densest.
///
/// 1. *Size*: the mode of the density of `ln sqrt(width * height)`.
/// 2. *Perspective*: the slope in -2...2 over the image's height that concentrates the sizes best,
///    if its peak is higher by ``perspectiveGain`` than without a slope; then the same over the
///    width.
/// 3. *Shape*: the mode of `ln(width / height)` of the boxes of the usual size.
/// 4. *Band*: a box is kept if its side is within a factor of ``sizeFactor`` of the usual one and
///    its ratio is within a factor of ``aspectFactor``. A box that the image's frame cuts on one
///    axis is kept by its other side, which must be nearer to the usual, if the cut side is at
///    least a quarter of it.
///
/// Complexity: O(n) for each of some eighty slopes.
package struct TypicalObjectStage: Hashable, Sendable {
  /// By what factor a side may differ from the usual one, above 1; nil lets every size pass.
  package var sizeFactor: Double?
  /// By what factor a ratio of width to height may differ from the usual one; nil lets every one
  /// pass.
  package var aspectFactor: Double?
  /// By what share the density's peak must rise for a perspective to be believed; nil is off.
  package var perspectiveGain: Double?
  /// Whether boxes that the frame cuts may stay.
  package var keepsCutObjects: Bool
  /// Whether objects may lie in any direction, so that nothing speaks against a box but that it is
  /// longer than the typical object's.
  package var liesAnyWay: Bool

  /// The standard deviation of each bump of the densities: an eighth more or less of a side or
  /// ratio.
  static let bandwidth = 0.12

  /// What the stage found out and kept.
  package struct Selection: Hashable, Sendable {
    /// The typical object.
    package let typical: TypicalObject
    /// The detections of the usual size, whatever their shape, in order.
    package let sized: [Detection]
    /// The detections of the usual size and shape, and those that the frame cuts, in order.
    package let kept: [FittedDetection]
  }

  /// Makes the stage.
  package init(
    sizeFactor: Double? = 1.5, aspectFactor: Double? = 1.8, perspectiveGain: Double? = 0.15,
    keepsCutObjects: Bool = true, liesAnyWay: Bool = false
  ) {
    self.sizeFactor = sizeFactor
    self.aspectFactor = aspectFactor
    self.perspectiveGain = perspectiveGain
    self.keepsCutObjects = keepsCutObjects
    self.liesAnyWay = liesAnyWay
  }

  /// The typical object, and the detections that fit; nil if no box has an area and a score.
  ///
  /// - Parameters:
  ///   - detections: boxes inside the image.
  ///   - width: the image's width in pixels.
  ///   - height: the image's height in pixels.
  package func select(_ detections: [Detection], width: Int, height: Int) -> Selection? {
    let candidates = candidates(detections, width: width, height: height)
    guard let (size, down, across) = sizeMode(of: candidates) else { return nil }
    let level = TypicalObject(side: exp(size), slopeDown: down, slopeAcross: across, aspect: 1)
    let sized = candidates.filter { isSized($0, as: level) }
    let ratios = KernelDensity(
      of: sized.map(\.logAspect), weights: sized.map(\.weight), bandwidth: Self.bandwidth)
    return selection(
      of: candidates,
      like: TypicalObject(
        side: level.side, slopeDown: down, slopeAcross: across,
        aspect: exp(ratios?.mode.value ?? 0)),
      width: width, height: height)
  }

  /// The detections that are like an object whose size and shape are known.
  ///
  /// - Parameters:
  ///   - detections: boxes inside the image.
  ///   - typical: what they have to be like.
  ///   - width: the image's width in pixels.
  ///   - height: the image's height in pixels.
  package func select(
    _ detections: [Detection], like typical: TypicalObject, width: Int, height: Int
  ) -> Selection {
    selection(
      of: candidates(detections, width: width, height: height), like: typical, width: width,
      height: height)
  }

  private func candidates(_ detections: [Detection], width: Int, height: Int) -> [Candidate] {
    detections.compactMap { Candidate($0, width: Double(width), height: Double(height)) }
  }

  private func selection(
    of candidates: [Candidate], like typical: TypicalObject, width: Int, height: Int
  ) -> Selection {
    Selection(
      typical: typical,
      sized: candidates.filter { isSized($0, as: typical) }.map(\.detection),
      kept: candidates.compactMap { candidate in
        fit(of: candidate, typical: typical, width: width, height: height)
          .map { FittedDetection(detection: candidate.detection, fit: $0) }
      })
  }

  private func isSized(_ candidate: Candidate, as typical: TypicalObject) -> Bool {
    abs(candidate.residual(from: typical)) <= sizeFactor.map { log($0) } ?? .infinity
  }

  /// The usual logarithm of a side, and its slopes over the image's height and width.
  private func sizeMode(
    of candidates: [Candidate]
  ) -> (size: Double, down: Double, across: Double)? {
    let weights = candidates.map(\.weight)
    func density(_ values: [Double]) -> KernelDensity? {
      KernelDensity(of: values, weights: weights, bandwidth: Self.bandwidth)
    }
    /// The slope over `places` that concentrates the values best, 0 if none clearly does.
    func slope(of values: [Double], over places: [Double]) -> Double {
      guard let perspectiveGain, let flat = density(values)?.mode.density else { return 0 }
      let tilted = (-20...20).compactMap { step in
        let slope = Double(step) / 10
        return density(zip(values, places).map { $0 - slope * $1 }).map {
          (slope: slope, density: $0, coarse: $0.coarseMode.density)
        }
      }
      // Coarse peaks are within 1 % of the true ones: one that is 3 % lower is not the highest.
      let highest = tilted.map(\.coarse).max() ?? 0
      var best = (slope: 0.0, peak: -1.0)
      for candidate in tilted where candidate.coarse >= 0.97 * highest {
        let peak = candidate.density.mode.density
        if peak > best.peak { best = (candidate.slope, peak) }
      }
      return best.peak >= (1 + perspectiveGain) * flat ? best.slope : 0
    }

    let sides = candidates.map(\.logSide)
    let down = slope(of: sides, over: candidates.map(\.down))
    let level = candidates.map { $0.logSide - down * $0.down }
    let across = slope(of: level, over: candidates.map(\.across))
    return density(zip(level, candidates).map { $0 - across * $1.across })
      .map { (size: $0.mode.value, down: down, across: across) }
  }

  /// The fit of a candidate, or nil if it does not fit.
  private func fit(
    of candidate: Candidate, typical: TypicalObject, width: Int, height: Int
  ) -> Double? {
    let residual = candidate.residual(from: typical)
    let sizeBand = sizeFactor.map { log($0) } ?? .infinity
    let aspectBand = aspectFactor.map { log($0) } ?? .infinity
    let deviation =
      aspectFactor == nil
      ? 0
      : liesAnyWay
        ? max(0, abs(candidate.logAspect) - abs(log(typical.aspect)))
        : candidate.logAspect - log(typical.aspect)
    func nearness(_ distance: Double, _ band: Double) -> Double {
      let deviations = distance / (band / 2)
      return exp(-deviations * deviations / 2)
    }
    if abs(residual) <= sizeBand, abs(deviation) <= aspectBand {
      return candidate.weight * nearness(residual, sizeBand) * nearness(deviation, aspectBand)
    }
    guard keepsCutObjects, sizeFactor != nil,
      let side = uncutSide(of: candidate, typical: typical, width: width, height: height),
      abs(side) <= 0.75 * sizeBand
    else { return nil }
    return candidate.weight * nearness(side, sizeBand)
  }

  /// The logarithm of a cut box's uncut side over the expected side.
  ///
  /// Nil unless the frame cuts the box on one axis and leaves at least a quarter and at most
  /// ``sizeFactor`` times the expected side.
  private func uncutSide(
    of candidate: Candidate, typical: TypicalObject, width: Int, height: Int
  ) -> Double? {
    let box = candidate.detection.box
    let isCut = box.isCutByFrame(width: width, height: height)
    guard isCut.across != isCut.down else { return nil }
    let side = log(typical.side(at: box.center, width: width, height: height))
    let skew = log(typical.aspect) / 2
    let across = log(Double(box.width)) - (side + skew)
    let down = log(Double(box.height)) - (side - skew)
    let (cut, uncut) = isCut.across ? (across, down) : (down, across)
    guard cut >= log(0.25), cut <= sizeFactor.map({ log($0) }) ?? .infinity else { return nil }
    return uncut
  }
}

extension Box {
  /// Whether an image's frame cuts the box on its left or right, and on its top or bottom.
  ///
  /// If the frame cuts a box, the detector's box ends a pixel or two from the frame.
  func isCutByFrame(width: Int, height: Int) -> (across: Bool, down: Bool) {
    (
      across: minX <= 2 || maxX >= Float(width) - 2, down: minY <= 2 || maxY >= Float(height) - 2
    )
  }
}

/// A detection in the terms that densities are made in.
private struct Candidate {
  let detection: Detection
  let logSide: Double
  let logAspect: Double
  /// The vertical position of its center, -0.5...0.5 from the image's top to its bottom.
  let down: Double
  /// The horizontal position of its center, -0.5...0.5 from the image's left to its right.
  let across: Double
  let weight: Double

  /// Nil for a box without area, or a score that is not positive.
  init?(_ detection: Detection, width: Double, height: Double) {
    let box = detection.box
    guard box.isFinite, box.width > 0, box.height > 0, detection.score > 0,
      detection.score.isFinite
    else { return nil }
    self.detection = detection
    logSide = log(box.exactArea) / 2
    logAspect = log(Double(box.width) / Double(box.height))
    down = box.center.y / height - 0.5
    across = box.center.x / width - 0.5
    weight = Double(detection.score).squareRoot()
  }

  /// The logarithm of its side over the typical side at its place.
  func residual(from typical: TypicalObject) -> Double {
    logSide - typical.slopeDown * down - typical.slopeAcross * across - log(typical.side)
  }
}
