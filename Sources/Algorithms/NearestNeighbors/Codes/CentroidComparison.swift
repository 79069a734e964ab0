/// How a vector's part is compared with the centroids of a codebook.
///
/// Centroids lie column after column. Their number is a multiple of 16, and 16 are compared at a
/// time. Sums go over the columns in order and without fused products, so that they are the same on
/// every processor.
enum CentroidComparison {
  /// By the squared distance.
  case squares
  /// By the inner product.
  case products

  private typealias Centroids = SIMD16<Float>

  /// Writes the comparison with each centroid.
  func write(
    _ part: UnsafePointer<Float>, _ codebook: UnsafePointer<Float>, width: Int,
    centroidCount: Int, into table: UnsafeMutablePointer<Float>
  ) {
    for first in stride(from: 0, to: centroidCount, by: Centroids.scalarCount) {
      var place = UnsafeRawPointer(codebook + first)
      var sums = Centroids.zero
      // Each of the loops is written out: a closure for the term would be called for every term.
      switch self {
      case .squares:
        for column in 0..<width {
          let difference = place.loadUnaligned(as: Centroids.self) - part[column]
          sums += difference * difference
          place += 4 &* centroidCount
        }
      case .products:
        for column in 0..<width {
          sums += place.loadUnaligned(as: Centroids.self) * part[column]
          place += 4 &* centroidCount
        }
      }
      UnsafeMutableRawPointer(table + first).storeBytes(of: sums, as: Centroids.self)
    }
  }

  /// The number of the least of the comparisons, the first of several.
  static func least(_ table: UnsafePointer<Float>, centroidCount: Int) -> Int {
    // One after the other, comparisons would take as long as the sums.
    let memory = UnsafeRawPointer(table)
    var minima = memory.loadUnaligned(as: Centroids.self)
    for first in stride(
      from: Centroids.scalarCount, to: centroidCount, by: Centroids.scalarCount)
    {
      let values = memory.loadUnaligned(fromByteOffset: 4 &* first, as: Centroids.self)
      minima.replace(with: values, where: values .< minima)
    }
    let least = minima.min()
    var centroid = 0
    while table[centroid] != least, centroid &+ 1 < centroidCount { centroid &+= 1 }
    return centroid
  }
}
