import ActivityState
import Counting
import Geometry
import Testing
import VisionProtocols

/// Rows A26 and V20 of the requirements.
@Suite("Pause and resume")
struct PauseTests {
  typealias Count = Activity<CountingProgress, CountingResult>

  /// A counter of squares in batches of three whose models wait at the gate.
  private func counter(
    at gate: PauseGate, embedder: SquareEmbedder = SquareEmbedder()
  ) -> ObjectCounter<Pausable<SquareDetector>, Pausable<SquareEmbedder>> {
    var configuration = CountingConfiguration.standard
    configuration.batchSize = 3
    return ObjectCounter(
      detector: Pausable(SquareDetector(), gate: gate), embedder: Pausable(embedder, gate: gate),
      configuration: configuration)
  }

  @Test("A count that is paused stops at its next batch, and goes on to the same result")
  func midCount() async throws {
    let activity = Count()
    let calls = Tally()
    let embedder = SquareEmbedder(calls: calls) { batches in
      if batches == 2 { activity.pause() }
    }
    let counter = counter(at: activity.gate, embedder: embedder)
    activity.start { try await counter.count(in: Squares(count: 12), progress: $0) }
    // The count reports the second batch, and then waits before the third.
    let paused = await activity.first { $0.canResume && ($0.progress?.fraction ?? 0) > 0.5 }
    #expect(paused.name == "paused" && paused.isActive && activity.gate.isPaused)
    for _ in 0..<100 { await Task.yield() }
    #expect(calls.value == 2 && activity.snapshot.name == "paused")
    activity.resume()
    let end = await activity.settled()
    #expect(calls.value == 4 && end.progress?.fraction == 1 && !activity.gate.isPaused)

    let alone = try await self.counter(at: PauseGate()).count(in: Squares(count: 12))
    #expect(end.value?.count == 12 && end.value?.detections == alone.detections)
  }

  @Test("A count that is paused before it begins looks at nothing")
  func atOnce() async {
    let activity = Count()
    let calls = Tally()
    let counter = ObjectCounter(
      detector: Pausable(SquareDetector(calls: calls), gate: activity.gate),
      embedder: Pausable(SquareEmbedder(), gate: activity.gate), configuration: .standard)
    let (begun, go) = (Signal(), Signal())
    activity.start { progress in
      begun.fire()
      await go.wait()
      return try await counter.count(in: Squares(count: 2), progress: progress)
    }
    await begun.wait()
    activity.pause()
    go.fire()
    _ = await activity.first { $0.progress?.stage == .detecting }
    for _ in 0..<100 { await Task.yield() }
    #expect(calls.value == 0)
    activity.resume()
    #expect(await activity.settled().value?.count == 2)
    #expect(calls.value == 1)
  }

  @Test("A paused count can be cancelled, and tried again")
  func cancelledWhilePaused() async {
    let activity = Count()
    let calls = Tally()
    let embedder = SquareEmbedder(calls: calls) { batches in
      if batches == 1 { activity.pause() }
    }
    let counter = counter(at: activity.gate, embedder: embedder)
    let thrown = Tally()
    activity.start { progress in
      do {
        return try await counter.count(in: Squares(count: 9), progress: progress)
      } catch {
        thrown.add(error is CancellationError ? 1 : 100)
        throw error
      }
    }
    _ = await activity.first { $0.canResume }
    activity.cancel()
    #expect(activity.snapshot.name == "cancelled" && !activity.gate.isPaused)
    activity.retry()
    let end = await activity.settled()
    #expect(end.value?.count == 9 && end.run == 2)
    #expect(thrown.value == 1 && calls.value <= 2 + 3)
  }

  @Test("A start while paused runs")
  func startWhilePaused() async {
    let activity = Activity<Int, Int>()
    let gate = activity.gate
    activity.start { _ in
      while true { try await gate.pass() }
    }
    activity.pause()
    activity.start { _ in
      try await gate.pass()
      return 2
    }
    let end = await activity.settled()
    #expect(end.run == 2 && end.value == 2)
  }

  @Test("Pausing what does not run, and resuming what is not paused, does nothing")
  func idle() async {
    let activity = Activity<Int, Int>()
    activity.pause()
    activity.resume()
    activity.cancel()
    activity.retry()
    #expect(activity.snapshot.name == "idle" && !activity.gate.isPaused)
    activity.start { _ in 1 }
    activity.resume()
    #expect(await activity.settled().value == 1)
    activity.pause()
    #expect(activity.snapshot.name == "finished" && !activity.gate.isPaused)
  }

