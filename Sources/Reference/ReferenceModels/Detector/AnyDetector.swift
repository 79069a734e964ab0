import DetectionDecode
import Foundation
import Geometry
import NMS
import ONNXRunner
import Raster
import VisionProtocols

/// A detector of any usual family in an `.onnx` file.
///
/// ```swift
/// let detector = try AnyDetector(contentsOf: URL(fileURLWithPath: "yolov8n.onnx"))
/// let found = try await detector.detections(in: photo, minimumConfidence: 0.25)
/// print(detector.head, found.map { detector.name(ofClass: $0.classID) })
/// ```
///
/// It reads YOLOX, YOLOv5 to v12 and YOLO26 (boxes, masks and rotated boxes; with and without
/// built-in suppression), RT-DETR, D-FINE, RF-DETR, DETR and its variants, and the exports of
/// torchvision, TensorFlow and PaddleDetection: ``DetectorHead/all``. The head of a file is
/// recognized from its shapes, the names of its outputs, its metadata, the files beside it and a
/// trial run. If several heads remain possible, the file is refused with their names; then name
/// one.
///
/// Boxes are in pixels of the photo and not clipped to it. Masks become polygons and rotated boxes
/// quadrilaterals (`Detection.outline`). Duplicates are suppressed as in the family's own pipeline,
/// except for YOLOX, see ``suppressesDuplicates``.
public struct AnyDetector: ObjectDetector {
  /// The head that was found or named.
  public let head: DetectorHead
  /// How a photo becomes the network's input.
  public let preprocessing: DetectorPreprocessing
  /// The size of the network's input; nil if it takes photos as they are.
  public let inputSize: PixelSize?
  /// The names of the classes; nil if unknown.
  public let classNames: ClassLabels?
  /// What outlines detections have; nil for boxes only.
  public let outlineForm: DetectionOutlineForm?
  /// Whether detections are free of duplicates.
  ///
  /// False for YOLOX, whose candidates all come back. For the others duplicates within a class are
  /// suppressed as in the family's own pipeline; some networks need no suppression.
  public let suppressesDuplicates: Bool
  /// The classes that are reported; nil for all.
  public var classes: Set<Int>?

  private let body: any ObjectDetector<Raster>

  /// Loads a detector.
  ///
  /// - Parameters:
  ///   - url: the `.onnx` file.
  ///   - head: how its answers are read; nil to find out.
  ///   - preprocessing: how a photo is prepared; nil for the way of the head.
  ///   - names: the names of the classes; nil to take them from the model's metadata or the files
  ///     beside it.
  ///   - inputSize: the network's input in pixels, needed only if the model leaves it open.
  ///   - options: threads and passes of the runner.
  /// - Throws: `ModelError` if the file is not a model that the runner can run.
  /// ``ReferenceModelError/notDetector(head:reason:found:)`` if it is not a detector, or not one of
  ///   the named head. ``ReferenceModelError/openHead(heads:reason:found:)`` if it could
  ///   be one of several.
  public init(
    contentsOf url: URL, head: DetectorHead? = nil, preprocessing: DetectorPreprocessing? = nil,
    names: ClassLabels? = nil, inputSize: PixelSize? = nil,
    options: SessionOptions = SessionOptions()
  ) throws {
    try self.init(
      session: InferenceSession(contentsOf: url, options: options),
      companions: DetectorCompanions(beside: url), head: head, preprocessing: preprocessing,
      names: names, inputSize: inputSize)
  }

  /// Makes a detector of a model that is loaded.
  ///
  /// - Throws: as ``init(contentsOf:head:preprocessing:names:inputSize:options:)``.
  public init(
    session: InferenceSession, head: DetectorHead? = nil,
    preprocessing: DetectorPreprocessing? = nil, names: ClassLabels? = nil,
    inputSize: PixelSize? = nil
  ) throws {
    try self.init(
      session: session, companions: DetectorCompanions(), head: head,
      preprocessing: preprocessing, names: names, inputSize: inputSize)
  }

  /// Takes a YOLOX that is loaded.
  public init(_ detector: YOLOXDetector) {
    head = detector.head.isSelfDecoded ? DecodedYOLOXFamily.head : YOLOXFamily.head
    preprocessing = DetectorPreprocessing(.yolox)
    inputSize = PixelSize(width: detector.head.inputWidth, height: detector.head.inputHeight)
    classNames = nil
    outlineForm = nil
    suppressesDuplicates = false
    body = detector
  }

