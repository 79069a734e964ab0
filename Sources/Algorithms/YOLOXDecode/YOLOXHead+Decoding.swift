import Geometry
import _CLibrary

extension YOLOXHead {
  /// The candidates whose score is at least `minimumScore`, in the order of the output.
  ///
  /// For a raw head, with stride `s` and grid cell `(gx, gy)`: `cx = (x + gx) * s`, `cy = (y + gy)
  /// * s`, `w = exp(w) * s`, `h = exp(h) * s`, in float32; corners are `cx -+ w / 2` and `cy -+ h /
  /// 2`. `score = objectness * classScore`, the class score being the greatest, the first of equal
  /// ones.
  ///
  /// ### Edge cases
  /// Objectness and class scores are probabilities. If a network's class scores exceed 1 (they
  /// are not probabilities then), candidates whose objectness is below `minimumScore` are left out
  /// all the same. A candidate whose objectness or one of whose class scores is NaN is left out,
  /// and so is one whose box is not finite, as `exp` of a large number is.
  ///
  /// - Parameters:
  ///   - output: the values of the output, row after row.
  ///   - minimumScore: the lowest score to report, inclusive, 0...1.
  /// - Throws: ``YOLOXDecodeError/valueCount(got:expected:)`` or
  ///   ``YOLOXDecodeError/minimumScore(_:)``.
  /// - Complexity: O(*N* + *K* *C*), *K* being the number of candidates whose objectness reaches
  ///   the minimum.
  public func candidates(
    in output: [Float], minimumScore: Float
  ) throws(YOLOXDecodeError) -> [YOLOXCandidate] {
    try output.withUnsafeBufferPointer { (output) throws(YOLOXDecodeError) in
      try candidates(in: output, minimumScore: minimumScore)
    }
  }

  /// The candidates whose score is at least `minimumScore`, in the order of the output.
  ///
  /// The same as ``candidates(in:minimumScore:)-([Float],_)``, for values that are in no array,
  /// such as a tensor's. The buffer is only read, and only during the call.
  ///
  /// - Throws: ``YOLOXDecodeError/valueCount(got:expected:)`` or
  ///   ``YOLOXDecodeError/minimumScore(_:)``.
  public func candidates(
    in output: UnsafeBufferPointer<Float>, minimumScore: Float
  ) throws(YOLOXDecodeError) -> [YOLOXCandidate] {
    guard output.count == valueCount else {
      throw .valueCount(got: output.count, expected: valueCount)
    }
    guard minimumScore >= 0, minimumScore <= 1 else { throw .minimumScore(minimumScore) }
    guard let output = output.baseAddress else { return [] }
    var found: [YOLOXCandidate] = []
    let rowLength = 5 + classCount
    guard !isSelfDecoded, let pyramid else {
      for row in 0..<candidateCount {
        visit(row * rowLength, of: output, minimumScore, adding: &found) { start in
          Box(
            centerX: output[start], centerY: output[start + 1], width: output[start + 2],
            height: output[start + 3])
        }
      }
      return found
    }
    var start = 0
    for stride in pyramid.strides {
      let size = Float(stride)
      for gridY in 0..<inputHeight / stride {
        for gridX in 0..<inputWidth / stride {
          visit(start, of: output, minimumScore, adding: &found) { start in
            Box(
              centerX: (output[start] + Float(gridX)) * size,
              centerY: (output[start + 1] + Float(gridY)) * size,
              width: exp(output[start + 2]) * size, height: exp(output[start + 3]) * size)
          }
          start += rowLength
        }
      }
    }
    return found
  }

  /// Adds the candidate whose values start at `start`, if its score is high enough.
  @inline(__always)
  private func visit(
    _ start: Int, of output: UnsafePointer<Float>, _ minimumScore: Float,
    adding found: inout [YOLOXCandidate], decoding: (_ start: Int) -> Box
  ) {
    // Most candidates end here: their classes need not be looked at.
    let objectness = output[start + 4]
    guard objectness >= minimumScore else { return }
    let classes = ClassScores(start: output + start + 5, count: classCount)
    let greatest = classes.greatest()
    guard objectness * greatest >= minimumScore else { return }
    let box = decoding(start)
    guard box.isFinite else { return }
    let classID = classes.firstIndex(of: greatest)
    // Of the zeros, which are equal, the first one's.
    let classScore = classes.start[classID]
    found.append(
      YOLOXCandidate(
        box: box, score: objectness * classScore, objectness: objectness, classScore: classScore,
        classID: classID))
  }
}
