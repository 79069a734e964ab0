import Foundation
import Geometry
import Tracking
import VisionProtocols

@testable import Recognition

/// An image that is only a size, and knows which part of another it is.
struct Picture: CroppableImage, FittableImage, Equatable {
  var width = 1000
  var height = 500
  var history: [String] = []

  func cropped(to rect: PixelRect) -> Picture? {
    guard rect.maxX <= width, rect.maxY <= height else { return nil }
    return Picture(
      width: rect.width, height: rect.height,
      history: history + ["crop \(rect.x) \(rect.y) \(rect.width) \(rect.height)"])
  }

  func fitted(width: Int, height: Int) throws -> Picture {
    let ratio = min(Double(width) / Double(self.width), Double(height) / Double(self.height), 1)
    return Picture(
      width: Int(Double(self.width) * ratio), height: Int(Double(self.height) * ratio),
      history: history + ["fit \(width) \(height)"])
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// What a fake does when it is asked.
enum Behaviour: Equatable, Sendable {
  /// Answers with these confidences after so many milliseconds.
  case answers([Float], after: Int64)
  /// Throws.
  case fails(after: Int64)
  /// Says that it has no model.
  case lacksModel(after: Int64)
  /// Never answers, and stops when it is cancelled.
  case hangs
  /// Never answers, whatever happens.
  case hangsForGood
}

/// All recognizers in one, which do as they are told and write down what happens to them.
struct Fake: BarcodeReader, ImageClassifier, LikenessSearcher, TextRecognizer, LightMeter {
  var behaviour: Behaviour
  var name = ""
  var clock: any RecognitionClock
  var log = Log()
  /// What barcodes say and texts read.
  var payload = "9780306406157"

  private func confidences() async throws -> [Float] {
    let start = clock.now()
    log.add("\(name) starts")
    func sleep(_ milliseconds: Int64) async throws {
      do {
        try await clock.sleep(until: start + .milliseconds(milliseconds))
      } catch {
        log.add("\(name) stops after \((clock.now() - start).nanoseconds / 1_000_000)")
        throw error
      }
    }
    switch behaviour {
    case .answers(let confidences, let delay):
      try await sleep(delay)
      log.add("\(name) answers")
      return confidences
    case .fails(let delay):
      try await sleep(delay)
      throw Failure(description: "out of order")
    case .lacksModel(let delay):
      try await sleep(delay)
      throw ModelNotLoadedError(model: "fake")
    case .hangs:
      try await sleep(1_000_000)
      return []
    case .hangsForGood:
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return []
    }
  }

  private static let outline = Quadrilateral(Box(x: 100, y: 100, width: 400, height: 200))

  func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
    try await confidences().map {
      RecognizedBarcode(
        payload: payload, symbology: .ean13, outline: Self.outline, confidence: $0)
    }
  }

  func classifications(of image: Picture, maximumCount: Int) async throws -> [Classification] {
    try await confidences().enumerated().map {
      Classification(label: "kind \($0)", index: $0, confidence: $1)
    }
  }

  func likenesses(of image: Picture, maximumCount: Int) async throws -> [LikenessMatch] {
    try await confidences().map { LikenessMatch(id: UUID(), name: "thing", cosine: $0) }
  }

  func texts(in image: Picture) async throws -> [RecognizedText] {
    try await confidences().map {
      RecognizedText(outline: Self.outline, text: payload, confidence: $0)
    }
  }

  func meanLuma(of image: Picture) async throws -> Double {
    try await confidences().first.map { Double($0) } ?? .nan
  }
}

/// A router of fakes in a world of its own.
struct Bench {
  let world = Simulation()
  let log = Log()
  var configuration = RecognitionConfiguration()
  var behaviours: [RecognitionStep: Behaviour] = [:]
  var light: Behaviour?
  var payload = "9780306406157"

  func fake(_ name: String, _ behaviour: Behaviour) -> Fake {
    Fake(behaviour: behaviour, name: name, clock: world, log: log, payload: payload)
  }

  func router() throws -> RecognitionRouter<Picture> {
    var router = try RecognitionRouter<Picture>(configuration: configuration, clock: world)
    router.launcher = world.launcher
    for (step, behaviour) in behaviours {
      let fake = fake(step.rawValue, behaviour)
      switch step {
      case .barcode: router = router.readingBarcodes(with: fake)
      case .classification: router = router.classifying(with: fake)
      case .likeness: router = router.searchingLikeness(with: fake)
      case .text: router = router.recognizingText(with: fake)
      }
    }
    if let light { router = router.measuringLight(with: fake("light", light)) }
    return router
  }

  func result(
    of picture: Picture = Picture(), objectBox: Box? = nil
  ) throws -> RecognitionResult? {
    let router = try router()
    return try world.run { try await router.recognition(of: picture, objectBox: objectBox) }?.get()
  }
}

extension StepOutcome {
  /// One letter, for tables.
  var letter: Character {
    switch self {
    case .won: "W"
    case .outranked: "O"
    case .unsure: "U"
    case .nothing: "N"
    case .timedOut: "T"
    case .modelNotLoaded: "M"
    case .failed: "F"
    case .cancelled: "C"
    case .notStarted: "S"
    case .absent: "-"
    }
  }
}

extension RecognitionResult {
  /// The outcomes of all steps.
  var letters: String { String(steps.map(\.outcome.letter)) }
  /// How long it took, in milliseconds.
  var milliseconds: Int64 { duration.nanoseconds / 1_000_000 }
}
