/// One thing to measure: a name, and what to run.
///
/// The peers in `Benchmarks/peers.py` go by the same names and work on the same input.
struct Benchmark: Sendable {
  /// One run; it returns a number that depends on all of its work.
  ///
  /// The answer is printed, so that none of the work can be optimised away, and compared with the
  /// peers', so that nobody is measured at something easier.
  typealias Run = () throws -> Double

  /// `module/operation-size`.
  let name: String
  /// How far the peers' answers may lie from ours, relative to them; 0: not at all.
  var tolerance = 0.0
  /// How many things one run deals with, for a rate; 1 where one run is the thing.
  var items = 1
  /// Whether it takes seconds or gigabytes and only runs where asked for.
  var isLarge = false
  /// Makes the input.
  let setup: @Sendable (Settings) throws -> Run
}

/// What benchmarks need to know.
struct Settings: Sendable {
  /// The number of threads for what uses more than one.
  var threads = 1
}

extension Benchmark {
  /// All benchmarks.
  static let all =
    statistics + boxes + hostileBoxes + decoding + heads + clustering + clusters + counting
    + images + books + spines + frames + evaluation
    + stores + search
}
