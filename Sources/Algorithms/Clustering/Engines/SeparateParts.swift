import LinearAlgebra
import _CLibrary

/// Splits unit vectors into parts that are separated by at least a cosine distance.
///
/// It proves the separation without comparing every pair. Vectors are grouped around leaders in one
/// pass (Hartigan's leader algorithm, 1975). Each group has a mean direction, and a radius: the
/// largest angle of a member from the mean. Angles obey the triangle inequality. So no pair from
/// two groups is nearer than the threshold if the angle between the means exceeds the threshold's
/// angle plus both radii. Other groups are compared pair by pair, and joined if one pair is nearer.
/// The parts are separate for every linkage that is not smaller than single linkage: average,
/// complete, weighted.
///
/// Time O(n k d) for n vectors around k leaders, against O(n² d) for all pairs.
struct SeparateParts {
  /// The rows of each part, ascending, parts by their first row.
  let parts: [[Int]]

  /// The greatest number of groups, as a share of the rows: beyond it, all pairs are as quick.
  private static let mostGroups = 0.25
  /// The greatest share of pairs that are compared one by one.
  private static let mostPairs = 0.25
  /// The largest part, as a share of the rows, for which it was worth it.
  private static let largestPart = 0.75
  /// The most by which rounding may change a product of unit vectors in single precision.
  ///
  /// The true error is smaller: for rows of 10,000 values, their lengths and their product are each
  /// right to about 1e-6. This error is allowed for wherever a product becomes an angle. Near a
  /// cosine of 1 it matters much: 1e-6 less is an angle of 1.4e-3.
  private static let slack: Float = 1e-4

  /// Nil if there is nothing to gain: the vectors do not form groups, or the groups are connected.
  ///
  /// - Parameter rows: `count` unit vectors of `width` values, at least one.
  init?(rows: UnsafePointer<Float>, count: Int, width: Int, distance: Double) {
    // Right angles and beyond: groups in a space of many dimensions are about at right angles.
    guard distance < 0.75, width > 1, count > 1 else { return nil }
    let near = Float(1 - distance)
    guard let leaders = Leaders(rows: rows, count: count, width: width, near: near) else {
      return nil
    }
    let groups = Groups(leaders, rows: rows, count: count, width: width)
    var sets = ClusterNames(leafCount: groups.count)
    var doubtful: [(Int, Int)] = []
    var pairs = 0.0
    let limit = Self.mostPairs * Double(count) * Double(count) / 2
    groups.forEachDoubtfulPair(distance: distance, slack: Self.slack) { first, second in
      doubtful.append((first, second))
      pairs += Double(groups.size(first)) * Double(groups.size(second))
      return pairs <= limit
    }
    guard pairs <= limit else { return nil }
    for (first, second) in doubtful {
      let (one, other) = (sets.cluster(of: first), sets.cluster(of: second))
      if one != other, groups.areNear(first, second, near: near - Self.slack) {
        _ = sets.merge(one, other)
      }
    }
    // A merged set has a new number.
    var parts = [[Int]](repeating: [], count: 2 * groups.count)
    for row in 0..<count { parts[sets.cluster(of: groups.group(of: row))].append(row) }
    let found = parts.filter { !$0.isEmpty }.sorted { $0[0] < $1[0] }
    let largest = found.reduce(0) { max($0, $1.count) }
    guard Double(largest) <= Self.largestPart * Double(count) else { return nil }
    self.parts = found
  }

  /// Rows that others gather around.
  private struct Leaders {
    /// For each row its leader's number.
    var leader: [Int32]
    var count: Int

    /// Nil if there are too many.
    init?(rows: UnsafePointer<Float>, count: Int, width: Int, near: Float) {
      let most = max(Int(SeparateParts.mostGroups * Double(count)), 4)
      let block = 64
      leader = [Int32](repeating: 0, count: count)
      var leaders = PackedRows(width: width)
      // The rows that lead.
      var places: [Int] = []
      var products = [Float](repeating: 0, count: block * (most + block))
      for start in stride(from: 0, to: count, by: block) {
        let height = min(block, count - start)
        let known = places.count
        products.withUnsafeMutableBufferPointer { products in
          guard let products = products.baseAddress else { return }
          leaders.uncheckedProducts(
            of: rows + start * width, count: height, with: 0..<known, into: products, stride: known)
        }
        for index in 0..<height {
          let row = rows + (start + index) * width
          var (best, most) = (-1, near)
          products.withUnsafeBufferPointer { products in
            for (place, product) in products[index * known..<(index + 1) * known].enumerated()
            where product >= most {
              (best, most) = (place, product)
            }
          }
          if best < 0 {
            for place in known..<places.count {
              let product = BLAS.uncheckedDot(Int32(width), row, rows + places[place] * width)
              if product >= most { (best, most) = (place, product) }
            }
          }
          if best < 0 {
            best = places.count
            places.append(start + index)
            leaders.append(unchecked: row, count: 1)
          }
          leader[start + index] = Int32(truncatingIfNeeded: best)
        }
        // By then a sixteenth of the time for all pairs has gone.
        if places.count > most { return nil }
      }
      self.count = places.count
    }
  }

