import Raster
import ReferenceModels
import TallyTestSupport

typealias Photo = Raster

// begin
let photo = try Raster(width: 1920, height: 1080, channels: 3, fill: 128)
let reader = FakeBarcodeReader<Photo>([])
let classifier = FakeClassifier<Photo>([])
let index = FakeLikenessSearcher<Photo>([])
let recognizer = FakeTextRecognizer<Photo>([])
