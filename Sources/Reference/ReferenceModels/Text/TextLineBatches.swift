import ONNXRunner
import Raster

/// Lines of text in the groups in which they go through a network.
///
/// Sorted by their proportions, so that lines of a group are of like width: all are filled up to
/// the widest.
struct TextLineBatches: Sequence {
  private let images: [Raster]
  private let proportions: [Double]
  private let order: [Int]
  private let size: Int
  private let spread: Double

  /// - Parameters:
  ///   - size: how many lines a group has at most.
  ///   - spread: how many times as wide as the narrowest line of its group a line may be.
  init(_ images: [Raster], size: Int, spread: Double = .infinity) {
    self.images = images
    self.size = size
    self.spread = spread
    let proportions = images.map(Self.proportion)
    self.proportions = proportions
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
    return AnyIterator { [size, spread, proportions] in
      guard let narrowest = rest.first else { return nil }
      let widest = proportions[narrowest] * spread
      let group = rest.prefix(size).prefix { proportions[$0] <= widest }
      rest = rest.dropFirst(group.count)
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
