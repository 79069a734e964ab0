#if canImport(Vision)
  import Geometry
  import ImageIO

  extension Orientation {
    /// The same orientation; both have the numbers of EXIF.
    public init(_ orientation: CGImagePropertyOrientation) {
      self = Orientation(rawValue: Int(orientation.rawValue)) ?? .upright
    }
  }

  extension CGImagePropertyOrientation {
    /// The same orientation; both have the numbers of EXIF.
    public init(_ orientation: Orientation) {
      self = CGImagePropertyOrientation(rawValue: UInt32(orientation.rawValue)) ?? .up
    }
  }
#endif
