import Geometry
import VisionProtocols

extension ObjectCounter {
  /// What a photo teaches: the embeddings of the objects that were counted by a guide, and their
  /// size.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - guide: what to count in it; without exemplars the largest kind is learnt.
  ///   - models: the files of detector and embedder.
  /// - Throws: ``CountingError/nothingToLearn`` if nothing was counted; what
  ///   ``count(in:guide:progress:survivors:)`` throws.
  public func template(
    in image: Image, guide: CountingGuide, models: CountTemplate.Models
  ) async throws -> CountTemplate {
    let result = try await count(in: image, guide: guide)
    return try await template(
      in: image, like: result.detections.filter(\.isMain).map(\.detection.box),
      unlike: result.detections.filter { !$0.isMain }.map(\.detection.box), models: models)
  }

  /// What the objects in boxes that are known to be right teach, as of a corrected count.
  ///
  /// Parameters and errors are those of ``template(in:guide:models:)``.
  public func template(
    in image: Image, like: [Box], unlike: [Box], models: CountTemplate.Models
  ) async throws -> CountTemplate {
    func rows(of boxes: [Box]) async throws -> [[Float]] {
      let crops = CropStage(areaSigma: nil).crops(
        of: CountTemplate.spread(boxes).map {
          Detection(box: $0, score: 1, objectness: 1, classScore: 1, classID: 0)
        }, width: image.width, height: image.height)
      let embedded = try await EmbeddingStage(batchSize: configuration.batchSize)
        .embeddings(of: crops.items, in: image, with: embedder)
      return (0..<embedded.items.count).map { Array(embedded.items[row: $0]) }
    }
    let taught = try await rows(of: like)
    let sides = like.map { $0.exactArea.squareRoot() }.filter { $0 > 0 && $0.isFinite }.sorted()
    let aspects = like.map { Double($0.width) / Double($0.height) }
      .filter { $0 > 0 && $0.isFinite }.sorted()
    guard !taught.isEmpty, !sides.isEmpty, !aspects.isEmpty else {
      throw CountingError.nothingToLearn
    }
    return CountTemplate(
      models: models, like: taught, unlike: try await rows(of: unlike),
      side: sides[sides.count / 2] / Double(max(image.width, image.height)),
      aspect: aspects[aspects.count / 2])
  }
}

extension CountTemplate {
  /// The least mean cosine to ``like`` of a kind that is counted, -1...1.
  ///
  /// Objects of one kind are a little less similar between photos than within one. The limit is the
  /// middle between the similarity within the kind and that to objects of other kinds. Without
  /// other kinds, it is 0.3 below the first.
  var leastLikeness: Float {
    func nearest(_ row: [Float], among others: [[Float]]) -> Float {
      GuidedKinds.nearest(row[...], among: others) ?? 0
    }
    let own = like.indices.map { place in
      nearest(like[place], among: like.indices.filter { $0 != place }.map { like[$0] })
    }
    let within = like.count > 1 ? own.reduce(0, +) / Float(own.count) : 0.9
    guard !unlike.isEmpty else { return within - 0.3 }
    let between = unlike.map { nearest($0, among: like) }.reduce(0, +) / Float(unlike.count)
    return max(within - 0.3, (within + between) / 2)
  }

  /// The most embeddings of a kind that a template holds: more say hardly anything new.
  static let mostRows = 24

  /// At most ``mostRows`` of the boxes, evenly spread over their order.
  static func spread(_ boxes: [Box]) -> [Box] {
    guard boxes.count > mostRows else { return boxes }
    return (0..<mostRows).map { boxes[$0 * boxes.count / mostRows] }
  }
}
