import Geometry
import VisionProtocols

extension ObjectCounter {
  /// Counts by the usual size and shape in the photo, or by similarity to exemplars.
  func countAdaptively(
    in image: Image, guide: CountingGuide, settings: AdaptiveConfiguration, run: CountingRun
  ) async throws -> (result: CountingResult, trace: CountTrace?) {
    var (run, settings) = (run, settings)
    if !guide.like.isEmpty {
      settings.leastKindDistance = max(0, settings.leastKindDistance - guidedDistance)
    }
    try run.enter(.detecting)
    let look = try await look(at: image, guide: guide, settings: settings, run: &run)
    for report in look.view.reports { run.record(report.step, leaving: report.left) }

    try run.enter(.filtering)
    let objects = try await objects(
      of: look, in: image, guide: guide, settings: settings, run: &run)

    try run.enter(.clustering)
    let kinds = try await kinds(of: objects, guide: guide, settings: settings)
    let sizes = ClusterSizes(labels: kinds.labels)
    let main = kinds.main
    run.record(
      CountingStepReport(
        step: .clustered, itemsIn: objects.detections.count, itemsOut: sizes.sizes.count),
      leaving: objects.detections)

    let counted = zip(objects.detections, kinds.labels).filter { $1 == main }.map(\.0)
    let (doubts, confidence) = try await doubtsAndConfidence(
      about: counted, of: objects, kinds: kinds.found, seenIn: look, of: image, guide: guide,
      settings: settings)

    run.finish()
    let result = CountingResult(
      count: counted.count, mainCluster: main, clusterSizes: sizes.sizes,
      detections: zip(objects.detections, kinds.labels).map {
        CountedDetection(detection: $0, cluster: $1, isMain: $1 == main)
      },
      steps: run.steps, seconds: run.seconds,
      hint: Self.hint(of: counted, objects: objects, guide: guide),
      findings: AdaptiveFindings(
        typical: look.view.typical, tilesPerSide: look.view.tilesPerSide,
        triedTilesPerSide: look.views.map(\.tilesPerSide), silhouette: kinds.found.silhouette,
        doubts: doubts, exemplars: objects.exemplars),
      confidence: confidence, kindsAt: kinds.found.readings,
      width: image.width, height: image.height)
    return (result, run.notes?.trace(labels: kinds.labels, main: main, guide: guide))
  }

  /// The reasons to doubt a count, and its interval.
  private func doubtsAndConfidence(
    about counted: [Detection], of objects: FoundObjects, kinds: KindStage.Kinds,
    seenIn look: Look, of image: Image, guide: CountingGuide, settings: AdaptiveConfiguration
  ) async throws -> (CountDoubts?, CountConfidence?) {
    let doubts = look.search.doubts(
      about: counted, of: look.view, among: look.views, kinds: kinds, settings: settings,
      width: image.width, height: image.height)
    // If a person points, it is known which kind is meant and how fine kinds are.
    let ties = guide.hasExemplars ? [] : kinds.readings?.ties ?? []
    let cut = try await number(
      cutBeside: counted, of: objects, in: look.view, of: image, settings: settings)
    let confidence = confidence(
      in: counted, objects: objects, doubts: doubts, of: look.view, guide: guide,
      others: ties.compactMap(\.sizes.first) + (cut > 0 ? [counted.count + cut] : []))
    return (doubts, confidence)
  }

  /// The interval and the probability; nil without a calibration.
  ///
  /// If no box to count lies on an object that the detector is sure of, 0 may be the truth as well.
  private func confidence(
    in counted: [Detection], objects: FoundObjects, doubts: CountDoubts?, of view: PhotoView,
    guide: CountingGuide, others: [Int]
  ) -> CountConfidence? {
    guard let calibration else { return nil }
    let drawn = guide.like.count
    if drawn > 0, objects.isUnseen || counted.isEmpty {
      return .ofUnseen(drawn: drawn, count: counted.count)
    }
    var confidence = doubts.flatMap {
      (guide.hasExemplars ? calibration.guided : calibration.free)
        .confidence(of: counted.count, doubts: $0, others: others)
    }
    if guide.hasExemplars {
      confidence = confidence?.capped(
        by: max(2 * counted.count, view.detected.count, view.plausible.count))
    }
    let isOnObject = objects.exemplars.contains { finding in
      finding.isLike && finding.basis == .detection
        && view.detected.contains {
          $0.box == finding.taken && Double($0.score) >= leastObjectScore
        }
    }
    guard drawn > 0, !isOnObject, let confidence else { return confidence }
    // As likely as not the box is on nothing.
    return CountConfidence(value: confidence.value / 2, least: 0, greatest: confidence.greatest)
  }

