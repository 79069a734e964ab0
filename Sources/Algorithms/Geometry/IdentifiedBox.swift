/// A box and the number of the object that it shows.
///
/// The number is the same in all frames that show the object. Trackers return such boxes, and zones
/// and tracking metrics read them.
public struct IdentifiedBox: Hashable, Sendable, Codable {
  /// The object's number; any value, unique in its frame.
  public var id: Int
  /// The object's box, in any space that is the same for all frames.
  public var box: Box

  /// Makes a box with a number.
  public init(id: Int, box: Box) {
    self.id = id
    self.box = box
  }
}
