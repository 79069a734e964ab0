import TallyTestSupport
import Tracking
import VisionProtocols

typealias Photo = TestImage

func show(_ objects: [FrameObject], _ message: Guidance?) { print(objects, message ?? "") }
func draw(_ objects: [FrameObject]) { print(objects) }
func say(_ message: Guidance?) { print(message ?? "") }

// begin
let photo = Photo("shelf", width: 1920, height: 1080)!
let time = FrameTime.zero
let frames = [TestCamera.Frame(photo, at: time)]
let recognizer = FakeTextRecognizer<Photo>([])
let reader = FakeBarcodeReader<Photo>([])
let detector = FakeOutlineDetector<Photo>([])
let analyzer = FrameAnalyzer<Photo>().readingBarcodes(with: reader)
let analyzed = AnalyzedFrame.empty(at: time)
