import Foundation
import ONNXRunner
import Raster
import SpineDetection

/// A network that says of each cell of a picture whether a spine is there, and how it stands.
///
/// ```swift
/// let model = try BundledModels.spineSegmenter()
/// let spines = try SpineDetector().spines(in: try await model.maps(of: image))
/// ```
///
/// The picture is made smaller until it has ``workingPixels`` or fewer, its proportions kept; it is never enlarged. Then it is
/// seen at half and at a quarter of these pixels too, as a book close to the camera shows its sides there. Blue, green and
/// red of 0...255 go in, padded with 114 at the right and below to multiples of 32. Seven planes of half that size
/// come out, see `SpineMaps`.
public struct SpineSegmentationModel: Sendable {
  /// How many pixels the network sees at most, 4,096...16,777,216.
  ///
  /// Time and memory grow with it. More finds thinner spines, in photos that are sharp enough.
  public var workingPixels: Int {
    didSet { workingPixels = min(max(workingPixels, 4_096), 16_777_216) }
  }

  /// How many pixels the network sees of a photo if nothing else is said: as many as 640 x 480 has.
  public static let defaultWorkingPixels = 307_200

  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String

  private static let planes = SpineMaps.Plane.allCases.count
  private static let padding: UInt8 = 114

  /// Loads a network.
  ///
  /// - Throws: `ModelError` if the runner cannot run the file; ``ReferenceModelError`` if it does another job.
  public init(contentsOf url: URL, options: SessionOptions = SessionOptions()) throws {
    try self.init(session: InferenceSession(contentsOf: url, options: options))
  }

  /// Takes a network that is loaded.
  ///
  /// - Throws: ``ReferenceModelError`` if it does another job.
  public init(session: InferenceSession) throws {
    let output: ValueDescription
    do {
      (input, output) = try session.planePorts(Self.planes)
    } catch {
      throw ReferenceModelError.notSpineSegmenter(reason: error.reason, found: session.signature)
    }
    self.session = session
    outputName = output.name
    workingPixels = Self.defaultWorkingPixels
  }

  /// What the network says of a picture, at three sizes, the largest first.
  ///
  /// - Throws: `CancellationError` soon after the task is cancelled; `ModelError`; ``ReferenceModelError``.
  public func maps(of image: Raster) async throws -> [SpineMaps] {
    let largest = try Self.shrunken(image.converted(toChannels: 3), to: workingPixels)
    var result = [try await maps(of: largest, from: image)]
    for share in [2, 4] {
      let smaller = try Self.shrunken(largest, to: workingPixels / share)
      // A small picture is not looked at twice.
      if smaller.width < largest.width || smaller.height < largest.height {
        result.append(try await maps(of: smaller, from: image))
      }
    }
    return result
  }

  /// The picture, made smaller if it has more pixels than `most`.
  private static func shrunken(_ image: Raster, to most: Int) throws -> Raster {
    let pixels = Double(image.width) * Double(image.height)
    let ratio = (Double(most) / pixels).squareRoot()
    guard ratio < 1 else { return image }
    func side(_ length: Int) -> Int { max(2, Int((Double(length) * ratio).rounded())) }
    return try image.resized(
      width: side(image.width), height: side(image.height), method: .bicubic)
  }

  /// What the network says of a picture that is `image` made smaller.
  private func maps(of seen: Raster, from image: Raster) async throws -> SpineMaps {
    func padded(_ length: Int) -> Int { (length + 31) / 32 * 32 }
    let (width, height) = (padded(seen.width), padded(seen.height))
    let tensor = try Tensor(shape: [1, 3, height, width], of: Float.self) { target in
      target.initialize(repeating: Float(Self.padding))
      PlanarSamples.write(seen, into: target, rowStride: width, table: PlanarSamples.plain)
    }
    let answer = try await session.runCancellably([
      input.name: tensor.converted(to: input.elementType)
    ])
    let (columns, rows) = (width / 2, height / 2)
    guard let output = answer[outputName], output.shape == [1, Self.planes, rows, columns] else {
      throw ReferenceModelError.outputShape(
        name: outputName, got: answer[outputName]?.shape ?? [],
        expected: "[1, \(Self.planes), \(rows), \(columns)]")
    }
    // Without the cells of the padding.
    let (usedColumns, usedRows) = ((seen.width + 1) / 2, (seen.height + 1) / 2)
    let all = try output.floats()
    var values: [Float] = []
    values.reserveCapacity(Self.planes * usedRows * usedColumns)
    for plane in 0..<Self.planes {
      for row in 0..<usedRows {
        let first = (plane * rows + row) * columns
        values += all[first..<first + usedColumns]
      }
    }
    return try SpineMaps(
      values: values, width: usedColumns, height: usedRows,
      cellWidth: 2 * Double(image.width) / Double(seen.width),
      cellHeight: 2 * Double(image.height) / Double(seen.height))
  }
}