  private static func hint(
    of counted: [Detection], objects: FoundObjects, guide: CountingGuide
  ) -> CountingHint? {
    guard counted.isEmpty else { return nil }
    return objects.isUnseen
      ? .nothingInExemplar
      : objects.detections.isEmpty ? .nothingDetected : .nothingLike
  }

  // MARK: Objects

  /// The objects of a photo with their embeddings, before they are divided into kinds.
  struct FoundObjects {
    var detections: [Detection]
    /// One row an object; none if kinds are not asked for.
    var rows: EmbeddingMatrix
    /// Embeddings of drawn boxes in which no object was detected.
    var likeRows: [[Float]] = []
    var unlikeRows: [[Float]] = []
    /// Whether the detector found nothing in the drawn boxes.
    var isUnseen = false
    /// What became of the drawn boxes.
    var exemplars: [ExemplarFinding] = []

    var hasRows: Bool { rows.count == detections.count && !detections.isEmpty }

    /// Whether a confident object is more similar to a drawn box than the ground beside the box is.
    ///
    /// - Parameters:
    ///   - grounds: the similarity of each drawn box to the ground beside it; nil if there is none.
    ///   - leastScore: the least score of a confident object. Many detections below it are ground.
    func isAnyLike(besides grounds: [Float?], leastScore: Double) -> Bool {
      zip(likeRows, grounds).contains { row, ground in
        let least = max(GuidedKinds().leastLikeness, ground ?? -1)
        return detections.indices.contains {
          Double(detections[$0].score) >= leastScore
            && GuidedKinds.nearest(rows[row: $0], among: [row]) ?? -1 >= least
        }
      }
    }

    /// Adds the drawn boxes to count: if others are similar to a box, it shows an object.
    mutating func add(_ drawn: [ExemplarFinding]) throws {
      let boxes = drawn.filter { $0.isLike && $0.basis == .drawing }.map(\.taken)
      var values = rows.values
      for (box, row) in zip(boxes, likeRows)
      where detections.allSatisfy({ $0.box.intersectionOverSmaller(box) < 0.3 }) {
        let score = detections.map(\.score).max() ?? 0
        detections.append(
          Detection(box: box, score: score, objectness: score, classScore: 1, classID: 0))
        values += row
      }
      rows = try EmbeddingMatrix(values: values, dimension: rows.dimension)
    }
  }

  /// How much nearer to each other kinds may be if a person points at what to count.
  ///
  /// People point more often if there are other things as well.
  private var guidedDistance: Double { 0.05 }
  /// If there are more objects than this, their similarity is not computed before the cut.
  private var mostCandidates: Int { 300 }
  /// The least score, weighted by similarity, as a share of the weighted median.
  private var guidedShare: Double { 0.35 }
  /// The score, as a share of the weighted median, from which an object stays however unlike it is.
  private var sureShare: Double { 0.7 }

  private func objects(
    of look: Look, in image: Image, guide: CountingGuide, settings: AdaptiveConfiguration,
    run: inout CountingRun
  ) async throws -> FoundObjects {
    try run.enter(.embedding)
    let drawn = try await checked(look.view, in: image, guide: guide)
    guard drawn.contains(where: \.isLike) else {
      return try await sureObjects(
        of: look.view, in: image, drawn: drawn, guide: guide, settings: settings, run: &run)
    }
    return try await objects(similarTo: drawn, of: look.view, in: image, guide: guide, run: &run)
  }

