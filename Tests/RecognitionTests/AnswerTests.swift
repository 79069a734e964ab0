import DateExtraction
import Foundation
import Geometry
import ISBN
import Testing
import Tracking
import VisionProtocols

@testable import Recognition

@Suite("What answers say")
struct AnswerTests {
  private struct Fixed: BarcodeReader, ImageClassifier, LikenessSearcher, TextRecognizer {
    var codes: [RecognizedBarcode] = []
    var classes: [Classification] = []
    var matches: [LikenessMatch] = []
    var lines: [RecognizedText] = []
    var seen = Slot<Picture>()
    var count = Slot<Int>()

    func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
      seen.value = image
      return codes
    }
    func classifications(of image: Picture, maximumCount: Int) async throws -> [Classification] {
      (seen.value, count.value) = (image, maximumCount)
      return classes
    }
    func likenesses(of image: Picture, maximumCount: Int) async throws -> [LikenessMatch] {
      (seen.value, count.value) = (image, maximumCount)
      return matches
    }
    func texts(in image: Picture) async throws -> [RecognizedText] {
      seen.value = image
      return lines
    }
  }

  private func code(
    _ payload: String, _ confidence: Float = 1, side: Float = 10
  ) -> RecognizedBarcode {
    RecognizedBarcode(
      payload: payload, symbology: .ean13,
      outline: Quadrilateral(Box(x: 0, y: 0, width: side, height: side)), confidence: confidence)
  }

  private func line(_ text: String, _ confidence: Float = 0.9, _ box: Box? = nil) -> RecognizedText
  {
    RecognizedText(
      outline: Quadrilateral(box ?? Box(x: 0, y: 0, width: 500, height: 100)), text: text,
      confidence: confidence)
  }

  private func result(
    _ build: (RecognitionRouter<Picture>) -> RecognitionRouter<Picture>,
    _ configuration: RecognitionConfiguration = RecognitionConfiguration()
  ) throws -> RecognitionResult {
    let world = Simulation()
    var router = try RecognitionRouter<Picture>(configuration: configuration, clock: world)
    router.launcher = world.launcher
    let complete = build(router)
    return try #require(try world.run { try await complete.recognition(of: Picture()) }?.get())
  }

  @Test(
    "Of several barcodes a book's goes first, then the surest, then the largest, then the first",
    arguments: [
      (["4006381333931", "9780306406157"], [1, 0.2], [10, 10], 1),
      (["4006381333931", "4012345678901"], [0.3, 0.4], [10, 10], 1),
      (["a", "b", "c"], [0.5, 0.5, 0.5], [5, 20, 10], 1),
      (["a", "b"], [1, 1], [5, 5], 0),
      (["", "b"], [1, 0.1], [5, 5], 1),
      (["a", "b"], [.nan, 0.1], [5, 5], 1),
      (["a", "b"], [1, 1], [.nan, 5], 1),
    ])
  func barcodes(_ payloads: [String], _ confidences: [Float], _ sides: [Float], _ best: Int) throws
  {
    let codes = zip(zip(payloads, confidences), sides).map { code($0.0, $0.1, side: $1) }
    let result = try result { $0.readingBarcodes(with: Fixed(codes: codes)) }
    guard case .barcode(let finding) = result.object else {
      Issue.record("\(result)")
      return
    }
    #expect(finding.barcode.payload == payloads[best])
    #expect(result.confidence == confidences[best])
  }

  @Test(
    "A barcode has the ISBN that its payload is",
    arguments: [
      ("9780306406157", "9780306406157"), ("9780306406157 51495", "9780306406157"),
      ("4006381333931", nil), ("9790260000438", nil), ("9780306406158", nil), ("hello", nil),
    ])
  func isbn(_ payload: String, _ isbn: String?) throws {
    let result = try result { $0.readingBarcodes(with: Fixed(codes: [code(payload)])) }
    guard case .barcode(let finding) = result.object else {
      Issue.record("\(result)")
      return
    }
    #expect(finding.isbn?.description == isbn)
  }

  @Test("Classes and likenesses come with the next three, best first, and are asked for as many")
  func alternatives() throws {
    let classes = [0.2, 0.9, 0.1, 0.4, 0.3, 0.05].enumerated().map {
      Classification(label: "\($1)", index: $0, confidence: Float($1))
    }
    let fixed = Fixed(
      classes: classes,
      matches: classes.map { LikenessMatch(id: UUID(), name: $0.label, cosine: $0.confidence) })
    let kinds = try result { $0.classifying(with: fixed) }
    guard case .classification(let best, let others) = kinds.object else {
      Issue.record("\(kinds)")
      return
    }
    #expect(best.index == 1 && others.map(\.index) == [3, 4, 0])
    #expect(fixed.count.value == 4)
    var configuration = RecognitionConfiguration()
    configuration.maximumAlternatives = 1
    let things = try result({ $0.searchingLikeness(with: fixed) }, configuration)
    guard case .likeness(let nearest, let next) = things.object else {
      Issue.record("\(things)")
      return
    }
    #expect(nearest.name == "0.9" && next.map(\.name) == ["0.4"])
    #expect(fixed.count.value == 2)
    guard case .likenesses(let all) = things[.likeness]?.answer else {
      Issue.record("\(things)")
      return
    }
    #expect(all.count == 6)
  }

  @Test("Text has the ISBNs and dates of the lines that are sure enough")
  func text() throws {
    let lines = [
      line("ISBN 978-0-306-"), line("40615-7"), line("BEST BEFORE", 0.6), line("1/2/25"),
      line("31/12/2030", 0.5), line("  \n", 0.99), line("ISBN 3-16-148410-X", .nan),
    ]
    var configuration = RecognitionConfiguration()
    configuration.dates.order = .dayFirst
    let result = try result({ $0.recognizingText(with: Fixed(lines: lines)) }, configuration)
    guard case .text(let finding) = result.object else {
      Issue.record("\(result)")
      return
    }
    #expect(finding.lines.map(\.text) == ["ISBN 978-0-306-", "40615-7", "BEST BEFORE", "1/2/25"])
    #expect(finding.isbns.map(\.description) == ["9780306406157"])
    #expect(finding.dates.map(\.line) == [3])
    #expect(finding.dates.first?.match.date.description == "2025-02-01")
    #expect(finding.dates.first?.match.label == .bestBefore)
    #expect(finding.dates.first?.match.alternatives.map(\.description) == ["2025-01-02"])
    #expect(result.confidence == 0.9)
    guard case .texts(let all) = result[.text]?.answer else {
      Issue.record("\(result)")
      return
    }
    #expect(all.count == 5)
  }

  @Test("Blank text is none")
  func blank() throws {
    let result = try result {
      $0.recognizingText(with: Fixed(lines: [line(" \n\u{3000}"), line("")]))
    }
    #expect(result.letters == "---N" && result.advice == .unrecognized)
  }

  @Test("Without a box, what was seen tells the distance")
  func share() throws {
    func seen(_ box: Box) throws -> RecognitionResult {
      try result {
        $0.recognizingText(with: Fixed(lines: [line("x", 0.1, box), line("y", 0.1, box)]))
      }
    }
    // 1000 x 500 pixels; both lines lie in the same place and count once.
    let far = try seen(Box(x: 0, y: 0, width: 100, height: 200))
    #expect(
      abs((far.objectShare ?? 0) - 0.04) < 1e-12 && far.reasons == [.objectTooFar, .lowConfidence])
    let near = try seen(Box(x: 0, y: 0, width: 125, height: 200))
    #expect(near.objectShare == 0.05 && near.reasons == [.lowConfidence])
    let outside = try seen(Box(x: 5000, y: 0, width: 500, height: 500))
    #expect(outside.objectShare == 0 && outside.reasons == [.objectTooFar, .lowConfidence])
    let broken = try seen(Box(minX: .nan, minY: 0, maxX: .infinity, maxY: 1))
    #expect(broken.objectShare == nil && broken.reasons == [.lowConfidence])
  }

  @Test("The result survives JSON")
  func json() throws {
    let fixed = Fixed(
      codes: [], classes: [Classification(label: "cup", index: 3, confidence: 0.5)],
      lines: [line("EXP 12/31/2025")])
    let result = try result {
      $0.classifying(with: fixed).recognizingText(with: fixed).readingBarcodes(with: fixed)
    }
    #expect(result.letters == "NU-W")
    let decoded = try JSONDecoder().decode(
      RecognitionResult.self, from: try JSONEncoder().encode(result))
    #expect(decoded == result)
  }

  @Test("Steps see the image as it was prepared, and outlines lie in the whole image")
  func preparation() throws {
    let fixed = Fixed(codes: [code("x", side: 100)], lines: [line("y")])
    func corner(_ preparation: ImagePreparation<Picture>) throws -> (Picture?, Point?) {
      let result = try result { $0.readingBarcodes(with: fixed, after: preparation) }
      guard case .barcode(let finding) = result.object else { return (fixed.seen.value, nil) }
      return (fixed.seen.value, finding.barcode.outline.bottomRight)
    }
    #expect(try corner(.none) == (Picture(), Point(x: 100, y: 100)))
    let half = try corner(.centerHalf)
    #expect(half.0 == Picture(width: 500, height: 250, history: ["crop 250 125 500 250"]))
    #expect(half.1 == Point(x: 350, y: 225))
    let fitted = try corner(.fit(width: 100, height: 100))
    #expect(fitted.0 == Picture(width: 100, height: 50, history: ["fit 100 100"]))
    #expect(fitted.1 == Point(x: 1000, y: 1000))
    let both = try corner(.centerHalf.followed(by: .fit(width: 50, height: 50)))
    #expect(both.0?.history == ["crop 250 125 500 250", "fit 50 50"])
    #expect(both.1 == Point(x: 1250, y: 1125))
    let other = try corner(.fit(width: 100, height: 100).followed(by: .centerHalf))
    #expect(other.0?.history == ["fit 100 100", "crop 25 12 50 25"])
    #expect(other.1 == Point(x: 1250, y: 1120))
    let third = try corner(.centerCrop(toShare: 1))
    #expect(third.0 == Picture(history: ["crop 0 0 1000 500"]))
    let tiny = try corner(.centerCrop(toShare: 0.0001))
    #expect(tiny.0 == Picture(width: 1, height: 1, history: ["crop 499 249 1 1"]))

    let text = try result { $0.recognizingText(with: fixed, after: .centerHalf) }
    guard case .text(let finding) = text.object else {
      Issue.record("\(text)")
      return
    }
    #expect(finding.lines.first?.outline.topLeft == Point(x: 250, y: 125))
    _ = try result { $0.classifying(with: fixed, after: .centerHalf) }
    #expect(fixed.seen.value?.width == 500)
    _ = try result { $0.searchingLikeness(with: fixed, after: .fit(width: 10, height: 10)) }
    #expect(fixed.seen.value?.width == 10)
  }

  @Test("A preparation that cannot be done fails its step, and says why")
  func badPreparation() throws {
    let wrong: [(ImagePreparation<Picture>, String)] = [
      (.centerCrop(toShare: 0), "the share to crop to is 0.0; it must be above 0 and at most 1"),
      (.centerCrop(toShare: 1.1), "the share to crop to is 1.1; it must be above 0 and at most 1"),
      (.centerCrop(toShare: .nan), "the share to crop to is nan; it must be above 0 and at most 1"),
      (.fit(width: 0, height: 5), "the frame to fit into is 0 x 5; both sides must be at least 1"),
    ]
    for (preparation, reason) in wrong {
      let result = try result {
        $0.readingBarcodes(with: Fixed(codes: [code("x")]), after: preparation)
      }
      #expect(result[.barcode]?.outcome == .failed(reason: reason))
    }
  }

  @Test("An image without a size is an error", arguments: [(0, 5), (5, 0), (-1, 5), (.max, 5)])
  func noSize(_ width: Int, _ height: Int) async {
    await #expect(throws: RecognitionError.noSize(width: width, height: height)) {
      try await RecognitionRouter<Picture>().recognition(of: Picture(width: width, height: height))
    }
    #expect(
      "\(RecognitionError.noSize(width: 0, height: 5))"
        == "the image is 0 x 5 pixels; both sides must be in 1...2147483647")
  }
}

