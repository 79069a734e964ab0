import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors
import _RunnerKernels

/// 3x3 convolutions by Winograd's F(4x4, 3x3).
extension BlockedConvolutionJob {
  /// The number of tiles whose transformed patches are kept at a time.
  ///
  /// Their patches should fit in the second-level cache, but they must be enough that the weights
  /// are not read too often. They are whole register tiles.
  private static func winogradTiles(inputBlocks: Int) -> Int {
    let registerTile = 14
    let bytesEach = 36 * ChannelBlocks.width * MemoryLayout<Float>.stride * inputBlocks
    return min(max((768 << 10) / (bytesEach * registerTile), 2), 4) * registerTile
  }

  /// From this number of pieces on, one thread should do both steps of Winograd's method.
  private static let piecesOfOneThread = 8
  /// Up to this number of tiles, a part's weights are transformed where they are used: they are
  /// then read once, and written transforms would not stay in a cache.
  private static let freshTiles = 64
  /// For parts of up to this number of input blocks, each piece transforms the weights again.
  private static let freshBlocks = 2
  /// With fewer tiles, transforming the weights of such a small part does not pay.
  private static let leastTilesByPart = 8

  func winograd() throws {
    let conv = bareDescription
    let tiles = ((axes[0].output + 3) / 4) * ((axes[1].output + 3) / 4)
    let parts = kernel.parts.parts
    let deepest = parts.map(\.inputs.count).max() ?? 1
    let most = Self.winogradTiles(inputBlocks: deepest)
    let pieces = (tiles + most - 1) / most
    if parts.count > 1, deepest <= Self.freshBlocks {
      guard tiles >= Self.leastTilesByPart else { return direct() }
      try winogradByPart(conv, tiles: tiles, pieces: pieces)
    } else if pieces * source.batch * parts.count >= Self.piecesOfOneThread {
      try winograd(conv, tiles: tiles, pieces: pieces)
    } else {
      for part in parts {
        try winogradInTwoPhases(conv, part, tiles: tiles, pieces: pieces)
      }
    }
  }

  /// One piece of one part of an image, with its patches in memory.
  private struct Piece {
    let part: Int
    let conv: UnsafePointer<rk_blocked_conv>
    let place: Place
    let plane: Int
    let pairs: Int
    let start: Int
    let count: Int
  }

