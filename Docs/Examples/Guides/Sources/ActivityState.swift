import Counting
import TallyTestSupport

// begin
let photo = TestImage("tray", width: 640, height: 480)!
let photos = [photo]
let detector = FakeDetector<TestImage>([])
let embedder = FakeEmbedder<TestImage>(dimension: 2) { _ in [1, 0] }
let counter = ObjectCounter(detector: detector, embedder: embedder)
var results: [CountingResult] = []
