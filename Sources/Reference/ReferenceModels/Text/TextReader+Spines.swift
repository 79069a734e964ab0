import Geometry
import Raster
import VisionProtocols

extension TextReader {
  /// The lines of text in an image with known spines of books; each spine is also read by itself.
  ///
  /// Small text of the whole image is large in the picture of a spine, and text along the spine is
  /// horizontal there. So the whole image is searched at
  /// ``TextReaderConfiguration/maximumShelfSide`` only. The pictures are placed on a few sheets for
  /// the detector. Lines of the whole image are not read again if they lie where a spine was read
  /// with a confidence of at least 0.8, and are never read both ways. If both readings have text at
  /// one place, the longer and more confident one is kept. Lines come in the order of
  /// ``texts(in:)``. After them come the lines that only pictures of spines show, spine by spine.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - spines: outlines of spines in it, such as those of `SpineDetector`; outlines without area
  ///     are skipped. If there are none, this is ``texts(in:)``.
  /// - Throws: as ``texts(in:)``.
  public func texts(
    in image: Raster, along spines: [Quadrilateral]
  ) async throws -> [RecognizedText] {
    guard !spines.isEmpty else { return try await texts(in: image) }
    let photo = try image.converted(toChannels: 3)
    async let cut = sheets(of: spines, in: photo)
    let page = try TextPage(
      photo, maximumSide: min(configuration.maximumSide, configuration.maximumShelfSide))
    // Awaited first: a search with all threads would wait for those that cut.
    let sheets = try await cut
    let whole = try await regions(on: page)
    let spineTexts = try await texts(on: sheets, ofPhoto: photo)
    let sure = spineTexts.filter { $0.confidence >= Self.sureConfidence }.map(\.outline)
    var rest = whole.map(page.original).filter { !$0.isCovered(by: sure) }
      .compactMap { TextCrop($0, of: photo) }
    let readings = try await read(&rest, tightly: true, doubtful: { _, _ in [] })
    var lines = zip(rest, readings).compactMap { recognized($1, at: $0.outline) }
    for line in spineTexts {
      let rivals = lines.indices.filter { lines[$0].outline.sharesPlace(with: line.outline) }
      let strength = rivals.reduce(0) { $0 + lines[$1].strength }
      guard line.strength > strength else { continue }
      if let first = rivals.first {
        lines[first] = line
        for index in rivals.dropFirst().reversed() { lines.remove(at: index) }
      } else {
        lines.append(line)
      }
    }
    return lines
  }

  /// The lines of text on spines of books, and no others, spine by spine.
  ///
  /// Only the pictures of the spines are searched, so one spine takes a fraction of the time and the
  /// memory of the whole image.
  ///
  /// - Parameters:
  ///   - spines: outlines of spines, such as those of `SpineDetector`; outlines without area are
  ///     skipped.
  ///   - image: the upright image.
  /// - Throws: as ``texts(in:)``.
  public func texts(
    on spines: [Quadrilateral], of image: Raster
  ) async throws -> [RecognizedText] {
    let photo = try image.converted(toChannels: 3)
    return try await texts(on: sheets(of: spines, in: photo), ofPhoto: photo)
  }

  /// Text that is read on a spine with this confidence is not read in the whole image: there it is
  /// rarely read better.
  private static let sureConfidence: Float = 0.8

  /// Lines with fewer letters say little of how they lie: "IS" and "SI" are read with like confidence.
  private static let leastSureLetters = 3

  /// The spines of a photo of three channels, laid on sheets for the detector.
  private func sheets(
    of spines: [Quadrilateral], in photo: Raster
  ) async throws -> [SpineSheet] {
    try await SpineSheet.sheets(
      of: spines, in: photo, thickness: Double(configuration.spineThickness))
  }

  /// What the sheets of a photo say, spine by spine.
  private func texts(
    on sheets: [SpineSheet], ofPhoto photo: Raster
  ) async throws -> [RecognizedText] {
    let found = try await mapConcurrently(sheets, limit: detector.runsAtOnce) { sheet in
      // Sheets have the size that the detector should see.
      let map = try await detector.map(of: sheet.image, side: 1)
      return try map.regions(configuration.decoder, of: sheet.image).inReadingOrder().compactMap {
        region -> (spine: Int, line: TextCrop)? in
        guard let (spine, outline) = sheet.original(region.outline) else { return nil }
        return TextCrop(outline, of: photo).map { (spine, $0) }
      }
    }
    // Lines of all spines together make groups of like width. They come spine by spine, those of a
    // spine in the order of its sheet.
    let placed = found.joined().enumerated()
      .sorted { ($0.element.spine, $0.offset) < ($1.element.spine, $1.offset) }
      .map(\.element)
    var lines = placed.map(\.line)
    let readings = try await read(&lines, tightly: true) { lines, readings in
      let isSure = readings.map(isSure)
      return lines.indices.filter { index in
        // A sure line beside it that runs the same way says that it is not upside down.
        !isSure[index]
          && !lines.indices.contains { other in
            isSure[other] && placed[other].spine == placed[index].spine
              && readings[other].text.count >= Self.leastSureLetters
              && lines[other].outline.runsLike(lines[index].outline)
          }
      }
    }
    return zip(lines, readings).compactMap { recognized($1, at: $0.outline) }
  }
}

extension RecognizedText {
  /// How much is read, and how surely.
  fileprivate var strength: Float { confidence * Float(text.count) }
}

extension Quadrilateral {
  /// Whether at least three quarters of this shape lie in others.
  fileprivate func isCovered(by others: [Quadrilateral]) -> Bool {
    let (columns, rows) = (16, 3)
    let covered = (0..<rows * columns).count { index in
      let u = (Double(index % columns) + 0.5) / Double(columns)
      let v = (Double(index / columns) + 0.5) / Double(rows)
      let place = point(u: u, v: v)
      return others.contains { $0.contains(place) }
    }
    return 4 * covered >= 3 * rows * columns
  }

  /// Whether the text of both runs in about one direction.
  fileprivate func runsLike(_ other: Quadrilateral) -> Bool {
    func along(_ shape: Quadrilateral) -> (x: Double, y: Double) {
      (shape.topRight.x - shape.topLeft.x, shape.topRight.y - shape.topLeft.y)
    }
    let (a, b) = (along(self), along(other))
    let lengths = ((a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y)).squareRoot()
    return a.x * b.x + a.y * b.y > 0.7 * lengths
  }

  /// Whether the middle of one lies in the other.
  fileprivate func sharesPlace(with other: Quadrilateral) -> Bool {
    contains(other.center) || other.contains(center)
  }
}
