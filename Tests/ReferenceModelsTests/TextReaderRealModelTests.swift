import Foundation
import Geometry
import ImageFiles
import ONNXRunner
import Raster
import ReferenceModels
import SpineDetection
import TestSupport
import Testing
import TextDecode
import VisionProtocols

/// PP-OCRv4 on rendered pages and photos, against RapidOCR on ONNX Runtime, line by line.
@Suite("Text reader with PP-OCRv4", .serialized)
struct TextReaderRealModelTests {
  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    struct Line: Decodable, Sendable {
      let quad: [Double]
      let text: String
      let confidence: Float
    }
    let image: String
    let lines: [Line]

    var testDescription: String { image }
  }

  static let pages = (try? Folders.golden("TextReader/pages.json", as: [Golden].self)) ?? []
  static let photos = (try? Folders.golden("TextReader/photos.json", as: [Golden].self)) ?? []

  /// One reader for all comparisons; nil where the models are not here.
  static let reader = Result { try reader(.rapidOCR, orientation: true) }

  static func reader(
    _ configuration: TextReaderConfiguration, orientation: Bool
  ) throws -> TextReader? {
    let names = TextModelFiles.names
    let files = try [names.detector, names.orientation, names.recognizer].map(Requirements.model)
    guard let detector = files[0], let turning = files[1], let recognizer = files[2] else {
      return nil
    }
    return try TextReader(
      files: TextModelFiles(
        detector: detector, orientation: orientation ? turning : nil, recognizer: recognizer),
      configuration: configuration)
  }

  @Test func goldensAreThere() {
    #expect(Self.pages.count == 20)
    #expect(Self.photos.count == 9)
    #expect((Self.pages + Self.photos).reduce(0) { $0 + $1.lines.count } > 400)
  }

  @Test("Rendered pages are read as RapidOCR reads them", arguments: pages)
  func page(golden: Golden) async throws {
    let file = Folders.goldens.appendingPathComponent("TextReader/\(golden.image)")
    try await compare(golden, file)
  }

  @Test("Photos of shelves are read as RapidOCR reads them", arguments: photos)
  func photo(golden: Golden) async throws {
    guard let file = try Requirements.shared("photos/shelf/\(golden.image)") else { return }
    try await compare(golden, file)
  }

  /// Lines are the same, in the same order, letter for letter and corner for corner; confidences differ
  /// by what sums in another order make of pixels that round apart.
  private func compare(_ golden: Golden, _ file: URL) async throws {
    guard let reader = try Self.reader.get() else { return }
    let lines = try await reader.texts(in: ImageFile.load(contentsOf: file))
    #expect(lines.map(\.text) == golden.lines.map(\.text))
    for (line, expected) in zip(lines, golden.lines) {
      #expect(abs(line.confidence - expected.confidence) < 0.01)
      let corners = line.outline.corners
      let theirs = stride(from: 0, to: 8, by: 2).map {
        Point(x: expected.quad[$0], y: expected.quad[$0 + 1])
      }
      // RapidOCR names corners by where they are, not by where the text begins.
      let nearest = (0..<4).map { turn in
        (0..<4).map { corners[($0 + turn) % 4].distance(to: theirs[$0]) }.reduce(0, max)
      }.min()
      #expect((nearest ?? .infinity) < 0.01)
    }
  }

  @Test("Text along a spine is read both ways, and outlines begin where it does")
  func bothTurns() async throws {
    guard let reader = try Self.reader(.spines, orientation: false) else { return }
    // Text that runs up, which without the other turn is read upside down.
    let page = try ImageFile.load(
      contentsOf: Folders.goldens.appendingPathComponent("TextReader/page_19.png"))
    let lines = try await reader.texts(in: page)
    let golden = try #require(Self.pages.first { $0.image == "page_19.png" })
    #expect(Set(lines.map(\.text)) == Set(golden.lines.map(\.text)))
    for line in lines { #expect(line.outline.topRight.y < line.outline.topLeft.y - 50) }
  }

  /// Small print, of which the greedy reading is "wornleaves0xfordroof;$24.95and".
  @Test("A list of words finds lost spaces and letters, and leaves numbers alone")
  func words() async throws {
    let words = ["Oxford", "edition", "leaves", "more", "opens", "roof", "worn"]
    var configuration = TextReaderConfiguration.rapidOCR
    configuration.beamSearch = CTCBeamConfiguration(lexicon: WordLexicon(words))
    guard let reader = try Self.reader(configuration, orientation: true) else { return }
    let page = try ImageFile.load(
      contentsOf: Folders.goldens.appendingPathComponent("TextReader/page_06.png"))
    let lines = try await reader.texts(in: page).map(\.text)
    #expect(lines.contains { $0.hasPrefix("worn leaves Oxford roof;$24.95") })
    #expect(lines.contains("978-0-306-40615-7 opens edition more"))
    let golden = try #require(Self.pages.first { $0.image == "page_06.png" })
    #expect(lines.count == golden.lines.count)
    for (line, plain) in zip(lines, golden.lines) {
      let numbers = plain.text.replacing("0xford", with: "").filter(\.isNumber)
      #expect(line.filter(\.isNumber) == numbers)
    }
  }

  /// Two of three of the titles that the whole photo leaves unread.
  @Test("Pictures of spines say what the whole photo does not")
  func spines() async throws {
    guard let reader = try Self.reader(.rapidOCR, orientation: true),
      let file = try Requirements.shared("photos/shelf/shelf_pierre_05.jpg")
    else { return }
    let photo = try ImageFile.load(contentsOf: file)
    let spines = try SpineDetector().spines(in: photo).map(\.quad)
    let whole = try await reader.texts(in: photo).map(\.text)
    let lines = try await reader.texts(in: photo, along: spines)
    for word in ["PYTHONS", "DUNCAN", "CAMPBELL"] {
      #expect(!whole.contains { $0.contains(word) })
      #expect(lines.contains { $0.text.contains(word) })
    }
    for line in lines {
      let box = line.outline.boundingBox
      #expect(box.minX > -50 && box.maxX < Float(photo.width) + 50)
      #expect(box.minY > -50 && box.maxY < Float(photo.height) + 50)
    }
  }

  /// Text that runs up a spine is read the other way round if it is not read surely.
  @Test("Spines of a photo that is upside down say what those of the photo say")
  func upsideDown() async throws {
    guard let reader = try Self.reader(.spines, orientation: true),
      let file = try Requirements.shared("photos/shelf/shelf_pierre_05.jpg")
    else { return }
    let photo = try ImageFile.load(contentsOf: file).oriented(.rotate180)
    let spines = try SpineDetector().spines(in: photo).map(\.quad)
    let lines = try await reader.texts(on: spines, of: photo)
    for word in ["PYTHONS", "CAMPBELL", "GLADWELL"] {
      let line = try #require(lines.first { $0.text.contains(word) }, "\(word)")
      #expect(line.outline.topRight.y < line.outline.topLeft.y)
    }
  }

  @Test("A task that is cancelled while networks run ends soon")
  func cancellation() async throws {
    guard let reader = try Self.reader(.rapidOCR, orientation: true) else { return }
    let page = try Raster(width: 1600, height: 1600, channels: 3, fill: 255)
    let task = Task { try await reader.texts(in: page) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
