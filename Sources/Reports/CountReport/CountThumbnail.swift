import Counting
import Foundation
import ImageFiles
import Raster
import VisionProtocols

/// A small picture for a count: one object of the main kind.
///
/// The main cluster's representative (see `CountingResult.representative`) is cut out of the photo
/// and fitted into a square with its aspect ratio kept; an object smaller than the square is
/// enlarged. The rest of the square has the mean colour of the cut's edge, so that no other object
/// shows and pictures in lists have one size.
public enum CountThumbnail {
  /// The picture's width and height in pixels.
  public static let side = 200
  /// The preferred size of a picture in bytes: enough for its details, and small enough for a list
  /// of a hundred.
  public static let bytes = 5_000...20_000

  /// The picture in RGB; nil if nothing was counted, or if the object has no pixel in the photo.
  ///
  /// - Parameters:
  ///   - result: the count.
  ///   - photo: the upright photo that was counted.
  /// - Throws: errors of resizing; see `RasterError`.
  public static func image(of result: CountingResult, in photo: Raster) throws -> Raster? {
    guard let box = result.representative?.detection.box,
      let rect = CropStage.rect(of: box, width: photo.width, height: photo.height),
      let crop = photo.cropped(to: rect)
    else { return nil }
    let fitted = try crop.converted(toChannels: 3).fitted(
      width: side, height: side, method: .bicubic, enlarging: true)
    return try centered(fitted)
  }

  /// The picture as a JPEG file.
  ///
  /// Quality is 80. It is higher if the file is below ``bytes``, and lower if it is above. A
  /// picture without any detail stays below at any quality.
  ///
  /// - Parameters:
  ///   - result: the count.
  ///   - photo: the upright photo that was counted.
  /// - Returns: nil if ``image(of:in:)`` is.
  /// - Throws: errors of resizing and encoding.
  public static func jpeg(of result: CountingResult, in photo: Raster) throws -> Data? {
    guard let image = try image(of: result, in: photo) else { return nil }
    func file(_ quality: Int) throws -> Data {
      try ImageFile.data(of: image, as: .jpeg(quality: quality))
    }
    var data = try file(80)
    let others = data.count < bytes.lowerBound ? [88, 94, 98, 100] : [70, 60, 45, 30]
    for quality in others where !bytes.contains(data.count) { data = try file(quality) }
    return data
  }

  private static func centered(_ image: Raster) throws -> Raster {
    guard image.width != side || image.height != side else { return image }
    let ground = edgeColor(of: image)
    let left = (side - image.width) / 2
    let top = (side - image.height) / 2
    return try Raster(width: side, height: side, channels: 3) { target in
      for pixel in 0..<side * side {
        for channel in 0..<3 { target[pixel * 3 + channel] = ground[channel] }
      }
      image.samples.withUnsafeBufferPointer { source in
        for row in 0..<image.height {
          let to = ((top + row) * side + left) * 3
          let from = row * image.width * 3
          for place in 0..<image.width * 3 { target[to + place] = source[from + place] }
        }
      }
    }
  }

  /// The mean colour of an image's outermost pixels.
  private static func edgeColor(of image: Raster) -> [UInt8] {
    var sums = [0, 0, 0]
    var count = 0
    for y in 0..<image.height {
      let isEnd = y == 0 || y == image.height - 1
      for x in stride(from: 0, to: image.width, by: isEnd ? 1 : max(image.width - 1, 1)) {
        for channel in 0..<3 { sums[channel] += Int(image[x: x, y: y, channel: channel]) }
        count += 1
      }
    }
    return sums.map { UInt8(clamping: ($0 + count / 2) / max(count, 1)) }
  }
}
