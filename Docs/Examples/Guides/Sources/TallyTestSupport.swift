import Counting
import FrameAnalysis
import Recognition
import Telemetry

// begin
let photo = TestImage("tray", width: 640, height: 480)!
let images = [photo]
let folder = URL(fileURLWithPath: "events")
let scanner = FrameScanner(
  analyzer: FrameAnalyzer<TestImage>().readingBarcodes(with: FakeBarcodeReader<TestImage>([])))
