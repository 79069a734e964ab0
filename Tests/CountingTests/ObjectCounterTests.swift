import Foundation
import Geometry
import Testing
import VisionProtocols

@testable import Counting

@Suite("Object counter")
struct ObjectCounterTests {
  let counter = ObjectCounter(
    detector: SceneDetector(), embedder: SceneEmbedder(), configuration: .standard)

  @Test("the largest kind is counted, every kind is reported")
  func kinds() async throws {
    let result = try await counter.count(in: .row([0, 1, 1, 2, 1, 0, 1]))
    #expect(result.count == 4)
    let main = try #require(result.mainCluster)
    #expect(result.clusterSizes[main] == 4)
    #expect(result.clusterSizes.values.sorted() == [1, 2, 4])
    #expect(result.detections.count == 7)
    #expect(result.detections.filter(\.isMain).map(\.detection.box.minX) == [40, 80, 160, 240])
    #expect(result.hint == nil)
    #expect(result.width == 280 && result.height == 20)
    #expect(
      result.steps.map(\.step) == [
        .detected, .size, .aspect, .area, .embedded, .clustered, .merged,
      ])
    #expect(result[.detected] == CountingStepReport(step: .detected, itemsIn: 7, itemsOut: 7))
    #expect(result[.clustered] == CountingStepReport(step: .clustered, itemsIn: 7, itemsOut: 3))
    #expect(result.seconds.total >= result.seconds.embedding && result.seconds.total > 0)
  }

  @Test("nothing in the image is a count of 0 with a hint")
  func nothing() async throws {
    let result = try await counter.count(in: .row([]))
    #expect(result.count == 0 && result.mainCluster == nil && result.detections.isEmpty)
    #expect(result.hint == .nothingDetected)
    let hint = try #require(result.hint?.description)
    #expect(hint.contains("even light") && hint.contains("straight above"))
    #expect(result.representative == nil)
    #expect(result.steps.allSatisfy { $0.itemsIn == 0 && $0.itemsOut == 0 })
  }

  @Test("boxes that are all dropped are a count of 0 with another hint")
  func nothingLeft() async throws {
    let outside = FixedDetector(answer: [detection(Box(x: 900, y: 0, width: 9, height: 9))])
    let counter = ObjectCounter(
      detector: outside, embedder: SceneEmbedder(), configuration: .standard)
    let result = try await counter.count(in: .row([0]))
    #expect(result.count == 0 && result.hint == .nothingLeft)
  }

  @Test("a single object counts one")
  func single() async throws {
    let result = try await counter.count(in: .row([3]))
    #expect(result.count == 1 && result.mainCluster == 0)
  }

  @Test("the count is taken after merging, and so is the main cluster")
  func recount() async throws {
    // Three of kind 0 on one spot below a better one of kind 1, and two of kind 1 elsewhere.
    var scene = Scene.row([1, 1, 1])
    scene.things[0].score = 0.95
    for shift in [1, 2, 3] as [Float] {
      scene.things.append(
        .init(
          box: Box(x: shift, y: 0, width: 20, height: 20), score: 0.5, embedding: [1, 0, 0, 0]))
    }
    scene.things.append(
      .init(box: Box(x: 44, y: 0, width: 20, height: 20), score: 0.4, embedding: [1, 0, 0, 0]))
    var counter = counter
    counter.configuration.nmsIoU = 1
    let byScore = try await counter.count(in: scene)
    #expect(byScore.count == 3)
    #expect(byScore[.merged] == CountingStepReport(step: .merged, itemsIn: 7, itemsOut: 3))
    counter.configuration.mergeFirst = .main
    let mainFirst = try await counter.count(in: scene)
    #expect(mainFirst[.merged]?.itemsOut == 3)
    #expect(mainFirst.clusterSizes.values.sorted() == [1, 2])
    #expect(mainFirst.count == 2)
  }

  @Test("an invalid configuration is refused before the detector is asked")
  func invalidConfiguration() async {
    struct Untouchable: ObjectDetector {
      struct Touched: Error {}
      func detections(in image: Scene, minimumConfidence: Float) async throws -> [Detection] {
        throw Touched()
      }
    }
    var counter = ObjectCounter(
      detector: Untouchable(), embedder: SceneEmbedder(), configuration: .standard)
    counter.configuration.similarity = .nan
    await #expect(throws: CountingConfigurationError.self) {
      _ = try await counter.count(in: .row([0]))
    }
  }

  @Test("what a seam throws comes through")
  func seamErrors() async {
    var scene = Scene.row([0, 1])
    scene.things[1].box = Box(x: 40.5, y: 0, width: 20, height: 20)
    scene.things.swapAt(0, 1)
    let detector = FixedDetector(answer: [detection(Box(x: 3, y: 0, width: 9, height: 9))])
    let counter = ObjectCounter(
      detector: detector, embedder: SceneEmbedder(), configuration: .standard)
    await #expect(throws: NoSuchThing.self) { _ = try await counter.count(in: scene) }
  }

  @Test("a hostile detector does not end the process")
  func hostileDetector() async throws {
    let weird: [Float] = [
      0, -1, 1, 1e38, -1e38, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
    ]
    var answer: [Detection] = []
    for a in weird {
      for b in weird {
        for score in [0.5, .nan, -1, 2, .infinity] as [Float] {
          answer.append(detection(Box(minX: a, minY: b, maxX: b, maxY: a), score: score))
          answer.append(detection(Box(minX: a, minY: a, maxX: b, maxY: b), score: score))
        }
      }
    }
    for preset in CountingPreset.allCases {
      var configuration = preset.configuration
      configuration.batchSize = 1
      let counter = ObjectCounter(
        detector: FixedDetector(answer: answer), embedder: FixedEmbedder(values: [1], dimension: 1),
        configuration: configuration)
      let result = try await counter.count(in: .row([0, 1, 2]))
      #expect(result.count == result.detections.filter(\.isMain).count)
      #expect(result[.detected]?.itemsIn == answer.count)
    }
  }

  @Test("many counts at once give what one gives")
  func concurrent() async throws {
    let scene = Scene.row((0..<60).map { $0 % 3 })
    let alone = try await counter.count(in: scene)
    let counts = try await withThrowingTaskGroup(of: CountingResult.self) { group in
      for _ in 0..<32 { group.addTask { try await counter.count(in: scene) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.count == 32)
    #expect(counts.allSatisfy { $0.detections == alone.detections && $0.count == 20 })
  }
}

@Suite("Progress and cancellation")
struct ProgressTests {
  @Test("progress passes every stage, never goes back and ends at 1", arguments: [0, 1, 5, 40])
  func monotone(count: Int) async throws {
    let log = ProgressLog()
    var counter = ObjectCounter(
      detector: SceneDetector(), embedder: SceneEmbedder(), configuration: .standard)
    counter.configuration.batchSize = 4
    let scene = Scene.row(Array(repeating: 0, count: count))
    _ = try await counter.count(in: scene) { log.append($0) }
    let all = log.all
    #expect(Set(all.map(\.stage)) == Set(CountingStage.allCases))
    #expect(all.first == CountingProgress(stage: .detecting, fraction: 0))
    #expect(all.last == CountingProgress(stage: .done, fraction: 1))
    for (before, after) in zip(all, all.dropFirst()) {
      #expect(before.fraction <= after.fraction)
      let order = CountingStage.allCases
      let places = [before, after].compactMap { order.firstIndex(of: $0.stage) }
      #expect(places[0] <= places[1])
    }
    #expect(all.filter { $0.stage == .embedding }.count == 1 + (count + 3) / 4)
    #expect(all.filter { $0.stage == .done }.count == 1)
  }

  @Test("the stream delivers progress and then the result")
  func stream() async throws {
    let counter = ObjectCounter(
      detector: SceneDetector(), embedder: SceneEmbedder(), configuration: .standard)
    var updates: [CountingUpdate] = []
    for try await update in counter.updates(for: .row([0, 0, 1])) { updates.append(update) }
    guard case .finished(let result) = updates.last else {
      Issue.record("the last update is \(String(describing: updates.last))")
      return
    }
    #expect(result.count == 2)
    let progress = updates.dropLast().map { update -> Double in
      if case .progress(let progress) = update { progress.fraction } else { .nan }
    }
    #expect(progress == progress.sorted() && progress.last == 1)
  }

  @Test("the stream delivers the error")
  func streamError() async {
    let counter = ObjectCounter(
      detector: SceneDetector(), embedder: FixedEmbedder(values: [0, 0], dimension: 2),
      configuration: .standard)
    await #expect(throws: CountingError.zeroEmbedding(crop: 0)) {
      for try await _ in counter.updates(for: .row([0])) {}
    }
  }

  @Test("cancelling stops within one batch of crops")
  func cancellation() async throws {
    let log = BatchLog()
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let embedder = SceneEmbedder(log: log) { batches in
      guard batches == 2 else { return }
      signal.finish()
      // Holds the second batch until the cancellation has arrived, without looking at it.
      while !Task.isCancelled { await Task.yield() }
    }
    var counter = ObjectCounter(
      detector: SceneDetector(), embedder: embedder, configuration: .standard)
    counter.configuration.batchSize = 3
    let task = Task { [counter] in
      try await counter.count(in: .row(Array(repeating: 0, count: 30)))
    }
    for await _ in started {}
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(log.sizes == [3, 3])
  }

  @Test("a task cancelled before it starts does nothing")
  func cancelledBefore() async {
    let log = BatchLog()
    let counter = ObjectCounter(
      detector: SceneDetector(), embedder: SceneEmbedder(log: log), configuration: .standard)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await counter.count(in: .row([0, 1]))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(log.sizes.isEmpty)
  }

  @Test("a stream no longer listened to stops the count")
  func abandonedStream() async throws {
    let log = BatchLog()
    let (cancelled, signal) = AsyncStream.makeStream(of: Void.self)
    let embedder = SceneEmbedder(log: log) { _ in
      while !Task.isCancelled { await Task.yield() }
      signal.finish()
    }
    var counter = ObjectCounter(
      detector: SceneDetector(), embedder: embedder, configuration: .standard)
    counter.configuration.batchSize = 1
    func listen() async throws {
      for try await update in counter.updates(for: .row([0, 0, 0])) {
        if case .progress(let progress) = update, progress.stage == .embedding { return }
      }
    }
    try await listen()
    for await _ in cancelled {}
    #expect(log.sizes == [1])
  }
}

