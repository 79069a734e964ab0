import Dispatch

#if !canImport(Accelerate)
  import _VectorKernels
#endif

/// Vectors in single precision, packed once for products with many others.
///
/// For all pairs of rows, or a few queries against a long table, ``BLAS`` would copy one side into
/// the order of its kernels at every call. Here this is done once. The products use kernels that
/// choose AVX2 or AVX-512 by the processor's features, not by its model. Without these features,
/// and on Apple's systems, the rows stay in their order and BLAS multiplies them.
///
/// Sums do not depend on the number of rows in a call.
package struct PackedRows: Sendable {
  /// The number of values in a row.
  package let width: Int
  /// The number of rows.
  package private(set) var count = 0
  private var storage: Storage

  /// The first row of a range of products is a multiple of this.
  package static let step = 32

  enum Layout {
    /// Row-major order, for BLAS.
    case rows
    /// Panels of 32 rows; each has the first values of all rows, then the second values.
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

  /// Adds copies of `added` contiguous rows of ``width`` values each, **without checking
  /// anything**.
  ///
  /// - Complexity: O(n d), and sometimes a copy of all rows.
  package mutating func append(unchecked rows: UnsafePointer<Float>, count added: Int) {
    if count + added > storage.capacity || !isKnownUniquelyReferenced(&storage) {
      let capacity = count + added > storage.capacity ? 2 * count + added : storage.capacity
      storage = Storage(copying: storage, count: count, capacity: capacity)
    }
    storage.write(rows, at: count, count: added)
    count += added
  }

  /// The inner products of `tall` contiguous rows with a range of these, **without checking
  /// anything**.
  ///
  /// `products[i * stride + j]` is the product of row `i` and row `range.lowerBound + j`. Tally's
  /// kernels use one thread; if BLAS multiplies, ``BLASThreads`` decides.
  ///
  /// - Precondition: the range lies within the rows and begins at a multiple of ``step``; the
  ///   memory is valid for all values; the products overlap nothing.
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

  /// Calls `body` for each of `0..<pieces` on the threads of ``BLASThreads``, for bodies that
  /// compute products.
  ///
  /// It uses one thread if the products have their own threads.
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

  /// Memory for rows, aligned to a cache line.
  private final class Storage: @unchecked Sendable {
    let layout: Layout
    let width: Int
    /// The capacity in whole panels.
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
          // Up to the end of a panel that was begun before.
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
  /// Packs `count` contiguous rows of `width` values.
  package init(unchecked rows: UnsafePointer<Float>, count: Int, width: Int) {
    self.init(width: width, capacity: count)
    append(unchecked: rows, count: count)
  }
}
