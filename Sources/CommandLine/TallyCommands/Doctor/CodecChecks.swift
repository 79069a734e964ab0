import CommandKit
import Foundation
import ImageFiles

/// Checks of the libraries that read photos, each by a picture of 8 x 8 pixels of one colour.
enum CodecChecks {
  /// Whether each format can be read.
  static func findings(
    of picture: (ImageFormat) -> String = picture
  ) -> [Finding] {
    var names: [String] = []
    var failures: [Finding] = []
    for format in ImageFormat.allCases {
      if let reason = refusal(picture(format)) {
        failures.append(
          .problem(
            "photos", "\(format.name) cannot be read: \(reason)", advice: advice(for: format)))
      } else {
        names.append(format.name)
      }
    }
    let read = names.isEmpty ? [] : [Finding.ok("photos", "\(Sentence.all(names)) can be read")]
    return read + failures
  }

  /// Why a picture cannot be read; nil if it can.
  private static func refusal(_ base64: String) -> String? {
    guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
      return "the picture for the check is damaged"
    }
    do {
      let raster = try ImageFile.load(data: data)
      guard raster.width == 8, raster.height == 8 else {
        return "a picture of 8 x 8 pixels is read as \(raster.width) x \(raster.height)"
      }
      return nil
    } catch {
      return Failure.of(error).message
    }
  }

  private static func advice(for format: ImageFormat) -> String {
    format == .heic
      ? "install libheif's decoder for HEVC, on Debian libheif-plugin-libde265, or convert photos "
        + "to JPEG"
      : "install the library for \(format.name) again, or convert photos to another format"
  }

  /// The picture in a format, in base 64.
  static func picture(_ format: ImageFormat) -> String {
    switch format {
    case .jpeg:
      """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRT
      c4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAA
      AAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z
      """
    case .png:
      """
      iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR4nGM8YaPBgA0wYRUdtBIA77ABPOi/LYYAAA
      AASUVORK5CYII=
      """
    case .heic:
      """
      AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAXxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAA
      AAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoAABAAAAAAAAACoAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAAB
      AABodmMxAAAAAA5waXRtAAAAAAABAAAA/GlwcnAAAADcaXBjbwAAAHVodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADw
      NgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQApQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqrprm4CGgwIAA
      AAyAAAADAIRiAAEABkQBwXPBiQAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFwAA
      AACAAAAAEAAAAIAAAAAf///8gAAAAC////yAAAAAIAAAAQcGl4aQAAAAADCAgIAAAAGGlwbWEAAAAAAAAAAQABBYEC
      AwWEAAAAMm1kYXQAAAAmKAGvGSFeQkDvXaW//x3z/dQX93W3ymSgppcE14iZCwOBgI2RnTg=
      """
    case .webp:
      """
      UklGRh4AAABXRUJQVlA4TBEAAAAvB8ABAAdQniIXpf+BiOh/AAA=
      """
    case .tiff:
      """
      SUkqADAAAACAMgeCiBQSBwWEQeFQaGQmGwuHRGIROHxWJRaKReNRmORiPRuPwuAgCgAAAQMAAQAAAAgAAAABAQMAAQ
      AAAAgAAAACAQMAAwAAAK4AAAADAQMAAQAAAAUAAAAGAQMAAQAAAAIAAAARAQQAAQAAAAgAAAAVAQMAAQAAAAMAAAAW
      AQMAAQAAAAgAAAAXAQQAAQAAACgAAAAcAQMAAQAAAAEAAAAAAAAACAAIAAgA
      """
    }
  }
}
