import Foundation
import Testing
import Tracking
import VisionProtocols

@testable import Recognition

@Suite("Steps that are stopped, and steps that do not stop")
struct StoppingTests {
  @Test("Cancelled steps stop at the moment at which a better one has answered")
  func cancelled() throws {
    var bench = Bench()
    bench.behaviours = [
      .barcode: .answers([], after: 400), .classification: .answers([0.9], after: 50),
      .likeness: .hangs, .text: .answers([0.9], after: 300),
    ]
    let result = try #require(try bench.result())
    #expect(result.letters == "NWCC" && result.milliseconds == 400)
    // The later ones at once, before the barcode's reader has said that it sees none.
    #expect(bench.log.lines.contains("likeness stops after 50"))
    #expect(bench.log.lines.contains("text stops after 50"))
    #expect(!bench.log.lines.contains("text answers"))
    #expect(result[.likeness]?.duration == .milliseconds(50))
    #expect(result[.classification]?.duration == .milliseconds(50))
    #expect(result[.barcode]?.duration == .milliseconds(400))
  }

  @Test("A step whose budget is over is cancelled")
  func budget() throws {
    var bench = Bench()
    bench.configuration.likenessBudget = .milliseconds(70)
    bench.behaviours = [.likeness: .hangs, .text: .answers([0.9], after: 500)]
    let result = try #require(try bench.result())
    #expect(result.letters == "--TW" && result.milliseconds == 500)
    #expect(bench.log.lines.contains("likeness stops after 70"))
    #expect(result[.likeness]?.duration == .milliseconds(70))
  }

  @Test("Each step has its own budget", arguments: RecognitionStep.allCases)
  func budgets(step: RecognitionStep) throws {
    var bench = Bench()
    bench.configuration.barcodeBudget = .milliseconds(10)
    bench.configuration.classificationBudget = .milliseconds(20)
    bench.configuration.likenessBudget = .milliseconds(30)
    bench.configuration.textBudget = .milliseconds(40)
    bench.behaviours = [step: .hangsForGood]
    let result = try #require(try bench.result())
    #expect(result[step]?.outcome == .timedOut && result.advice == .timedOut)
    #expect(result.duration == bench.configuration.budget(of: step))
    #expect(result[step]?.duration == result.duration)
  }

  @Test("One after the other, a step is begun when the one before has ended")
  func sequential() throws {
    var bench = Bench()
    bench.configuration.runsConcurrently = false
    bench.behaviours = [
      .barcode: .hangsForGood, .classification: .answers([0.1], after: 5),
      .likeness: .answers([0.9], after: 7), .text: .answers([0.9], after: 1),
    ]
    let result = try #require(try bench.result())
    #expect(result.letters == "TUWS" && result.milliseconds == 1012)
    #expect(
      bench.log.lines == [
        "barcode starts", "classification starts", "classification answers", "likeness starts",
        "likeness answers",
      ])
  }

  @Test(
    "Cancelling the caller ends it at once, whatever the steps do, and cancels them",
    arguments: [true, false])
  func caller(isConcurrent: Bool) throws {
    var bench = Bench()
    bench.configuration.runsConcurrently = isConcurrent
    bench.behaviours = [
      .barcode: isConcurrent ? .hangsForGood : .hangs, .classification: .hangs, .text: .hangs,
    ]
    let (router, world) = (try bench.router(), bench.world)
    let ended = try #require(
      world.run {
        let start = world.now()
        let task = Task(executorPreference: world) { try await router.recognition(of: Picture()) }
        try await world.sleep(until: start + .milliseconds(30))
        task.cancel()
        let result = await task.result
        return (result, world.now() - start)
      })
    let (result, took) = try ended.get()
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(took == .milliseconds(30))
    #expect(
      bench.log.lines.contains(isConcurrent ? "text stops after 30" : "barcode stops after 30"))
    #expect(world.sleeperCount == 0)
  }

  @Test("A caller that is cancelled already starts nothing")
  func cancelledBefore() throws {
    var bench = Bench()
    bench.behaviours = [.barcode: .answers([1], after: 1)]
    let (router, world) = (try bench.router(), bench.world)
    let result = try #require(
      world.run {
        let task = Task(executorPreference: world) {
          while !Task.isCancelled { await Task.yield() }
          return try await router.recognition(of: Picture())
        }
        task.cancel()
        return try await task.value
      })
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(bench.log.lines.isEmpty)
  }

  @Test("Cancelling while the light is measured ends it at once")
  func cancelledLight() throws {
    var bench = Bench()
    bench.behaviours = [.barcode: .answers([], after: 1)]
    bench.light = .hangsForGood
    let (router, world) = (try bench.router(), bench.world)
    let result = try #require(
      world.run {
        let task = Task(executorPreference: world) { try await router.recognition(of: Picture()) }
        try await world.sleep(until: world.now() + .milliseconds(20))
        task.cancel()
        return try await task.value
      })
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test("A step that gives up by itself has failed, and nothing is cancelled")
  func selfCancelled() throws {
    struct Quitter: TextRecognizer {
      func texts(in image: Picture) async throws -> [RecognizedText] { throw CancellationError() }
    }
    var bench = Bench()
    bench.behaviours = [.barcode: .answers([1], after: 1)]
    let router = try bench.router().recognizingText(with: Quitter())
    bench.behaviours = [:]
    let alone = try bench.router().recognizingText(with: Quitter())
    let results = try [router, alone].map { router in
      try #require(try bench.world.run { try await router.recognition(of: Picture()) }?.get())
    }
    #expect(results.map(\.letters) == ["W--F", "---F"])
    #expect(results[1].advice == .unrecognized)
  }

  @Test("A clock that is set back makes no negative durations")
  func backwards() throws {
    final class Backwards: RecognitionClock, @unchecked Sendable {
      private let lock = NSLock()
      private var time: Int64 = 1_000_000
      func now() -> FrameTime {
        lock.withLock {
          time -= 1000
          return .milliseconds(time)
        }
      }
      func sleep(until time: FrameTime) async throws {
        try await Task.sleep(nanoseconds: 1_000_000_000)
      }
    }
    let world = Simulation()
    var router = RecognitionRouter<Picture>(clock: Backwards())
    router.launcher = world.launcher
    let complete = router.readingBarcodes(
      with: Fake(behaviour: .answers([1], after: 1), clock: world))
    let result = try #require(
      try world.run { try await complete.recognition(of: Picture()) }?.get())
    #expect(result.method == .barcode && result.duration == .zero)
    #expect(result.steps.first?.duration == .zero)
  }
}

