import _CLibrary

/// The most likely alignment of a labelling with the steps of an output.
///
/// Source: Viterbi's recursion over Graves et al.'s labels with blanks between, 2006, section 4.1.
enum CTCAlignment {
  /// The mean probability of the steps in which the classes of a labelling begin, 0 if there are
  /// none.
  ///
  /// Of equally likely alignments it is the one with the earlier class, step by step from behind,
  /// which is what ``CTCDecoder`` reads.
  ///
  /// - Parameters:
  ///   - labels: the classes, without blanks.
  ///   - output: the probabilities.
  /// - Complexity: O(steps · labels).
  static func confidence(of labels: [Int], in output: CTCOutput) -> Float {
    guard !labels.isEmpty, output.steps > 0 else { return 0 }
    /// The class of a state: a blank before each label and behind the last.
    func label(_ state: Int) -> Int { state % 2 == 0 ? 0 : labels[state / 2] }
    let count = 2 * labels.count + 1
    // The logarithm of the best alignment's probability up to a state, and the sum of what its
    // labels began with.
    var states = [(log: Double, sum: Double)](repeating: (-.infinity, 0), count: count)
    states[0] = (output.logarithm(0, step: 0), 0)
    states[1] = (output.logarithm(label(1), step: 0), output.probability(label(1), step: 0))
    for step in 1..<output.steps {
      let blank = output.logarithm(0, step: step)
      for state in (0..<count).reversed() {
        var best = state
        for back in [1, 2] where back <= state {
          // A blank may be left out between different labels.
          guard back == 1 || state % 2 == 1 && label(state - 2) != label(state) else { continue }
          let other = state - back
          let (a, b) = (states[other].log, states[best].log)
          if a > b || a == b && label(other) < label(best) { best = other }
        }
        let begins = best != state && state % 2 == 1
        states[state] = (
          states[best].log
            + (state % 2 == 0 ? blank : output.logarithm(label(state), step: step)),
          states[best].sum + (begins ? output.probability(label(state), step: step) : 0)
        )
      }
    }
    let (end, last) = (states[count - 1], states[count - 2])
    return Float((last.log > end.log ? last : end).sum / Double(labels.count))
  }
}

/// The output of a network for one line, as probabilities whatever is in it.
struct CTCOutput {
  let values: UnsafeBufferPointer<Float>
  let steps: Int
  let classes: Int

  /// The probability of a class: 0 for NaN and what is negative, and never infinite.
  func probability(_ index: Int, step: Int) -> Double {
    let value = values[step * classes + index]
    return value > 0 ? Double(min(value, .greatestFiniteMagnitude)) : 0
  }

  /// Its natural logarithm; that of 1 for the blank of a step that has nothing else.
  func logarithm(_ index: Int, step: Int) -> Double {
    let probability = probability(index, step: step)
    if probability > 0 { return log(probability) }
    return index == 0 && isEmpty(step) ? 0 : -.infinity
  }

  /// Calls a closure with the values of a step as they are.
  func withRow(_ step: Int, _ body: (UnsafeRawPointer) -> Void) {
    guard let start = values.baseAddress else { return }
    body(UnsafeRawPointer(start + step * classes))
  }

  /// Whether no class of a step has a probability.
  func isEmpty(_ step: Int) -> Bool {
    let row = values[step * classes..<(step + 1) * classes]
    return !row.contains { $0 > 0 }
  }
}
