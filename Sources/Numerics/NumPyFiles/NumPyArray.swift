import Foundation

/// An array as NumPy stores it in a `.npy` file: a shape, and elements in C order (the last index
/// runs fastest).
///
/// Format versions 1, 2 and 3 are read, of either byte order and of C or Fortran order; what is
/// written is version 1, little-endian, C order, byte for byte what `numpy.save` writes.
/// Structured, complex, text and object arrays are an error.
///
/// Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".
public struct NumPyArray: Equatable, Sendable {
  /// The length of every axis; empty for a single value of no axis.
  public let shape: [Int]
  /// The values in C order; their number is the product of the shape.
  public let elements: NumPyElements

  /// Makes an array of `elements` in C order.
  ///
  /// - Throws: ``NumPyFileError/invalidShape(_:)`` if a length is negative, there are more than
  ///   64 axes or their product overflows; ``NumPyFileError/countMismatch(expected:found:)`` if
  ///   the number of elements is not the product of the shape.
  public init(shape: [Int], elements: NumPyElements) throws(NumPyFileError) {
    let expected = try Self.count(of: shape)
    guard elements.count == expected else {
      throw .countMismatch(expected: expected, found: elements.count)
    }
    self.shape = shape
    self.elements = elements
  }

  /// Makes a float32 array of `floats` in C order; `shape` is one axis if it is not given.
  ///
  /// - Throws: as ``init(shape:elements:)``.
  public init(_ floats: [Float], shape: [Int]? = nil) throws(NumPyFileError) {
    try self.init(shape: shape ?? [floats.count], elements: .float32(floats))
  }

  /// All values in C order, converted to `Float` (to the nearest where it does not fit).
  public var floats: [Float] { elements.floats }

  /// All values in C order, converted to `Double` (to the nearest where it does not fit).
  public var doubles: [Double] { elements.doubles }

  /// The number of elements of `shape`.
  static func count(of shape: [Int]) throws(NumPyFileError) -> Int {
    // NumPy 2 allows 64 axes; the limit also bounds the work below.
    guard shape.count <= 64, shape.allSatisfy({ $0 >= 0 }) else { throw .invalidShape(shape) }
    if shape.contains(0) { return 0 }
    var product = 1
    for length in shape {
      let (next, overflow) = product.multipliedReportingOverflow(by: length)
      guard !overflow else { throw .invalidShape(shape) }
      product = next
    }
    return product
  }
}