  /// The objects if no box around one to count was drawn: their scores decide.
  private func sureObjects(
    of view: PhotoView, in image: Image, drawn: [ExemplarFinding], guide: CountingGuide,
    settings: AdaptiveConfiguration, run: inout CountingRun
  ) async throws -> FoundObjects {
    let cut = ScoreCutStage(share: settings.scoreShare).filter(view.kept.map(\.detection))
    let sure = try withOtherSizes(cut, of: view, settings: settings)
    run.record(.scored, sure, leaving: sure.items)
    let stage = KindStage(leastSilhouette: settings.leastSilhouette)
    let crops = crops(of: sure.items, in: image)
    let isGrouped = clusterer != nil ? crops.count > 1 : stage.needsEmbeddings(for: crops.count)
    let wanted = guide.hasExemplars || isGrouped
    let rows = try await embedded(wanted ? crops : [], in: image, run: &run)
    var found = FoundObjects(detections: crops.map(\.detection), rows: rows)
    (_, found.unlikeRows) = try await self.rows(ofDrawn: drawn, in: image)
    found.exemplars = drawn
    return found
  }

  /// The objects if boxes to count were drawn: scores and similarity decide.
  private func objects(
    similarTo drawn: [ExemplarFinding], of view: PhotoView, in image: Image, guide: CountingGuide,
    run: inout CountingRun
  ) async throws -> FoundObjects {
    let (likeRows, unlikeRows) = try await rows(ofDrawn: drawn, in: image)
    let pointed = drawn.filter { $0.basis == .detection }.map(\.taken)
    let crops = crops(of: Self.withPointed(pointed, view, most: mostCandidates), in: image)
    let rows = try await embedded(crops, in: image, run: &run)
    let objects = crops.map(\.detection)
    let known = objects.indices.filter { place in
      drawn.contains { $0.isLike && $0.taken == objects[place].box }
    }.map { Array(rows[row: $0]) }
    let kept = kept(of: objects, rows: rows, like: known + likeRows, pointed: pointed)
    var found = FoundObjects(
      detections: kept.map { objects[$0] },
      rows: try EmbeddingMatrix(
        values: kept.flatMap { rows[row: $0] }, dimension: max(1, rows.dimension)),
      likeRows: likeRows, unlikeRows: unlikeRows, exemplars: drawn)
    // If the detector found no object in any drawn box, similarity decides.
    if !drawn.contains(where: { $0.isLike && $0.basis == .detection }) {
      let grounds = try await grounds(beside: drawn, in: image, guide: guide)
      guard found.isAnyLike(besides: grounds, leastScore: configuration.confidence) else {
        return try await unseen(
          drawn, in: image, rows: (likeRows, unlikeRows), guide: guide, run: &run)
      }
      try found.add(drawn)
    }
    run.record(
      .scored, StageOutput(found.detections, outOf: objects.count), leaving: found.detections)
    run.notes?.note(found.rows, of: found.detections)
    return found
  }

  /// The places of objects that are sure, pointed at, or sure enough for how similar they are.
  private func kept(
    of objects: [Detection], rows: EmbeddingMatrix, like known: [[Float]], pointed: [Box]
  ) -> [Int] {
    let scores = objects.map { Double($0.score) }
    let weighed = objects.indices.map { place -> Double in
      let likeness = GuidedKinds.nearest(rows[row: place], among: known) ?? 1
      let share = max(0.05, Double(1 + likeness) / 2)
      return scores[place] * share * share
    }
    let least = guidedShare * (ScoreCutStage.weightedMedian(of: weighed) ?? 0)
    // Whether something sure is meant is for the kinds to say.
    let leastSure = sureShare * (ScoreCutStage.weightedMedian(of: scores) ?? 0)
    return objects.indices.filter {
      weighed[$0] >= least || scores[$0] >= leastSure || pointed.contains(objects[$0].box)
    }
  }

  /// The places similar to a box in which the detector found nothing.
  private func unseen(
    _ drawn: [ExemplarFinding], in image: Image, rows: (like: [[Float]], unlike: [[Float]]),
    guide: CountingGuide, run: inout CountingRun
  ) async throws -> FoundObjects {
    var all: [Detection] = []
    for finding in drawn where finding.isLike {
      let found = try await search(for: finding.taken, in: image, guide: guide).detections(
        in: image, with: embedder, batchSize: configuration.batchSize)
      all += found.filter { one in all.allSatisfy { $0.box.iou(one.box) < 0.3 } }
    }
    run.record(.scored, StageOutput(all, outOf: all.count), leaving: all)
    let crops = crops(of: all, in: image)
    return FoundObjects(
      detections: crops.map(\.detection), rows: try await embedded(crops, in: image, run: &run),
      likeRows: rows.like, unlikeRows: rows.unlike, isUnseen: true, exemplars: drawn)
  }