@Suite("Configuration and totals")
struct ConfigurationTests {
  private typealias Change = @Sendable (inout RecognitionConfiguration) -> Void

  @Test("Every value out of range is named")
  func ranges() throws {
    let changes: [(String, Change)] = [
      ("minimumClassConfidence", { $0.minimumClassConfidence = 1.01 }),
      ("minimumClassConfidence", { $0.minimumClassConfidence = .nan }),
      ("minimumCosine", { $0.minimumCosine = -1.01 }),
      ("minimumTextConfidence", { $0.minimumTextConfidence = -0.1 }),
      ("maximumAlternatives", { $0.maximumAlternatives = -1 }),
      ("maximumAlternatives", { $0.maximumAlternatives = .max }),
      ("barcodeBudget", { $0.barcodeBudget = .zero }),
      ("classificationBudget", { $0.classificationBudget = .milliseconds(-5) }),
      ("likenessBudget", { $0.likenessBudget = .milliseconds(3_600_001) }),
      ("textBudget", { $0.textBudget = FrameDuration(nanoseconds: .max) }),
      ("lightBudget", { $0.lightBudget = FrameDuration(nanoseconds: .min) }),
      ("minimumLuma", { $0.minimumLuma = -1 }), ("maximumLuma", { $0.maximumLuma = 2 }),
      ("minimumObjectShare", { $0.minimumObjectShare = .infinity }),
    ]
    for (field, change) in changes {
      var configuration = RecognitionConfiguration()
      change(&configuration)
      let error = #expect(throws: RecognitionConfigurationError.self) {
        try RecognitionRouter<Picture>(configuration: configuration)
      }
      #expect(error?.field == field)
      #expect(
        error.map { "\($0)".hasPrefix("\(field) is ") && "\($0)".contains("must be in") } == true)
    }
    #expect(try RecognitionConfiguration().validated() == RecognitionConfiguration())
  }

  @Test("Totals are those of the results, and cancelled attempts are none")
  func totals() throws {
    var totals = RecognitionTotals()
    #expect(totals.successRate == nil && totals.meanConfidence == nil && totals.meanLatency == nil)
    let behaviours: [Behaviour] = [
      .answers([0.9], after: 100), .answers([0.5], after: 200), .answers([1], after: 300),
      .hangsForGood,
    ]
    for behaviour in behaviours {
      var bench = Bench()
      bench.behaviours = [.classification: behaviour]
      totals.add(try #require(try bench.result()))
    }
    #expect(totals.attempts == 4 && totals.successes == 2)
    #expect(totals.successesByStep == [.classification: 2])
    #expect(totals.successRate == 0.5)
    #expect(totals.meanConfidence == (Double(Float(0.9)) + 1) / 2)
    #expect(totals.meanLatency == (0.1 + 0.2 + 0.3 + 1) / 4)
    let decoded = try JSONDecoder().decode(
      RecognitionTotals.self, from: try JSONEncoder().encode(totals))
    #expect(decoded == totals)
  }

  @Test("A recognizer keeps totals and begins them anew")
  func recognizer() throws {
    var bench = Bench()
    bench.behaviours = [.text: .answers([0.9], after: 10)]
    let recognizer = ObjectRecognizer(router: try bench.router())
    let world = bench.world
    let totals = try #require(
      try world.run {
        _ = try await recognizer.recognize(Picture())
        let cancelled = Task(executorPreference: world) {
          try await recognizer.recognize(Picture())
        }
        cancelled.cancel()
        _ = await cancelled.result
        _ = try? await recognizer.recognize(Picture(width: 0, height: 0))
        let first = await recognizer.totals
        await recognizer.resetTotals()
        return [first, await recognizer.totals]
      }?.get())
    #expect(totals[0].attempts == 1 && totals[0].meanLatency == 0.01)
    #expect(totals[1] == RecognitionTotals())
  }

  @Test(
    "Every advice is a sentence that a person can act on", arguments: RecognitionAdvice.allCases)
  func advice(_ advice: RecognitionAdvice) {
    #expect(advice.description.hasSuffix("."))
    #expect(advice.description.split(separator: ".").count == 2)
    #expect(
      Set(RecognitionAdvice.allCases.map(\.description)).count == RecognitionAdvice.allCases.count)
  }
}
