import Raster

/// A view that shows how far a count is.
final class Bar { var fraction = 0.0 }
final class Label { var text = "" }

struct Photo: CroppableImage {
  let width: Int
  let height: Int

  func cropped(to rect: PixelRect) -> Photo? { Photo(width: rect.width, height: rect.height) }
}

/// What an app's own detector answers: three boxes in a row, one of them uncertain.
func coreMLBoxes(in photo: Photo) async throws -> [(box: Box, score: Float)] {
  [0.9, 0.8, 0.1].enumerated().map { index, score in
    (Box(x: Float(100 * index), y: 50, width: 60, height: 60), score)
  }
}

struct CoreMLEmbedder: ImageEmbedder {
  let dimension = 2

  func embeddings(of images: [Photo]) async throws -> EmbeddingMatrix {
    try EmbeddingMatrix(values: images.flatMap { _ in [1, 0] as [Float] }, dimension: dimension)
  }
}

// begin
let photo = checkoutFile("Fixtures/Images/coins.png")
let image = try ImageFile.load(contentsOf: photo)
let cameraPhoto = Photo(width: 640, height: 480)
let (bar, label) = (Bar(), Label())
let boxes = [
  Box(x: 0, y: 0, width: 40, height: 40), Box(x: 2, y: 1, width: 40, height: 40),
  Box(x: 100, y: 0, width: 40, height: 40),
]
let scores: [Float] = [0.9, 0.8, 0.7]
let vectors: [[Float]] = [[1, 0], [0.9, 0.1], [0, 1]]
let file = try BundledModels.detectorFile()
let pixels = [Float](repeating: 0.5, count: 3 * 416 * 416)
// One object of class 0 in the first cell.
let output = [0.5, 0.5, 1, 1, 0.9, 0.8] + [Float](repeating: 0, count: 3549 * 85 - 6)
let frame = 1
