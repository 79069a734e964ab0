import Counting
import Geometry
import LinearAlgebra
import Raster
import VisionProtocols

/// The similarity map of a count's objects: the first two principal components of their embeddings.
public struct LooksPlane: Hashable, Sendable {
  /// The objects with embeddings.
  public let objects: [CountedDetection]
  /// Their coordinates, one point per object.
  public let points: [Point]
  /// The shares of the two components in the total variance, 0...1: the first as x, the second as
  /// y.
  public let shares: Point

  /// The greatest number of rows for the components; more would take seconds and change nothing.
  private static let mostRows = 1000

  /// Nil if there are fewer than three embeddings, because they do not define a plane.
  ///
  /// - Complexity: a singular value decomposition of up to 1,000 embeddings.
  /// - Throws: `LinearAlgebraError`.
  public init?(of trace: CountTrace) throws {
    guard let rows = trace.embeddings, rows.count >= 3, rows.count == trace.embedded.count,
      rows.dimension >= 2, rows.values.allSatisfy(\.isFinite)
    else { return nil }
    let all = try Matrix<Float>(
      rowCount: rows.count, columnCount: rows.dimension, elements: rows.values)
    let step = (rows.count + Self.mostRows - 1) / Self.mostRows
    let fitted =
      step == 1
      ? all
      : try Matrix<Float>(
        rowCount: (rows.count + step - 1) / step, columnCount: rows.dimension,
        elements: stride(from: 0, to: rows.count, by: step).flatMap { rows[row: $0] })
    let components = try PrincipalComponents(fitting: fitted, componentCount: 2)
    let plane = try components.project(all)
    objects = trace.embedded
    points = (0..<rows.count).map { Point(x: Double(plane[$0, 0]), y: Double(plane[$0, 1])) }
    let ratios = components.explainedVarianceRatio
    shares = Point(x: Double(ratios[0]), y: Double(ratios[1]))
  }

  /// The objects' indices in the order for getting pictures: the most confident first.
  public var surestFirst: [Int] {
    objects.indices.sorted {
      (objects[$0].detection.score, $1) > (objects[$1].detection.score, $0)
    }
  }

  /// An object's part of the photo; nil if it has no pixel.
  public func crop(of index: Int, from photo: Raster) -> Raster? {
    CropStage.rect(of: objects[index].detection.box, width: photo.width, height: photo.height)
      .flatMap { photo.cropped(to: $0) }
  }
}
