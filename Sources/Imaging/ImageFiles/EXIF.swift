import CEXIF
import Geometry
import Raster

/// The orientation in a block of EXIF data (a TIFF structure without the `Exif` prefix).
///
/// Anything unreadable counts as upright, as it does in every viewer.
func exifOrientation(_ tiff: [UInt8]) -> Orientation {
  // A block in a JPEG has less than 64 KiB; a PNG may claim any size.
  guard !tiff.isEmpty, tiff.count <= 1 << 20 else { return .upright }
  let prefixed = Array("Exif\0\0".utf8) + tiff
  guard let data = exif_data_new() else { return .upright }
  defer { exif_data_unref(data) }
  exif_data_load_data(data, prefixed, UInt32(prefixed.count))
  guard let content = data.pointee.ifd.0,
    let entry = exif_content_get_entry(content, EXIF_TAG_ORIENTATION),
    entry.pointee.format == EXIF_FORMAT_SHORT, entry.pointee.size >= 2,
    let bytes = entry.pointee.data
  else { return .upright }
  let value = exif_get_short(bytes, exif_data_get_byte_order(data))
  return Orientation(rawValue: Int(value)) ?? .upright
}