  private init(
    session: InferenceSession, companions: DetectorCompanions, head: DetectorHead?,
    preprocessing: DetectorPreprocessing?, names: ClassLabels?, inputSize: PixelSize?
  ) throws {
    let found = session.signature
    let facts: DetectorFacts
    do {
      facts = try DetectorFacts(
        session: session, companions: companions,
        names: names ?? Self.names(in: session) ?? companions.labels,
        preprocessing: preprocessing, size: inputSize)
    } catch let unfit as UnfitModel {
      throw ReferenceModelError.notDetector(head: nil, reason: unfit.reason, found: found)
    }
    let (chosen, reading) = try Self.reading(of: facts, named: head, found: found)
    self.head = chosen
    self.preprocessing = reading.preprocessing
    switch reading.preprocessing.framing {
    case .letterboxed, .stretched: self.inputSize = try facts.neededSize()
    case .shorterSide, .whole: self.inputSize = try facts.size()
    }
    classNames = facts.names
    outlineForm = reading.outlines
    suppressesDuplicates = reading.own == nil
    // Not by `??`, which macOS 12 and iOS 15 cannot do with a protocol of one kind of image.
    if let own = reading.own {
      body = own
    } else {
      body = NetworkDetector(
        session: session, input: facts.image, reading: reading, inputSize: self.inputSize)
    }
  }

  /// Every detection whose score is at least `minimumConfidence`.
  ///
  /// - Throws: `CancellationError` soon after the task is cancelled; `ModelError`; `RasterError`;
  ///   ``ReferenceModelError`` if the model answers another shape than its head has.
  public func detections(
    in image: Raster, minimumConfidence: Float
  ) async throws -> [Detection] {
    if let network = body as? NetworkDetector {
      return try await network.detections(
        in: image, minimumConfidence: minimumConfidence, classes: classes)
    }
    let all = try await body.detections(in: image, minimumConfidence: minimumConfidence)
    guard let classes else { return all }
    return all.filter { classes.contains($0.classID) }
  }

  /// Pixels of the network's input per pixel of an image, the lesser of both directions.
  public func scale(imageWidth: Int, imageHeight: Int) -> Double {
    body.scale(imageWidth: imageWidth, imageHeight: imageHeight)
  }

  /// The name of a class; `class 7` if it is unknown.
  public func name(ofClass classID: Int) -> String {
    guard let names = classNames?.names, names.indices.contains(classID) else {
      return ClassLabels.numbered(classID)
    }
    return names[classID]
  }

  /// The names that the writer of the file wrote into it.
  private static func names(in session: InferenceSession) -> ClassLabels? {
    for key in ClassLabels.metadataKeys {
      if let text = session.metadata.properties[key], let labels = try? ClassLabels(text: text) {
        return labels
      }
    }
    return nil
  }

  /// The family of a model, and how it is read.
  private static func reading(
    of facts: DetectorFacts, named: DetectorHead?, found: String
  ) throws -> (DetectorHead, DetectorReading) {
    if let named {
      guard let family = DetectorFamilies.all.first(where: { $0.head == named }) else {
        throw ReferenceModelError.notDetector(
          head: named.name, reason: "there is no such head", found: found)
      }
      do {
        return (named, try reading(of: facts, as: family))
      } catch let unfit as UnfitModel {
        throw ReferenceModelError.notDetector(
          head: named.name, reason: unfit.reason, found: found)
      }
    }
    var fitting: [(DetectorHead, DetectorReading)] = []
    for family in DetectorFamilies.all {
      do {
        fitting.append((family.head, try reading(of: facts, as: family)))
      } catch is UnfitModel {
        continue
      }
    }
    let certain = fitting.filter { $0.1.doubt == nil }
    if certain.count == 1 { return certain[0] }
    guard !fitting.isEmpty else {
      throw ReferenceModelError.notDetector(
        head: nil, reason: "its outputs are of no head that is known", found: found)
    }
    throw ReferenceModelError.openHead(
      heads: fitting.map(\.0.name),
      reason: fitting.compactMap(\.1.doubt).first ?? "it fits several", found: found)
  }

  /// How a model is read as one of a family; a layout that cannot be makes it unfit.
  private static func reading(
    of facts: DetectorFacts, as family: any DetectorFamily.Type
  ) throws -> DetectorReading {
    do {
      return try family.reading(of: facts)
    } catch let error as DetectionDecodeError {
      throw UnfitModel(reason: error.description)
    }
  }
}

/// A detector whose answers are read as a family says.
struct NetworkDetector: ObjectDetector {
  let session: InferenceSession
  let input: DetectorImageInput
  let reading: DetectorReading
  let inputSize: PixelSize?

  func detections(in image: Raster, minimumConfidence: Float) async throws -> [Detection] {
    try await detections(in: image, minimumConfidence: minimumConfidence, classes: nil)
  }

