import TallyTestSupport

typealias Photo = TestImage

// begin
let photo = Photo("shelf", width: 1920, height: 1080)!
let spines = FakeOutlineDetector<Photo>([])
let recognizer = FakeTextRecognizer<Photo>([])
let (quickScanner, scanner) = (FakeBarcodeReader<Photo>([]), FakeBarcodeReader<Photo>([]))
