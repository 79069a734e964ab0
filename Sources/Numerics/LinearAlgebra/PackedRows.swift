import Dispatch

#if !canImport(Accelerate)
  import _VectorKernels
#endif

/// Vectors in single precision that many others are multiplied with, laid out for that once.
///
/// For all pairs of rows, or a few queries against a long table, ``BLAS`` would copy one side into
/// the order that its kernels read at every call. Here that is done once, and the products are
/// taken by kernels that choose AVX2 or AVX-512 by what the processor can do, not by which
/// processor it is. If there is neither, and on Apple's systems, the rows stay as they are and BLAS
/// multiplies them.
///
/// Sums do not depend on how many rows a call covers.
package struct PackedRows: Sendable {
  /// Values in a row.
  package let width: Int
  /// How many rows there are.
  package private(set) var count = 0
  private var storage: Storage

  /// The first row of a range of products is a multiple of this.
  package static let step = 32

  enum Layout {
    /// Row after row, for BLAS.
    case rows
    /// Panels of 32 rows, in each the first values of all, then the second.
    case panels
  }

  private static let best: Layout = {
    #if canImport(Accelerate)
      return .rows
    #else
      return vk_best_level() > VK_LEVEL_BASELINE ? .panels : .rows
    #endif
  }()

  /// Makes an empty set, with room for some rows of `width` values.
  package init(width: Int, capacity: Int = 0) {
    self.init(width: width, capacity: capacity, layout: Self.best)
  }

  init(width: Int, capacity: Int, layout: Layout) {
    precondition(width > 0 && capacity >= 0, "rows of at least one value")
    self.width = width
    storage = Storage(capacity: capacity, width: width, layout: layout)
  }

  /// Adds copies of `added` rows of ``width`` values each, one after the other in memory, **without
  /// checking anything**.
  ///
  /// - Complexity: O(n d), and now and then a copy of all.
  package mutating func append(unchecked rows: UnsafePointer<Float>, count added: Int) {
    if count + added > storage.capacity || !isKnownUniquelyReferenced(&storage) {
      let capacity = count + added > storage.capacity ? 2 * count + added : storage.capacity
      storage = Storage(copying: storage, count: count, capacity: capacity)
    }
    storage.write(rows, at: count, count: added)
    count += added
  }

  /// The inner products of `tall` rows, one after the other in memory, with a range of these,
  /// **without checking anything**: `products[i * stride + j]` is that of row `i` with row
  /// `range.lowerBound + j`.
  ///
  /// On one thread where the kernels are ours; where BLAS multiplies, ``BLASThreads`` says.
  ///
  /// - Precondition: the range lies within the rows and begins at a multiple of ``step``; the
  ///   memory is good for as much; the products overlap nothing.
  /// - Complexity: O(m n d).
  package func uncheckedProducts(
    of rows: UnsafePointer<Float>, count tall: Int, with range: Range<Int>,
    into products: UnsafeMutablePointer<Float>, stride: Int
  ) {
    guard tall > 0, !range.isEmpty else { return }
    switch storage.layout {
    case .rows:
      BLAS.uncheckedGEMM(
        GEMMShape(
          m: Int32(tall), n: Int32(range.count), k: Int32(width), transposesB: true,
          cStride: Int32(stride)),
        a: rows, b: UnsafePointer(storage.values + range.lowerBound * width), c: products)
    case .panels:
      #if !canImport(Accelerate)
        let panels = range.lowerBound / Self.step..<(range.upperBound + Self.step - 1) / Self.step
        var product = vk_product()
        (product.columns, product.depth) = (range.count, width)
        (product.a_row, product.a_column, product.c_row) = (width, 1, stride)
        vk_packed_gemm_f32(
          &product, rows, storage.values + panels.lowerBound * Self.step * width, nil, nil,
          products,
          0, tall, 0, panels.count)
      #endif
    }
  }

  /// Runs `body` for each of `0..<pieces` on as many threads as ``BLASThreads`` says, for bodies
  /// that take products: on one where these have threads of their own.
  package func spread(_ pieces: Int, _ body: @Sendable (Int) -> Void) {
    let lanes = storage.layout == .rows ? 1 : min(BLASThreads.count, pieces)
    guard lanes > 1 else {
      for piece in 0..<max(pieces, 0) { body(piece) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: lanes) { lane in
      for piece in Swift.stride(from: lane, to: pieces, by: lanes) { body(piece) }
    }
  }

  /// Memory for rows, at the beginning of a cache line.
  private final class Storage: @unchecked Sendable {
    let layout: Layout
    let width: Int
    /// In whole panels.
    let capacity: Int
    let values: UnsafeMutablePointer<Float>

    init(capacity: Int, width: Int, layout: Layout) {
      let panels = max((capacity + PackedRows.step - 1) / PackedRows.step, 1)
      self.capacity = panels * PackedRows.step
      self.width = width
      self.layout = layout
      let size = self.capacity * width
      values = UnsafeMutableRawPointer.allocate(
        byteCount: size * MemoryLayout<Float>.stride, alignment: 64
      ).bindMemory(to: Float.self, capacity: size)
    }

    convenience init(copying other: Storage, count: Int, capacity: Int) {
      self.init(capacity: capacity, width: other.width, layout: other.layout)
      let panels = (count + PackedRows.step - 1) / PackedRows.step
      let used = other.layout == .rows ? count : panels * PackedRows.step
      values.initialize(from: other.values, count: used * width)
    }

    deinit { UnsafeMutableRawPointer(values).deallocate() }

    func write(_ rows: UnsafePointer<Float>, at first: Int, count: Int) {
      switch layout {
      case .rows: (values + first * width).initialize(from: rows, count: count * width)
      case .panels:
        #if !canImport(Accelerate)
          var row = 0
          // Up to the end of a panel that others began.
          while row < count, (first + row) % PackedRows.step != 0 {
            let place = first + row
            let target =
              values + place / PackedRows.step * PackedRows.step * width + place % PackedRows.step
            for column in 0..<width {
              target[column * PackedRows.step] = rows[row * width + column]
            }
            row += 1
          }
          let left = count - row
          guard left > 0 else { return }
          vk_pack_right_f32(
            rows + row * width, 1, width, width, left, 1, values + (first + row) * width, 0,
            vk_panel_count(left))
        #endif
      }
    }
  }
}

extension PackedRows {
  /// Packs `count` rows of `width` values, one after the other in memory.
  package init(unchecked rows: UnsafePointer<Float>, count: Int, width: Int) {
    self.init(width: width, capacity: count)
    append(unchecked: rows, count: count)
  }
}
