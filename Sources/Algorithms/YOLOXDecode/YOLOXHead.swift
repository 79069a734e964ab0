/// The feature maps a YOLOX network proposes candidates from.
public enum YOLOXPyramid: String, Hashable, Sendable, Codable, CaseIterable {
  /// Strides 8, 16 and 32: all published models.
  case p5
  /// Strides 8, 16, 32 and 64.
  case p6

  /// Input pixels per grid cell of each map, in the order of the output.
  public var strides: [Int] {
    switch self {
    case .p5: [8, 16, 32]
    case .p6: [8, 16, 32, 64]
    }
  }
}

/// The layout of a YOLOX network's output: `[1, N, 5 + C]`, values `x, y, w, h, objectness`, then
/// *C* classes.
///
/// A raw head's boxes are relative to grid cells; candidates run over the strides in order, row
/// after row of each grid. A self-decoded head's boxes are pixels of the network's input already,
/// center and size.
///
/// Source: Ge et al., "YOLOX: Exceeding YOLO Series in 2021".
public struct YOLOXHead: Hashable, Sendable {
  /// The width of the network's input in pixels.
  public let inputWidth: Int
  /// The height of the network's input in pixels.
  public let inputHeight: Int
  /// The feature maps; nil for a self-decoded head whose number of candidates fits none.
  public let pyramid: YOLOXPyramid?
  /// How many candidates there are: *N*.
  public let candidateCount: Int
  /// How many classes there are: *C*.
  public let classCount: Int
  /// Whether the network decodes its boxes itself.
  public let isSelfDecoded: Bool

  /// Describes the head of a network of known make.
  ///
  /// - Parameters:
  ///   - inputWidth: a positive multiple of the largest stride, in pixels.
  ///   - inputHeight: likewise.
  ///   - pyramid: the feature maps.
  ///   - classCount: at least 1.
  ///   - selfDecoded: whether the network decodes its boxes itself.
  /// - Throws: ``YOLOXDecodeError``.
  public init(
    inputWidth: Int, inputHeight: Int, pyramid: YOLOXPyramid = .p5, classCount: Int,
    selfDecoded: Bool = false
  ) throws(YOLOXDecodeError) {
    let candidates = try Self.candidateCount(pyramid, width: inputWidth, height: inputHeight)
    try self.init(
      inputWidth: inputWidth, inputHeight: inputHeight, pyramid: pyramid,
      candidateCount: candidates, classCount: classCount, isSelfDecoded: selfDecoded)
  }

  /// Finds out feature maps and class count from the shape of the output.
  ///
  /// A self-decoded head may have any number of candidates and any positive input size.
  ///
  /// - Parameters:
  ///   - outputShape: `[1, N, 5 + C]`.
  ///   - inputWidth: in pixels.
  ///   - inputHeight: in pixels.
  ///   - selfDecoded: whether the network decodes its boxes itself; the shape does not tell.
  /// - Throws: ``YOLOXDecodeError`` if the shape is none of a YOLOX, or not that of the input's
  ///   size.
  public init(
    outputShape: [Int], inputWidth: Int, inputHeight: Int, selfDecoded: Bool = false
  ) throws(YOLOXDecodeError) {
    guard outputShape.count == 3, outputShape[0] == 1, outputShape[1] > 0, outputShape[2] > 5
    else { throw .outputShape(outputShape) }
    let candidates = outputShape[1]
    var pyramid: YOLOXPyramid?
    var expected: [Int] = []
    for possible in YOLOXPyramid.allCases {
      guard
        let count = try? Self.candidateCount(possible, width: inputWidth, height: inputHeight)
      else { continue }
      expected.append(count)
      if count == candidates { pyramid = possible }
    }
    if selfDecoded {
      guard inputWidth > 0, inputHeight > 0 else {
        throw .inputSize(width: inputWidth, height: inputHeight, largestStride: 1)
      }
    } else if pyramid == nil {
      // Throws if the input's size is at fault.
      _ = try Self.candidateCount(.p5, width: inputWidth, height: inputHeight)
      throw .candidateCount(got: candidates, expected: expected)
    }
    try self.init(
      inputWidth: inputWidth, inputHeight: inputHeight, pyramid: pyramid,
      candidateCount: candidates, classCount: outputShape[2] - 5, isSelfDecoded: selfDecoded)
  }

  private init(
    inputWidth: Int, inputHeight: Int, pyramid: YOLOXPyramid?, candidateCount: Int,
    classCount: Int, isSelfDecoded: Bool
  ) throws(YOLOXDecodeError) {
    guard classCount > 0, !classCount.addingReportingOverflow(5).overflow,
      !candidateCount.multipliedReportingOverflow(by: classCount + 5).overflow
    else { throw .classCount(classCount) }
    self.inputWidth = inputWidth
    self.inputHeight = inputHeight
    self.pyramid = pyramid
    self.candidateCount = candidateCount
    self.classCount = classCount
    self.isSelfDecoded = isSelfDecoded
  }

  /// The shape of the output: `[1, N, 5 + C]`.
  public var outputShape: [Int] { [1, candidateCount, 5 + classCount] }

  /// The number of values in the output.
  public var valueCount: Int { candidateCount * (5 + classCount) }

  /// How many grid cells the feature maps have together.
  private static func candidateCount(
    _ pyramid: YOLOXPyramid, width: Int, height: Int
  ) throws(YOLOXDecodeError) -> Int {
    let largest = pyramid.strides.max() ?? 1
    // Up to this, the products of sides fit in an Int with room for their sum.
    let range = 1...Int(Int32.max)
    guard range.contains(width), range.contains(height), width.isMultiple(of: largest),
      height.isMultiple(of: largest)
    else {
      throw .inputSize(width: width, height: height, largestStride: largest)
    }
    return pyramid.strides.reduce(0) { $0 + (width / $1) * (height / $1) }
  }
}
