import NumPyFiles
import Testing

@Suite struct NumPyConversionTests {
  @Test(arguments: [
    NumPyElements.bool([false, true]), .int8([0, 1]), .int16([0, 1]), .int32([0, 1]),
    .int64([0, 1]), .uint8([0, 1]), .uint16([0, 1]), .uint32([0, 1]), .uint64([0, 1]),
    .float16([0, 0x3C00]), .float32([0, 1]), .float64([0, 1]),
  ])
  func everyTypeConverts(_ elements: NumPyElements) throws {
    let array = try NumPyArray(shape: [2], elements: elements)
    #expect(array.floats == [0, 1])
    #expect(array.doubles == [0, 1])
    #expect(try NumPyArray(data: array.data) == array)
    #expect(array.data.count == 128 + 2 * elements.type.byteCount)
  }

  @Test func wideValuesKeepTheirPrecisionAsDoubles() throws {
    let array = try NumPyArray(shape: [2], elements: .int64([1 << 53, -(1 << 53) + 1]))
    #expect(array.doubles == [0x1p53, -0x1p53 + 1])
    #expect(array.floats == [0x1p53, -0x1p53])
    #expect(try NumPyArray(shape: [], elements: .float64([1e300])).floats == [.infinity])
  }

  @Test func shapesAreChecked() throws {
    #expect(try NumPyArray([1, 2, 3]).shape == [3])
    #expect(try NumPyArray([], shape: [0, .max, .max]).floats.isEmpty)
    #expect(throws: NumPyFileError.countMismatch(expected: 4, found: 3)) {
      try NumPyArray([1, 2, 3], shape: [2, 2])
    }
    #expect(throws: NumPyFileError.invalidShape([-1])) { try NumPyArray([], shape: [-1]) }
    #expect(throws: NumPyFileError.invalidShape([.max, 2])) {
      try NumPyArray([1], shape: [.max, 2])
    }
    let deep = [Int](repeating: 1, count: 65)
    #expect(throws: NumPyFileError.invalidShape(deep)) { try NumPyArray([1], shape: deep) }
    #expect(try NumPyArray([1], shape: Array(deep.dropLast())).shape.count == 64)
  }
}
