import VisionProtocols

/// Finds the books in an image of a shelf or a stack, and reads what is on them.
///
/// ```swift
/// let reader = ShelfReader<Photo>(finding: spines)
///   .recognizingText(with: recognizer)
///   .readingBarcodes(with: quickScanner, closeUps: scanner)
/// for book in try await reader.shelf(in: photo).books {
///   print(book.title ?? "?", book.author ?? "", book.isbns)
/// }
/// ```
///
/// Text and barcodes are optional. The recognizer gets the outlines of the books, so that it can
/// read each by itself; see `TextRecognizer`.
public struct ShelfReader<Image: Sendable>: Sendable {
  private let outlines: @Sendable (Image) async throws -> [DetectedOutline]
  private var texts: @Sendable (Image, [DetectedOutline]) async throws -> [RecognizedText]
  private var barcodes: @Sendable (Image) async throws -> [RecognizedBarcode]
  /// Reads the barcodes of an image in which neither books nor barcodes were found.
  private var closeUpBarcodes: @Sendable (Image) async throws -> [RecognizedBarcode]

  /// Makes a reader that only finds books.
  public init(finding detector: some OutlineDetector<Image>) {
    outlines = { try await detector.outlines(in: $0) }
    texts = { _, _ in [] }
    barcodes = { _ in [] }
    closeUpBarcodes = { _ in [] }
  }

  /// The reader that reads text on them as well.
  public func recognizingText(with recognizer: some TextRecognizer<Image>) -> ShelfReader {
    var result = self
    result.texts = { image, outlines in
      try await recognizer.texts(in: image, along: outlines.map(\.outline))
    }
    return result
  }

  /// The reader that reads barcodes as well.
  ///
  /// Few books on a shelf show a barcode, and the search for a missing one takes long. So shelves
  /// need a quick reader only. Other images, such as those of a back cover, deserve a thorough one.
  ///
  /// - Parameters:
  ///   - reader: reads the barcodes of every image.
  ///   - closeUps: reads those of an image in which neither books nor barcodes were found; nil if
  ///     such an image is not read again.
  public func readingBarcodes(
    with reader: some BarcodeReader<Image>, closeUps: (any BarcodeReader<Image>)? = nil
  ) -> ShelfReader {
    var result = self
    result.barcodes = { try await reader.barcodes(in: $0) }
    result.closeUpBarcodes = { try await closeUps?.barcodes(in: $0) ?? [] }
    return result
  }

  /// The books in an image, and what is written on them and beside them.
  ///
  /// Barcodes are looked for while books and text are.
  ///
  /// - Parameter image: the upright image.
  /// - Throws: what the detector or a reader throws, the others being cancelled;
  ///   `CancellationError` if the task is cancelled.
  public func shelf(in image: Image) async throws -> Shelf {
    try Task.checkCancellation()
    async let barcodes = barcodes(image)
    let outlines = try await outlines(image)
    try Task.checkCancellation()
    let texts = try await texts(image, outlines)
    var found = try await barcodes
    if outlines.isEmpty, found.isEmpty { found = try await closeUpBarcodes(image) }
    return await Shelf(concurrently: outlines, texts: texts, barcodes: found)
  }
}
