import Geometry
import TallyTestSupport

typealias CameraPhoto = TestImage

struct AppBarcodes: BarcodeReader {
  func barcodes(in image: CameraPhoto) async throws -> [RecognizedBarcode] { [] }
}

/// Sees a cup in the middle half of the photo.
struct AppKinds: ImageClassifier {
  func classifications(of image: CameraPhoto, maximumCount: Int) async throws -> [Classification] {
    [Classification(label: "cup", index: 0, confidence: image.width == 960 ? 0.95 : 0)]
  }
}

struct AppThings: LikenessSearcher {
  func likenesses(of image: CameraPhoto, maximumCount: Int) async throws -> [LikenessMatch] { [] }
}

struct AppTexts: TextRecognizer {
  func texts(in image: CameraPhoto) async throws -> [RecognizedText] { [] }
}

struct AppMeter: LightMeter {
  func meanLuma(of image: CameraPhoto) async throws -> Double { 0.5 }
}

func show(_ text: String, _ more: [String] = []) {
  print(text, more)
  if text != "cup" || !more.isEmpty { mismatches.append("the photo shows \(text), not a cup") }
}

// begin
let photo = CameraPhoto("cup", width: 1920, height: 1080)!
let json = Data(#"{"electronics": ["laptop", "mouse"]}"#.utf8)
let classifier = AppKinds()
