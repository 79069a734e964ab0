import Foundation
import Geometry
import ONNXRunner
import Raster
import SpineDetection

/// A network that finds for each cell of a picture whether a spine is there, and its orientation.
///
/// ```swift
/// let model = try BundledModels.spineSegmenter()
/// let spines = try SpineDetector().spines(in: try await model.maps(of: image))
/// ```
///
/// The picture is scaled down to ``workingPixels`` or fewer, with its proportions; it is never
/// enlarged. The network also runs at half and at a quarter of these pixels, at which books close
/// to the camera show their sides. If a part shows thin spines, it is processed again at up to
/// twice the pixels. The input is blue, green and red of 0...255, padded with 114 at the right and
/// below to multiples of 32. The output is seven planes of half that size, see `SpineMaps`.
public struct SpineSegmentationModel: Sendable {
  /// How many pixels the network sees at most, 4,096...16,777,216.
  ///
  /// Time and memory grow with it. More finds thinner spines, in photos that are sharp enough.
  public var workingPixels: Int {
    didSet { workingPixels = min(max(workingPixels, 4_096), 16_777_216) }
  }

  /// The default number of pixels of the network's input: 640 x 480.
  public static let defaultWorkingPixels = 307_200

  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String

  private static let planes = SpineMaps.Plane.allCases.count
  private static let padding: UInt8 = 114

  /// Loads a network.
  ///
  /// - Throws: `ModelError` if the runner cannot run the file; ``ReferenceModelError`` if it does
  ///   another job.
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

  /// What the network says of a picture at three sizes, the largest first, and of the part with
  /// thin spines at a larger one.
  ///
  /// - Throws: `CancellationError` soon after the task is cancelled; `ModelError`;
  ///   ``ReferenceModelError``.
  public func maps(of image: Raster) async throws -> [SpineMaps] {
    let (first, others) = try await looks(at: image)
    return [first.maps] + others
  }

  /// The same, with what each of the maps takes for spines.
  ///
  /// - Throws: as ``maps(of:)``.
  func spines(in image: Raster) async throws -> [MapSpines] {
    let (first, others) = try await looks(at: image)
    return [first]
      + (try await mapConcurrently(others, limit: session.runsAtOnce) { MapSpines(in: $0) })
  }

  /// The maps of the largest size, with the spines that decide on the second pass; and those of the
  /// smaller sizes and of that pass.
  private func looks(
    at image: Raster
  ) async throws -> (first: MapSpines, others: [SpineMaps]) {
    let image = try image.converted(toChannels: 3)
    let largest = try Self.shrunken(image, to: workingPixels)
    let maps = try await maps(of: largest, from: image)
    // Prepared while the network runs on the smaller sizes.
    async let preparation = secondLook(at: image, after: maps, of: largest)
    var others: [SpineMaps] = []
    for share in [2, 4] {
      let smaller = try Self.shrunken(largest, to: workingPixels / share)
      // A small picture is processed only once.
      if smaller.width < largest.width || smaller.height < largest.height {
        others.append(try await self.maps(of: smaller, from: image))
      }
    }
    let (first, look) = try await preparation
    if let look {
      others.append(
        try await self.maps(
          of: look.picture, tiles: Tile.tiles(of: look.part, most: workingPixels / 4),
          seen: look.part, from: image))
    }
    return (first, others)
  }

  /// The factor on the pixels in the second pass; a small picture is enlarged for it.
  private static let growth = 2.0

  /// The picture for the second pass, and the part of it with thin spines, in cells.
  private struct SecondLook {
    let picture: Raster
    let part: PixelRect
  }

  /// What the first maps take for spines, and what they say is to be processed again; nil if
  /// nothing is.
  private func secondLook(
    at image: Raster, after maps: SpineMaps, of seen: Raster
  ) async throws -> (first: MapSpines, look: SecondLook?) {
    let first = MapSpines(in: maps)
    guard let place = first.placeOfThinOnes() else { return (first, nil) }
    let side = Self.growth.squareRoot()
    let closer = try image.resized(
      width: Int((Double(seen.width) * side).rounded()),
      height: Int((Double(seen.height) * side).rounded()), method: .bicubic)
    // Whole cells, which are two pixels wide.
    let cells = place.scaled(
      x: Float(closer.width) / Float(2 * image.width),
      y: Float(closer.height) / Float(2 * image.height))
    let (columns, rows) = ((closer.width + 1) / 2, (closer.height + 1) / 2)
    return (
      first,
      PixelRect(truncating: cells, inWidth: columns, height: rows).map {
        SecondLook(picture: closer, part: $0)
      }
    )
  }

