import Geometry
import NMS
import VisionProtocols

/// Finds objects in an image cut into tiles, so that small objects are large enough for the
/// detector.
///
/// A single tile is the image itself. With several tiles, each goes through the detector and the
/// suppression like an image. A detection that ends at a border between tiles is probably a part,
/// and is dropped, because the overlapping neighbour has the whole object. The others are moved to
/// their place in the image and clipped. Empty boxes, and those that cover more than
/// ``largestShare`` of the image, are dropped. Then one suppression goes over all tiles.
///
/// Complexity: the detector's, for every tile, and O(n log n) for n boxes spread over the image.
package struct TiledDetectionStage: Hashable, Sendable {
  /// The least score and the greatest overlap, in a tile and over all tiles.
  package var detection: DetectionStage
  /// The share of a tile that its neighbour covers too, 0...0.9.
  package var overlap: Double
  /// How near to a border between tiles an edge may not lie, in pixels.
  package var borderMargin: Double
  /// The same as a share of the tile's longer side; the larger of the two counts.
  package var borderShare: Double
  /// The greatest share of the image that one object may cover.
  package var largestShare: Double

  /// Makes the stage.
  package init(
    detection: DetectionStage = DetectionStage(), overlap: Double = 0.25, borderMargin: Double = 4,
    borderShare: Double = 0.012, largestShare: Double = 0.5
  ) {
    self.detection = detection
    self.overlap = overlap
    self.borderMargin = borderMargin
    self.borderShare = borderShare
    self.largestShare = largestShare
  }

  /// What `detector` finds, best first.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - tilesPerSide: the number of tiles across, and down.
  ///   - region: the part of the image to search; nil is all of it. Tiles outside it are left out,
  ///     and so are detections whose centre is outside.
  ///   - detector: the detector for each tile.
  ///   - afterEachTile: called with the number of tiles done so far.
  /// - Throws: what the detector throws; `SuppressionError`;
  ///   ``CountingError/cropRefused(_:width:height:)``;
  ///   ``CountingError/untileable(width:height:tilesPerSide:)``; `CancellationError` between tiles.
  package func detections<Detector: ObjectDetector>(
    in image: Detector.Image, tilesPerSide: Int, region: CountingRegion? = nil,
    with detector: Detector, afterEachTile: (Int) -> Void = { _ in }
  ) async throws -> StageOutput<[Detection]> where Detector.Image: CroppableImage {
    try await detections(
      in: image, tilesPerSide: tilesPerSide, region: region, faintFrom: nil, with: detector,
      afterEachTile: afterEachTile
    ).detected
  }

  /// The same, and the detections below the least score.
  ///
  /// One call of the detector a tile is enough, because suppression goes from the best detection
  /// down: lower ones change nothing above them.
  ///
  /// - Parameter faintFrom: the least score of the detections below ``detection``'s least; nil, or
  ///   a score that is not lower, gives none.
  func detections<Detector: ObjectDetector>(
    in image: Detector.Image, tilesPerSide: Int, region: CountingRegion?, faintFrom: Float?,
    with detector: Detector, afterEachTile: (Int) -> Void
  ) async throws -> (detected: StageOutput<[Detection]>, faint: [Detection])
  where Detector.Image: CroppableImage {
    let usual = detection.minimumConfidence
    var asked = detection
    asked.minimumConfidence = min(usual, faintFrom ?? usual)
    let isFaintAsked = asked.minimumConfidence < usual
    let grid = try grid(width: image.width, height: image.height, tilesPerSide: tilesPerSide)
    var candidates = 0
    var found: [Detection] = []
    for (place, tile) in grid.tiles.enumerated() {
      try Task.checkCancellation()
      if let region, !Self.meets(tile, region.bounds) { continue }
      let isWhole = tile.width == image.width && tile.height == image.height
      guard let part = isWhole ? image : image.cropped(to: tile) else {
        throw CountingError.cropRefused(tile, width: image.width, height: image.height)
      }
      let answer = try await detector.detections(
        in: part, minimumConfidence: asked.minimumConfidence)
      let output = try asked.suppressed(answer)
      candidates += isFaintAsked ? answer.count { $0.score >= usual } : answer.count
      found += output.items.compactMap { inImage($0, of: tile, in: grid) }
        .filter { region?.contains($0.box.center) ?? true }
      afterEachTile(place + 1)
    }
    let kept = try nonMaximumSuppression(
      boxes: found.map(\.box), scores: found.map(\.score), iouThreshold: detection.maximumIoU)
    let left = kept.map { found[$0] }
    guard isFaintAsked else { return (StageOutput(left, outOf: candidates), []) }
    return (
      StageOutput(left.filter { $0.score >= usual }, outOf: candidates),
      left.filter { $0.score < usual }
    )
  }

  /// Whether a tile shows any of a box.
  private static func meets(_ tile: PixelRect, _ box: Box) -> Bool {
    Double(box.minX) < Double(tile.maxX) && Double(box.maxX) > Double(tile.x)
      && Double(box.minY) < Double(tile.maxY) && Double(box.maxY) > Double(tile.y)
  }

  /// How many of the detector's own pixels a pixel of the image becomes.
  package func scale<Detector: ObjectDetector>(
    width: Int, height: Int, tilesPerSide: Int, detector: Detector
  ) throws -> Double {
    let grid = try grid(width: width, height: height, tilesPerSide: tilesPerSide)
    guard let tile = grid.tiles.first else { return 1 }
    return detector.scale(imageWidth: tile.width, imageHeight: tile.height)
  }

  private func grid(width: Int, height: Int, tilesPerSide: Int) throws -> TileGrid {
    guard
      let grid = TileGrid(
        width: width, height: height, columns: tilesPerSide, rows: tilesPerSide, overlap: overlap)
    else {
      throw CountingError.untileable(width: width, height: height, tilesPerSide: tilesPerSide)
    }
    return grid
  }

  /// A tile's detection in the image's coordinates, or nil to drop it.
  private func inImage(
    _ detection: Detection, of tile: PixelRect, in grid: TileGrid
  ) -> Detection? {
    let box = detection.box
    let margin = Float(max(borderMargin, borderShare * Double(max(tile.width, tile.height))))
    if tile.x > 0, box.minX < margin { return nil }
    if tile.y > 0, box.minY < margin { return nil }
    if tile.maxX < grid.width, box.maxX > Float(tile.width) - margin { return nil }
    if tile.maxY < grid.height, box.maxY > Float(tile.height) - margin { return nil }
    var placed = detection
    placed.box = box.translated(dx: Float(tile.x), dy: Float(tile.y))
      .clipped(toWidth: grid.width, height: grid.height)
    guard placed.box.width > 0, placed.box.height > 0,
      placed.box.exactArea <= largestShare * Double(grid.width) * Double(grid.height)
    else { return nil }
    return placed
  }
}
