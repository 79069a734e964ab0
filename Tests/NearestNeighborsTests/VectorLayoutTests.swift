import NearestNeighbors
import TestSupport
import Testing

@Suite("Layout of vectors")
struct VectorLayoutTests {
  @Test("a row takes a multiple of four bytes")
  func strides() throws {
    for (dimension, expected) in [
      (1, [4, 4, 8]), (2, [8, 4, 8]), (3, [12, 8, 8]), (5, [20, 12, 12]),
    ] {
      let strides = try VectorPrecision.allCases.map {
        try VectorLayout(dimension: dimension, precision: $0).rowStride
      }
      #expect(strides == expected)
    }
  }

  @Test("dimensions that no layout has are refused", arguments: [0, -1, 65_537, Int.max, Int.min])
  func dimensions(dimension: Int) {
    #expect(throws: NeighborSearchError.invalidDimension(dimension)) {
      try VectorLayout(dimension: dimension)
    }
  }

  @Test("a decoded row is the vector, but for the precision; of a cosine row its direction")
  func roundTrip() throws {
    for dimension in [1, 2, 5, 64, 65] {
      for layout in VectorLayout.all(dimension: dimension) {
        for vector in SeededRows.vectors(count: 20, dimension: dimension, seed: 9) {
          let kept = try SeededRows(layout, vectors: [vector]).kept(0)
          let length = vector.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
          let expected = vector.map { Double($0) / (layout.metric == .cosine ? length : 1) }
          let largest = expected.map(abs).max() ?? 0
          // Half a step of the coarsest value; the scale of a cosine row of bytes moves all a
          // little.
          let tolerance =
            switch layout.precision {
            case .float32: largest * 0x1p-23
            case .float16: largest * 0x1p-11
            case .int8: largest * (layout.metric == .cosine ? 2 : 1.001) / 254
            }
          for (value, expected) in zip(kept, expected) {
            #expect(abs(Double(value) - expected) <= tolerance, "\(layout)")
          }
          if layout.metric == .cosine {
            let kept = kept.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
            #expect(abs(kept - 1) < (layout.precision == .float16 ? 1e-3 : 1e-6))
          }
        }
      }
    }
  }

  @Test("whatever memory held before, rows are written whole")
  func padding() throws {
    for layout in VectorLayout.all(dimension: 5) {
      let bytes = try layout.encoded([1, 2, 3, 4, 5])
      let dirty = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.rowStride, alignment: 4)
      defer { dirty.deallocate() }
      dirty.initializeMemory(as: UInt8.self, repeating: 0xAB)
      try layout.encode([1, 2, 3, 4, 5], into: dirty.baseAddress!)
      #expect(Array(dirty) == bytes)
    }
  }

  @Test("vectors that cannot be kept are refused by name")
  func errors() throws {
    for layout in VectorLayout.all(dimension: 3) {
      #expect(throws: NeighborSearchError.dimensionMismatch(expected: 3, found: 4)) {
        try layout.encoded([1, 2, 3, 4])
      }
      #expect(throws: NeighborSearchError.nonFinite(index: 2)) { try layout.encoded([1, 2, .nan]) }
      #expect(throws: NeighborSearchError.nonFinite(index: 0)) {
        try layout.encoded([.infinity, 2, .nan])
      }
      if layout.metric == .cosine {
        #expect(throws: NeighborSearchError.zeroVector) { try layout.encoded([0, -0.0, 0]) }
      } else {
        #expect(try layout.encoded([0, 0, 0]).allSatisfy { $0 == 0 })
      }
      let tooLarge: [Float] = [0, -65520, 1]
      if layout.precision == .float16, layout.metric != .cosine {
        #expect(throws: NeighborSearchError.outOfHalfRange(index: 1)) {
          try layout.encoded(tooLarge)
        }
      } else {
        _ = try layout.encoded(tooLarge)
      }
    }
  }

  @Test("the largest and the smallest numbers are kept and compared without harm")
  func extremes() throws {
    let smallest = Float.leastNonzeroMagnitude
    let largest = Float.greatestFiniteMagnitude
    for vector in [[smallest, 0], [largest, largest], [-largest, smallest]] {
      for layout in VectorLayout.all(dimension: 2) {
        if layout.precision == .float16, layout.metric != .cosine, vector != [smallest, 0] {
          continue
        }
        let rows = try SeededRows(layout, vectors: [vector])
        #expect(rows.kept(0).allSatisfy { $0.isFinite })
        let found = try FlatSearch(layout: layout).nearest(
          to: vector, k: 1, rows: rows.bytes, count: 1)
        #expect(found.count == 1)
        if layout.metric == .cosine { #expect(found[0].distance < 1e-3) }
      }
    }
  }
}
