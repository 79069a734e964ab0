import Geometry
import VisionProtocols

extension ObjectCounter {
  /// Whether the configuration drops detections by their score that the calibration's would keep.
  var isStricterThanFitted: Bool {
    guard let fitted = calibration?.configuration, let adaptive = configuration.adaptive else {
      return false
    }
    return configuration.confidence > fitted.confidence
      || adaptive.scoreShare ?? 0 > fitted.adaptive?.scoreShare ?? 0
  }

  /// The score from which a detection is taken for an object.
  ///
  /// What a stricter threshold than the calibration's drops is as much an object as before.
  var leastObjectScore: Double {
    min(configuration.confidence, calibration?.configuration?.confidence ?? .infinity)
  }

  /// How many more objects the scores would let through that the calibration was fitted with.
  ///
  /// They are similar in size, shape and look to the objects that are counted, and hardly overlap
  /// any that were found. 0 if the configuration is not stricter.
  func number(
    cutBeside counted: [Detection], of objects: FoundObjects, in view: PhotoView, of image: Image,
    settings: AdaptiveConfiguration
  ) async throws -> Int {
    guard isStricterThanFitted, let fitted = calibration?.configuration, !counted.isEmpty else {
      return 0
    }
    let kept = try ContainmentStage(maximumOverlap: settings.containment).kept(view.plausible)
      .items.map(\.detection)
    let sure = ScoreCutStage(share: fitted.adaptive?.scoreShare).filter(kept).items
    let cut = sure.filter { one in
      objects.detections.allSatisfy { $0.box.intersectionOverSmaller(one.box) <= 0.2 }
    }
    guard !cut.isEmpty, objects.hasRows else { return cut.count }
    let crops = CropStage(areaSigma: nil).crops(of: cut, width: image.width, height: image.height)
    let rows: EmbeddingMatrix
    do {
      rows = try await EmbeddingStage(batchSize: configuration.batchSize)
        .embeddings(of: crops.items, in: image, with: embedder).items
    } catch is RecountError {
      // A recount has no pixels, and the look of these may not have been kept: their size decides.
      return cut.count
    }
    let ours = Set(counted)
    let known = objects.detections.indices.filter { ours.contains(objects.detections[$0]) }
      .map { Array(objects.rows[row: $0]) }
    return (0..<rows.count).count {
      GuidedKinds.nearest(rows[row: $0], among: known) ?? -1 >= GuidedKinds().leastLikeness
    }
  }
}
