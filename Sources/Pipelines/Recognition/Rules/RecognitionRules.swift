import Geometry
import VisionProtocols

/// What an answer is worth, and what to advise if none is worth enough.
///
/// All limits are as written: exactly 0.8 does not win, exactly 0.05 is near enough, exactly 0.15
/// is bright enough. Confidences are compared in their own precision, in which 0.8 is not above
/// 0.8. A value that is not a number is skipped, one beyond its range taken for the range's end.
struct RecognitionRules {
  let configuration: RecognitionConfiguration

  /// Rounding does not decide what lies on a limit.
  private static let slack = 1e-9

  /// What a step's answer comes to.
  struct Verdict {
    /// The answer without what cannot be used, the best first.
    var answer: StepAnswer
    /// What the object is, where the answer is sure enough.
    var object: RecognizedObject?
    /// How sure the answer's best is; nil if there is nothing.
    var confidence: Float?

    /// How the step ended, if nothing goes before it.
    var outcome: StepOutcome { object != nil ? .won : confidence != nil ? .unsure : .nothing }
  }

  /// Judges an answer.
  func verdict(on answer: StepAnswer) -> Verdict {
    switch answer {
    case .barcodes(let findings): verdict(on: findings)
    case .classifications(let classes): verdict(on: classes)
    case .likenesses(let matches): verdict(on: matches)
    case .texts(let lines): verdict(on: lines)
    }
  }

  /// Any barcode with a payload wins, because barcodes have check digits.
  ///
  /// A book's goes first, then the one with the highest confidence, then the largest, then the
  /// first.
  private func verdict(on findings: [BarcodeFinding]) -> Verdict {
    func rank(_ finding: BarcodeFinding) -> (Int, Float, Double) {
      let area = finding.barcode.outline.area
      return (
        finding.isbn == nil ? 0 : 1, clamped(finding.barcode.confidence), area.isNaN ? 0 : area
      )
    }
    let usable = sorted(
      findings.filter { !$0.barcode.payload.isEmpty && !$0.barcode.confidence.isNaN }
    ) { rank($0) > rank($1) }
    return Verdict(
      answer: .barcodes(usable), object: usable.first.map { .barcode($0) },
      confidence: usable.first.map { clamped($0.barcode.confidence) })
  }

  private func verdict(on classes: [Classification]) -> Verdict {
    let usable = sorted(classes.filter { !$0.confidence.isNaN }) { $0.confidence > $1.confidence }
    var verdict = Verdict(
      answer: .classifications(usable), confidence: usable.first.map { clamped($0.confidence) })
    if let best = usable.first, best.confidence > Float(configuration.minimumClassConfidence) {
      verdict.object = .classification(best, alternatives: alternatives(of: usable))
    }
    return verdict
  }

  private func verdict(on matches: [LikenessMatch]) -> Verdict {
    let usable = sorted(matches.filter { !$0.cosine.isNaN }) { $0.cosine > $1.cosine }
    var verdict = Verdict(
      answer: .likenesses(usable), confidence: usable.first.map { min(max($0.cosine, -1), 1) })
    if let best = usable.first, best.cosine > Float(configuration.minimumCosine) {
      verdict.object = .likeness(best, alternatives: alternatives(of: usable))
    }
    return verdict
  }

  private func verdict(on lines: [RecognizedText]) -> Verdict {
    let usable = lines.filter { line in
      !line.confidence.isNaN && line.text.unicodeScalars.contains { !$0.properties.isWhitespace }
    }
    let sure = usable.filter { $0.confidence > Float(configuration.minimumTextConfidence) }
    return Verdict(
      answer: .texts(usable),
      object: sure.isEmpty
        ? nil : .text(TextFinding(lines: sure, dates: configuration.dates)),
      confidence: usable.map { clamped($0.confidence) }.max())
  }

  private func alternatives<Value>(of values: [Value]) -> [Value] {
    Array(values.dropFirst().prefix(configuration.maximumAlternatives))
  }

  private func clamped(_ confidence: Float) -> Float { min(max(confidence, 0), 1) }

  /// Sorted, and those of equal worth in their order.
  private func sorted<Value>(_ values: [Value], by precedes: (Value, Value) -> Bool) -> [Value] {
    values.enumerated().sorted {
      precedes($0.element, $1.element)
        || !precedes($1.element, $0.element) && $0.offset < $1.offset
    }.map(\.element)
  }
}

extension RecognitionRules {
  /// The share of the image that an object covers; nil if nothing was seen.
  ///
  /// It is the share of its box if that is known, otherwise of all text and barcodes together.
  func objectShare(
    box: Box?, answers: [StepAnswer], in frame: CoordinateSpace
  ) -> Double? {
    var boxes: [NormalizedBox] = []
    if let box {
      boxes = [frame.normalized(from: box)]
    } else {
      for answer in answers {
        switch answer {
        case .barcodes(let findings):
          boxes += findings.map { frame.normalized(from: $0.barcode.outline.boundingBox) }
        case .texts(let lines):
          boxes += lines.map { frame.normalized(from: $0.outline.boundingBox) }
        case .classifications, .likenesses: break
        }
      }
    }
    boxes = boxes.filter {
      $0.x.isFinite && $0.y.isFinite && $0.width.isFinite && $0.height.isFinite
    }
    return boxes.isEmpty ? nil : NormalizedBox.coverage(of: boxes)
  }

  /// The reasons why nothing was recognized.
  ///
  /// First come the reasons that stopped every step: a missing model, or an exceeded budget. Then
  /// those that a better picture would fix: light, distance, a clearer view. Then a model or a
  /// budget that a single step lacked. If there is no reason at all, the last one says so.
  func reasons(
    outcomes: [StepOutcome], meanLuma: Double?, objectShare: Double?
  ) -> [RecognitionAdvice] {
    let isMissingModel =
      outcomes.allSatisfy { $0 == .absent }
      || outcomes.contains { if case .modelNotLoaded = $0 { true } else { false } }
    let isLate = outcomes.contains(.timedOut)
    var own: [RecognitionAdvice] = []
    if isMissingModel { own.append(.modelNotLoaded) }
    if isLate { own.append(.timedOut) }

    var picture: [RecognitionAdvice] = []
    if let meanLuma,
      meanLuma < configuration.minimumLuma - Self.slack
        || meanLuma > configuration.maximumLuma + Self.slack
    {
      picture.append(.poorLighting)
    }
    if let objectShare, objectShare < configuration.minimumObjectShare - Self.slack {
      picture.append(.objectTooFar)
    }
    if outcomes.contains(.unsure) { picture.append(.lowConfidence) }

    let hasAnswer = outcomes.contains(.unsure) || outcomes.contains(.nothing)
    let reasons = hasAnswer ? picture + own : own + picture
    return reasons.isEmpty ? [.unrecognized] : reasons
  }
}
