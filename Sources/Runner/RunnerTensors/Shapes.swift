/// Shape arithmetic.
package enum Shapes {
  /// Row-major strides: the number of elements for one step along each dimension.
  package static func strides(of shape: [Int]) -> [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    for dimension in stride(from: shape.count - 2, through: 0, by: -1) {
      strides[dimension] = strides[dimension + 1] &* shape[dimension + 1]
    }
    return strides
  }

  /// The strides with which a tensor of `shape` fills a larger `result`: 0 along repeated
  /// dimensions.
  package static func strides(of shape: [Int], broadcastTo result: [Int]) -> [Int] {
    let own = strides(of: shape)
    let missing = result.count - shape.count
    return result.indices.map { dimension in
      dimension < missing || shape[dimension - missing] == 1 ? 0 : own[dimension - missing]
    }
  }

  /// The shape to which all of `shapes` broadcast by NumPy's rules; nil if they do not.
  package static func broadcast(_ shapes: [[Int]]) -> [Int]? {
    let rank = shapes.reduce(0) { max($0, $1.count) }
    var result = [Int](repeating: 1, count: rank)
    for shape in shapes {
      let missing = rank - shape.count
      for (dimension, extent) in shape.enumerated() where extent != 1 {
        let known = result[dimension + missing]
        guard known == 1 || known == extent else { return nil }
        result[dimension + missing] = extent
      }
    }
    return result
  }
}
