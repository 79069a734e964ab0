import CHEIF
import Geometry
import Raster

/// HEIC, by libheif.
///
/// libheif turns and mirrors the image as the file's own properties say; the EXIF orientation that
/// such files often repeat is not applied again.
final class HEICDecoder: ImageDecoder {
  private let context: OpaquePointer
  private let handle: OpaquePointer
  /// What a file is read by; bytes in memory need none.
  private let reader: Reader?

  /// Reads the boxes; the source's bytes must outlive the decoder.
  init(_ source: ByteSource) throws {
    reader = source.memory == nil ? Reader(source) : nil
    guard let context = heif_context_alloc() else {
      throw ImageFileError.corrupt(.heic, detail: "the decoder cannot start")
    }
    do {
      if let reader {
        try Self.check(reader.read(into: context))
      } else if let bytes = source.memory {
        try Self.check(
          heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
      }
      var handle: OpaquePointer?
      try Self.check(heif_context_get_primary_image_handle(context, &handle))
      guard let handle else {
        throw ImageFileError.corrupt(.heic, detail: "it has no primary image")
      }
      self.handle = handle
      self.context = context
    } catch {
      heif_context_free(context)
      throw error
    }
    guard width > 0, height > 0 else {
      throw ImageFileError.corrupt(.heic, detail: "its image is \(width) x \(height)")
    }
  }

  deinit {
    heif_image_handle_release(handle)
    heif_context_free(context)
  }

  var width: Int { Int(heif_image_handle_get_width(handle)) }
  var height: Int { Int(heif_image_handle_get_height(handle)) }
  var orientation: Orientation { .upright }

  var storage: ImageStorage {
    let depth = Int(heif_image_handle_get_luma_bits_per_pixel(handle))
    return ImageStorage(components: hasAlpha ? 4 : 3, bitDepth: max(depth, 8))
  }
  var memory: DecodingMemory {
    // The planes twice, at half the resolution in colour, and RGB twice; deep samples have 2 bytes.
    DecodingMemory(fixed: 2 << 20, perPixel: storage.bitDepth > 8 ? 13.5 : 9)
  }

  private var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }

  func decode(channels: ImageFile.Options.Channels, reduction: Int) throws -> Raster {
    let keepsAlpha = channels == .asStored && hasAlpha
    let options = heif_decoding_options_alloc()
    defer { heif_decoding_options_free(options) }
    options?.pointee.convert_hdr_to_8bit = 1
    var decoded: OpaquePointer?
    try Self.check(
      heif_decode_image(
        handle, &decoded, heif_colorspace_RGB,
        keepsAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options))
    guard let decoded else {
      throw ImageFileError.corrupt(.heic, detail: "it decodes to nothing")
    }
    defer { heif_image_release(decoded) }
    var stride: Int32 = 0
    let decodedWidth = Int(heif_image_get_width(decoded, heif_channel_interleaved))
    let decodedHeight = Int(heif_image_get_height(decoded, heif_channel_interleaved))
    let count = keepsAlpha ? 4 : 3
    // The limit was checked with the declared size, but a file can hold a picture of another size.
    guard decodedWidth == width, decodedHeight == height else {
      throw ImageFileError.corrupt(
        .heic,
        detail: "it says \(width) x \(height) and decodes to \(decodedWidth) x \(decodedHeight)")
    }
    guard let plane = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride),
      Int(stride) >= decodedWidth * count
    else {
      throw ImageFileError.corrupt(.heic, detail: "its rows cannot be read")
    }
    return try Raster(width: width, height: height, channels: count) { pixels in
      let rowLength = width * count
      for y in 0..<height {
        let row = UnsafeBufferPointer(start: plane + y * Int(stride), count: rowLength)
        _ = UnsafeMutableBufferPointer(rebasing: pixels[(y * rowLength)...]).update(from: row)
      }
    }
  }

  private static func check(_ error: heif_error) throws {
    guard error.code != heif_error_Ok else { return }
    let detail = error.message.map(libraryMessage) ?? "unknown reason"
    switch error.code {
    case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
      throw ImageFileError.unsupportedFeature(.heic, detail: detail)
    default:
      if error.subcode == heif_suberror_End_of_data {
        throw ImageFileError.truncated(.heic, detail: detail)
      }
      throw ImageFileError.corrupt(.heic, detail: detail)
    }
  }
}
