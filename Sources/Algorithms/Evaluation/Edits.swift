/// The edits from a shorter to a longer sequence of small numbers, with the fewest substitutions.
struct Edits {
  /// The numbers of elements that are replaced, left out and added.
  let substitutions, omissions, additions: Int

  init(shorter: [Int], longer: [Int]) {
    let excess = longer.count - shorter.count
    guard !shorter.isEmpty else {
      (substitutions, omissions, additions) = (0, 0, excess)
      return
    }
    let distance = Self.distance(shorter, longer)
    substitutions = Self.substitutions(shorter, longer, distance: distance)
    omissions = (distance - substitutions - excess) / 2
    additions = omissions + excess
  }

  /// The Levenshtein distance: 64 rows of the table at once, by the differences of its fields.
  private static func distance(_ shorter: [Int], _ longer: [Int]) -> Int {
    let kinds = 1 + max(shorter.max() ?? 0, longer.max() ?? 0)
    // For each kind of element, the places of a block that have it.
    var places = [UInt64](repeating: 0, count: kinds)
    // The differences between neighbours in the last row so far, from column to column.
    var steps = [Int8](repeating: 1, count: longer.count)
    for start in stride(from: 0, to: shorter.count, by: 64) {
      let block = shorter[start..<min(start + 64, shorter.count)]
      for (place, element) in block.enumerated() { places[element] |= 1 << UInt64(place) }
      let last = UInt64(block.count - 1)
      // The differences between neighbours in a column, 1 and -1.
      var (rises, falls) = (UInt64.max, UInt64(0))
      for column in longer.indices {
        let (isRise, isFall): (UInt64, UInt64) = (
          steps[column] > 0 ? 1 : 0, steps[column] < 0 ? 1 : 0
        )
        let equal = places[longer[column]] | isFall
        let diagonal = (((equal & rises) &+ rises) ^ rises) | equal | falls
        let rowRises = falls | ~(diagonal | rises)
        let rowFalls = diagonal & rises
        steps[column] = Int8((rowRises >> last) & 1) - Int8((rowFalls >> last) & 1)
        rises = rowFalls << 1 | isFall | ~(diagonal | (rowRises << 1 | isRise))
        falls = diagonal & (rowRises << 1 | isRise)
      }
      for element in block { places[element] = 0 }
    }
    return shorter.count + steps.reduce(0) { $0 + Int($1) }
  }

  /// The fewest substitutions of all alignments with the fewest edits.
  private static func substitutions(
    _ shorter: [Int], _ longer: [Int], distance: Int
  ) -> Int {
    // One number has both: an edit costs `unit`, and a substitution 1 more. So the least cost has
    // the fewest edits, and of those the fewest substitutions, of which there are less than `unit`.
    let unit = shorter.count + 1
    // An alignment that is further off the diagonal has more edits: it has to come back.
    let excess = longer.count - shorter.count
    let (below, above) = ((distance + excess) / 2, (distance - excess) / 2)
    // Above every cost, and one more edit of it is still an `Int`.
    let outside = Int.max / 2
    // Entry j is the cost of the first j elements of the shorter one and those before `row`.
    var costs = (0...shorter.count).map { $0 <= above ? $0 * unit : outside }
    for row in 1...longer.count {
      let element = longer[row - 1]
      let first = max(1, row - below)
      let last = min(shorter.count, row + above)
      var diagonal = costs[first - 1]
      var left = first == 1 && row <= below ? row * unit : outside
      costs[first - 1] = left
      for column in first...last {
        let upper = costs[column]
        let matched = shorter[column - 1] == element ? diagonal : diagonal &+ unit &+ 1
        left = min(matched, min(upper, left) &+ unit)
        costs[column] = left
        diagonal = upper
      }
    }
    return costs[shorter.count] % unit
  }
}
