import CTurboJPEG
import Geometry
import Raster

/// JPEG, by libjpeg-turbo.
struct JPEGDecoder: ImageDecoder {
  private let source: ByteSource
  private let segments: JPEGSegments

  init(_ source: ByteSource) throws {
    self.source = source
    segments = try JPEGSegments(source)
  }

  var width: Int { segments.width }
  var height: Int { segments.height }
  var orientation: Orientation { segments.orientation }

  var storage: ImageStorage {
    ImageStorage(
      components: segments.components, bitDepth: segments.precision,
      isProgressive: segments.hasSeveralScans)
  }
  var memory: DecodingMemory {
    let isCMYK = segments.components == 4
    // Some rows of blocks beside the pixels, or the coefficients of all blocks.
    return DecodingMemory(
      fixed: 1 << 20 + 64 * segments.components * width
        + (segments.hasSeveralScans ? segments.coefficientBytes : 0),
      perPixel: isCMYK ? 4 : 3, afterwardsPerPixel: isCMYK ? 7 : 3)
  }

  func decode(channels: ImageFile.Options.Channels, reduction: Int) throws -> Raster {
    if segments.components == 4 {
      return try decode(as: TJPF_CMYK, channels: 4, reduction).rgbFromInvertedInks()
    }
    if segments.components == 1, channels == .asStored {
      return try decode(as: TJPF_GRAY, channels: 1, reduction)
    }
    return try decode(as: TJPF_RGB, channels: 3, reduction)
  }

  private func decode(as format: TJPF, channels: Int, _ reduction: Int) throws -> Raster {
    let bytes = source.memory ?? UnsafeRawBufferPointer(start: nil, count: 0)
    guard let handle = tjInitDecompress() else {
      throw ImageFileError.corrupt(.jpeg, detail: "the decoder cannot start")
    }
    defer { tjDestroy(handle) }
    var headerWidth: Int32 = 0
    var headerHeight: Int32 = 0
    var subsampling: Int32 = 0
    var colorSpace: Int32 = 0
    // Fails for rare subsamplings that the decoder can still read, so only the size is used: the
    // decoder reads the header by itself.
    _ = tjDecompressHeader3(
      handle, bytes.baseAddress, UInt(bytes.count), &headerWidth, &headerHeight, &subsampling,
      &colorSpace)
    guard Int(headerWidth) == width, Int(headerHeight) == height else {
      throw ImageFileError.corrupt(.jpeg, detail: libraryMessage(tjGetErrorStr2(handle)))
    }
    // The decoder takes the largest of its scales that gives no more than this.
    let width = (self.width - 1) / reduction + 1
    let height = (self.height - 1) / reduction + 1
    return try Raster(width: width, height: height, channels: channels) { pixels in
      func run(_ flags: Int32) -> Int32 {
        tjDecompress2(
          handle, bytes.baseAddress, UInt(bytes.count), pixels.baseAddress, Int32(width),
          Int32(width * channels), Int32(height), Int32(format.rawValue), flags)
      }
      // Stopping at the first warning keeps a file without data from touching the image's memory.
      // The limit on scans stops files that make a decoder pass over the image thousands of times.
      if run(TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS) == 0 { return }
      try requireHarmlessWarning(handle)
      if run(TJFLAG_LIMITSCANS) != 0 { try requireHarmlessWarning(handle) }
    }
  }

  /// Throws the last failure, unless it is a warning about bytes that do not belong to the image.
  ///
  /// Cameras do write stray bytes between segments and odd version numbers; the image is whole.
  /// Every other warning (an end too early, a wrong code, a missing restart) means lost pixels and
  /// is thrown.
  private func requireHarmlessWarning(_ handle: tjhandle) throws {
    let message = libraryMessage(tjGetErrorStr2(handle))
    let isWarning = tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    let harmless = [
      "extraneous bytes before marker", "unknown JFIF revision", "Unknown Adobe color transform",
      "Invalid SOS parameters",
    ]
    if isWarning, harmless.contains(where: message.contains) { return }
    if message.contains("Premature end of JPEG file") {
      throw ImageFileError.truncated(.jpeg, detail: "it ends before its last row")
    }
    throw ImageFileError.corrupt(.jpeg, detail: message)
  }
}

extension Raster {
  /// RGB of cyan, magenta, yellow and black, as Pillow converts: `(255 - c) * (255 - k) / 255`.
  ///
  /// 255 means no ink, as Adobe's programs store it. All writers of CMYK do the same, with or
  /// without Adobe's marker.
  fileprivate func rgbFromInvertedInks() throws -> Raster {
    try Raster(width: width, height: height, channels: 3) { target in
      samples.withUnsafeBufferPointer { inks in
        var to = 0
        for pixel in stride(from: 0, to: inks.count, by: 4) {
          let paper = Int32(inks[pixel + 3])
          for channel in 0..<3 {
            // Pillow subtracts ink * paper / 255, rounded, from the paper.
            let product = Int32(255 - inks[pixel + channel]) * paper + 128
            target[to] = UInt8(
              truncatingIfNeeded: min(max(paper - (((product >> 8) + product) >> 8), 0), 255))
            to += 1
          }
        }
      }
    }
  }
}
