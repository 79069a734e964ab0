import Foundation
import Geometry
import ONNXRunner
import Raster
import ReferenceModels
import TestSupport
import Testing
import TextDecode
import VisionProtocols

/// A reader of tiny networks for which blocks of colour are letters.
private func tinyReader(
  detector: String = "text_detector", orientation: String? = "text_orientation",
  recognizer: String = "text_recognizer",
  configuration: TextReaderConfiguration = TextReaderConfiguration()
) throws -> TextReader {
  // Letters are blocks without margins of their own: what is cut out must not be mostly paper.
  var configuration = configuration
  configuration.decoder.unclipRatio = 0.4
  return try TextReader(
    files: TextModelFiles(
      detector: tinyModel(detector), orientation: orientation.map(tinyModel),
      recognizer: tinyModel(recognizer)), configuration: configuration)
}

/// White paper with blocks of colour.
private struct Paper {
  var image: Raster

  init(width: Int = 400, height: Int = 300, channels: Int = 3) throws {
    image = try Raster(width: width, height: height, channels: channels, fill: 255)
  }

  mutating func fill(_ letter: Character, x: Int, y: Int, width: Int, height: Int) {
    let colours: [Character: [UInt8]] = ["r": [255, 0, 0], "g": [0, 255, 0], "b": [0, 0, 255]]
    for row in y..<y + height {
      for column in x..<x + width {
        for channel in 0..<min(image.channels, 3) {
          image[x: column, y: row, channel: channel] = (colours[letter] ?? [0, 0, 0])[channel]
        }
      }
    }
  }

  /// Letters of 40 x 30 pixels from left to right, or of 30 x 40 from top to bottom.
  mutating func write(_ text: String, x: Int, y: Int, down: Bool = false) {
    for (index, letter) in text.enumerated() {
      if down {
        fill(letter, x: x, y: y + 40 * index, width: 30, height: 40)
      } else {
        fill(letter, x: x + 40 * index, y: y, width: 40, height: 30)
      }
    }
  }
}

