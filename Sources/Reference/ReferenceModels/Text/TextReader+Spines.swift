import Geometry
import Raster
import Rectification
import VisionProtocols

extension TextReader {
  /// The lines of text in an image in which spines of books are known, each of them read by itself too.
  ///
  /// What is small in the whole image is large in the picture of one spine, and what runs along it lies
  /// straight there. Where both readings see something at one place, the one that says more with
  /// more confidence is kept. Lines come in the order of ``texts(in:)``, those that only the pictures of
  /// spines have behind them, spine by spine.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - spines: outlines of spines in it, such as `SpineDetector` finds; those that have no inside are
  ///     passed over.
  /// - Complexity: a reading of the image and of a picture a spine; on photos of five spines it takes three
  ///   times as long as the image alone.
  /// - Throws: as ``texts(in:)``.
  public func texts(
    in image: Raster, along spines: [Quadrilateral]
  ) async throws -> [RecognizedText] {
    var lines = try await texts(in: image)
    for spine in spines {
      guard let picture = SpinePicture(of: spine, in: image) else { continue }
      for line in try await texts(in: picture.image) {
        let outline = picture.original(line.outline)
        let rivals = lines.indices.filter { lines[$0].outline.sharesPlace(with: outline) }
        let strength = rivals.reduce(0) { $0 + lines[$1].strength }
        guard line.strength > strength else { continue }
        let found = RecognizedText(
          outline: outline, text: line.text, confidence: line.confidence)
        if let first = rivals.first {
          lines[first] = found
          for index in rivals.dropFirst().reversed() { lines.remove(at: index) }
        } else {
          lines.append(found)
        }
      }
    }
    return lines
  }
}

/// One spine, its text lying straight.
private struct SpinePicture {
  let image: Raster
  private let map: Homography

  /// The largest side of a picture, in pixels.
  private static let maximumSide = 2000

  /// Cuts a spine out; nil where it has no inside.
  init?(of spine: Quadrilateral, in photo: Raster) {
    guard let image = try? photo.textUpright(spine, maximumSide: Self.maximumSide) else {
      return nil
    }
    let frame = Quadrilateral(
      Box(minX: 0, minY: 0, maxX: Float(image.width), maxY: Float(image.height)))
    guard let map = try? Homography(from: frame, to: spine.alongText(running: .down)) else {
      return nil
    }
    self.image = image
    self.map = map
  }

  /// Where a shape in the picture lies in the photo.
  func original(_ shape: Quadrilateral) -> Quadrilateral {
    shape.mapCorners { map.apply(to: $0) }
  }
}

extension RecognizedText {
  /// How much is read, and how surely.
  fileprivate var strength: Float { confidence * Float(text.count) }
}

extension Quadrilateral {
  /// Whether the middle of one lies in the other.
  fileprivate func sharesPlace(with other: Quadrilateral) -> Bool {
    contains(other.center) || other.contains(center)
  }
}