  func detections(
    in image: Raster, minimumConfidence: Float, classes: Set<Int>?
  ) async throws -> [Detection] {
    let canvas = try reading.preprocessing.canvas(of: image, size: inputSize)
    var inputs = [
      input.description.name: try input.tensor(of: canvas, reading.preprocessing)
    ]
    if let photo = PixelSize(width: image.width, height: image.height) {
      inputs.merge(try reading.furtherInputs(canvas.place, photo)) { first, _ in first }
    }
    let outputs = try await session.runCancellably(inputs)
    do {
      return try detections(
        in: outputs, at: canvas.place, of: image, minimumConfidence: minimumConfidence,
        classes: classes)
    } catch let error as DetectionDecodeError {
      throw ReferenceModelError.outputShape(
        name: session.outputs.map(\.name).joined(separator: ", "),
        got: session.outputs.first.flatMap { outputs[$0.name]?.shape } ?? [],
        expected: error.description)
    }
  }

  /// What the outputs of a run say.
  private func detections(
    in outputs: [String: Tensor], at place: CanvasPlace, of image: Raster,
    minimumConfidence: Float, classes: Set<Int>?
  ) throws -> [Detection] {
    let answer = try reading.decode(outputs, minimumConfidence)
    var candidates = answer.candidates
    if let classes { candidates = candidates.filter { classes.contains($0.classID) } }
    let kept = try suppressed(candidates)
    return try kept.map { candidate in
      var detection = Detection(
        box: photoBox(candidate.box, place, image), score: candidate.score,
        objectness: candidate.objectness ?? candidate.score,
        classScore: candidate.objectness.map { $0 > 0 ? candidate.score / $0 : 0 } ?? 1,
        classID: candidate.classID)
      if let angle = candidate.angle {
        let corners = Self.rotated(candidate.box, by: angle).quadrilateral.mapCorners {
          photoPoint($0, place, image)
        }
        detection.box = corners.boundingBox
        detection.outline = .rotatedBox(corners)
      } else if let points = try answer.outline?(candidate) {
        detection.outline = .polygon(points.map { photoPoint($0, place, image) })
      }
      return detection
    }
  }

  func scale(imageWidth: Int, imageHeight: Int) -> Double {
    let place = try? reading.preprocessing.place(
      imageWidth: imageWidth, imageHeight: imageHeight, size: inputSize)
    return place?.scale ?? 1
  }

  private func suppressed(_ candidates: [DetectionCandidate]) throws -> [DetectionCandidate] {
    let scores = candidates.map(\.score)
    let classes = candidates.map(\.classID)
    switch reading.suppression {
    case .none: return candidates
    case .withinClasses(let overlap):
      return try nonMaximumSuppression(
        boxes: candidates.map(\.box), scores: scores, classes: classes, iouThreshold: overlap
      ).map { candidates[$0] }
    case .rotated(let likeness):
      return try nonMaximumSuppression(
        rotatedBoxes: candidates.map { Self.rotated($0.box, by: $0.angle ?? 0) }, scores: scores,
        classes: classes, threshold: likeness
      ).map { candidates[$0] }
    }
  }

  private static func rotated(_ box: Box, by angle: Float) -> RotatedBox {
    RotatedBox(
      center: box.center, width: Double(box.width), height: Double(box.height),
      angle: Double(angle))
  }

  /// A box of the answer in pixels of the photo.
  private func photoBox(_ box: Box, _ place: CanvasPlace, _ image: Raster) -> Box {
    switch (reading.units, place) {
    case (.photoPixels, _): return box
    case (.networkPixels, _): return place.image(fromNetwork: box)
    case (.parts, .scaled): return box.scaled(x: Float(image.width), y: Float(image.height))
    case (.parts, .letterbox(let letterbox)):
      return letterbox.image(
        fromNetwork: box.scaled(
          x: Float(letterbox.networkWidth), y: Float(letterbox.networkHeight)))
    }
  }

  /// A point of the answer in pixels of the photo.
  private func photoPoint(_ point: Point, _ place: CanvasPlace, _ image: Raster) -> Point {
    switch (reading.units, place) {
    case (.photoPixels, _): return point
    case (.networkPixels, _): return place.image(fromNetwork: point)
    case (.parts, .scaled):
      return point.scaled(x: Double(image.width), y: Double(image.height))
    case (.parts, .letterbox(let letterbox)):
      return letterbox.image(
        fromNetwork: point.scaled(
          x: Double(letterbox.networkWidth), y: Double(letterbox.networkHeight)))
    }
  }
}
