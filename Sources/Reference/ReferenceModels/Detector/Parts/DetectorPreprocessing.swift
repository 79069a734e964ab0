import Geometry
import Raster

/// How a photo becomes the input of a detector.
public struct DetectorPreprocessing: Hashable, Sendable, Codable {
  /// How a photo gets the size that the network takes.
  public enum Framing: Hashable, Sendable, Codable {
    /// Its aspect ratio is kept, and the rest of the input has samples of `fill`.
    case letterboxed(Letterbox.Placement, sides: Letterbox.SideRounding, fill: UInt8)
    /// Its sides are fitted one by one.
    case stretched
    /// The aspect ratio is kept, without padding, for networks that take any size.
    ///
    /// The shorter side gets the given number of pixels, unless the longer side would exceed its
    /// limit.
    case shorterSide(Int, longerAtMost: Int)
    /// As it is. For networks that take any size and fit it themselves.
    case whole
  }

  /// How the photo gets its size.
  public var framing: Framing
  /// How pixels between pixels are found.
  public var resampling: Resampling
  /// Whether samples keep their fractions when a photo is stretched, and are not rounded to bytes
  /// first.
  ///
  /// Then the resampling is bilinear without antialiasing. RF-DETR's pipeline does so.
  public var keepsFractions: Bool
  /// The order of the colours.
  public var order: ChannelOrder
  /// The normalization of each sample; none if the network takes bytes.
  public var normalization: PixelNormalization

  /// Makes a rule.
  public init(
    framing: Framing, resampling: Resampling = .bilinear, keepsFractions: Bool = false,
    order: ChannelOrder = .rgb, normalization: PixelNormalization
  ) {
    self.framing = framing
    self.resampling = resampling
    self.keepsFractions = keepsFractions
    self.order = order
    self.normalization = normalization
  }
}

extension DetectorPreprocessing {
  /// A rule that has a name.
  public enum Preset: String, Hashable, Sendable, Codable, CaseIterable {
    /// YOLOX's: top left on grey, BGR, 0...255.
    case yolox
    /// That of YOLOv5 to YOLO26: in the middle on grey, RGB, 0...1.
    case yolo
    /// Stretched, RGB, 0...1: RT-DETR's and D-FINE's.
    case unit
    /// Stretched, RGB, ImageNet's mean and deviation: RF-DETR's.
    case imageNet = "imagenet"
    /// Stretched, RGB, 0...255.
    case bytes
  }

  /// The rule of a preset.
  public init(_ preset: Preset) {
    let unit = PixelNormalization(divisor: 255)
    switch preset {
    case .yolox:
      self.init(
        framing: .letterboxed(.topLeft, sides: .truncated, fill: 114), order: .bgr,
        normalization: .none)
    case .yolo:
      self.init(
        framing: .letterboxed(.centered, sides: .nearest, fill: 114), normalization: unit)
    case .unit:
      self.init(framing: .stretched, resampling: .bilinearAntialiased, normalization: unit)
    case .imageNet:
      self.init(
        framing: .stretched, resampling: .bilinearAntialiased,
        normalization: CropPreprocessing.imageNet.normalization)
    case .bytes:
      self.init(framing: .stretched, resampling: .bilinearAntialiased, normalization: .none)
    }
  }
}

extension DetectorPreprocessing {
  /// The network's input for a photo, and the position of its pixels in the photo.
  struct Canvas {
    let image: Raster
    let place: CanvasPlace
  }

  /// Fits a photo into an input.
  ///
  /// - Parameter size: the input's size; nil if the network takes any, which framings that keep the
  ///   photo's own need.
  func canvas(of image: Raster, size: PixelSize?) throws -> Canvas {
    let image = try image.converted(toChannels: 3)
    let place = try place(imageWidth: image.width, imageHeight: image.height, size: size)
    switch place {
    case .letterbox(let box):
      guard case .letterboxed(_, _, let fill) = framing else { break }
      return Canvas(image: try image.letterboxed(box, fill: fill), place: place)
    case .scaled(let scaled):
      if keepsFractions { return Canvas(image: image, place: place) }
      return Canvas(
        image: try image.resized(
          width: scaled.networkWidth, height: scaled.networkHeight, method: resampling),
        place: place)
    }
    return Canvas(image: image, place: place)
  }

  /// The position of a photo in the network's input.
  func place(imageWidth: Int, imageHeight: Int, size: PixelSize?) throws -> CanvasPlace {
    func scaled(_ width: Int, _ height: Int) -> CanvasPlace {
      .scaled(
        ScaledPlace(
          imageWidth: imageWidth, imageHeight: imageHeight, networkWidth: width,
          networkHeight: height))
    }
    switch (framing, size) {
    case (.letterboxed(let placement, let sides, _), let size?):
      return .letterbox(
        try Letterbox(
          imageWidth: imageWidth, imageHeight: imageHeight, networkWidth: size.width,
          networkHeight: size.height, placement: placement, sides: sides))
    case (_, let size?): return scaled(size.width, size.height)
    case (.shorterSide(let shorter, let longest), nil):
      let (short, long) = (min(imageWidth, imageHeight), max(imageWidth, imageHeight))
      // As in transformers: the shorter side is rounded, the longer one truncated.
      var exact = Double(shorter)
      if Double(long) / Double(short) * exact > Double(longest) {
        exact = Double(longest) * Double(short) / Double(long)
      }
      let target = max(Int(exact.rounded()), 1)
      let other = max(Int(exact * Double(long) / Double(short)), 1)
      return imageWidth <= imageHeight ? scaled(target, other) : scaled(other, target)
    default: return scaled(imageWidth, imageHeight)
    }
  }
}

/// The position of a photo in the input of a network.
enum CanvasPlace: Hashable, Sendable {
  case letterbox(Letterbox)
  case scaled(ScaledPlace)

  /// The input's size.
  var networkSize: (width: Int, height: Int) {
    switch self {
    case .letterbox(let box): (box.networkWidth, box.networkHeight)
    case .scaled(let place): (place.networkWidth, place.networkHeight)
    }
  }

  /// Input pixels per pixel of the photo, the lesser of both directions.
  var scale: Double {
    switch self {
    case .letterbox(let box): box.ratio
    case .scaled(let place): min(1 / place.factorX, 1 / place.factorY)
    }
  }

  /// A box of the input in coordinates of the photo.
  func image(fromNetwork box: Box) -> Box {
    switch self {
    case .letterbox(let letterbox): letterbox.image(fromNetwork: box)
    case .scaled(let place): box.scaled(x: Float(place.factorX), y: Float(place.factorY))
    }
  }

  /// A point of the input in coordinates of the photo.
  func image(fromNetwork point: Point) -> Point {
    switch self {
    case .letterbox(let letterbox): letterbox.image(fromNetwork: point)
    case .scaled(let place): point.scaled(x: place.factorX, y: place.factorY)
    }
  }
}

/// A photo that fills the input.
struct ScaledPlace: Hashable, Sendable {
  let imageWidth: Int
  let imageHeight: Int
  let networkWidth: Int
  let networkHeight: Int

  /// Pixels of the photo per pixel of the input.
  var factorX: Double { Double(imageWidth) / Double(networkWidth) }
  var factorY: Double { Double(imageHeight) / Double(networkHeight) }
}
