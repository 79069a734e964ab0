import Foundation
import ImageFiles
import Raster

/// The photo in the best size and quality that its share of the page allows.
enum PhotoEncoding {
  /// The longest side in pixels and the JPEG quality, the best first.
  private static let ladder = [
    (3200, 82), (2560, 80), (2048, 78), (1600, 74), (1280, 70), (1024, 66), (800, 60), (640, 50),
    (480, 40), (320, 30),
  ]

  /// A JPEG of at most `mostBytes`, as an address.
  ///
  /// - Throws: ``CountPageError/tooLarge(bytes:limit:)`` if even the smallest does not fit.
  static func url(of photo: Raster, mostBytes: Int, limit: Int) throws -> String {
    var smallest = 0
    var side = Int.max
    for (longest, quality) in ladder {
      // Avoids encoding a small photo several times at the same size with similar quality.
      let next = min(longest, max(photo.width, photo.height))
      defer { side = next }
      if next == side, quality > 60 { continue }
      let jpeg = try ImageFile.data(
        of: try photo.fitted(width: longest, height: longest), as: .jpeg(quality: quality))
      smallest = jpeg.count
      // Base64 writes three bytes as four.
      if (jpeg.count + 2) / 3 * 4 + 32 <= mostBytes { return DataURL.jpeg(jpeg) }
    }
    throw CountPageError.tooLarge(bytes: limit - mostBytes + smallest / 3 * 4, limit: limit)
  }
}
