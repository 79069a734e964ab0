import CHEIF

extension HEICDecoder {
  /// What libheif reads by: it takes the boxes that it needs, and the image data when it decodes.
  final class Reader {
    private let source: ByteSource
    private var position: Int64 = 0
    /// libheif keeps its address.
    private let callbacks = UnsafeMutablePointer<heif_reader>.allocate(capacity: 1)

    init(_ source: ByteSource) {
      self.source = source
      // The other fields, of which newer libraries have more, stay nil.
      var functions = heif_reader()
      functions.reader_api_version = 1
      functions.get_position = { Reader.at($0).position }
      functions.read = { target, count, context in
        let reader = Reader.at(context)
        let got = reader.source.copy(
          into: UnsafeMutableRawBufferPointer(start: target, count: count),
          at: Int(reader.position))
        reader.position += Int64(got)
        return got == count ? 0 : 1
      }
      functions.seek = { position, context in
        let reader = Reader.at(context)
        guard (0...Int64(reader.source.count)).contains(position) else { return 1 }
        reader.position = position
        return 0
      }
      functions.wait_for_file_size = { size, context in
        size <= Int64(Reader.at(context).source.count)
          ? heif_reader_grow_status_size_reached : heif_reader_grow_status_size_beyond_eof
      }
      callbacks.initialize(to: functions)
    }

    deinit { callbacks.deallocate() }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Reader {
      Unmanaged<Reader>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Reads the boxes; this reader must outlive the context.
    func read(into context: OpaquePointer) -> heif_error {
      heif_context_read_from_reader(
        context, callbacks, Unmanaged.passUnretained(self).toOpaque(), nil)
    }
  }
}
