import Foundation
import FrameAnalysis
import Geometry
import TestSupport
import VisionProtocols

/// A frame that knows what it shows, in pixels with the origin at the top left.
struct Picture: SizedImage {
  var width = 1000
  var height = 500
  var texts: [RecognizedText] = []
  var barcodes: [RecognizedBarcode] = []
  var outlines: [DetectedOutline] = []
}

struct Reader: TextRecognizer, BarcodeReader, OutlineDetector {
  var failure: (any Error)?
  /// Called before every answer.
  var before: @Sendable () async throws -> Void = {}

  private func answer<Value>(_ values: [Value]) async throws -> [Value] {
    try await before()
    if let failure { throw failure }
    return values
  }

  func texts(in image: Picture) async throws -> [RecognizedText] { try await answer(image.texts) }
  func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
    try await answer(image.barcodes)
  }
  func outlines(in image: Picture) async throws -> [DetectedOutline] {
    try await answer(image.outlines)
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// Lets nobody pass before all have come.
actor Gathering {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(of count: Int) {
    missing = count
  }

  func join() async {
    missing -= 1
    if missing <= 0 {
      for one in waiting { one.resume() }
      waiting = []
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}

extension Picture {
  /// A line of text, a barcode of a book and a spine, in a frame of 1000 by 500 pixels.
  static let book = Picture(
    texts: [
      RecognizedText(
        outline: Quadrilateral(Box(x: 100, y: 50, width: 250, height: 100)), text: "Title",
        confidence: 0.9)
    ],
    barcodes: [
      RecognizedBarcode(
        payload: "9780306406157", symbology: .ean13,
        outline: Quadrilateral(Box(x: 500, y: 400, width: 125, height: 50)))
    ],
    outlines: [
      DetectedOutline(
        outline: Quadrilateral(Box(x: 0, y: 0, width: 100, height: 500)), confidence: 0.8,
        appearance: [1, 0])
    ])
}

/// An analyzer in which one fake does all.
func fakeAnalyzer(_ reader: Reader = Reader()) -> FrameAnalyzer<Picture> {
  FrameAnalyzer<Picture>().recognizingText(with: reader).readingBarcodes(with: reader)
    .detectingObjects(with: reader)
}

/// A door that is opened once.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for one in waiting { one.resume() }
    waiting = []
  }

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

/// Numbers, in the order in which they came.
final class Numbers: @unchecked Sendable {
  private let lock = NSLock()
  private var numbers: [Int] = []

  func add(_ number: Int) { lock.withLock { numbers.append(number) } }
  var values: [Int] { lock.withLock { numbers } }
}

/// Frames 0 to 50, of which all but the first come while that one is analysed.
struct Burst: Sendable {
  let frames: AsyncStream<Int>
  private let started = Gate()
  private let released = Gate()
  private let handedOn = Gate()

  init() {
    let asked = Numbers()
    frames = AsyncStream(unfolding: { [started, handedOn] in
      let number = asked.values.count
      asked.add(number)
      // The first frame has to be in analysis before others come.
      if number == 1 { await started.pass() }
      if number <= 50 { return number }
      // Being asked for the next, it has handed on all before.
      await handedOn.open()
      return nil
    })
  }

  /// The analysis of a frame, which takes until ``release()`` for the first.
  func analyzes(_ number: Int) async {
    guard number == 0 else { return }
    await started.open()
    await released.pass()
  }

  /// Ends the analysis of the first frame when all others have come.
  func release() async {
    await handedOn.pass()
    await released.open()
  }
}

/// What `Fixtures/generate/frame_analysis.py` wrote.
func golden<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
  let file = Folders.goldens.appendingPathComponent("FrameAnalysis/\(name).json")
  return try JSONDecoder().decode(type, from: Data(contentsOf: file))
}