  private func search(for box: Box, in image: Image, guide: CountingGuide) -> DenseSearch {
    DenseSearch(box: box, width: image.width, height: image.height, region: guide.region)
  }

  /// How much the ground beside each drawn box to count in which no object is seen is like it.
  private func grounds(
    beside findings: [ExemplarFinding], in image: Image, guide: CountingGuide
  ) async throws -> [Float?] {
    var grounds: [Float?] = []
    for finding in findings where finding.isLike && finding.basis == .drawing {
      grounds.append(
        try await search(for: finding.taken, in: image, guide: guide).groundLikeness(
          in: image, with: embedder, batchSize: configuration.batchSize))
    }
    return grounds
  }

  /// The objects of the drawn boxes, without doubtful detections that are similar to the ground.
  ///
  /// A box on bare ground often gets such a detection.
  private func checked(
    _ view: PhotoView, in image: Image, guide: CountingGuide
  ) async throws -> [ExemplarFinding] {
    var checked: [ExemplarFinding] = []
    for finding in view.exemplars {
      let score = view.detected.first { $0.box == finding.taken }?.score ?? 1
      guard finding.isLike, finding.basis == .detection, Double(score) < leastObjectScore,
        let ground = try await search(for: finding.taken, in: image, guide: guide)
          .groundLikeness(in: image, with: embedder, batchSize: configuration.batchSize),
        ground > DenseSearch.groundLikeness
      else {
        checked.append(finding)
        continue
      }
      checked.append(
        ExemplarFinding(
          drawn: finding.drawn, taken: finding.drawn, basis: .drawing, isLike: true))
    }
    return checked
  }

  /// The exemplars, which are always kept, then the other kept objects.
  private static func withPointed(
    _ pointed: [Box], _ view: PhotoView, most: Int
  ) -> [Detection] {
    var taken: [Detection] = []
    for box in pointed {
      if let one = view.detected.first(where: { $0.box == box }), !taken.contains(one) {
        taken.append(one)
      }
    }
    let others = view.kept.map(\.detection).filter { one in
      taken.allSatisfy { $0.box.intersectionOverSmaller(one.box) <= 0.45 }
    }
    return taken + others.prefix(max(0, most - taken.count))
  }

  private func crops(of detections: [Detection], in image: Image) -> [Crop] {
    CropStage(areaSigma: nil)
      .crops(of: detections, width: image.width, height: image.height).items
  }

  private func embedded(
    _ crops: [Crop], in image: Image, run: inout CountingRun
  ) async throws -> EmbeddingMatrix {
    let now = run
    let output = try await EmbeddingStage(batchSize: configuration.batchSize)
      .embeddings(of: crops, in: image, with: embedder) { done in
        now.report(.embedding, part: Double(done) / Double(max(1, crops.count)))
      }
    let objects = crops.map(\.detection)
    run.record(.embedded, output, leaving: objects)
    run.notes?.note(output.items, of: objects)
    return output.items
  }

  /// Rows of the drawn boxes in which no object is seen: of those to count, and of those to leave
  /// out.
  private func rows(
    ofDrawn findings: [ExemplarFinding], in image: Image
  ) async throws -> (like: [[Float]], unlike: [[Float]]) {
    func rows(isLike: Bool) async throws -> [[Float]] {
      let drawn = findings.filter { $0.isLike == isLike && $0.basis == .drawing }.map {
        Detection(box: $0.taken, score: 1, objectness: 1, classScore: 1, classID: 0)
      }
      let rows = try await EmbeddingStage(batchSize: configuration.batchSize)
        .embeddings(of: crops(of: drawn, in: image), in: image, with: embedder).items
      return (0..<rows.count).map { Array(rows[row: $0]) }
    }
    return (try await rows(isLike: true), try await rows(isLike: false))
  }

