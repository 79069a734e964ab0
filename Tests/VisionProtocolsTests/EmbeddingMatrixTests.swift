import Geometry
import Testing
import VisionProtocols

@Suite("Embedding matrix")
struct EmbeddingMatrixTests {
  @Test("values fill rows, row after row")
  func rows() throws {
    let matrix = try EmbeddingMatrix(values: [1, 2, 3, 4, 5, 6], dimension: 3)
    #expect(matrix.count == 2 && matrix.dimension == 3)
    #expect(Array(matrix[row: 0]) == [1, 2, 3])
    #expect(Array(matrix[row: 1]) == [4, 5, 6])
  }

  @Test("no values are no rows, of any dimension", arguments: [1, 2, 576, Int.max])
  func empty(dimension: Int) throws {
    let matrix = try EmbeddingMatrix(values: [], dimension: dimension)
    #expect(matrix.count == 0 && matrix.dimension == dimension)
  }

  @Test(
    "values that do not fill whole rows are refused",
    arguments: [(5, 2), (1, 2), (3, 0), (0, 0), (4, -2), (7, Int.max), (1, Int.min)])
  func notRectangular(count: Int, dimension: Int) {
    let error = #expect(throws: EmbeddingMatrixError.self) {
      _ = try EmbeddingMatrix(values: Array(repeating: 1, count: count), dimension: dimension)
    }
    #expect(error == .notRectangular(values: count, dimension: dimension))
    #expect(error?.description.contains("\(dimension)") == true)
  }
}

@Suite("Directions of embeddings")
struct EmbeddingDirectionTests {
  @Test("rows are scaled to length 1, the tiniest and the largest too")
  func normalized() throws {
    let tiny = Float.leastNonzeroMagnitude
    let huge = Float.greatestFiniteMagnitude
    let matrix = try EmbeddingMatrix(values: [3, 4, tiny, 0, -huge, huge], dimension: 2)
    let rows = try matrix.normalized()
    #expect(rows.count == 3 && rows.dimension == 2)
    #expect(Array(rows[row: 0]) == [0.6, 0.8])
    #expect(Array(rows[row: 1]) == [1, 0])
    #expect(Array(rows[row: 2]) == [-0.5.squareRoot(), 0.5.squareRoot()].map(Float.init))
    try matrix.requireDirections()
    #expect(try EmbeddingMatrix(values: [], dimension: 2).normalized().count == 0)
  }

  @Test(
    "a row without a direction is refused by its number",
    arguments: [
      ([1, 2, 0, 0], EmbeddingMatrixError.zeroRow(index: 1)),
      ([1, .nan, 0, 0], .nonFiniteRow(index: 0)),
      ([1, 2, 1, -.infinity], .nonFiniteRow(index: 1)),
      ([-0.0, 0, 1, 1], .zeroRow(index: 0)),
    ] as [([Float], EmbeddingMatrixError)])
  func withoutDirection(values: [Float], error: EmbeddingMatrixError) throws {
    let matrix = try EmbeddingMatrix(values: values, dimension: 2)
    #expect(throws: error) { _ = try matrix.normalized() }
    #expect(throws: error) { try matrix.requireDirections() }
    #expect(error.description.hasPrefix("embedding "))
  }
}

/// An image without pixels.
private struct Blank: CroppableImage {
  var width = 4
  var height = 4

  func cropped(to rect: PixelRect) -> Blank? {
    rect.x + rect.width <= width && rect.y + rect.height <= height
      ? Blank(width: rect.width, height: rect.height) : nil
  }
}

/// Sees one object as wide as the image, of a score of 0.7.
private struct WholeImage: ObjectDetector {
  func detections(in image: Blank, minimumConfidence: Float) async throws -> [Detection] {
    [
      Detection(
        box: Box(x: 0, y: 0, width: Float(image.width), height: 1), score: 0.7, objectness: 0.7,
        classScore: 1, classID: 0)
    ].filter { $0.score >= minimumConfidence }
  }
}

@Suite("Seams")
struct SeamTests {
  /// Code that knows the image type and not the detector.
  private func look<Detector: ObjectDetector>(
    at image: Blank, with detector: Detector, minimumConfidence: Float
  ) async throws -> [Detection] where Detector.Image == Blank {
    try await detector.detections(in: image, minimumConfidence: minimumConfidence)
  }

  @Test("a detector is used without knowing which it is")
  func generic() async throws {
    let rect = try #require(PixelRect(x: 1, y: 0, width: 3, height: 2))
    let piece = try #require(Blank().cropped(to: rect))
    let seen = try await look(at: piece, with: WholeImage(), minimumConfidence: 0.7)
    #expect(seen.map(\.box.width) == [3])
    #expect(try await look(at: piece, with: WholeImage(), minimumConfidence: 0.8).isEmpty)
  }
}
