import RunnerGraph

/// How threads share out a product's outputs: in pieces of pixels or rows, and these in parts,
/// which are whole groups of blocks of sixteen outputs.
///
/// The shares depend on the sizes alone, never on the number of threads, so that results don't
/// either.
struct ProductShares {
  /// Output pixels of an image in a piece.
  static let pixelPiece = 256
  /// Rows of a matrix in a piece.
  static let rowPiece = 48
  /// Blocks that the kernels compute together.
  static let blockGroup = 4
  /// Shares that keep several threads busy to the end.
  private static let shareCount = 8

  /// How many pieces each image or matrix has.
  let pieces: Int
  /// How many parts each piece has.
  let parts: Int
  private let blocks: Int

  /// `blocks` of outputs for the `pieces` of each image, in several parts if there are few pieces.
  init(blocks: Int, pieces: Int, images: Int = 1) {
    let groups = Self.groups(of: blocks)
    self.init(
      blocks: blocks, pieces: pieces,
      parts: min(groups, max(1, Self.shareCount / max(pieces * images, 1))))
  }

  init(blocks: Int, pieces: Int, parts: Int) {
    self.blocks = blocks
    self.pieces = pieces
    self.parts = parts
  }

  /// How many groups there are of so many blocks.
  static func groups(of blocks: Int) -> Int { (blocks + blockGroup - 1) / blockGroup }

  /// The blocks of one part.
  func blocks(of part: Int) -> Range<Int> {
    let groups = Self.groups(of: blocks)
    let start = part * groups / parts * Self.blockGroup
    return start..<min((part + 1) * groups / parts * Self.blockGroup, blocks)
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
}
