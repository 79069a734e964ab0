import RunnerGraph

/// The division of a product's outputs between threads.
///
/// The pieces are pixels or rows. Each piece has parts, which are blocks of sixteen outputs, usually whole groups of
/// them. If results depend on the shares, these depend only on the sizes, never on the number of threads.
struct ProductShares {
  /// The number of output pixels of an image in a piece.
  static let pixelPiece = 256
  /// The number of rows of a matrix in a piece.
  static let rowPiece = 48
  /// The number of blocks that the kernels compute together.
  static let blockGroup = 4
  /// The number of shares that keeps several threads busy to the end.
  private static let shareCount = 8

  /// The number of pieces in each image or matrix.
  let pieces: Int
  /// The number of parts in each piece.
  let parts: Int
  private let blocks: Int
  /// The number of blocks of all parts but the last is a multiple of this.
  private let unit: Int

  /// `blocks` of outputs for the `pieces` of each image, in several parts if there are few pieces.
  init(blocks: Int, pieces: Int, images: Int = 1) {
    let groups = Self.groups(of: blocks)
    self.init(
      blocks: blocks, pieces: pieces,
      parts: min(groups, max(1, Self.shareCount / max(pieces * images, 1))))
  }

  init(blocks: Int, pieces: Int, parts: Int, divisibleBy unit: Int = Self.blockGroup) {
    self.blocks = blocks
    self.pieces = pieces
    self.parts = parts
    self.unit = unit
  }

  /// The number of groups for this number of blocks.
  static func groups(of blocks: Int) -> Int { (blocks + blockGroup - 1) / blockGroup }

  /// The blocks of one part.
  func blocks(of part: Int) -> Range<Int> {
    let units = (blocks + unit - 1) / unit
    return part * units / parts * unit..<min((part + 1) * units / parts * unit, blocks)
  }

  /// Calls `body` with each share, on any thread.
  func forEach(
    images: Int = 1, in context: KernelContext,
    _ body: (_ image: Int, _ piece: Int, _ blocks: Range<Int>) -> Void
  ) {
    context.parallel(images * pieces * parts) { items in
      for item in items {
        body(item / parts / pieces, item / parts % pieces, blocks(of: item % parts))
      }
    }
  }

  /// The same, with `scratch` floats for each share.
  func forEach(
    images: Int = 1, scratch: Int, in context: KernelContext,
    _ body: (
      _ image: Int, _ piece: Int, _ blocks: Range<Int>, _ memory: UnsafeMutablePointer<Float>
    ) -> Void
  ) throws {
    try context.parallel(images * pieces * parts, scratch: scratch) { item, memory in
      body(item / parts / pieces, item / parts % pieces, blocks(of: item % parts), memory)
    }
  }
}