  @Test("The last call of a paused run finishes it, and the gate is open for the next")
  func finishedWhilePaused() async {
    let activity = Activity<Int, Int>()
    let (begun, go) = (Signal(), Signal())
    activity.start { _ in
      begun.fire()
      await go.wait()
      return 1
    }
    await begun.wait()
    activity.pause()
    go.fire()
    #expect(await activity.settled().value == 1)
    #expect(!activity.gate.isPaused)
  }

  @Test("All that waits at a gate goes on when it opens")
  func gate() async throws {
    let gate = PauseGate()
    try await gate.pass()
    gate.pause()
    let (waiting, passed) = (Tally(), Tally())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          waiting.add(1)
          try await gate.pass()
          passed.add(1)
        }
      }
      while waiting.value < 50 { await Task.yield() }
      for _ in 0..<100 { await Task.yield() }
      #expect(passed.value == 0)
      gate.resume()
      try await group.waitForAll()
    }
    #expect(passed.value == 50)
  }

  @Test("A cancelled task does not pass a gate, be it open or closed", arguments: [false, true])
  func cancelledAtGate(isClosed: Bool) async {
    let gate = PauseGate()
    if isClosed { gate.pause() }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await gate.pass()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Each kind of model waits, and answers as its base does")
  func everyKind() async throws {
    let gate = PauseGate()
    let model = Pausable(EveryModel(), gate: gate)
    let quad = Quadrilateral(
      topLeft: Point(x: 0, y: 0), topRight: Point(x: 1, y: 0), bottomRight: Point(x: 1, y: 1),
      bottomLeft: Point(x: 0, y: 1))
    let calls: [@Sendable () async throws -> Int] = [
      { try await model.detections(in: 1, minimumConfidence: 0).count },
      { try await model.embeddings(of: [1, 1]).count },
      { try await model.labels(of: EmbeddingMatrix(values: [1], dimension: 1), similarity: 0)[0] },
      { try await model.texts(in: 1).count },
      { try await model.texts(in: 1, along: [quad]).count },
      { try await model.barcodes(in: 1).count },
      { try await model.outlines(in: 1).count },
      { try await model.classifications(of: 1, maximumCount: 7)[0].index },
      { try await model.likenesses(of: 1, maximumCount: 8).count },
      { Int(try await model.meanLuma(of: 1)) },
    ]
    gate.pause()
    let answered = Tally()
    let tasks = calls.map { call in
      Task {
        let answer = try await call()
        answered.add(1)
        return answer
      }
    }
    for _ in 0..<200 { await Task.yield() }
    #expect(answered.value == 0)
    gate.resume()
    var answers: [Int] = []
    for task in tasks { answers.append(try await task.value) }
    #expect(answers == [0, 2, 42, 0, 1, 0, 0, 7, 0, 9])
    #expect(model.dimension == 3 && model.scale(imageWidth: 1, imageHeight: 1) == 0.25)
  }
}

/// A model of every kind, which answers at once.
private struct EveryModel: ObjectDetector, ImageEmbedder, EmbeddingClusterer, TextRecognizer,
  BarcodeReader, OutlineDetector, ImageClassifier, LikenessSearcher, LightMeter
{
  let dimension = 3

  func detections(in image: Int, minimumConfidence: Float) async throws -> [Detection] { [] }
  func scale(imageWidth: Int, imageHeight: Int) -> Double { 0.25 }
  func embeddings(of images: [Int]) async throws -> EmbeddingMatrix {
    try EmbeddingMatrix(values: images.map(Float.init), dimension: 1)
  }
  func labels(of embeddings: EmbeddingMatrix, similarity: Double) async throws -> [Int] { [42] }
  func texts(in image: Int) async throws -> [RecognizedText] { [] }
  func texts(in image: Int, along outlines: [Quadrilateral]) async throws -> [RecognizedText] {
    outlines.map { RecognizedText(outline: $0, text: "", confidence: 1) }
  }
  func barcodes(in image: Int) async throws -> [RecognizedBarcode] { [] }
  func outlines(in image: Int) async throws -> [DetectedOutline] { [] }
  func classifications(of image: Int, maximumCount: Int) async throws -> [Classification] {
    [Classification(label: "", index: maximumCount, confidence: 1)]
  }
  func likenesses(of image: Int, maximumCount: Int) async throws -> [LikenessMatch] { [] }
  func meanLuma(of image: Int) async throws -> Double { 9 }
}