/// Holds the thread, which no task should do on purpose.
private func wait(for gate: DispatchSemaphore) { gate.wait() }

/// With the machine's clock and threads.
@Suite("Steps on real threads")
struct RealTimeTests {
  /// Holds its thread until it is let go, without a look at its task.
  private struct Blocker: BarcodeReader, ImageClassifier, LikenessSearcher, TextRecognizer {
    let gate = DispatchSemaphore(value: 0)

    private func block() { gate.wait() }

    func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
      block()
      return []
    }
    func classifications(of image: Picture, maximumCount: Int) async throws -> [Classification] {
      block()
      return []
    }
    func likenesses(of image: Picture, maximumCount: Int) async throws -> [LikenessMatch] {
      block()
      return []
    }
    func texts(in image: Picture) async throws -> [RecognizedText] {
      block()
      return []
    }
  }

  @Test("Steps that hold more threads than there are cores end at their budgets")
  func blocking() async throws {
    let blocker = Blocker()
    defer { for _ in 0..<16 { blocker.gate.signal() } }
    var configuration = RecognitionConfiguration()
    configuration.barcodeBudget = .milliseconds(30)
    configuration.classificationBudget = .milliseconds(30)
    configuration.likenessBudget = .milliseconds(30)
    configuration.textBudget = .milliseconds(30)
    let router = try RecognitionRouter<Picture>(configuration: configuration)
      .readingBarcodes(with: blocker).classifying(with: blocker).searchingLikeness(with: blocker)
      .recognizingText(with: blocker)
    let results = try await withThrowingTaskGroup(of: RecognitionResult.self) { group in
      for _ in 0..<4 { group.addTask { try await router.recognition(of: Picture()) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 4)
    for result in results {
      #expect(result.letters == "TTTT" && result.advice == .timedOut)
      #expect(result.duration >= .milliseconds(30))
    }
  }

  @Test("Threads are added up to the limit, jobs beyond it wait, and all are run")
  func threads() async {
    let threads = StepThreads(limit: 3, idleSeconds: 0.01)
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    let tasks = (0..<8).map { number in
      Task(executorPreference: threads) {
        log.add("\(number)")
        wait(for: gate)
      }
    }
    while log.lines.count < 3 { await Task.yield() }
    #expect(log.lines.count == 3)
    for _ in tasks { gate.signal() }
    for task in tasks { await task.value }
    #expect(Set(log.lines).count == 8)
    // Threads that have ended meanwhile are followed by others.
    try? await Task.sleep(nanoseconds: 50_000_000)
    let late = Task(executorPreference: threads) { 7 }
    #expect(await late.value == 7)
  }

  @Test("A thousand recognitions at once all have the right answer")
  func thousand() async throws {
    struct Numbered: BarcodeReader, TextRecognizer, ImageClassifier {
      func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
        await Task.yield()
        guard image.width.isMultiple(of: 3) else { return [] }
        return [
          RecognizedBarcode(
            payload: "\(image.width)", symbology: .qr,
            outline: .init(.init(x: 0, y: 0, width: 1, height: 1)))
        ]
      }
      func classifications(of image: Picture, maximumCount: Int) async throws -> [Classification] {
        guard !image.width.isMultiple(of: 7) else { throw Failure(description: "seven") }
        return [
          Classification(
            label: "\(image.width)", index: 0, confidence: image.width % 3 == 1 ? 0.9 : 0.2)
        ]
      }
      func texts(in image: Picture) async throws -> [RecognizedText] {
        [
          RecognizedText(
            outline: .init(.init(x: 0, y: 0, width: 1, height: 1)), text: "\(image.width)",
            confidence: 0.9)
        ]
      }
    }
    var configuration = RecognitionConfiguration()
    // However busy the machine is.
    configuration.barcodeBudget = .milliseconds(600_000)
    configuration.classificationBudget = .milliseconds(600_000)
    configuration.textBudget = .milliseconds(600_000)
    let fake = Numbered()
    let recognizer = ObjectRecognizer(
      router: try RecognitionRouter<Picture>(configuration: configuration)
        .readingBarcodes(with: fake).classifying(with: fake).recognizingText(with: fake))
    try await withThrowingTaskGroup(of: (Int, RecognitionResult).self) { group in
      for number in 1...1000 {
        group.addTask {
          (number, try await recognizer.recognize(Picture(width: number, height: 9)))
        }
      }
      for try await (number, result) in group {
        switch result.object {
        case .barcode(let finding):
          #expect(number % 3 == 0 && finding.barcode.payload == "\(number)")
        case .classification(let kind, _):
          #expect(number % 3 == 1 && number % 7 != 0 && kind.label == "\(number)")
        case .text(let text):
          #expect(number % 3 != 0 && text.lines.map(\.text) == ["\(number)"])
          #expect(number % 3 == 2 || number % 7 == 0)
        default: Issue.record("\(number): \(result)")
        }
      }
    }
    let totals = await recognizer.totals
    #expect(totals.attempts == 1000 && totals.successes == 1000)
    #expect(totals.successesByStep[.barcode] == 333)
    #expect(totals.successesByStep.values.reduce(0, +) == 1000)
  }

  // C35.
  @Test("While a recognition is in work, an image that may be let pass is let pass")
  func busy() async throws {
    struct Waiting: BarcodeReader {
      let started: AsyncStream<Void>.Continuation
      let released: AsyncStream<Void>

      func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
        if image.width == 2 { throw ModelNotLoadedError(model: "barcodes") }
        started.yield()
        for await _ in released { break }
        return []
      }
    }
    let (started, starting) = AsyncStream.makeStream(of: Void.self)
    let (released, releasing) = AsyncStream.makeStream(of: Void.self)
    var configuration = RecognitionConfiguration()
    configuration.barcodeBudget = .milliseconds(600_000)
    let recognizer = ObjectRecognizer(
      router: try RecognitionRouter<Picture>(configuration: configuration)
        .readingBarcodes(with: Waiting(started: starting, released: released)))
    let first = Task { try await recognizer.recognizeIfIdle(Picture(width: 1, height: 9)) }
    for await _ in started { break }
    #expect(try await recognizer.recognizeIfIdle(Picture(width: 3, height: 9)) == nil)
    releasing.yield()
    #expect(try await first.value != nil)
    releasing.finish()
    // Idle again, also after a failure.
    #expect(try await recognizer.recognizeIfIdle(Picture(width: 2, height: 9)) != nil)
    await #expect(throws: (any Error).self) {
      try await recognizer.recognizeIfIdle(Picture(width: 0, height: 0))
    }
    #expect(try await recognizer.recognizeIfIdle(Picture(width: 1, height: 9)) != nil)
    #expect(await recognizer.totals.attempts == 3)
  }

  @Test("Cancelling many recognitions with steps that hang ends them all")
  func cancelMany() async throws {
    let fake = Fake(behaviour: .hangsForGood, clock: UptimeClock())
    var configuration = RecognitionConfiguration()
    configuration.textBudget = .milliseconds(3_600_000)
    let router = try RecognitionRouter<Picture>(configuration: configuration)
      .recognizingText(with: fake)
    let tasks = (0..<100).map { _ in Task { try await router.recognition(of: Picture()) } }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("The machine's clock sleeps until it is time, and not at all where it is")
  func uptime() async throws {
    let clock = UptimeClock()
    let start = clock.now()
    try await clock.sleep(until: start + .milliseconds(5))
    #expect(clock.now() - start >= .milliseconds(5))
    try await clock.sleep(until: start)
    try await clock.sleep(until: FrameTime(nanoseconds: .min))
    let task = Task { try await clock.sleep(until: FrameTime(nanoseconds: .max)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
