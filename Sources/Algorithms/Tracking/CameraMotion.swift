import Geometry
import Stats

/// An object with known place and appearance: a tracked object, or a sighting.
struct Landmark: Hashable, Sendable {
  var placed: PlacedBox
  var appearance: Appearance?
}

/// The motion of the whole picture between two frames.
///
/// Every pair of a known object and a sighting of similar size and appearance votes for a
/// displacement. The candidates are the displacements with the most votes, no motion, and the
/// expected motion. The known objects are moved by each candidate, and the one with which they
/// cover the sightings best is chosen. It must be clearly better than the expected motion, because
/// a shelf of equal books looks the same after a step of one book. The result is the median over
/// the objects found, so that objects that move by themselves, and errors of the detector, do not
/// change it.
///
/// - Complexity: O(*n* *m*) for *n* objects and *m* sightings, up to 400,000 pairs; beyond that a
///   sample of the objects votes.
struct CameraMotion {
  /// The displacement of the picture: a point at `p` moves to `p + shift`.
  private(set) var shift: Shift
  /// Whether an object was found at its place after the shift.
  private(set) var isSeen: Bool

  /// Estimates the motion.
  ///
  /// - Parameters:
  ///   - known: the objects at their places in the frame before.
  ///   - seen: the sightings of the new frame.
  ///   - expected: the expected motion.
  ///   - frame: the frame, if it is known.
  init(of known: [Landmark], to seen: [Landmark], expected: Shift, frame: Box?) {
    shift = expected
    isSeen = false
    guard !known.isEmpty, !seen.isEmpty else { return }
    let sampleSize = max(16, 400_000 / seen.count)
    let step = max(1, (known.count + sampleSize - 1) / sampleSize)
    let sample = stride(from: 0, to: known.count, by: step).map { known[$0] }
    let trial = Trial(known: sample, seen: seen, frame: frame)

    var best = trial.refined(expected)
    let bar = best.score * 1.5
    let still = trial.refined(.none)
    if still.score > bar { best = still }
    for candidate in Votes(known: sample, seen: seen).peaks(8) {
      let outcome = trial.refined(candidate)
      if outcome.isConvincing, outcome.score > bar, outcome.score > best.score { best = outcome }
    }
    if best.found > 0 {
      shift = best.shift
      isSeen = true
    }
  }
}

/// A test of how well the known objects cover the sightings after a displacement.
private struct Trial {
  let known: [Landmark]
  let seen: [Landmark]
  let frame: Box?
  let index: BoxIndex

  init(known: [Landmark], seen: [Landmark], frame: Box?) {
    self.known = known
    self.seen = seen
    self.frame = frame
    index = BoxIndex(seen.map(\.placed.box))
  }

  struct Outcome {
    var shift: Shift
    var score = 0.0
    /// The numbers of objects that should be in the frame, of those found at their place, and of
    /// those with the right appearance.
    var inFrame = 0
    var found = 0
    var recognized = 0
    /// The displacement errors of the found objects.
    var offX: [Double] = []
    var offY: [Double] = []

    /// Whether the result is unlikely to be chance.
    ///
    /// At least two objects, and two in five of those in the frame, are at their places; or one is,
    /// with the right appearance.
    var isConvincing: Bool {
      (found >= 2 || recognized >= 1) && Double(found) >= 0.4 * Double(inFrame)
    }
  }

  /// The outcome after two corrections by the errors of the found objects.
  func refined(_ shift: Shift) -> Outcome {
    var best = outcome(of: shift)
    for _ in 0..<2 {
      let correction = Shift(dx: median(of: best.offX) ?? 0, dy: median(of: best.offY) ?? 0)
      if correction == .none { break }
      let next = outcome(of: best.shift + correction)
      if next.score < best.score { break }
      best = next
    }
    return best
  }

  private func outcome(of shift: Shift) -> Outcome {
    var outcome = Outcome(shift: shift)
    for landmark in known {
      var moved = landmark.placed.moved(by: shift)
      if let frame {
        // An object is expected if at least half of it is in the frame.
        guard let visible = moved.box.intersection(frame) else { continue }
        if visible.area < moved.box.area / 2 { continue }
        moved.box = visible
      }
      outcome.inFrame += 1
      var best = (score: 0.1, index: -1, similarity: Double?.none)
      index.forEach(overlapping: moved.box) { other in
        let alike = similarity(landmark.appearance, seen[other].appearance)
        // It is squared, so that few exact fits count more than many rough ones, which occur by
        // chance too.
        let shared = Double(moved.box.iou(seen[other].placed.box))
        let score = shared * shared * max(0, alike ?? 1)
        if score > best.score { best = (score, other, alike) }
      }
      guard best.index >= 0 else { continue }
      outcome.score += best.score
      outcome.found += 1
      if let alike = best.similarity, alike >= 0.8 { outcome.recognized += 1 }
      let off = landmark.placed.moved(by: shift).displacement(to: seen[best.index].placed)
      if let dx = off.dx { outcome.offX.append(dx) }
      if let dy = off.dy { outcome.offY.append(dy) }
    }
    return outcome
  }
}

/// Displacements, in bins of half a usual sighting's size.
private struct Votes {
  private struct Bin: Hashable, Comparable {
    var x: Int
    var y: Int

    /// The smaller motion comes first.
    static func < (a: Bin, b: Bin) -> Bool {
      (abs(a.x) + abs(a.y), a.x, a.y) < (abs(b.x) + abs(b.y), b.x, b.y)
    }
  }

  private struct Sum {
    var weight = 0.0
    var shift = Shift.none
  }

  private var bins: [Bin: Sum] = [:]

  init(known: [Landmark], seen: [Landmark]) {
    let width = (median(of: seen.map(\.placed.box.width)) ?? 0) / 2
    let height = (median(of: seen.map(\.placed.box.height)) ?? 0) / 2
    for landmark in known {
      for other in seen where landmark.placed.hasSize(of: other.placed, within: 1.4) {
        let alike = similarity(landmark.appearance, other.appearance)
        // Appearances distinguish objects weakly, so a low similarity counts for little.
        let weight = alike.map { $0 > 0 ? $0 * $0 * $0 * $0 : 0 } ?? 1
        if weight == 0 { continue }
        let off = landmark.placed.displacement(to: other.placed)
        let shift = Shift(dx: off.dx ?? 0, dy: off.dy ?? 0)
        guard let x = Self.bin(shift.dx / width), let y = Self.bin(shift.dy / height) else {
          continue
        }
        bins[Bin(x: x, y: y), default: Sum()].weight += weight
        bins[Bin(x: x, y: y), default: Sum()].shift =
          bins[Bin(x: x, y: y), default: Sum()].shift + shift * weight
      }
    }
  }

  private static func bin(_ place: Double) -> Int? {
    abs(place) < 1e9 ? Int(place.rounded()) : nil
  }

  /// The mean displacements of the fullest bins, each with its neighbours.
  func peaks(_ count: Int) -> [Shift] {
    let ranked = bins.keys.map { bin in
      var weight = 0.0
      for dx in -1...1 {
        for dy in -1...1 { weight += bins[Bin(x: bin.x + dx, y: bin.y + dy)]?.weight ?? 0 }
      }
      return (bin: bin, weight: weight)
    }
    .sorted { ($1.weight, $0.bin) < ($0.weight, $1.bin) }
    return ranked.prefix(count).compactMap { entry in
      bins[entry.bin].map { $0.shift * (1 / $0.weight) }
    }
  }
}
