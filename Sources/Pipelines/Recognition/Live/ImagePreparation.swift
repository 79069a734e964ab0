import Geometry
import VisionProtocols

/// The preparation of an image for a step.
///
/// ```swift
/// let half = ImagePreparation<Photo>.centerCrop(toShare: 0.5)
/// let router = RecognitionRouter<Photo>()
///   .classifying(with: classifier, after: half.followed(by: .fit(width: 640, height: 640)))
/// ```
///
/// The step's findings are still in pixels of the whole image.
public struct ImagePreparation<Image: SizedImage>: Sendable {
  /// A prepared image, and its position in the original.
  struct Prepared {
    var image: Image
    var x = 0.0
    var y = 0.0
    /// How many pixels of the whole image one of this is.
    var scaleX = 1.0
    var scaleY = 1.0

    /// The place of a point in the whole image.
    func original(_ point: Point) -> Point {
      Point(x: x + point.x * scaleX, y: y + point.y * scaleY)
    }
  }

  let prepare: @Sendable (Image) throws -> Prepared

  /// Nothing.
  public static var none: ImagePreparation {
    ImagePreparation { Prepared(image: $0) }
  }

  /// This, and then another.
  public func followed(by next: ImagePreparation) -> ImagePreparation {
    ImagePreparation { [prepare] image in
      let first = try prepare(image)
      let second = try next.prepare(first.image)
      let corner = first.original(Point(x: second.x, y: second.y))
      return Prepared(
        image: second.image, x: corner.x, y: corner.y, scaleX: first.scaleX * second.scaleX,
        scaleY: first.scaleY * second.scaleY)
    }
  }
}

extension ImagePreparation where Image: CroppableImage {
  /// Cuts out the middle, where people hold the object.
  ///
  /// - Parameter share: the share of the width and of the height, above 0 and at most 1; sides are
  ///   truncated to whole pixels, at least 1. With another value the step fails.
  public static func centerCrop(toShare share: Double) -> ImagePreparation {
    ImagePreparation { image in
      guard share > 0, share <= 1 else { throw ImagePreparationError.share(share) }
      func side(_ side: Int) -> Int { max(Int(Double(side) * share), 1) }
      let (width, height) = (side(image.width), side(image.height))
      let (x, y) = ((image.width - width) / 2, (image.height - height) / 2)
      guard let rect = PixelRect(x: x, y: y, width: width, height: height),
        let cropped = image.cropped(to: rect)
      else {
        throw ImagePreparationError.cropRefused(
          x: x, y: y, width: width, height: height, imageWidth: image.width,
          imageHeight: image.height)
      }
      return Prepared(image: cropped, x: Double(x), y: Double(y))
    }
  }

  /// The middle half of the width and of the height, a quarter of the picture.
  public static var centerHalf: ImagePreparation { centerCrop(toShare: 0.5) }
}

extension ImagePreparation where Image: FittableImage {
  /// Makes the image smaller until it fits into a frame, its aspect ratio kept; one that fits stays
  /// as it is.
  public static func fit(width: Int, height: Int) -> ImagePreparation {
    ImagePreparation { image in
      guard width > 0, height > 0 else {
        throw ImagePreparationError.frame(width: width, height: height)
      }
      let fitted = try image.fitted(width: width, height: height)
      guard fitted.width > 0, fitted.height > 0 else {
        throw ImagePreparationError.frame(width: width, height: height)
      }
      return Prepared(
        image: fitted, scaleX: Double(image.width) / Double(fitted.width),
        scaleY: Double(image.height) / Double(fitted.height))
    }
  }
}

/// Why an image could not be prepared for a step.
public enum ImagePreparationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The share to crop to is out of range.
  case share(Double)
  /// The frame to fit into has no pixels.
  case frame(width: Int, height: Int)
  /// The image did not give the pixels of a rectangle that lies inside it.
  case cropRefused(x: Int, y: Int, width: Int, height: Int, imageWidth: Int, imageHeight: Int)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .share(let share):
      "the share to crop to is \(share); it must be above 0 and at most 1"
    case .frame(let width, let height):
      "the frame to fit into is \(width) x \(height); both sides must be at least 1"
    case .cropRefused(let x, let y, let width, let height, let imageWidth, let imageHeight):
      "an image of \(imageWidth) x \(imageHeight) gave no pixels for the rectangle of \(width) x "
        + "\(height) at (\(x), \(y)), which lies inside it"
    }
  }
}
