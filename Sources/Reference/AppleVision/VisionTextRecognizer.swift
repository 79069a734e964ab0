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
  /// Each line has the most likely reading and its confidence. Outlines of objects are not used.
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
      try await queue.answer("text", for: image, make: request) { request, space in
        (request.results ?? []).compactMap { line in
          line.topCandidates(1).first.map { reading in
            RecognizedText(
              outline: space.quadrilateral(of: line), text: reading.string,
              confidence: reading.confidence)
          }
        }
      }
    }

    private func request() -> VNRecognizeTextRequest {
      let request = VNRecognizeTextRequest()
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
#endif
