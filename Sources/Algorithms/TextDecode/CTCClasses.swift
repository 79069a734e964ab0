/// The classes of a network trained with CTC, and what its output has to look like.
struct CTCClasses: Sendable {
  /// The text of each class: nothing for the blank, then the list, then a space.
  let texts: [String]

  /// - Throws: ``TextDecodeError/noCharacters``.
  init(characters: [String], endsWithSpace: Bool) throws(TextDecodeError) {
    guard !characters.isEmpty else { throw .noCharacters }
    texts = [""] + characters + (endsWithSpace ? [" "] : [])
  }

  /// How many classes there are, the blank among them.
  var count: Int { texts.count }

  /// How many steps an output has.
  ///
  /// - Throws: ``TextDecodeError/valueCount(got:expected:)`` if the values are not whole rows.
  func steps(in values: UnsafeBufferPointer<Float>) throws(TextDecodeError) -> Int {
    let (steps, rest) = values.count.quotientAndRemainder(dividingBy: count)
    guard rest == 0 else { throw .valueCount(got: values.count, expected: steps * count) }
    return steps
  }

  /// The first of the greatest values and its place; (0, 0) if all are NaN.
  static func greatest(_ row: UnsafePointer<Float>, _ count: Int) -> (Int, Float) {
    // Eight values at a time, in two registers of any processor.
    var (best, otherBest) = (
      SIMD4<Float>(repeating: -.infinity), SIMD4<Float>(repeating: -.infinity)
    )
    let raw = UnsafeRawPointer(row)
    var index = 0
    while index &+ 8 <= count {
      let values = raw.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self)
      let others = raw.loadUnaligned(fromByteOffset: index &* 4 &+ 16, as: SIMD4<Float>.self)
      best.replace(with: values, where: values .> best)
      otherBest.replace(with: others, where: others .> otherBest)
      index &+= 8
    }
    var greatest = max(best.max(), otherBest.max())
    while index < count {
      if row[index] > greatest { greatest = row[index] }
      index &+= 1
    }
    for place in 0..<count where row[place] == greatest { return (place, greatest) }
    return (0, 0)
  }
}
