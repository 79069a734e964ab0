import Foundation
import Geometry
import Testing
import VisionProtocols

@testable import ShelfReading

/// An image of which nothing matters.
private struct Picture: Sendable {}

private struct Failure: Error, Equatable {
  var name: String
}

/// One spine over everything, text that says how it was asked for, and one barcode.
private struct Fake: OutlineDetector, TextRecognizer, BarcodeReader {
  /// What fails.
  var failing = ""
  /// What is never done, until it is cancelled.
  var hanging = ""
  /// Told when something that hangs is cancelled.
  var onCancel: @Sendable (String) -> Void = { _ in }

  private static let place = Quadrilateral(Box(x: 0, y: 0, width: 20, height: 100))

  private func act(_ name: String) async throws {
    if failing == name { throw Failure(name: name) }
    guard hanging == name else { return }
    do {
      try await Task.sleep(for: .seconds(3600))
    } catch {
      onCancel(name)
      throw error
    }
  }

  func outlines(in image: Picture) async throws -> [DetectedOutline] {
    try await act("outlines")
    return [DetectedOutline(outline: Self.place, confidence: 0.75)]
  }

  func texts(in image: Picture) async throws -> [RecognizedText] {
    [RecognizedText(outline: Self.place, text: "whole", confidence: 1)]
  }

  func texts(
    in image: Picture, along outlines: [Quadrilateral]
  ) async throws -> [RecognizedText] {
    try await act("texts")
    return outlines.map { RecognizedText(outline: $0, text: "along", confidence: 1) }
  }

  func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
    try await act("barcodes")
    return [
      RecognizedBarcode(
        payload: "4006381333931", symbology: .ean13,
        outline: Quadrilateral(Box(x: 5, y: 45, width: 10, height: 5)), confidence: 1)
    ]
  }
}

/// No book, and a reader that finds barcodes or none.
private struct Wall: OutlineDetector, BarcodeReader {
  var payloads: [String]

  func outlines(in image: Picture) async throws -> [DetectedOutline] { [] }

  func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
    payloads.map {
      RecognizedBarcode(
        payload: $0, symbology: .ean13,
        outline: Quadrilateral(Box(x: 5, y: 45, width: 10, height: 5)), confidence: 1)
    }
  }
}

/// A recognizer that knows nothing of outlines.
private struct Plain: TextRecognizer {
  func texts(in image: Picture) async throws -> [RecognizedText] {
    try await Fake().texts(in: image)
  }
}

@Suite("Reading shelves")
struct ShelfReaderTests {
  private func reader(_ fake: Fake) -> ShelfReader<Picture> {
    ShelfReader(finding: fake).recognizingText(with: fake).readingBarcodes(with: fake)
  }

  @Test("The recognizer is told where the spines are")
  func along() async throws {
    let shelf = try await reader(Fake()).shelf(in: Picture())
    #expect(shelf.books.map(\.title) == ["along"])
    #expect(shelf.books.map(\.barcodes.count) == [1])
  }

  @Test("A recognizer that knows nothing of outlines reads the whole image")
  func plain() async throws {
    let shelf = try await ShelfReader(finding: Fake()).recognizingText(with: Plain())
      .shelf(in: Picture())
    #expect(shelf.books.map(\.title) == ["whole"])
  }

  @Test("Text and barcodes are optional")
  func alone() async throws {
    let shelf = try await ShelfReader(finding: Fake()).shelf(in: Picture())
    #expect(shelf.books.count == 1)
    #expect(shelf.books[0].lines.isEmpty)
    #expect(shelf.books[0].barcodes.isEmpty)
  }

  @Test(
    "Without books and barcodes, the reader for close-ups looks too",
    arguments: [([], ["slow"]), (["quick"], ["quick"])])
  func closeUps(quick: [String], all: [String]) async throws {
    let shelf = try await ShelfReader(finding: Wall(payloads: []))
      .readingBarcodes(with: Wall(payloads: quick), closeUps: Wall(payloads: ["slow"]))
      .shelf(in: Picture())
    #expect(shelf.otherBarcodes.map(\.payload) == all)
  }

  @Test("With books, the reader for close-ups is not asked")
  func noCloseUp() async throws {
    let shelf = try await ShelfReader(finding: Fake())
      .readingBarcodes(with: Wall(payloads: []), closeUps: Wall(payloads: ["slow"]))
      .shelf(in: Picture())
    #expect(shelf.books.count == 1)
    #expect(shelf.otherBarcodes.isEmpty)
  }

  @Test("What fails is told", arguments: ["outlines", "texts", "barcodes"])
  func failure(name: String) async throws {
    await #expect(throws: Failure(name: name)) {
      try await reader(Fake(failing: name)).shelf(in: Picture())
    }
  }

  @Test("Where one fails, what hangs is cancelled", arguments: ["outlines", "texts"])
  func failureCancels(name: String) async throws {
    let (stopped, continuation) = AsyncStream.makeStream(of: String.self)
    let fake = Fake(
      failing: name, hanging: "barcodes",
      onCancel: {
        continuation.yield($0)
        continuation.finish()
      })
    await #expect(throws: Failure(name: name)) {
      try await reader(fake).shelf(in: Picture())
    }
    // The other began at the same time; if it came to hang, it was stopped before the error came.
    continuation.finish()
    for await name in stopped { #expect(name == "barcodes") }
  }

  @Test("Cancelling ends it", arguments: ["outlines", "texts", "barcodes"])
  func cancelling(name: String) async throws {
    let task = Task { try await reader(Fake(hanging: name)).shelf(in: Picture()) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