  /// The rows around each leader, their mean direction, and how far from it they lie.
  private struct Groups {
    let count: Int
    private let width: Int
    private let groups: [Int32]
    /// The rows by group, and the start of each group.
    private let gathered: [Float]
    private let starts: [Int]
    private let means: [Float]
    /// For each group the largest angle of a row from its mean.
    private let radii: [Double]

    init(_ leaders: Leaders, rows: UnsafePointer<Float>, count rowCount: Int, width: Int) {
      let count = leaders.count
      var starts = [Int](repeating: 0, count: count + 1)
      for leader in leaders.leader { starts[Int(leader) + 1] += 1 }
      for group in 0..<count { starts[group + 1] += starts[group] }
      var members = [Int](repeating: 0, count: rowCount)
      var next = starts
      for (row, leader) in leaders.leader.enumerated() {
        members[next[Int(leader)]] = row
        next[Int(leader)] += 1
      }
      let gathered = [Float](unsafeUninitializedCapacity: rowCount * width) { target, filled in
        filled = rowCount * width
        guard let target = target.baseAddress else { return }
        for (place, row) in members.enumerated() {
          (target + place * width).initialize(from: rows + row * width, count: width)
        }
      }
      var means = [Float](repeating: 0, count: count * width)
      var radii = [Double](repeating: 0, count: count)
      gathered.withUnsafeBufferPointer { gathered in
        means.withUnsafeMutableBufferPointer { means in
          guard let means = means.baseAddress, let gathered = gathered.baseAddress else { return }
          for group in 0..<count {
            let mean = means + group * width
            for place in starts[group]..<starts[group + 1] {
              let row = gathered + place * width
              for column in 0..<width { mean[column] += row[column] }
            }
            let square = Double(BLAS.uncheckedDot(Int32(width), mean, mean))
            let scale = Float(1 / max(square, 1e-30).squareRoot())
            for column in 0..<width { mean[column] *= scale }
            var least: Float = 1
            for place in starts[group]..<starts[group + 1] {
              least = min(least, BLAS.uncheckedDot(Int32(width), gathered + place * width, mean))
            }
            // A row that stands alone is its own mean, to the bit except the length.
            let isAlone = starts[group + 1] - starts[group] == 1
            radii[group] = isAlone ? 0 : acos(Double(min(max(least - SeparateParts.slack, -1), 1)))
          }
        }
      }
      self.count = count
      self.width = width
      groups = leaders.leader
      self.gathered = gathered
      self.starts = starts
      self.means = means
      self.radii = radii
    }

    func group(of row: Int) -> Int { Int(groups[row]) }

    func size(_ group: Int) -> Int { starts[group + 1] - starts[group] }

    /// Calls `body` with pairs of groups that are not proved to be apart, until it returns false.
    func forEachDoubtfulPair(
      distance: Double, slack: Float, _ body: (Int, Int) -> Bool
    ) {
      let angle = acos(1 - distance)
      // cos(a + b) = cos a cos b - sin a sin b: no cosine a pair.
      let (cosines, sines) = (radii.map { cos($0) }, radii.map { sin($0) })
      let packed = means.withUnsafeBufferPointer { means in
        PackedRows(unchecked: means.baseAddress!, count: count, width: width)
      }
      let block = 2 * PackedRows.step
      var products = [Float](repeating: 0, count: block * count)
      for start in stride(from: 0, to: count, by: block) {
        let height = min(block, count - start)
        // With the groups from the first of the block on.
        let others = count - start
        means.withUnsafeBufferPointer { means in
          products.withUnsafeMutableBufferPointer { products in
            guard let means = means.baseAddress, let products = products.baseAddress else { return }
            packed.uncheckedProducts(
              of: means + start * width, count: height, with: start..<count, into: products,
              stride: others)
          }
        }
        for index in 0..<height {
          let first = start + index
          let reach = angle + radii[first]
          let (cosine, sine) = (cos(reach), sin(reach))
          for place in index + 1..<max(others, index + 1) {
            let second = start + place
            let bound = cosine * cosines[second] - sine * sines[second]
            let isApart =
              reach + radii[second] < .pi
              && Double(products[index * others + place] + slack) < bound
            if !isApart, !body(first, second) { return }
          }
        }
      }
    }

    /// Whether two rows, one of either group, have a product of at least `near`.
    func areNear(_ first: Int, _ second: Int, near: Float) -> Bool {
      let (tall, wide) = (size(first), size(second))
      return withUnsafeTemporaryAllocation(of: Float.self, capacity: tall * wide) { products in
        gathered.withUnsafeBufferPointer { gathered in
          guard let gathered = gathered.baseAddress, let base = products.baseAddress else {
            return true
          }
          BLAS.uncheckedGEMM(
            GEMMShape(m: Int32(tall), n: Int32(wide), k: Int32(width), transposesB: true),
            a: gathered + starts[first] * width, b: gathered + starts[second] * width, c: base)
          var most = -Float.infinity
          for place in 0..<tall * wide { most = max(most, base[place]) }
          return most >= near
        }
      }
    }
  }
}
