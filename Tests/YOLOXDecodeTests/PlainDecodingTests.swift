import Foundation
import Geometry
import TestSupport
import Testing
import YOLOXDecode

/// Decoding against one value after the other, to the last bit.
@Suite struct PlainDecodingTests {
  /// What ``YOLOXHead/candidates(in:minimumScore:)`` says it does, in the plainest way.
  private func plainCandidates(
    _ head: YOLOXHead, _ output: [Float], minimumScore: Float
  ) -> [YOLOXCandidate] {
    var places: [(x: Int, y: Int, stride: Int)] = []
    for stride in head.pyramid?.strides ?? [] {
      for y in 0..<head.inputHeight / stride {
        for x in 0..<head.inputWidth / stride { places.append((x, y, stride)) }
      }
    }
    return (0..<head.candidateCount).compactMap { row in
      let values = output[row * (5 + head.classCount)..<(row + 1) * (5 + head.classCount)]
      let row4 = Array(values.prefix(4))
      let scores = Array(values.dropFirst(5))
      let objectness = values[values.startIndex + 4]
      var classID = 0
      for (index, score) in scores.enumerated() where score > scores[classID] { classID = index }
      let score = objectness * scores[classID]
      guard !scores.contains(where: \.isNaN), objectness >= minimumScore, score >= minimumScore
      else { return nil }
      var box = Box(centerX: row4[0], centerY: row4[1], width: row4[2], height: row4[3])
      if !head.isSelfDecoded {
        let size = Float(places[row].stride)
        box = Box(
          centerX: (row4[0] + Float(places[row].x)) * size,
          centerY: (row4[1] + Float(places[row].y)) * size, width: exp(row4[2]) * size,
          height: exp(row4[3]) * size)
      }
      guard box.isFinite else { return nil }
      return YOLOXCandidate(
        box: box, score: score, objectness: objectness, classScore: scores[classID],
        classID: classID)
    }
  }

  private func bits(_ candidates: [YOLOXCandidate]) -> [[UInt32]] {
    candidates.map { candidate in
      let box = candidate.box
      return [
        box.minX, box.minY, box.maxX, box.maxY, candidate.score, candidate.objectness,
        candidate.classScore,
      ].map(\.bitPattern) + [UInt32(candidate.classID)]
    }
  }

  enum Scores: CaseIterable {
    case different, ties, equal, negative, zeros, strange
  }

  @Test(arguments: Scores.allCases, [true, false])
  func equalsOneValueAfterTheOther(kind: Scores, selfDecoded: Bool) throws {
    let strange: [Float] = [
      .nan, -.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0,
      0, 1, -1,
    ]
    for classes in Array(1...33) + [79, 80, 81, 91, 365] {
      let head = try YOLOXHead(
        inputWidth: 96, inputHeight: 64, classCount: classes, selfDecoded: selfDecoded)
      var generator = SeededGenerator(seed: UInt64(classes))
      var output = sampleOutput(seed: UInt64(classes), rows: head.candidateCount, classes: classes)
      for index in output.indices where index % (5 + classes) > 4 {
        switch kind {
        case .different: output[index] = generator.unitFloat()
        case .ties: output[index] = Float(generator.next() % 3) / 4
        case .equal: output[index] = 0.5
        case .negative: output[index] = generator.unitFloat() - 1
        case .zeros: output[index] = generator.next() % 2 == 0 ? 0 : -0.0
        case .strange:
          output[index] = generator.unitFloat()
          if generator.next() % UInt64(classes) == 0 {
            output[index] = strange[Int(generator.next() % 10)]
          }
        }
      }
      for minimum in [0, 0.001, 0.3, 1] as [Float] {
        let found = try head.candidates(in: output, minimumScore: minimum)
        #expect(bits(found) == bits(plainCandidates(head, output, minimumScore: minimum)))
      }
    }
  }

  @Test func notANumberIsFoundInEveryClass() throws {
    for classes in [1, 7, 8, 9, 15, 16, 17, 80] {
      let head = try YOLOXHead(
        outputShape: [1, 1, 5 + classes], inputWidth: 32, inputHeight: 32, selfDecoded: true)
      for place in 0..<classes {
        var row = [Float](repeating: 0.5, count: 5 + classes)
        #expect(try head.candidates(in: row, minimumScore: 0).first?.classID == 0)
        row[5 + place] = 0.75
        #expect(try head.candidates(in: row, minimumScore: 0).first?.classID == place)
        row[5 + place] = .nan
        #expect(try head.candidates(in: row, minimumScore: 0).isEmpty)
      }
    }
  }
}