@Suite("Traced counts")
struct TraceTests {
  @Test("A traced count has the result of any other, and says where each detection went")
  func bands() async throws {
    var scene = Scene.row([0, 1, 1, 2, 1, 0, 1])
    scene.things[6].box.maxY = 90
    let counter = ObjectCounter(
      detector: SceneDetector(), embedder: SceneEmbedder(), configuration: .standard)
    let traced = try await counter.tracedCount(in: scene)
    var plain = try await counter.count(in: scene)
    #expect(traced.result.detections == plain.detections && traced.result.count == plain.count)
    plain = traced.result
    #expect(traced.trace.detections.count == 7)
    let dropped = traced.trace.detections.filter { $0.droppedBy != nil }
    #expect(dropped.map(\.droppedBy) == [.size] && dropped[0].detection.box.maxY == 90)
    #expect(dropped[0].survived == [.detected])
    for report in plain.steps where report.step != .clustered {
      #expect(traced.trace.left(after: report.step).count == report.itemsOut, "\(report.step)")
    }
    #expect(traced.trace.embedded.map(\.cluster).count == 6)
    #expect(traced.trace.embeddings?.count == 6)
    #expect(traced.trace.guide == CountingGuide())
  }

  @Test("The adaptive method is traced too, what the frame cuts and what comes back included")
  func adaptive() async throws {
    var scene = Scene.row([0, 1, 0, 1, 0, 1, 0, 1])
    scene.things[3].score = 0.001
    let counter = ObjectCounter(
      detector: SceneDetector(), embedder: SceneEmbedder(), configuration: .adaptive)
    let exemplar = scene.things[2].box
    for guide in [CountingGuide(), CountingGuide(like: [exemplar])] {
      let traced = try await counter.tracedCount(in: scene, guide: guide)
      let plain = try await counter.count(in: scene, guide: guide)
      #expect(traced.result.detections == plain.detections && traced.result.steps == plain.steps)
      #expect(traced.trace.guide == guide)
      let kept = traced.trace.detections.filter { $0.droppedBy == nil }.map(\.detection)
      #expect(Set(kept) == Set(plain.detections.map(\.detection)))
    }
  }

  @Test("Detections alike to the last bit, and ones with a NaN, are traced one by one")
  func twins() async throws {
    var notes = TraceNotes()
    var twin = detection(Box(x: 0, y: 0, width: 9, height: 9))
    twin.objectness = .nan
    notes.note(.detected, left: [twin, twin, twin])
    notes.note(.size, left: [twin, twin])
    notes.note(.aspect, left: [twin])
    let trace = notes.trace(labels: [], main: nil, guide: CountingGuide())
    #expect(trace.detections.map(\.droppedBy) == [nil, .aspect, .size])
    #expect(trace.left(after: .size).count == 2)
  }
}
