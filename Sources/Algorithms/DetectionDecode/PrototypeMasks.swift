import Geometry

/// Masks as sums of prototypes: each candidate says how much of each it takes.
///
/// Source: Bolya et al., "YOLACT: Real-time Instance Segmentation"; YOLOv5's and YOLOv8's `-seg`
/// networks.
public struct PrototypeMasks: Hashable, Sendable {
  /// How many prototypes there are.
  public let count: Int
  /// Columns of each.
  public let width: Int
  /// Rows of each.
  public let height: Int
  private let values: [Float]

  /// Takes the prototypes of an output `[1, count, height, width]`.
  ///
  /// - Throws: ``DetectionDecodeError/outputShape(got:expected:)``.
  public init(_ output: HeadOutput) throws(DetectionDecodeError) {
    guard let shape = output.trailing(3), shape.allSatisfy({ $0 > 0 }) else {
      throw .outputShape(got: output.shape, expected: "[1, K, H, W]")
    }
    (count, height, width) = (shape[0], shape[1], shape[2])
    values = output.values
  }

  /// The mask of one candidate: above 0 inside the object.
  ///
  /// - Parameters:
  ///   - coefficients: one for each prototype.
  ///   - bounds: the candidate's box in the units of the prototypes. The field is only computed
  ///     there and a little beyond; elsewhere it is below 0.
  /// - Throws: ``DetectionDecodeError/lengths(_:)`` if the number of coefficients is not ``count``.
  /// - Complexity: O(*count*) for each cell in the bounds, and O(*width* *height*).
  public func field(
    coefficients: [Float], within bounds: Box
  ) throws(DetectionDecodeError) -> MaskField {
    guard coefficients.count == count else { throw .lengths([coefficients.count, count]) }
    var field = [Float](repeating: -1, count: width * height)
    if bounds.isFinite {
      let columns = MaskField.cells(
        from: bounds.minX, to: bounds.maxX, of: width, margin: 2)
      let rows = MaskField.cells(
        from: bounds.minY, to: bounds.maxY, of: height, margin: 2)
      for row in rows {
        for column in columns { field[row * width + column] = 0 }
        for (plane, coefficient) in coefficients.enumerated() {
          let start = (plane * height + row) * width
          for column in columns {
            field[row * width + column] += coefficient * values[start + column]
          }
        }
      }
    }
    return try MaskField(width: width, height: height, values: field)
  }
}
