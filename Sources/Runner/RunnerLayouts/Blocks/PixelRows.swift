import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// Writes the pixels of maps in blocks as the rows of one matrix [N, pixels, C], map after map.
///
/// A map may be in several parts, whose channels follow each other in its rows.
package struct PixelRows: Kernel {
  /// The name of the operation.
  package static let operation = "PixelRows"

  /// The parts of each map.
  let maps: [[ChannelBlocks]]
  /// The number of channels of each map.
  let columns: Int

  init(_ node: NodeInfo) throws {
    let forms = (node.fused.blocks?.inputs ?? []).compactMap { $0 }
    let counts = try node.ints("parts") ?? []
    guard !counts.isEmpty, counts.allSatisfy({ $0 > 0 }), counts.reduce(0, +) == forms.count else {
      throw node.failure("its form is not known")
    }
    var maps: [[ChannelBlocks]] = []
    var start = 0
    for count in counts {
      maps.append(Array(forms[start..<start + count]))
      start += count
    }
    self.maps = maps
    columns = maps[0].reduce(0) { $0 + $1.channels }
    guard maps.allSatisfy({ $0.reduce(0) { $0 + $1.channels } == columns }) else {
      throw node.failure("its maps have different numbers of channels")
    }
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    var parts: [[BlockedTensor]] = []
    var next = 0
    for map in maps {
      parts.append(
        try map.map { blocks in
          defer { next += 1 }
          return try BlockedTensor(try context.input(next, of: inputs), blocks, in: context)
        })
    }
    let batch = parts[0][0].batch
    for map in parts {
      guard
        map.allSatisfy({
          $0.batch == batch && $0.height == map[0].height && $0.width == map[0].width
        })
      else { throw context.failure("the parts of a map differ in shape") }
    }
    let pixels = parts.reduce(0) { $0 + $1[0].height * $1[0].width }
    let output = try context.allocate(.float32, [batch, pixels, columns])
    guard output.count > 0 else { return [output] }
    let target = output.mutablePointer(to: Float.self)
    var first = 0
    for map in parts {
      let (height, width) = (map[0].height, map[0].width)
      guard width > 0 else { continue }
      context.parallel(batch * height, grain: max(1, 16_384 / (width * columns))) { rows in
        for item in rows {
          let (image, row) = (item / height, item % height)
          var to = target + (image * pixels + first + row * width) * columns
          for part in map {
            var from = part.pointer(image: image, row: row)
            for block in 0..<part.blocks.count {
              let depth =
                block == part.blocks.count - 1 ? part.blocks.lastDepth : ChannelBlocks.width
              rk_pixel_rows_f32(from, to, width, depth, columns)
              from += part.blockStride
              to += depth
            }
          }
        }
      }
      first += height * width
    }
    return [output]
  }

  package var choice: String? { "\(maps.count) maps in blocks to rows of \(columns)" }
}
