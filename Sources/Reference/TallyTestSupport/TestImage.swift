import Geometry
import VisionProtocols

/// An image without pixels, that knows its name and its place in the whole image.
public struct TestImage: CroppableImage, Hashable {
  /// A name, to tell images apart.
  public let name: String
  /// The part of the whole image that it shows.
  public let rect: PixelRect

  /// The width in pixels.
  public var width: Int { rect.width }
  /// The height in pixels.
  public var height: Int { rect.height }

  /// Makes a whole image; nil if a side is not positive.
  public init?(_ name: String = "", width: Int, height: Int) {
    guard let rect = PixelRect(x: 0, y: 0, width: width, height: height) else { return nil }
    self.init(name: name, rect: rect)
  }

  private init(name: String, rect: PixelRect) {
    self.name = name
    self.rect = rect
  }

  /// A part of it; nil if `rect` is not wholly inside.
  public func cropped(to rect: PixelRect) -> TestImage? {
    guard rect.x >= 0, rect.y >= 0, rect.maxX <= width, rect.maxY <= height else { return nil }
    return PixelRect(
      x: self.rect.x + rect.x, y: self.rect.y + rect.y, width: rect.width, height: rect.height
    ).map { TestImage(name: name, rect: $0) }
  }
}
