import Geometry

extension CandidateTable {
  /// The candidates whose score is at least `minimumScore`, in the order of the output.
  ///
  /// ### Edge cases
  /// A candidate is left out if its score, one of its classes or its box is NaN, or if its box is
  /// infinite. It is also left out if its row names a class that is negative or above a million. A
  /// table without rows has no candidates.
  ///
  /// - Parameters:
  ///   - output: `[1, N, columns]`, `[N, columns]`, or with the last two exchanged if the table is
  ///     transposed.
  ///   - minimumScore: the least score to report, inclusive, 0...1.
  /// - Throws: ``DetectionDecodeError/outputShape(got:expected:)`` or
  ///   ``DetectionDecodeError/minimumScore(_:)``.
  /// - Complexity: O(*N* *C*) for *C* classes; with objectness only for the candidates whose
  ///   objectness suffices.
  public func candidates(
    in output: HeadOutput, minimumScore: Float
  ) throws(DetectionDecodeError) -> [DetectionCandidate] {
    try requireScore(minimumScore)
    let (rows, rowStride, columnStride) = try strides(of: output)
    guard rows > 0 else { return [] }
    return output.values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return [] }
      let table = Values(
        start: start, rows: rows, rowStride: rowStride, columnStride: columnStride)
      switch scores {
      case .classes(let classes):
        // Class after class, so that memory is read in order whichever way the table lies.
        let greatest = isTransposed ? table.greatest(of: classes) : nil
        return read(table) { row in
          if let greatest, !(greatest[row] >= minimumScore) { return nil }
          guard let best = table.best(of: classes, row: row), best.score >= minimumScore else {
            return nil
          }
          return Reading(score: best.score, objectness: nil, classID: best.classID)
        }
      case .objectness(let column, let classes):
        return read(table) { row in
          let objectness = table[row, column]
          guard objectness >= minimumScore, let best = table.best(of: classes, row: row)
          else { return nil }
          let score = objectness * best.score
          guard score >= minimumScore else { return nil }
          return Reading(score: score, objectness: objectness, classID: best.classID)
        }
      case .best(let scoreColumn, let classColumn):
        return read(table) { row in
          let score = table[row, scoreColumn]
          guard score >= minimumScore,
            let classID = DetectionCandidate.classID(table[row, classColumn])
          else { return nil }
          return Reading(score: score, objectness: nil, classID: classID)
        }
      }
    }
  }

  /// The coefficients of a candidate's mask; empty if the table has none or the row is not of the
  /// output.
  public func coefficients(
    ofRow row: Int, in output: HeadOutput
  ) throws(DetectionDecodeError) -> [Float] {
    let (rows, rowStride, columnStride) = try strides(of: output)
    guard (0..<rows).contains(row) else { return [] }
    return coefficientColumns.map { output.values[row * rowStride + $0 * columnStride] }
  }

  /// How many rows an output has, and how far values lie apart.
  private func strides(
    of output: HeadOutput
  ) throws(DetectionDecodeError) -> (rows: Int, rowStride: Int, columnStride: Int) {
    guard let shape = output.trailing(2), shape[isTransposed ? 0 : 1] == columnCount else {
      throw .outputShape(got: output.shape, expected: shapeText)
    }
    let rows = shape[isTransposed ? 1 : 0]
    return isTransposed ? (rows, 1, rows) : (rows, columnCount, 1)
  }

  /// What a row says except its box.
  private struct Reading {
    let score: Float
    let objectness: Float?
    let classID: Int
  }

  private func read(_ table: Values, _ reading: (Int) -> Reading?) -> [DetectionCandidate] {
    var found: [DetectionCandidate] = []
    for row in 0..<table.rows {
      guard let seen = reading(row) else { continue }
      let box = boxForm.box(
        table[row, boxColumn], table[row, boxColumn + 1], table[row, boxColumn + 2],
        table[row, boxColumn + 3])
      let angle = angleColumn.map { table[row, $0] }
      guard box.isFinite, angle?.isFinite != false else { continue }
      found.append(
        DetectionCandidate(
          box: box, score: seen.score, objectness: seen.objectness, classID: seen.classID,
          angle: angle, row: row))
    }
    return found
  }
}

/// The values of a table, whichever way it lies.
private struct Values {
  let start: UnsafePointer<Float>
  let rows: Int
  let rowStride: Int
  let columnStride: Int

  @inline(__always)
  subscript(_ row: Int, _ column: Int) -> Float {
    start[row &* rowStride &+ column &* columnStride]
  }

  /// The greatest class score of each row; NaN if the first is NaN, and blind to others.
  func greatest(of classes: Range<Int>) -> [Float] {
    [Float](unsafeUninitializedCapacity: rows) { greatest, count in
      count = rows
      guard let greatest = greatest.baseAddress else { return }
      greatest.initialize(from: start + classes.lowerBound * columnStride, count: rows)
      for column in classes.dropFirst() {
        let scores = start + column * columnStride
        for row in 0..<rows {
          let score = scores[row]
          greatest[row] = score > greatest[row] ? score : greatest[row]
        }
      }
    }
  }

  /// The greatest class score of a row and the first class that has it; nil if one is NaN.
  @inline(__always)
  func best(of classes: Range<Int>, row: Int) -> (score: Float, classID: Int)? {
    var score = self[row, classes.lowerBound]
    var classID = 0
    if score.isNaN { return nil }
    for column in classes.dropFirst() {
      let value = self[row, column]
      if value > score {
        (score, classID) = (value, column &- classes.lowerBound)
      } else if value.isNaN {
        return nil
      }
    }
    return (score, classID)
  }
}
