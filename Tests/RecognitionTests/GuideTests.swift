import Geometry
import Recognition
import TestSupport
import Testing
import VisionProtocols

// What the example of Docs/Recognition.md takes from the app around it.

private struct CameraPhoto: CroppableImage {
  var width = 1920
  var height = 1080

  func cropped(to rect: PixelRect) -> CameraPhoto? {
    CameraPhoto(width: rect.width, height: rect.height)
  }
}

private struct AppBarcodes: BarcodeReader {
  func barcodes(in image: CameraPhoto) async throws -> [RecognizedBarcode] { [] }
}

private struct AppKinds: ImageClassifier {
  func classifications(of image: CameraPhoto, maximumCount: Int) async throws -> [Classification] {
    [Classification(label: "cup", index: 0, confidence: image.width == 960 ? 0.95 : 0)]
  }
}

private struct AppThings: LikenessSearcher {
  func likenesses(of image: CameraPhoto, maximumCount: Int) async throws -> [LikenessMatch] { [] }
}

private struct AppTexts: TextRecognizer {
  func texts(in image: CameraPhoto) async throws -> [RecognizedText] { [] }
}

private struct AppMeter: LightMeter {
  func meanLuma(of image: CameraPhoto) async throws -> Double { 0.5 }
}

@Suite("The guide's example")
struct GuideTests {
  /// The lines of the guide, between the comments.
  private func run(_ photo: CameraPhoto) async throws -> [String] {
    var shown: [String] = []
    func show(_ text: String, _ more: [String] = []) { shown += [text] + more }
    // begin
    let recognizer = ObjectRecognizer(
      router: RecognitionRouter<CameraPhoto>()
        .readingBarcodes(with: AppBarcodes())
        .classifying(with: AppKinds(), after: .centerHalf)
        .searchingLikeness(with: AppThings())
        .recognizingText(with: AppTexts())
        .measuringLight(with: AppMeter()))

    let result = try await recognizer.recognize(photo)
    switch result.object {
    case .barcode(let code):
      show(code.isbn?.description ?? code.barcode.payload)
    case .classification(let kind, let others):
      show(kind.label, others.map(\.label))
    case .likeness(let thing, _):
      show(thing.name ?? thing.id.uuidString)
    case .text(let text):
      show(text.lines.map(\.text).joined(separator: " "), text.dates.map(\.match.date.description))
    case nil:
      show(result.advice?.description ?? "")
    }
    // end
    return shown
  }

  @Test("It runs")
  func example() async throws {
    #expect(try await run(CameraPhoto()) == ["cup"])
  }

  @Test("It is what the guide shows")
  func guide() throws {
    let tested = try GuideExample.tested(in: #filePath)
    #expect(try GuideExample.shown(in: "Recognition.md") == tested && tested.count > 10)
  }
}