@Suite("Text reader")
struct TextReaderTests {
  @Test("Lines are found, read, and told from top to bottom, left to right")
  func lines() async throws {
    var paper = try Paper()
    paper.write("rgb", x: 220, y: 40)
    paper.write("rk", x: 30, y: 42)
    paper.write("rbg", x: 60, y: 180)
    let lines = try await tinyReader().texts(in: paper.image)
    #expect(lines.map(\.text) == ["rk", "rgb", "rbg"])
    for line in lines { #expect(line.confidence > 0.5 && line.confidence < 1) }
    for (line, box) in zip(lines, [(30, 42, 80), (220, 40, 120), (60, 180, 120)]) {
      let (x, y, width) = box
      let found = line.outline.boundingBox
      #expect(found.minX < Float(x) && found.minX > Float(x - 30))
      #expect(found.maxX > Float(x + width) && found.maxX < Float(x + width + 30))
      #expect(found.minY < Float(y) && found.maxY > Float(y + 30) && found.height < 80)
      #expect(line.outline.topLeft.x < line.outline.topRight.x)
      #expect(line.outline.topLeft.y < line.outline.bottomLeft.y)
    }
  }

  @Test("Text that runs down, up, or upside down begins where its outline does")
  func directions() async throws {
    var paper = try Paper()
    paper.write("rgb", x: 40, y: 60, down: true)
    paper.write("bgr", x: 140, y: 60, down: true)
    paper.write("bgr", x: 230, y: 100)
    let lines = try await tinyReader().texts(in: paper.image)
    #expect(lines.map(\.text) == ["rgb", "rgb", "rgb"])
    guard lines.count == 3 else { return }
    func start(_ quad: Quadrilateral) -> (dx: Double, dy: Double) {
      (quad.topRight.x - quad.topLeft.x, quad.topRight.y - quad.topLeft.y)
    }
    let places = lines.sorted { $0.outline.center.x < $1.outline.center.x }.map(\.outline)
    #expect(start(places[0]).dy > 100 && abs(start(places[0]).dx) < 3)
    #expect(start(places[1]).dy < -100 && abs(start(places[1]).dx) < 3)
    #expect(start(places[2]).dx < -100 && abs(start(places[2]).dy) < 3)
    // Corners go round the same way as those of upright text.
    for outline in places { #expect(outline.signedArea > 0) }
  }

  @Test("Without the orientation network text is taken to run down")
  func noOrientation() async throws {
    var paper = try Paper()
    paper.write("bgr", x: 140, y: 60, down: true)
    let reader = try tinyReader(orientation: nil)
    #expect(try await reader.texts(in: paper.image).map(\.text) == ["bgr"])
    // Of two readings that are equally sure the first is kept.
    let both = try tinyReader(orientation: nil, configuration: .spines)
    #expect(try await both.texts(in: paper.image).map(\.text) == ["bgr"])
  }

  @Test(
    "Large, small and narrow images",
    arguments: [(3000, 2000), (120, 90), (60, 28), (28, 60), (40, 900), (9, 9), (1, 1)])
  func sizes(width: Int, height: Int) async throws {
    var paper = try Paper(width: width, height: height)
    let reader = try tinyReader()
    #expect(try await reader.texts(in: paper.image).isEmpty)
    guard width > 50, height > 25 else { return }
    let (x, y) = (width / 4, height / 4)
    paper.fill("k", x: x, y: y, width: width / 2, height: height / 2)
    let lines = try await reader.texts(in: paper.image)
    #expect(lines.map(\.text) == ["k"])
    guard let box = lines.first?.outline.boundingBox else { return }
    #expect(box.minX < Float(x) + 3 && box.maxX > Float(x + width / 2) - 3)
    #expect(box.minY < Float(y) + 3 && box.maxY > Float(y + height / 2) - 3)
    #expect(box.minX >= 0 && box.maxX <= Float(width))
    #expect(box.minY >= 0 && box.maxY <= Float(height))
  }

  /// A strip gets black above and below, which to the tiny network is text too.
  @Test("In a strip places are those of the strip", arguments: [(2600, 160), (500, 40), (2500, 3)])
  func strips(width: Int, height: Int) async throws {
    var paper = try Paper(width: width, height: height)
    paper.fill("k", x: width / 4, y: height / 4, width: width / 8, height: height / 2)
    let lines = try await tinyReader().texts(in: paper.image)
    for line in lines {
      let box = line.outline.boundingBox
      #expect(box.minX >= 0 && box.maxX <= Float(width))
      #expect(box.minY >= 0 && box.maxY <= Float(height))
    }
    guard height > 20 else { return }
    let inside = lines.filter {
      let (box, middle) = ($0.outline.boundingBox, $0.outline.center)
      return box.width < Float(width) / 4 && abs(middle.x - Double(width) * 5 / 16) < 9
        && abs(middle.y - Double(height) / 2) < 3
    }
    #expect(inside.map(\.text) == ["k"])
  }

  @Test("Any number of channels", arguments: 1...4)
  func channels(count: Int) async throws {
    var paper = try Paper(channels: count)
    if count < 3 {
      for y in 100..<130 {
        for x in 60..<200 { paper.image[x: x, y: y, channel: 0] = 0 }
      }
    } else {
      paper.write("rgb", x: 60, y: 100)
    }
    let lines = try await tinyReader().texts(in: paper.image)
    #expect(lines.map(\.text) == [count < 3 ? "k" : "rgb"])
  }

  @Test("Confidence below the minimum is left out, and blank lines always")
  func minimum() async throws {
    var paper = try Paper()
    paper.write("rgb", x: 60, y: 100)
    var configuration = TextReaderConfiguration()
    configuration.minimumConfidence = 1
    #expect(try await tinyReader(configuration: configuration).texts(in: paper.image).isEmpty)
    let nothing = try tinyReader(recognizer: "text_recognizer_nan")
    #expect(try await nothing.texts(in: paper.image).isEmpty)
  }

  @Test("Pictures of spines are read too, and each line is told once")
  func spines() async throws {
    var paper = try Paper(width: 400, height: 300)
    paper.write("rgb", x: 40, y: 60, down: true)
    paper.write("bgr", x: 240, y: 60, down: true)
    let reader = try tinyReader()
    let spines = [
      Quadrilateral(Box(minX: 20, minY: 20, maxX: 90, maxY: 220)),
      Quadrilateral(Box(minX: 220, minY: 20, maxX: 290, maxY: 220)),
      Quadrilateral(Box(minX: 50, minY: 50, maxX: 50, maxY: 80)),
      Quadrilateral(Box(minX: .nan, minY: 50, maxX: 50, maxY: 80)),
    ]
    let whole = try await reader.texts(in: paper.image)
    #expect(whole.count == 2)
    #expect(try await reader.texts(in: paper.image, along: []) == whole)
    let lines = try await reader.texts(in: paper.image, along: spines)
    #expect(lines.map(\.text) == whole.map(\.text))
    for (line, other) in zip(lines, whole) {
      #expect(line.outline.center.distance(to: other.outline.center) < 6)
      // Both begin at the same end.
      let (a, b) = (line.outline, other.outline)
      #expect(a.topLeft.distance(to: b.topLeft) < 30)
    }
  }

  /// They go onto several sheets, some of them side by side in a row.
  ///
  /// The short ones say the same either way round: so few letters do not tell this reader whether text runs up or down.
  @Test("What many spines say is told of the right one, spine by spine")
  func manySpines() async throws {
    var paper = try Paper(width: 1200, height: 500)
    var spines: [Quadrilateral] = []
    for index in 0..<15 {
      let (x, letters) = (20 + 78 * index, index % 3 == 0 ? "rgbrgbrgb" : "bgb")
      paper.write(letters, x: x + 15, y: 60, down: true)
      let height = Float(40 * letters.count + 60)
      spines.append(
        Quadrilateral(Box(minX: Float(x), minY: 30, maxX: Float(x + 60), maxY: 30 + height)))
    }
    let lines = try await tinyReader().texts(in: paper.image, along: spines)
    #expect(lines.count == spines.count)
    for (index, spine) in spines.enumerated() {
      let there = lines.filter { spine.contains($0.outline.center) }
      #expect(there.map(\.text) == [index % 3 == 0 ? "rgbrgbrgb" : "bgb"])
    }
  }

  @Test("A network that answers no numbers finds nothing")
  func nan() async throws {
    var paper = try Paper()
    paper.write("rgb", x: 60, y: 100)
    #expect(try await tinyReader(detector: "text_detector_nan").texts(in: paper.image).isEmpty)
  }

  @Test("Every stage is told of, once and in order")
  func stages() async throws {
    var paper = try Paper()
    for image in [
      paper.image,
      {
        paper.write("rgb", x: 60, y: 100)
        return paper.image
      }(),
    ] {
      var stages: [TextReader.Stage] = []
      _ = try await tinyReader().texts(in: image) { stages.append($0) }
      #expect(stages == TextReader.Stage.allCases)
    }
  }

  @Test("Any batch size reads the same")
  func batches() async throws {
    var paper = try Paper(width: 700, height: 700)
    for row in 0..<8 { paper.write(String("rgbkrgbk".prefix(2 + row)), x: 40, y: 30 + 80 * row) }
    var expected: [String]?
    for size in [1, 3, 6, 100] {
      var configuration = TextReaderConfiguration()
      configuration.batchSize = size
      let texts = try await tinyReader(configuration: configuration).texts(in: paper.image)
        .map(\.text)
      #expect(texts.count == 8)
      #expect(texts == expected ?? texts)
      expected = texts
    }
  }

  @Test("A beam search of the likeliest classes reads the same, and one with words heeds them")
  func beamSearch() async throws {
    var paper = try Paper()
    paper.write("rgb", x: 220, y: 40)
    paper.write("rk", x: 30, y: 42)
    let plain = try await tinyReader().texts(in: paper.image)
    var configuration = TextReaderConfiguration()
    configuration.beamSearch = CTCBeamConfiguration(leastProbability: 1)
    let searched = try await tinyReader(configuration: configuration).texts(in: paper.image)
    #expect(searched.map(\.text) == plain.map(\.text))
    #expect(searched.map(\.confidence) == plain.map(\.confidence))
    // A reward that no network outweighs.
    configuration.beamSearch = CTCBeamConfiguration(
      leastProbability: 0, lexicon: WordLexicon(["bb"], reward: 100))
    let corrected = try await tinyReader(configuration: configuration).texts(in: paper.image)
    #expect(corrected.count == plain.count)
    for (line, before) in zip(corrected, plain) {
      #expect(line.text.contains("bb"))
      #expect(line.confidence < before.confidence)
    }
  }

  @Test(
    "Models that do another job are refused in one line that says why",
    arguments: [
      ("text_recognizer", "text_orientation", "text_recognizer", "not a text detector"),
      ("text_detector_fixed", "text_orientation", "text_recognizer", "has a fixed size"),
      ("text_detector", "text_recognizer", "text_recognizer", "not a classifier"),
      ("text_detector", "text_orientation", "text_detector", "not a text recognizer"),
      ("text_detector", "text_orientation", "text_recognizer_bare", "no property 'character'"),
      ("text_detector", "text_orientation", "text_recognizer_empty", "no property 'character'"),
      ("text_detector", "text_orientation", "text_recognizer_short", "6 classes for 4 characters"),
      ("detector", "text_orientation", "text_recognizer", "not a text detector"),
      ("text_detector", "embedder", "text_recognizer", "not a classifier"),
    ])
  func refused(detector: String, orientation: String, recognizer: String, part: String) {
    let error = #expect(throws: ReferenceModelError.self) {
      try tinyReader(detector: detector, orientation: orientation, recognizer: recognizer)
    }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains(part))
    #expect(!"\(error.map(String.init(describing:)) ?? "")".contains("\n"))
  }