  /// Processes each piece of each part in all steps on one thread.
  ///
  /// Its patches are transformed, and `multiply` does the rest, with `scratch` floats after the
  /// patches.
  private func forEachPiece(
    _ conv: rk_blocked_conv, tiles: Int, pieces: Int, scratch: Int,
    _ multiply: (Piece, _ patches: UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) throws {
    let parts = kernel.parts.parts
    let deepest = parts.map(\.inputs.count).max() ?? 1
    let patches = 36 * rk_winograd_plane(deepest, (tiles + pieces - 1) / pieces)
    let each = parts.count * pieces
    try context.parallel(source.batch * each, scratch: patches + scratch) { item, memory in
      let image = item / each
      let index = item % each / pieces
      let part = parts[index]
      let start = item % pieces * tiles / pieces
      let count = (item % pieces + 1) * tiles / pieces - start
      let plane = rk_winograd_plane(part.inputs.count, count)
      let place = place(of: part, in: conv, image: image)
      withUnsafePointer(to: place.conv) {
        rk_winograd_transform_f32(
          $0, run.firstTap(of: image) + part.inputs.lowerBound * source.blockStride, memory, plane,
          start, count, count, 0, part.inputs.count)
        let piece = Piece(
          part: index, conv: $0, place: place, plane: plane, pairs: (part.outputs.count + 1) / 2,
          start: start, count: count)
        multiply(piece, memory, memory + patches)
      }
    }
  }

  /// For many small parts: each piece transforms its part's weights.
  private func winogradByPart(_ conv: rk_blocked_conv, tiles: Int, pieces: Int) throws {
    let scratch = rk_winograd_fresh_scratch((tiles + pieces - 1) / pieces)
    try forEachPiece(conv, tiles: tiles, pieces: pieces, scratch: scratch) {
      piece, patches, memory in
      let place = piece.place
      rk_winograd_fresh_f32(
        piece.conv, patches, piece.plane, piece.count, place.weights, place.bias, place.residual,
        place.target, 0, piece.pairs, piece.start, piece.count, memory)
    }
  }

  /// For many tiles, or many parts: weights are transformed first, once.
  private func winograd(_ conv: rk_blocked_conv, tiles: Int, pieces: Int) throws {
    let parts = kernel.parts.parts
    // The start of each part's transformed weights.
    var starts = [0]
    for part in parts {
      let pairs = (part.outputs.count + 1) / 2
      starts.append((starts.last ?? 0) + pairs * rk_winograd_weights_stride(part.inputs.count))
    }
    let transformed = try context.allocate(.float32, [starts.last ?? 0])
    let factors = transformed.mutablePointer(to: Float.self)
    // Every pair of every part, in order.
    let pairs = parts.indices.flatMap { part in
      (0..<(parts[part].outputs.count + 1) / 2).map { (part: part, pair: $0) }
    }
    context.parallel(pairs.count) { items in
      for item in items {
        let (index, pair) = pairs[item]
        let (part, stride) = (parts[index], rk_winograd_weights_stride(parts[index].inputs.count))
        rk_winograd_weights_f32(
          place(of: part, in: conv, image: 0).weights, factors + starts[index] + pair * stride,
          part.outputs.count, part.inputs.count, pair, 1)
      }
    }
    let scratch = 36 * rk_winograd_plane(2, (tiles + pieces - 1) / pieces)
    try forEachPiece(conv, tiles: tiles, pieces: pieces, scratch: scratch) {
      piece, patches, memory in
      let place = piece.place
      rk_winograd_f32(
        piece.conv, patches, piece.plane, piece.count, factors + starts[piece.part], place.bias,
        place.residual, place.target, 0, piece.pairs, piece.start, piece.count, memory)
    }
    withExtendedLifetime(transformed) {}
  }

  /// For few tiles: first all patches are transformed, then threads share the output channels.
  private func winogradInTwoPhases(
    _ conv: rk_blocked_conv, _ part: ConvolutionParts.Part, tiles: Int, pieces: Int
  ) throws {
    let blocks = part.inputs.count
    let pairs = (part.outputs.count + 1) / 2
    let plane = rk_winograd_plane(blocks, tiles)
    let most = (tiles + pieces - 1) / pieces
    let patches = try context.allocate(.float32, [source.batch, 36, plane])
    let base = patches.mutablePointer(to: Float.self)
    let grain = max(1, 64 / max(tiles, 1))
    context.parallel(source.batch * blocks, grain: grain) { items in
      for item in items {
        let image = item / blocks
        withUnsafePointer(to: conv) {
          rk_winograd_transform_f32(
            $0, run.firstTap(of: image) + part.inputs.lowerBound * source.blockStride,
            base + image * 36 * plane, plane, 0, tiles, tiles, item % blocks, 1)
        }
      }
    }
    guard tiles > Self.freshTiles else {
      try context.parallel(pairs * source.batch, scratch: rk_winograd_fresh_scratch(tiles)) {
        item, memory in
        let image = item / pairs
        let place = place(of: part, in: conv, image: image)
        withUnsafePointer(to: place.conv) {
          rk_winograd_fresh_f32(
            $0, base + image * 36 * plane, plane, tiles, place.weights, place.bias, place.residual,
            place.target, item % pairs, 1, 0, tiles, memory)
        }
      }
      withExtendedLifetime(patches) {}
      return
    }
    // Each thread transforms the weights of its pair, so that they are still in the cache. If there
    // are more threads than pairs, several share a pair and each transforms its weights.
    let all = source.batch * pieces
    let parts = min(all, (2 * context.threads.threadCount + pairs - 1) / pairs)
    let pairStride = rk_winograd_weights_stride(blocks)
    let scratch = pairStride + 36 * rk_winograd_plane(2, most)
    try context.parallel(pairs * parts, scratch: scratch) { item, memory in
      let (pair, share) = (item / parts, item % parts)
      rk_winograd_weights_f32(
        place(of: part, in: conv, image: 0).weights, memory, part.outputs.count, blocks, pair, 1)
      for piece in share * all / parts..<(share + 1) * all / parts {
        let image = piece / pieces
        let start = piece % pieces * tiles / pieces
        let count = (piece % pieces + 1) * tiles / pieces - start
        let place = place(of: part, in: conv, image: image)
        withUnsafePointer(to: place.conv) {
          rk_winograd_f32(
            $0, base + image * 36 * plane + start * ChannelBlocks.width, plane, tiles, memory,
            place.bias, place.residual, place.target, pair, 1, start, count, memory + pairStride)
        }
      }
    }
    withExtendedLifetime(patches) {}
  }
}
