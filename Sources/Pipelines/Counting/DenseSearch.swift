import Geometry
import VisionProtocols

/// Searches a photo with the embedder alone for places similar to a drawn box.
///
/// It is used if the detector finds no object in the box. It compares windows of the box's size all
/// over the photo. A box on bare ground is similar to the ground around it, and a box on an object
/// is not. So it does not search if windows beside the box are similar to it, and it returns
/// nothing if a large part of the photo is.
///
/// Complexity: the embedder's, for at most ``mostWindows`` windows and 6 for each place found.
struct DenseSearch: Sendable {
  /// The drawn box, inside the photo.
  let box: Box
  let width: Int
  let height: Int
  /// The part of the photo to search; nil is all of it.
  let region: CountingRegion?

  /// More windows take longer than a person waits.
  static let mostWindows = 500
  /// The greatest mean cosine of an object to windows beside it.
  static let groundLikeness: Float = 0.8
  /// The least cosine of a window that is similar to the box.
  private static let leastLikeness: Float = 0.6
  /// How much more a place must be like the box than the windows beside the box are.
  private static let contrast: Float = 0.2
  /// If more than this share of all windows is similar to the box, the box shows ground.
  private static let mostShare = 0.25
  private static let mostPlaces = 120

  /// Windows of the box's size at even steps, at most ``mostWindows`` of them.
  var windows: [Box] {
    let (w, h) = (box.width, box.height)
    // Counted before they are made: of a box as thin as a hair there would be billions.
    var step: Float = 0.5
    var columns, rows: Int
    repeat {
      columns = Self.count(length: Float(width), window: w, step: step * w)
      rows = Self.count(length: Float(height), window: h, step: step * h)
      step *= 1.2
    } while columns * rows > Self.mostWindows
    let lefts = Self.starts(columns, length: Float(width), window: w)
    return Self.starts(rows, length: Float(height), window: h)
      .flatMap { y in lefts.map { Box(x: $0, y: y, width: w, height: h) } }
      .filter { region?.contains($0.center) ?? true }
  }

  /// How many windows there are along a side, at steps no longer than `step`.
  private static func count(length: Float, window: Float, step: Float) -> Int {
    guard length > window, step > 0 else { return 1 }
    return max(1, Int(min(((length - window) / step).rounded(.up), 1e9))) + 1
  }

  private static func starts(_ count: Int, length: Float, window: Float) -> [Float] {
    guard count > 1 else { return [0] }
    return (0..<count).map { (length - window) * Float($0) / Float(count - 1) }
  }

  /// The places similar to the box, the box itself first.
  ///
  /// Empty if no other place is similar, or if the box shows ground.
  ///
  /// The score of a detection is its cosine to the box.
  func detections<Embedder: ImageEmbedder>(
    in image: Embedder.Image, with embedder: Embedder, batchSize: Int
  ) async throws -> [Detection] where Embedder.Image: CroppableImage {
    func rows(of boxes: [Box]) async throws -> (boxes: [Box], rows: EmbeddingMatrix) {
      try await self.rows(of: boxes, in: image, with: embedder, batchSize: batchSize)
    }
    guard
      let ground = try await groundLikeness(in: image, with: embedder, batchSize: batchSize),
      ground <= Self.groundLikeness
    else { return [] }
    let own = try await rows(of: [box]).rows
    guard own.count == 1 else { return [] }
    let target = [Array(own[row: 0])]
    func likeness(_ row: ArraySlice<Float>) -> Float {
      GuidedKinds.nearest(row, among: target) ?? -1
    }
    let least = max(Self.leastLikeness, ground + Self.contrast)

    let looked = try await rows(of: windows)
    let likenesses = (0..<looked.rows.count).map { likeness(looked.rows[row: $0]) }
    let promising = likenesses.indices.filter { likenesses[$0] >= least - 0.1 }
    guard Double(promising.count) <= Self.mostShare * Double(max(8, likenesses.count)) else {
      return []
    }
    var found: [Detection] = []
    for place in promising.sorted(by: { likenesses[$0] > likenesses[$1] }).prefix(Self.mostPlaces)
    where found.allSatisfy({ $0.box.iou(looked.boxes[place]) < 0.3 }) {
      let near = try await rows(of: Self.variations(of: looked.boxes[place]))
      let best = (0..<near.rows.count).map { (near.boxes[$0], likeness(near.rows[row: $0])) }
        .max { $0.1 < $1.1 }
      guard let best, best.1 >= least, best.0.iou(box) < 0.2,
        found.allSatisfy({ $0.box.intersectionOverSmaller(best.0) < 0.3 })
      else { continue }
      found.append(Self.detection(best.0, likeness: best.1))
    }
    return found.isEmpty ? [] : [Self.detection(box, likeness: 1)] + found
  }

  /// The mean cosine of the windows beside the box to the box; nil if none is in the photo.
  ///
  /// An object is more similar to other objects than to the ground beside it.
  func groundLikeness<Embedder: ImageEmbedder>(
    in image: Embedder.Image, with embedder: Embedder, batchSize: Int
  ) async throws -> Float? where Embedder.Image: CroppableImage {
    let (_, rows) = try await rows(
      of: [box] + neighbours, in: image, with: embedder, batchSize: batchSize)
    guard rows.count > 1 else { return nil }
    let own = [Array(rows[row: 0])]
    let beside = (1..<rows.count).compactMap { GuidedKinds.nearest(rows[row: $0], among: own) }
    return beside.reduce(0, +) / Float(beside.count)
  }

  private func rows<Embedder: ImageEmbedder>(
    of boxes: [Box], in image: Embedder.Image, with embedder: Embedder, batchSize: Int
  ) async throws -> (boxes: [Box], rows: EmbeddingMatrix) where Embedder.Image: CroppableImage {
    let crops = CropStage(areaSigma: nil).crops(
      of: boxes.map { Self.detection($0, likeness: 1) }, width: width, height: height)
    let rows = try await EmbeddingStage(batchSize: max(batchSize, 16))
      .embeddings(of: crops.items, in: image, with: embedder)
    return (crops.items.map(\.detection.box), rows.items)
  }

  /// The box moved by three quarters of its sides, as far as that is inside the photo.
  private var neighbours: [Box] {
    [(-0.75, 0), (0.75, 0), (0, -0.75), (0, 0.75)].map { dx, dy in
      box.translated(dx: Float(dx) * box.width, dy: Float(dy) * box.height)
    }.filter { $0.minX >= 0 && $0.minY >= 0 && $0.maxX <= Float(width) && $0.maxY <= Float(height) }
  }

  /// The window, moved by a quarter, smaller and larger.
  private static func variations(of window: Box) -> [Box] {
    let (w, h) = (window.width, window.height)
    let moved = [(-0.25, 0), (0.25, 0), (0, -0.25), (0, 0.25)].map { dx, dy in
      window.translated(dx: Float(dx) * w, dy: Float(dy) * h)
    }
    let (x, y) = (Float(window.center.x), Float(window.center.y))
    return [window] + moved
      + [Float(0.8), 1.25].map { Box(centerX: x, centerY: y, width: w * $0, height: h * $0) }
  }

  private static func detection(_ box: Box, likeness: Float) -> Detection {
    let score = min(max(likeness, 0), 1)
    return Detection(box: box, score: score, objectness: score, classScore: 1, classID: 0)
  }
}
