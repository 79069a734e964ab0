#if canImport(Vision)
  import Geometry
  import Vision
  import VisionProtocols

  /// Reads text with Vision.
  ///
  /// ```swift
  /// let lines = try await VisionTextRecognizer(languages: ["en-US", "de-DE"]).texts(in: image)
  /// ```
  ///
  /// Each line has the most likely reading and its confidence. If text is read on objects, Vision
  /// looks at the box around each by itself.
  public struct VisionTextRecognizer<Image: VisionImage>: TextRecognizer {
    /// Whether accuracy counts more, or speed.
    public enum Level: String, Hashable, Sendable, Codable, CaseIterable {
      /// Vision's accurate level.
      case accurate
      /// Vision's fast level, for frames of a camera.
      case fast
    }

    /// The languages to read, the most important first, such as `en-US`; Vision's own if empty.
    public let languages: [String]
    /// Whether accuracy counts more, or speed.
    public let level: Level
    /// Whether words are corrected by the language; switch it off for codes and part numbers.
    public let correctsLanguage: Bool
    /// The least height of text, as a share of the image's height; nil for Vision's own.
    public let minimumTextHeight: Float?

    private let queue = BlockingQueue(label: "tally.vision.text")

    /// Makes a recognizer.
    ///
    /// - Parameters:
    ///   - languages: the languages to read, the most important first.
    ///   - level: whether accuracy counts more, or speed.
    ///   - correctsLanguage: whether words are corrected by the language.
    ///   - minimumTextHeight: the least height of text, as a share of the image's height, 0...1.
    public init(
      languages: [String] = [], level: Level = .accurate, correctsLanguage: Bool = true,
      minimumTextHeight: Float? = nil
    ) {
      self.languages = languages
      self.level = level
      self.correctsLanguage = correctsLanguage
      self.minimumTextHeight = minimumTextHeight
    }

    /// Every line of text that Vision reads.
    ///
    /// - Throws: ``AppleVisionError``; `CancellationError` if the task is cancelled, which cancels
    ///   the request; what the image throws.
    public func texts(in image: Image) async throws -> [RecognizedText] {
      try await texts(in: image, region: .whole)
    }

    /// Every line of text that Vision reads on objects, object by object.
    ///
    /// Lines whose middle lies outside the outline are left out. Outlines without a part in the image
    /// are skipped.
    ///
    /// - Throws: as ``texts(in:)``.
    public func texts(
      on outlines: [Quadrilateral], of image: Image
    ) async throws -> [RecognizedText] {
      let space = try CoordinateSpace(width: image.width, height: image.height)
      var lines: [RecognizedText] = []
      for outline in outlines {
        guard let region = space.normalized(from: outline.boundingBox).insideImage else { continue }
        lines += try await texts(in: image, region: region).filter {
          outline.contains($0.outline.center)
        }
      }
      return lines
    }

    private func texts(
      in image: Image, region: NormalizedBox
    ) async throws -> [RecognizedText] {
      try await queue.answer("text", for: image, make: { request(in: region) }) { request, space in
        (request.results ?? []).compactMap { line in
          line.topCandidates(1).first.map { reading in
            RecognizedText(
              outline: space.quadrilateral(of: line, in: region), text: reading.string,
              confidence: reading.confidence)
          }
        }
      }
    }

    private func request(in region: NormalizedBox) -> VNRecognizeTextRequest {
      let request = VNRecognizeTextRequest()
      request.regionOfInterest = CGRect(
        x: region.x, y: region.y, width: region.width, height: region.height)
      request.recognitionLevel =
        switch level {
        case .accurate: .accurate
        case .fast: .fast
        }
      request.usesLanguageCorrection = correctsLanguage
      if !languages.isEmpty { request.recognitionLanguages = languages }
      if let minimumTextHeight { request.minimumTextHeight = minimumTextHeight }
      return request
    }
  }

  extension NormalizedBox {
    /// All of an image.
    fileprivate static let whole = NormalizedBox(x: 0, y: 0, width: 1, height: 1)

    /// The part of the box that lies in the image; nil if there is none.
    fileprivate var insideImage: NormalizedBox? {
      let (left, bottom) = (max(x, 0), max(y, 0))
      let (right, top) = (min(x + width, 1), min(y + height, 1))
      // A comparison with NaN is false.
      guard right > left, top > bottom else { return nil }
      return NormalizedBox(x: left, y: bottom, width: right - left, height: top - bottom)
    }
  }
#endif
