import ABTesting

struct CameraFrame: SizedImage {
  var width = 1920
  var height = 1080
  let time: FrameTime
}

struct AppTexts: TextRecognizer {
  func texts(in image: CameraFrame) async throws -> [RecognizedText] {
    let box = Box(x: 900, y: 200, width: 60, height: 600)
    return [RecognizedText(outline: Quadrilateral(box), text: "The Histories", confidence: 0.9)]
  }
}

struct AppBarcodes: BarcodeReader {
  func barcodes(in image: CameraFrame) async throws -> [RecognizedBarcode] { [] }
}

struct AppSpines: OutlineDetector {
  func outlines(in image: CameraFrame) async throws -> [DetectedOutline] {
    let box = Box(x: 880, y: 100, width: 100, height: 900)
    return [DetectedOutline(outline: Quadrilateral(box), confidence: 0.8)]
  }
}

func show(_ marks: [FindingMark], _ message: FrameText?) {
  let labels = marks.map { $0.label?.description ?? $0.badge ?? "" }
  if labels != ["80%"] || message != nil {
    mismatches.append("shows \(labels) with the message \(String(describing: message))")
  }
}
func signal(_ event: FeedbackEvent) { mismatches.append("signals \(event)") }
func log(_ error: any Error) { mismatches.append("fails with \(error)") }
func log(_ failure: RecognizerFailure) { mismatches.append("fails with \(failure)") }

struct Flags { let rollout: Rollout }

/// Two objects walk: one upwards across the line, the other one stands in the polygon.
func walk(_ number: Int) -> (sightings: [Sighting], time: FrameTime) {
  let up = Box(x: 250, y: Float(380 - 20 * number), width: 40, height: 100)
  let still = Box(x: 400, y: 320, width: 40, height: 100)
  let time = FrameTime(nanoseconds: Int64(number) * 40_000_000)
  return ([Sighting(box: up), Sighting(box: still)], time)
}

// begin
let (cameraFrames, camera) = AsyncStream<CameraFrame>.makeStream()
camera.yield(CameraFrame(time: .zero))
camera.finish()

let model = try BundledModels.spineSegmenter()
let flags = Flags(rollout: try Rollout(salt: "new-spine-finder", share: 0.05))
let userID = "4711"

// A grey picture.
let (width, height, bytesPerRow, lumaBytesPerRow, chromaBytesPerRow) = (8, 4, 32, 8, 8)
let plane = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 1)
plane.initializeMemory(as: UInt8.self, repeating: 128)
let bytes = UnsafeRawBufferPointer(plane)
let luma = UnsafeRawBufferPointer(rebasing: bytes[..<32])
let chroma = UnsafeRawBufferPointer(rebasing: bytes[..<16])
let orientation = Orientation.rotate90Clockwise

let frames = (0..<16).map(walk)
