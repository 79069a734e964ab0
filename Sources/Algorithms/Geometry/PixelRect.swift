/// A non-empty rectangle of whole pixels, origin at the top left.
public struct PixelRect: Hashable, Sendable, Codable {
  /// The first column.
  public let x: Int
  /// The first row.
  public let y: Int
  /// The number of columns, at least 1.
  public let width: Int
  /// The number of rows, at least 1.
  public let height: Int

  /// Makes a rectangle, or nil where it would be empty or its far edge would overflow.
  public init?(x: Int, y: Int, width: Int, height: Int) {
    guard width > 0, height > 0, !x.addingReportingOverflow(width).overflow,
      !y.addingReportingOverflow(height).overflow
    else { return nil }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