  /// What passed the cut, and the sure detections of other sizes.
  private func withOtherSizes(
    _ sure: StageOutput<[Detection]>, of view: PhotoView, settings: AdaptiveConfiguration
  ) throws -> StageOutput<[Detection]> {
    guard let typical = view.typical, let median = view.medianScore else { return sure }
    let others = try OtherSizesStage(scoreShare: settings.otherSizes).others(
      among: view.detected, than: sure.items, median: median, side: typical.side)
    return StageOutput(sure.items + others, outOf: sure.itemsIn + others.count)
  }

  // MARK: Kinds

  /// The kinds of a photo's objects, and which is counted.
  private func kinds(
    of objects: FoundObjects, guide: CountingGuide, settings: AdaptiveConfiguration
  ) async throws -> (labels: [Int], main: Int?, found: KindStage.Kinds) {
    let one = objects.detections.map { _ in 0 }
    guard objects.hasRows else {
      return (
        one, one.first, KindStage.Kinds(labels: one, bestLabels: one, silhouette: nil)
      )
    }
    let scores = objects.detections.map(\.score)
    let found = try await found(in: objects.rows, scores: scores, settings: settings)
    guard guide.hasExemplars else { return (found.labels, 0, found) }
    let guided = try guidedKinds(of: objects, guide: guide)
    // Whoever points at what not to count says that there are kinds.
    let labels =
      Set(guided.unlike.map { found.labels[$0] }).isDisjoint(
        with: guided.like.map { found.labels[$0] })
      ? found.labels : found.bestLabels
    let isMeant = guided.isMeant(objects.rows, labels: labels)
    let numbered = KindStage.numberedBySize(
      zip(labels, isMeant).map { $1 ? -1 : $0 }, scores: scores)
    return (numbered, zip(numbered, isMeant).first { $1 }?.0, found)
  }

  /// The kinds by the clusterer that the counter was given, or by the method's own.
  private func found(
    in rows: EmbeddingMatrix, scores: [Float], settings: AdaptiveConfiguration
  ) async throws -> KindStage.Kinds {
    guard let clusterer else {
      return try KindStage(
        leastSilhouette: settings.leastSilhouette, leastDistance: settings.leastKindDistance
      ).kinds(of: rows, scores: scores)
    }
    let given = try await ClusteringStage(similarity: configuration.similarity)
      .labels(of: rows, with: clusterer)
    let labels = KindStage.numberedBySize(given.items, scores: scores)
    return KindStage.Kinds(labels: labels, bestLabels: labels, silhouette: nil)
  }

  private func guidedKinds(
    of objects: FoundObjects, guide: CountingGuide
  ) throws -> GuidedKinds {
    func places(of boxes: [Box]) -> [Int] {
      boxes.compactMap { box in
        let overlaps = objects.detections.map { $0.box.iou(box) }
        guard let best = overlaps.indices.max(by: { overlaps[$0] < overlaps[$1] }) else {
          return nil
        }
        return overlaps[best] >= 0.3 ? best : nil
      }
    }
    // What a box was taken for is among the objects, or what else fits the box.
    let again = try Exemplars(guide, width: .max, height: .max, leastSure: .infinity)
      .findings(among: objects.detections)
    let findings = zip(objects.exemplars, again).map { known, again in
      objects.detections.contains { $0.box == known.taken } ? known : again
    }
    var guided = GuidedKinds(
      like: Array(Set(places(of: findings.filter(\.isLike).map(\.taken)))).sorted(),
      unlike: Array(Set(places(of: findings.filter { !$0.isLike }.map(\.taken)))).sorted(),
      likeRows: objects.likeRows, unlikeRows: objects.unlikeRows)
    guided.unlike.removeAll { guided.like.contains($0) }
    if let template = guide.template {
      for row in template.like + template.unlike where row.count != objects.rows.dimension {
        throw CountingError.templateDimension(
          expected: objects.rows.dimension, got: row.count)
      }
      guided.likeRows += template.like
      guided.unlikeRows += template.unlike
      guided.leastLikeness = template.leastLikeness
    }
    return guided
  }
}
