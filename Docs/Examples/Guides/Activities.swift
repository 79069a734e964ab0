import TallyTestSupport
import Tracking
import VisionProtocols

struct CameraFrame: SizedImage {
  var width = 1920
  var height = 1080
  let time: FrameTime
}

func show(_ snapshot: Activity<CountingProgress, CountingResult>.Snapshot) {
  print(snapshot.phase.englishText)
}

// begin
let photo = TestImage("tray", width: 640, height: 480)!
let detector = FakeDetector<TestImage>([])
let embedder = FakeEmbedder<TestImage>(dimension: 2) { _ in [1, 0] }

let (cameraFrames, camera) = AsyncStream<CameraFrame>.makeStream()
camera.yield(CameraFrame(time: .zero))
camera.finish()
let scanner = FrameScanner(
  analyzer: FrameAnalyzer<CameraFrame>().readingBarcodes(with: FakeBarcodeReader<CameraFrame>([])))
let recognizer = ObjectRecognizer(
  router: RecognitionRouter<TestImage>().readingBarcodes(with: FakeBarcodeReader<TestImage>([])))
