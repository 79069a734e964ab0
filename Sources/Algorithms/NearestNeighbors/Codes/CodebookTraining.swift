/// Finds the centroids of one subspace by Lloyd's method, from rows drawn at random.
///
/// `Clustering.KMeans` does the same with better starts and in double precision, but takes seven
/// times as long for 256 centroids of few columns. With 256 centroids the starts make little
/// difference.
struct CodebookTraining {
  /// The parts of the rows, one after the other.
  private let parts: [Float]
  private let count: Int
  private let width: Int
  private let centroidCount: Int
  /// The centroids, column after column.
  private var lanes: [Float]
  /// Each row's centroid, and its squared distance from it.
  private var labels: [Int]
  private var squares: [Float]

  /// Draws as many different rows as there are centroids.
  ///
  /// - Parameter parts: at least as many rows as centroids.
  init(parts: [Float], width: Int, centroidCount: Int, generator: SplitMix) {
    self.parts = parts
    self.width = width
    self.centroidCount = centroidCount
    count = parts.count / width
    lanes = [Float](repeating: 0, count: width * centroidCount)
    labels = [Int](repeating: -1, count: count)
    squares = [Float](repeating: 0, count: count)
    var generator = generator
    var rows = Array(0..<count)
    for centroid in 0..<centroidCount {
      rows.swapAt(centroid, centroid + generator.next(below: count - centroid))
      place(centroid, at: rows[centroid])
    }
  }

  /// The centroids, one after the other.
  var centroids: [Float] {
    (0..<centroidCount).flatMap { centroid in
      (0..<width).lazy.map { lanes[$0 * centroidCount + centroid] }
    }
  }

  /// Moves the centroids until no row changes its centroid, or the limit is reached.
  mutating func run(iterationLimit: Int) {
    for _ in 0..<iterationLimit {
      guard assign() else { return }
      move()
    }
  }

  private mutating func place(_ centroid: Int, at row: Int) {
    for column in 0..<width {
      lanes[column * centroidCount + centroid] = parts[row * width + column]
    }
  }

  /// Gives each row the nearest centroid, and returns whether any row has another than before.
  private mutating func assign() -> Bool {
    var table = [Float](repeating: 0, count: centroidCount)
    var isChanged = false
    parts.withUnsafeBufferPointer { parts in
      lanes.withUnsafeBufferPointer { lanes in
        table.withUnsafeMutableBufferPointer { table in
          guard let parts = parts.baseAddress, let lanes = lanes.baseAddress,
            let table = table.baseAddress
          else { return }
          for row in 0..<count {
            CentroidComparison.squares.write(
              parts + row * width, lanes, width: width, centroidCount: centroidCount, into: table)
            let label = CentroidComparison.least(table, centroidCount: centroidCount)
            if label != labels[row] { isChanged = true }
            (labels[row], squares[row]) = (label, table[label])
          }
        }
      }
    }
    return isChanged
  }

  /// Moves each centroid to the mean of its rows, and each that has none to a row far from its own.
  private mutating func move() {
    var sums = [Double](repeating: 0, count: centroidCount * width)
    var sizes = [Int](repeating: 0, count: centroidCount)
    for (row, label) in labels.enumerated() {
      sizes[label] += 1
      for column in 0..<width {
        sums[label * width + column] += Double(parts[row * width + column])
      }
    }
    for centroid in 0..<centroidCount where sizes[centroid] > 0 {
      for column in 0..<width {
        lanes[column * centroidCount + centroid] = Float(
          sums[centroid * width + column] / Double(sizes[centroid]))
      }
    }
    let empty = sizes.indices.filter { sizes[$0] == 0 }
    guard !empty.isEmpty else { return }
    var far = squares.indices.filter { squares[$0] > 0 }
      .sorted { (-squares[$0], labels[$0], $0) < (-squares[$1], labels[$1], $1) }[...]
    for centroid in empty {
      guard let row = far.first else { return }
      place(centroid, at: row)
      // Rows as far from the same centroid may be copies, and one centroid is enough for them.
      far = far.drop { squares[$0] == squares[row] && labels[$0] == labels[row] }
    }
  }
}