  /// A part that is processed by itself, in cells, and the area of it that is kept.
  private struct Tile {
    let looked, kept: PixelRect

    /// How many cells a tile sees beyond those that are kept: what the network says near an edge is
    /// worth less.
    private static let margin = 24

    /// Tiles in a row or a column that cover a part, with at most `most` cells each.
    ///
    /// The memory of a pass grows with its size.
    static func tiles(of part: PixelRect, most: Int) -> [Tile] {
      let number = max(1, (part.width * part.height + most - 1) / most)
      let isWide = part.width >= part.height
      let (start, length) = isWide ? (part.x, part.width) : (part.y, part.height)
      return (0..<number).compactMap { index in
        let from = start + index * length / number
        let end = start + (index + 1) * length / number
        func rect(_ from: Int, _ end: Int) -> PixelRect? {
          isWide
            ? PixelRect(x: from, y: part.y, width: end - from, height: part.height)
            : PixelRect(x: part.x, y: from, width: part.width, height: end - from)
        }
        guard let kept = rect(from, end),
          let looked = rect(max(start, from - margin), min(start + length, end + margin))
        else { return nil }
        return Tile(looked: looked, kept: kept)
      }
    }
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
    let all = PixelRect(x: 0, y: 0, width: (seen.width + 1) / 2, height: (seen.height + 1) / 2)
    return try await maps(
      of: seen, tiles: all.map { [Tile(looked: $0, kept: $0)] } ?? [], seen: nil, from: image)
  }

  /// What the network says of tiles of a picture that is `image` made smaller; 0 beyond them.
  private func maps(
    of whole: Raster, tiles: [Tile], seen: PixelRect?, from image: Raster
  ) async throws -> SpineMaps {
    let (columns, rows) = ((whole.width + 1) / 2, (whole.height + 1) / 2)
    var values = [Float](repeating: 0, count: Self.planes * rows * columns)
    for tile in tiles {
      let (answer, width) = try await answer(of: whole, tile: tile)
      let found = try answer.floats()
      let height = found.count / Self.planes / width
      for plane in 0..<Self.planes {
        for row in 0..<tile.kept.height {
          let from =
            (plane * height + tile.kept.y - tile.looked.y + row) * width + tile.kept.x
            - tile.looked.x
          let to = (plane * rows + tile.kept.y + row) * columns + tile.kept.x
          values.replaceSubrange(
            to..<to + tile.kept.width, with: found[from..<from + tile.kept.width])
        }
      }
    }
    return try SpineMaps(
      values: values, width: columns, height: rows,
      cellWidth: 2 * Double(image.width) / Double(whole.width),
      cellHeight: 2 * Double(image.height) / Double(whole.height), seen: seen)
  }

  /// The network's planes of one tile and how many cells they are wide, those of the padding with
  /// them.
  private func answer(of whole: Raster, tile: Tile) async throws -> (planes: Tensor, width: Int) {
    let place = tile.looked
    let part =
      PixelRect(
        x: 2 * place.x, y: 2 * place.y, width: min(2 * place.width, whole.width - 2 * place.x),
        height: min(2 * place.height, whole.height - 2 * place.y)
      ).flatMap { whole.cropped(to: $0) } ?? whole
    func padded(_ length: Int) -> Int { (length + 31) / 32 * 32 }
    let (width, height) = (padded(part.width), padded(part.height))
    let tensor = try Tensor(shape: [1, 3, height, width], of: Float.self) { target in
      target.initialize(repeating: Float(Self.padding))
      PlanarSamples.write(part, into: target, rowStride: width, table: PlanarSamples.plain)
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
    return (output, columns)
  }
}
