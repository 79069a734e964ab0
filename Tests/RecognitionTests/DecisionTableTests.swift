import Geometry
import Testing
import Tracking
import VisionProtocols

@testable import Recognition

/// A row: what each step does, the light and the object's share, and what comes of it.
///
/// A step is `-` for none, confidences (`+` between several, `0` milliseconds after `@`, else 10), `none` for nothing
/// seen, `error`, `model` for a missing one, `hang`, `dead` for a hang that heeds no cancellation.
private struct Row: CustomTestStringConvertible {
  let testDescription: String
  let behaviours: [RecognitionStep: Behaviour]
  let light: Behaviour?
  let share: Double?
  let method: String
  let confidence: Float?
  let letters: String
  let milliseconds: Int64
  let reasons: [String]

  init(_ line: Substring) {
    testDescription = String(line)
    let cells = line.split(separator: " ").map(String.init)
    precondition(cells.count == 11, "\(line)")
    var behaviours: [RecognitionStep: Behaviour] = [:]
    for (step, cell) in zip(RecognitionStep.allCases, cells) {
      behaviours[step] = Self.behaviour(cell)
    }
    self.behaviours = behaviours
    light = Self.behaviour(cells[4])
    share = Double(cells[5])
    method = cells[6]
    confidence = Float(cells[7])
    letters = cells[8]
    milliseconds = Int64(cells[9]) ?? -1
    reasons = cells[10] == "-" ? [] : cells[10].split(separator: ",").map(String.init)
  }

  private static func behaviour(_ cell: String) -> Behaviour? {
    let parts = cell.split(separator: "@")
    let delay = parts.count > 1 ? Int64(parts[1]) ?? -1 : 10
    switch parts[0] {
    case "-": return nil
    case "none": return .answers([], after: delay)
    case "error": return .fails(after: delay)
    case "model": return .lacksModel(after: delay)
    case "hang": return .hangs
    case "dead": return .hangsForGood
    default: return .answers(parts[0].split(separator: "+").map { Float($0) ?? .nan }, after: delay)
    }
  }

  static let all: [Row] = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { Row($0) }

