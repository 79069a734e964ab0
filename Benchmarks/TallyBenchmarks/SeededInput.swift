import Geometry
import LinearAlgebra
import Raster

/// Input that both sides make for themselves, the same to the bit: `Benchmarks/inputs.py` is the same
/// in NumPy.
///
/// SplitMix64 (Steele, Lea and Flood, 2014), whose n-th number follows from n alone, so that NumPy can
/// make all of them at once. Floating-point input takes only operations that round the same everywhere.
struct SeededInput {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in 0..<1.
  mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number in 0..<`bound`, which is far below 2^64.
  mutating func below(_ bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  /// Boxes in clusters of ten around places of a square of `side` pixels, as a detector's output is
  /// before suppression; and a score for each, all different.
  static func clusteredBoxes(
    count: Int, side: Double, seed: UInt64
  ) -> (boxes: [Box], scores: [Float]) {
    var input = SeededInput(seed: seed)
    let centers = (0..<count / 10).map { _ in
      (
        x: input.uniform() * side, y: input.uniform() * side, w: 20 + input.uniform() * 100,
        h: 20 + input.uniform() * 100
      )
    }
    var boxes: [Box] = []
    var scores: [Float] = []
    for index in 0..<count {
      let center = centers[index % centers.count]
      let x = center.x + (input.uniform() - 0.5) * 12
      let y = center.y + (input.uniform() - 0.5) * 12
      boxes.append(
        Box(
          minX: Float(x), minY: Float(y), maxX: Float(x + center.w), maxY: Float(y + center.h)))
      // 7919 is prime and divides no count here: every score comes once.
      scores.append(Float((Double(index * 7919 % count) + 0.5) / Double(count)))
    }
    return (boxes, scores)
  }

  /// The raw output of a YOLOX head: most objectness tiny, about one candidate in five above 0.001.
  static func headOutput(candidates: Int, classes: Int, seed: UInt64) -> [Float] {
    var input = SeededInput(seed: seed)
    var values: [Float] = []
    values.reserveCapacity(candidates * (5 + classes))
    for _ in 0..<candidates {
      for _ in 0..<4 { values.append(Float(input.uniform() * 2 - 1)) }
      var objectness = input.uniform()
      for _ in 0..<5 { objectness *= objectness }
      values.append(Float(objectness))
      for _ in 0..<classes { values.append(Float(input.uniform())) }
    }
    return values
  }

  /// How embeddings lie to one another.
  enum EmbeddingShape: String, CaseIterable {
    /// Around one center for every twenty of them.
    case apart
    /// Each between its own center and the next one, so that all hang together.
    case overlapping
    /// Around no center.
    case unstructured
  }

  /// Embeddings, not normalized.
  static func embeddings(
    count: Int, dimension: Int, seed: UInt64, shape: EmbeddingShape = .apart
  ) throws -> Matrix<Float> {
    var input = SeededInput(seed: seed)
    let centers = (0..<(shape == .unstructured ? 0 : max(2, count / 20))).map { _ in
      (0..<dimension).map { _ in input.uniform() * 2 - 1 }
    }
    let shares = (0..<count).map { _ in shape == .overlapping ? input.uniform() / 2 : 0 }
    var values: [Float] = []
    values.reserveCapacity(count * dimension)
    for (row, share) in shares.enumerated() {
      for column in 0..<dimension {
        let noise = input.uniform() * 2 - 1
        guard shape != .unstructured else {
          values.append(Float(noise))
          continue
        }
        let center = centers[row % centers.count][column]
        let next = centers[(row + 1) % centers.count][column]
        values.append(Float(center * (1 - share) + next * share + noise * 0.4))
      }
    }
    return try Matrix(rowCount: count, columnCount: dimension, elements: values)
  }

  /// An image of random bytes.
  static func image(width: Int, height: Int, channels: Int, seed: UInt64) throws -> Raster {
    var input = SeededInput(seed: seed)
    let samples = (0..<width * height * channels).map { _ in
      UInt8(truncatingIfNeeded: input.next())
    }
    return try Raster(width: width, height: height, channels: channels, samples: samples)
  }

  /// ISBN-13s of the groups 0 to 3, of which every `flaw`-th has a wrong check digit.
  static func isbns(count: Int, flaw: Int = .max, seed: UInt64) -> [String] {
    var input = SeededInput(seed: seed)
    return (0..<count).map { index in
      let body = 978_000_000_000 + input.below(400_000_000)
      var rest = body
      var sum = 0
      for place in 0..<12 {
        sum += rest % 10 * (place % 2 == 0 ? 3 : 1)
        rest /= 10
      }
      let check = (10 - sum % 10) % 10
      return String(body) + String(index % flaw == flaw - 1 ? (check + 1) % 10 : check)
    }
  }

  /// Words with an ISBN after every twenty of them.
  static func text(isbns count: Int, seed: UInt64) -> String {
    let words = [
      "printed", "in", "the", "first", "edition", "1998", "pages", "12.95", "library", "of",
    ]
    var input = SeededInput(seed: seed)
    var text = ""
    for isbn in isbns(count: count, seed: seed + 1) {
      for _ in 0..<20 { text += words[input.below(words.count)] + " " }
      text += "ISBN " + isbn.prefix(3) + "-" + isbn.dropFirst(3) + ", "
    }
    return text
  }
}
