import Geometry
import VisionProtocols

/// The path of every detection through a count.
///
/// It is for reports, and shows where objects are lost.
/// ``ObjectCounter/tracedCount(in:guide:recountableFrom:progress:)`` returns one beside the result.
/// A count that is not traced keeps none.
public struct CountTrace: Hashable, Sendable {
  /// All detections of the first step, in order, each with the step that dropped it.
  public let detections: [TracedDetection]
  /// The detections that the embedder processed, in order.
  public let embedded: [CountedDetection]
  /// One row for each of ``embedded``; no rows if the count needed none.
  public let embeddings: EmbeddingMatrix?
  /// What the person said about the photo.
  public let guide: CountingGuide

  /// Makes a trace.
  public init(
    detections: [TracedDetection], embedded: [CountedDetection] = [],
    embeddings: EmbeddingMatrix? = nil, guide: CountingGuide = CountingGuide()
  ) {
    self.detections = detections
    self.embedded = embedded
    self.embeddings = embeddings
    self.guide = guide
  }

  /// The detections that `step` kept, in order; empty if the count has no such step.
  ///
  /// Complexity: O(n).
  public func left(after step: CountingStep) -> [Detection] {
    detections.filter { $0.survived.contains(step) }.map(\.detection)
  }
}

/// A detection, and the step that dropped it.
public struct TracedDetection: Hashable, Sendable, Codable {
  /// The detection.
  public let detection: Detection
  /// The steps that let it through, in order.
  ///
  /// A detection may be dropped and come back: one that the frame cuts has an unusual size and
  /// passes by its uncut side.
  public let survived: [CountingStep]
  /// The step that dropped it finally; nil if it is in the result.
  public let droppedBy: CountingStep?

  /// Makes a traced detection.
  public init(detection: Detection, survived: [CountingStep], droppedBy: CountingStep? = nil) {
    self.detection = detection
    self.survived = survived
    self.droppedBy = droppedBy
  }
}

/// A result, and how it came about.
public struct TracedCount: Hashable, Sendable {
  /// The result, the same as of a count that is not traced.
  public let result: CountingResult
  /// The way of every detection.
  public let trace: CountTrace
  /// What the models answered; nil if it was not kept.
  public let look: KeptLook?

  /// Makes a traced count.
  public init(result: CountingResult, trace: CountTrace, look: KeptLook? = nil) {
    self.result = result
    self.trace = trace
    self.look = look
  }
}

/// The notes of a running count.
struct TraceNotes {
  private var steps: [(step: CountingStep, left: [Detection])] = []
  private var embedded: [Detection] = []
  private var embeddings: EmbeddingMatrix?

  /// Notes what a step left.
  mutating func note(_ step: CountingStep, left: [Detection]) {
    steps.append((step, left))
  }

  /// Notes the embedder's inputs and outputs.
  mutating func note(_ embeddings: EmbeddingMatrix, of detections: [Detection]) {
    guard embeddings.count == detections.count, !detections.isEmpty else { return }
    self.embeddings = embeddings
    embedded = detections
  }

  /// The trace; `labels` are the clusters of what was embedded, before overlaps were merged.
  func trace(labels: [Int], main: Int?, guide: CountingGuide) -> CountTrace {
    let hasRows = labels.count == embedded.count
    return CountTrace(
      detections: tracedDetections,
      embedded: hasRows
        ? zip(embedded, labels).map {
          CountedDetection(detection: $0, cluster: $1, isMain: $1 == main)
        } : [], embeddings: hasRows ? embeddings : nil, guide: guide)
  }

  /// Every detection that any step kept, in the order of first appearance.
  ///
  /// Identical detections are counted.
  private var tracedDetections: [TracedDetection] {
    var entries: [(detection: Detection, places: [Int])] = []
    var known: [DetectionBits: [Int]] = [:]
    for (place, step) in steps.enumerated() {
      var counts: [DetectionBits: Int] = [:]
      for detection in step.left {
        let bits = DetectionBits(detection)
        let number = counts[bits, default: 0]
        counts[bits] = number + 1
        if let seen = known[bits], number < seen.count {
          entries[seen[number]].places.append(place)
        } else {
          known[bits, default: []].append(entries.count)
          entries.append((detection, [place]))
        }
      }
    }
    return entries.map { entry in
      let next = (entry.places.last ?? 0) + 1
      return TracedDetection(
        detection: entry.detection, survived: entry.places.map { steps[$0].step },
        droppedBy: next < steps.count ? steps[next].step : nil)
    }
  }
}

/// A detection as bits, so that one with a NaN equals itself.
private struct DetectionBits: Hashable {
  private let values: [UInt32]
  private let classID: Int

  init(_ detection: Detection) {
    let box = detection.box
    values = [
      box.minX, box.minY, box.maxX, box.maxY, detection.score, detection.objectness,
      detection.classScore,
    ].map(\.bitPattern)
    classID = detection.classID
  }
}