  private static let table = """
    # barcode class likeness text light share | method confidence outcomes ms reasons
    # The order, all at the same moment.
    1 0.9 0.9 0.9 - - barcode 1 WCCC 10 -
    none 0.9 0.9 0.9 - - classification 0.9 NWCC 10 -
    none 0.5 0.9 0.9 - - likeness 0.9 NUWC 10 -
    none 0.5 0.5 0.9 - - text 0.9 NUUW 10 -
    none 0.5 0.5 0.4 - - - - NUUU 10 lowConfidence
    none none none none - - - - NNNN 10 unrecognized
    # The order with delays: a better step that is slow still wins.
    1@90 0.9@10 0.9@20 0.9@30 - - barcode 1 WOCC 90 -
    none@90 0.9@60 0.9@30 0.9@10 - - classification 0.9 NWOO 90 -
    none@10 0.9@60 0.9@90 0.9@99 - - classification 0.9 NWCC 60 -
    none@90 none@80 0.9@70 0.9@95 - - likeness 0.9 NNWC 90 -
    1@5 0.9 0.9 0.9 - - barcode 1 WCCC 5 -
    none@99 0.5@98 0.5@97 0.9@1 - - text 0.9 NUUW 99 -
    # Limits: exactly 0.8, 0.85 and 0.5 do not win, the next number does.
    - 0.8 - - - - - - -U-- 10 lowConfidence
    - 0.80000007 - - - - classification 0.80000007 -W-- 10 -
    - 0.79999995 - - - - - - -U-- 10 lowConfidence
    - - 0.85 - - - - - --U- 10 lowConfidence
    - - 0.85000002 - - - - - --U- 10 lowConfidence
    - - 0.8500001 - - - likeness 0.8500001 --W- 10 -
    - - -1 - - - - - --U- 10 lowConfidence
    - - 1 - - - likeness 1 --W- 10 -
    - - - 0.5 - - - - ---U 10 lowConfidence
    - - - 0.50000006 - - text 0.50000006 ---W 10 -
    - - - 0 - - - - ---U 10 lowConfidence
    0 - - - - - barcode 0 W--- 10 -
    - 1 - - - - classification 1 -W-- 10 -
    # Several, in any order; what is no number or beyond its range.
    - 0.1+0.9+0.3 - - - - classification 0.9 -W-- 10 -
    - nan+0.9 - - - - classification 0.9 -W-- 10 -
    - nan - - - - - - -N-- 10 unrecognized
    - inf - - - - classification 1 -W-- 10 -
    - -inf - - - - - - -U-- 10 lowConfidence
    - - 1.0000001 - - - likeness 1 --W- 10 -
    - - nan 0.9 - - text 0.9 --NW 10 -
    - - - 0.3+0.9+0.6 - - text 0.9 ---W 10 -
    nan none - - - - - - NN-- 10 unrecognized
    2 - - - - - barcode 1 W--- 10 -
    # Failures.
    error error error error - - - - FFFF 10 unrecognized
    error 0.9 - - - - classification 0.9 FW-- 10 -
    error none none none - - - - FNNN 10 unrecognized
    error 0.5 error none - - - - FUFN 10 lowConfidence
    # Models.
    model model model model - - - - MMMM 10 modelNotLoaded
    - model - - - - - - -M-- 10 modelNotLoaded
    none model - none - - - - NM-N 10 modelNotLoaded
    none model 0.2 none - - - - NMUN 10 lowConfidence,modelNotLoaded
    model 0.9 - - - - classification 0.9 MW-- 10 -
    error model - - - - - - FM-- 10 modelNotLoaded
    - - - - - - - - ---- 0 modelNotLoaded
    # Budgets: 1000 ms, and 3000 ms for text; an answer at exactly the budget is late.
    hang - - - - - - - T--- 1000 timedOut
    dead - - - - - - - T--- 1000 timedOut
    - dead - - - - - - -T-- 1000 timedOut
    - - dead - - - - - --T- 1000 timedOut
    - - - dead - - - - ---T 3000 timedOut
    dead dead dead dead - - - - TTTT 3000 timedOut
    hang hang hang hang - - - - TTTT 3000 timedOut
    dead 0.9 - - - - classification 0.9 TW-- 1000 -
    dead 0.9 dead dead - - classification 0.9 TWCC 1000 -
    1@999 - - - - - barcode 1 W--- 999 -
    1@1000 - - - - - - - T--- 1000 timedOut
    1@1001 - - - - - - - T--- 1000 timedOut
    - - - 0.9@2999 - - text 0.9 ---W 2999 -
    - - - 0.9@3000 - - - - ---T 3000 timedOut
    dead none none none - - - - TNNN 1000 timedOut
    dead none none 0.2 - - - - TNNU 1000 lowConfidence,timedOut
    dead model error - - - - - TMF- 1000 modelNotLoaded,timedOut
    dead model none - - - - - TMN- 1000 modelNotLoaded,timedOut
    # Light: 0.15 and 0.95 are well lit.
    - none - - 0.15 - - - -N-- 20 unrecognized
    - none - - 0.1499 - - - -N-- 20 poorLighting
    - none - - 0 - - - -N-- 20 poorLighting
    - none - - 0.95 - - - -N-- 20 unrecognized
    - none - - 0.9501 - - - -N-- 20 poorLighting
    - none - - 7 - - - -N-- 20 poorLighting
    - none - - nan - - - -N-- 20 unrecognized
    - none - - error - - - -N-- 20 unrecognized
    - none - - dead - - - -N-- 510 unrecognized
    - none - - hang - - - -N-- 510 unrecognized
    - 0.5 - - 0.1 - - - -U-- 20 poorLighting,lowConfidence
    - 0.9 - - 0.1 - classification 0.9 -W-- 10 -
    # Distance: a share of 0.05 is near enough.
    - none - - - 0.05 - - -N-- 10 unrecognized
    - none - - - 0.0499 - - -N-- 10 objectTooFar
    - none - - - 0 - - -N-- 10 objectTooFar
    - none - - - 1 - - -N-- 10 unrecognized
    - 0.5 - - 0.1 0.01 - - -U-- 20 poorLighting,objectTooFar,lowConfidence
    dead 0.5 model - 0.1 0.01 - - TUM- 1010 poorLighting,objectTooFar,lowConfidence,modelNotLoaded,timedOut
    dead - model - 0.1 0.01 - - T-M- 1010 modelNotLoaded,timedOut,poorLighting,objectTooFar
    - 0.9 - - - 0.01 classification 0.9 -W-- 10 -
    """
}

@Suite("The table of decisions")
struct DecisionTableTests {
  @Test("Every row comes out as expected", arguments: Row.all)
  fileprivate func row(_ row: Row) throws {
    var bench = Bench()
    bench.behaviours = row.behaviours
    bench.light = row.light
    // Of 1000 x 500 pixels.
    let box = row.share.map { Box(x: 0, y: 0, width: 1000, height: Float($0 * 500)) }
    let result = try #require(try bench.result(objectBox: box))
    #expect(result.method?.rawValue ?? "-" == row.method)
    #expect(result.confidence == row.confidence)
    #expect(result.letters == row.letters)
    #expect(result.milliseconds == row.milliseconds)
    #expect(result.reasons.map(\.rawValue) == row.reasons)
    #expect(result.advice == result.reasons.first)
    #expect(result.isRecognized == (result.advice == nil))
  }

  @Test("One after the other the same steps win, for the same reasons", arguments: Row.all)
  fileprivate func sequential(_ row: Row) throws {
    var bench = Bench()
    bench.behaviours = row.behaviours
    bench.light = row.light
    bench.configuration.runsConcurrently = false
    let box = row.share.map { Box(x: 0, y: 0, width: 1000, height: Float($0 * 500)) }
    let result = try #require(try bench.result(objectBox: box))
    #expect(result.method?.rawValue ?? "-" == row.method)
    #expect(result.confidence == row.confidence)
    #expect(result.reasons.map(\.rawValue) == row.reasons)
    // Behind the winner nothing was begun.
    let letters = Array(row.letters)
    let expected = letters.map { "OC".contains($0) ? "S" : $0 }
    #expect(result.letters == String(expected))
  }
}
