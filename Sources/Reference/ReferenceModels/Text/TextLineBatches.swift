import ONNXRunner
import Raster

/// Lines of text in the groups in which they go through a network.
///
/// Sorted by their proportions, so that lines of a group are of like width: all are filled up to the
/// widest.
struct TextLineBatches: Sequence {
  private let images: [Raster]
  private let order: [Int]
  private let size: Int

  init(_ images: [Raster], size: Int) {
    self.images = images
    self.size = size
    let proportions = images.map(Self.proportion)
    order = images.indices.sorted { a, b in
      proportions[a] != proportions[b] ? proportions[a] < proportions[b] : a < b
    }
  }

  /// Width over height.
  static func proportion(_ image: Raster) -> Double {
    Double(image.width) / Double(image.height)
  }

  /// Places in the list of images, a group at a time, the narrowest lines first.
  func makeIterator() -> AnyIterator<ArraySlice<Int>> {
    var rest = order[...]
    return AnyIterator { [size] in
      guard !rest.isEmpty else { return nil }
      let group = rest.prefix(size)
      rest = rest.dropFirst(size)
      return group
    }
  }

  /// The input for a group: each line resized to a height, at most to the full width, and filled up
  /// with zeros.
  func tensor(of group: ArraySlice<Int>, width: Int, height: Int) throws -> Tensor {
    try Tensor(shape: [group.count, 3, height, width], of: Float.self) { target in
      for (place, index) in group.enumerated() {
        let image = images[index]
        let wanted = (Double(height) * Self.proportion(image)).rounded(.up)
        let resized = try image.resized(
          width: wanted > Double(width) ? width : Int(wanted), height: height)
        let part = UnsafeMutableBufferPointer(
          rebasing: target[(place * 3 * height * width)..<((place + 1) * 3 * height * width)])
        PlanarSamples.write(resized, into: part, rowStride: width, table: PlanarSamples.signed)
      }
    }
  }
}