  @Test("A list of characters that shows to be wrong only in a run is an error")
  func wrongList() async throws {
    var paper = try Paper()
    paper.write("rgb", x: 60, y: 100)
    let reader = try tinyReader(recognizer: "text_recognizer_open")
    await #expect(throws: ReferenceModelError.self) { try await reader.texts(in: paper.image) }
    let huge = try TextReader(
      detector: InferenceSession(contentsOf: tinyModel("text_detector")), orientation: nil,
      recognizer: InferenceSession(contentsOf: tinyModel("text_recognizer_open")),
      characters: Array(repeating: "x", count: 1_000_000))
    await #expect(throws: ReferenceModelError.self) { try await huge.texts(in: paper.image) }
    var tight = TextReaderConfiguration()
    tight.decoder.unclipRatio = 0.4
    let own = try TextReader(
      detector: InferenceSession(contentsOf: tinyModel("text_detector")), orientation: nil,
      recognizer: InferenceSession(contentsOf: tinyModel("text_recognizer_bare")),
      characters: ["R", "Gr", "B", ""], configuration: tight)
    #expect(try await own.texts(in: paper.image).map(\.text) == ["RGrB"])
  }

  @Test("Settings out of range are refused by name")
  func settings() {
    func refuse(_ field: String, _ change: (inout TextReaderConfiguration) -> Void) {
      var configuration = TextReaderConfiguration()
      change(&configuration)
      let error = #expect(throws: ReferenceModelError.self) {
        try tinyReader(configuration: configuration)
      }
      #expect("\(error.map(String.init(describing:)) ?? "")".hasPrefix("\(field) is "))
    }
    refuse("maximumSide") { $0.maximumSide = 0 }
    refuse("detectionSide") { $0.detectionSide = 1 << 40 }
    refuse("batchSize") { $0.batchSize = 0 }
    refuse("minimumConfidence") { $0.minimumConfidence = .nan }
    refuse("orientationConfidence") { $0.orientationConfidence = 1.5 }
    refuse("beamWidth") { $0.beamSearch = CTCBeamConfiguration(beamWidth: 0) }
    refuse("reward") {
      $0.beamSearch = CTCBeamConfiguration(lexicon: WordLexicon([], reward: .nan))
    }
  }

  @Test("Many tasks may read at once, and answer as one does")
  func concurrency() async throws {
    var papers: [Raster] = []
    for index in 0..<6 {
      var paper = try Paper(width: 300 + 40 * index, height: 240)
      paper.write(String("rgbk".prefix(1 + index % 4)), x: 60, y: 60)
      papers.append(paper.image)
    }
    let reader = try tinyReader()
    var alone: [[RecognizedText]] = []
    for paper in papers { alone.append(try await reader.texts(in: paper)) }
    let together = try await withThrowingTaskGroup(of: (Int, [RecognizedText]).self) { group in
      for index in 0..<24 {
        let paper = papers[index % 6]
        group.addTask { (index, try await reader.texts(in: paper)) }
      }
      var found: [Int: [RecognizedText]] = [:]
      for try await (index, lines) in group { found[index] = lines }
      return found
    }
    for index in 0..<24 { #expect(together[index] == alone[index % 6]) }
  }

  @Test("A cancelled task ends with CancellationError")
  func cancellation() async throws {
    var paper = try Paper()
    paper.write("rgb", x: 60, y: 100)
    let (reader, image) = (try tinyReader(), paper.image)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await reader.texts(in: image)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
